#include "lissom/mesh/height_map.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "lissom/files/data_uri.h"
#include "lissom/files/read_bytes.h"
#include "lissom/mesh/bytes.h"
#include "lissom/mesh/png.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

constexpr std::size_t heights_header_bytes = 8;

std::string read_image(std::string_view bytes, std::size_t max_heights, HeightMap& map) {
  GrayImage image;
  if (auto problem = read_png(bytes, max_heights, image); !problem.empty()) return problem;
  map.columns = image.columns, map.rows = image.rows;
  const auto columns = std::ptrdiff_t(image.columns);
  for (std::ptrdiff_t row = image.rows - 1; row >= 0; --row)
    map.heights.insert(map.heights.end(), image.values.begin() + row * columns,
                       image.values.begin() + (row + 1) * columns);
  return {};
}

std::string read_binary(std::string_view bytes, std::size_t max_heights, HeightMap& map) {
  if (bytes.size() < heights_header_bytes) return "it is neither PNG nor a height field of MuJoCo";
  const auto rows = number_at<std::int32_t>(bytes, 0), columns = number_at<std::int32_t>(bytes, 4);
  if (rows <= 0 || columns <= 0) return "it is neither PNG nor a height field of MuJoCo";
  const auto count = std::uint64_t(rows) * std::uint64_t(columns);
  if (count > max_heights) return "it has too many heights";
  if (bytes.size() != heights_header_bytes + 4 * count)
    return "it has " + std::to_string(bytes.size()) + " bytes, expected " +
           std::to_string(heights_header_bytes + 4 * count) + " for the numbers of rows and columns in its header";
  map.rows = rows, map.columns = columns;
  for (std::size_t i = 0; i < count; ++i) {
    map.heights.push_back(double(number_at<float>(bytes, heights_header_bytes + 4 * i)));
    if (!std::isfinite(map.heights.back())) return "a height is NaN or infinite";
  }
  return {};
}

void append_number(std::uint32_t number, std::string& bytes) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(char((number >> shift) & 0xff));
}

LoadedHeights refused(const std::string& name, const std::string& problem) {
  LoadedHeights loaded;
  loaded.findings.push_back({Severity::error, "height-map", name, 0, "", problem,
                             "use PNG without interlacing, or MuJoCo's binary format, with at most " +
                                 std::to_string(limits::heights) + " heights"});
  return loaded;
}

}  // namespace

LoadedHeights load_heights_bytes(std::string_view bytes, const std::string& name, std::size_t max_heights) {
  LoadedHeights loaded;
  auto problem =
      is_png(bytes) ? read_image(bytes, max_heights, loaded.map) : read_binary(bytes, max_heights, loaded.map);
  if (problem.empty() && (loaded.map.rows < 2 || loaded.map.columns < 2)) problem = "it has fewer than 2 x 2 heights";
  return problem.empty() ? loaded : refused(name, problem);
}

LoadedHeights load_heights(const std::string& path, std::size_t max_heights) {
  std::string bytes;
  if (is_data_uri(path)) {
    const auto name = "height field " + in_quotes(data_uri_name(path));
    const auto content = data_uri_bytes(path);
    return content ? load_heights_bytes(*content, name, max_heights) : refused(name, "its data are no base64");
  }
  if (const auto problem = read_bytes(path, limits::mesh_bytes, bytes)) return refused(path, problem->message);
  return load_heights_bytes(bytes, path, max_heights);
}

HeightRange normalize(HeightMap& map) {
  if (map.heights.empty()) return {};
  const auto [low, high] = std::ranges::minmax_element(map.heights);
  const HeightRange was{*low, *high - *low};
  for (double& height : map.heights) height = was.range > 0 ? (height - was.lowest) / was.range : 0;
  return was;
}

std::string to_data_uri(const HeightMap& map, std::string_view name) {
  std::string bytes;
  bytes.reserve(heights_header_bytes + 4 * map.heights.size());
  append_number(std::uint32_t(map.rows), bytes), append_number(std::uint32_t(map.columns), bytes);
  for (const double height : map.heights) append_number(std::bit_cast<std::uint32_t>(float(height)), bytes);
  return lissom::to_data_uri("application/octet-stream", name, bytes);
}

std::string to_png(const HeightMap& map) {
  GrayImage image{map.columns, map.rows, {}};
  const auto columns = std::ptrdiff_t(map.columns);
  for (std::ptrdiff_t row = map.rows - 1; row >= 0; --row)
    image.values.insert(image.values.end(), map.heights.begin() + row * columns,
                        map.heights.begin() + (row + 1) * columns);
  return to_png(image);
}

TriangleMesh height_surface(const Shape& shape) {
  TriangleMesh surface;
  const auto map = load_heights(shape.path).map;
  const auto columns = std::uint32_t(map.columns), rows = std::uint32_t(map.rows);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column)
      surface.vertices.push_back({shape.size.x * (double(column) / (columns - 1) - .5),
                                  shape.size.y * (double(row) / (rows - 1) - .5),
                                  shape.size.z * map.heights[std::size_t(row) * columns + column]});
  for (std::uint32_t row = 0; row + 1 < rows; ++row)
    for (std::uint32_t column = 0; column + 1 < columns; ++column) {
      const auto corner = row * columns + column;
      surface.triangles.push_back({corner, corner + 1, corner + columns + 1});
      surface.triangles.push_back({corner, corner + columns + 1, corner + columns});
    }
  return surface;
}

}  // namespace lissom::mesh
