#include "lissom/mesh/png.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <zlib.h>

namespace lissom::mesh {
namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

struct PngHeader {
  std::size_t columns = 0, rows = 0, depth = 0, channels = 0;
  bool palette = false;

  std::size_t row_bytes() const { return (columns * depth * channels + 7) / 8; }
  std::size_t pixel_bytes() const { return (depth * channels + 7) / 8; }
};

std::string read_header(std::string_view chunk, std::size_t max_values, PngHeader& header) {
  if (chunk.size() < 13) return "its header is too short";
  header.columns = big_endian(chunk, 0), header.rows = big_endian(chunk, 4);
  header.depth = static_cast<unsigned char>(chunk[8]);
  const auto color = static_cast<unsigned char>(chunk[9]), interlaced = static_cast<unsigned char>(chunk[12]);
  constexpr std::size_t channels[] = {1, 0, 3, 1, 2, 0, 4};
  header.channels = color < 7 ? channels[color] : 0;
  header.palette = color == 3;
  const bool depth_known = header.depth == 8 || (header.depth == 16 && !header.palette) ||
                           (header.channels == 1 && (header.depth == 1 || header.depth == 2 || header.depth == 4));
  if (header.channels == 0 || !depth_known) return "its kind of color is not one of PNG";
  if (interlaced != 0) return "it is interlaced, which is not read";
  if (header.columns == 0 || header.rows == 0) return "it has no pixels";
  if (header.columns > max_values || header.rows > max_values / header.columns) return "it has too many pixels";
  return {};
}

// Everything that is compressed, exactly `size` bytes.
bool inflate_all(std::string_view packed, std::size_t size, std::string& bytes) {
  bytes.resize(size);
  uLongf made = size;
  const auto* const from = reinterpret_cast<const Bytef*>(packed.data());
  auto* const to = reinterpret_cast<Bytef*>(bytes.data());
  return uncompress(to, &made, from, static_cast<uLong>(packed.size())) == Z_OK && made == size;
}

// The predictor of Paeth: the neighbor that is nearest to left + above - corner.
int paeth(int left, int above, int corner) {
  const int p = left + above - corner;
  const int a = std::abs(p - left), b = std::abs(p - above), c = std::abs(p - corner);
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

// Adds what each row's filter has subtracted. A row has its filter in front.
bool unfilter(const PngHeader& header, std::string& bytes) {
  const std::size_t stride = header.row_bytes() + 1, pixel = header.pixel_bytes();
  const auto at = [&](std::size_t row, std::size_t i) {
    return int(static_cast<unsigned char>(bytes[row * stride + 1 + i]));
  };
  for (std::size_t row = 0; row < header.rows; ++row) {
    const int filter = static_cast<unsigned char>(bytes[row * stride]);
    if (filter > 4) return false;
    for (std::size_t i = 0; i < header.row_bytes(); ++i) {
      const int left = i >= pixel ? at(row, i - pixel) : 0, above = row > 0 ? at(row - 1, i) : 0;
      const int corner = i >= pixel && row > 0 ? at(row - 1, i - pixel) : 0;
      const int predicted[] = {0, left, above, (left + above) / 2, paeth(left, above, corner)};
      bytes[row * stride + 1 + i] = char(at(row, i) + predicted[filter]);
    }
  }
  return true;
}

void append_big_endian(std::uint32_t number, std::string& bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(char((number >> shift) & 0xff));
}
void append_chunk(std::string_view tag, std::string_view content, std::string& bytes) {
  append_big_endian(std::uint32_t(content.size()), bytes);
  const auto start = bytes.size();
  bytes.append(tag).append(content);
  const auto* const from = reinterpret_cast<const Bytef*>(bytes.data() + start);
  append_big_endian(std::uint32_t(crc32(0, from, uInt(bytes.size() - start))), bytes);
}

double value_at(const PngHeader& header, const std::string& bytes, std::size_t row, std::size_t column,
                std::string_view palette) {
  const std::size_t start = row * (header.row_bytes() + 1) + 1, bit = column * header.depth * header.channels;
  const auto byte = [&](std::size_t i) { return unsigned(static_cast<unsigned char>(bytes[start + i])); };
  if (header.depth == 16) return (byte(bit / 8) * 256 + byte(bit / 8 + 1)) / 65535.;
  const unsigned most = (1U << header.depth) - 1;
  const unsigned number = byte(bit / 8) >> (8 - header.depth - bit % 8) & most;
  if (!header.palette) return double(number) / most;
  return 3 * number < palette.size() ? static_cast<unsigned char>(palette[3 * number]) / 255. : 0;
}

}  // namespace

bool is_png(std::string_view bytes) {
  return bytes.starts_with(png_signature);
}

std::string read_png(std::string_view bytes, std::size_t max_values, GrayImage& image) {
  if (!is_png(bytes)) return "it is no PNG";
  PngHeader header;
  std::string packed;
  std::string_view palette;
  for (std::size_t at = png_signature.size(); bytes.size() - at >= 12;) {
    const std::size_t size = big_endian(bytes, at);
    const auto tag = bytes.substr(at + 4, 4);
    if (size > bytes.size() - at - 12) return "it ends within a chunk";
    const auto chunk = bytes.substr(at + 8, size);
    if (tag == "IHDR")
      if (auto problem = read_header(chunk, max_values, header); !problem.empty()) return problem;
    if (tag == "PLTE") palette = chunk;
    if (tag == "IDAT") packed += chunk;
    at += 12 + size;
    if (tag == "IEND") break;
  }
  if (header.columns == 0) return "it has no header";
  std::string pixels;
  if (!inflate_all(packed, header.rows * (header.row_bytes() + 1), pixels) || !unfilter(header, pixels))
    return "its data are damaged";
  image.columns = int(header.columns), image.rows = int(header.rows);
  image.values.reserve(header.columns * header.rows);
  for (std::size_t row = 0; row < header.rows; ++row)
    for (std::size_t column = 0; column < header.columns; ++column)
      image.values.push_back(value_at(header, pixels, row, column, palette));
  return {};
}

std::string to_png(const GrayImage& image) {
  std::string header, pixels;
  append_big_endian(std::uint32_t(image.columns), header), append_big_endian(std::uint32_t(image.rows), header);
  header += std::string("\x10\0\0\0\0", 5);  // 16 bits, gray, and no choice in the rest
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    if (i % std::size_t(image.columns) == 0) pixels += '\0';  // rows are not filtered
    const auto number = unsigned(std::lround(65535 * std::clamp(image.values[i], 0., 1.)));
    pixels += char(number >> 8), pixels += char(number & 0xff);
  }
  uLongf size = compressBound(uLong(pixels.size()));
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(pixels.data()),
           uLong(pixels.size()));
  packed.resize(size);
  std::string bytes(png_signature);
  append_chunk("IHDR", header, bytes), append_chunk("IDAT", packed, bytes), append_chunk("IEND", "", bytes);
  return bytes;
}

}  // namespace lissom::mesh
