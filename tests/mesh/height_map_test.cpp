// Height fields from PNG and from MuJoCo's binary format.
#include "lissom/mesh/height_map.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <zlib.h>

#include "lissom/files/data_uri.h"
#include "lissom/mesh/png.h"
#include "mesh_test_support.h"

namespace lissom::test {
namespace {

void put_number(std::uint32_t number, std::string& bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += char(number >> shift & 0xff);
}
void put_chunk(const std::string& tag, const std::string& content, std::string& bytes) {
  put_number(std::uint32_t(content.size()), bytes);
  bytes += tag + content;
  put_number(0, bytes);  // sums are not checked
}
// A PNG of these bytes of pixels, each row with its filter in front.
std::string png(unsigned columns, unsigned rows, int depth, int color, const std::string& pixels, int interlaced = 0) {
  std::string bytes = "\x89PNG\r\n\x1a\n", header;
  put_number(columns, header), put_number(rows, header);
  for (const int x : {depth, color, 0, 0, interlaced}) header += char(x);
  put_chunk("IHDR", header, bytes);
  if (color == 3) put_chunk("PLTE", std::string("\x00\x09\x09\xff\x09\x09\x33\x09\x09", 9), bytes);
  uLongf size = compressBound(uLong(pixels.size()));
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(pixels.data()),
           uLong(pixels.size()));
  packed.resize(size);
  put_chunk("IDAT", packed.substr(0, size / 2), bytes), put_chunk("IDAT", packed.substr(size / 2), bytes);
  put_chunk("IEND", "", bytes);
  return bytes;
}
std::string bytes_of(std::initializer_list<int> numbers) {
  std::string bytes;
  for (const int x : numbers) bytes += char(x);
  return bytes;
}
std::vector<double> values(const std::string& file) {
  mesh::GrayImage image;
  EXPECT_EQ(mesh::read_png(file, 100, image), "");
  return image.values;
}
void expect_values(const std::string& file, std::vector<double> expected, double scale) {
  for (double& x : expected) x /= scale;
  EXPECT_EQ(values(file), expected);
}

TEST(HeightMap, EveryFilterOfPng) {
  // Three columns, five rows, one for each filter; each row is 10 20 50 + its number.
  expect_values(png(3, 5, 8, 0, bytes_of({0, 10,     20,      50,       //
                                          1, 11,     10,      30,       // minus the left one
                                          2, 1,      1,       1,        // minus the one above
                                          3, 13 - 6, 23 - 17, 53 - 37,  // minus the mean of both
                                          4, 1,      1,       1})),     // minus Paeth's predictor, the one above here
                {10, 20, 50, 11, 21, 51, 12, 22, 52, 13, 23, 53, 14, 24, 54}, 255);
}

// Of the three neighbors, the one nearest to left + above - corner; ties in this order.
TEST(HeightMap, PaethsPredictorOnRandomPixels) {
  constexpr int columns = 9, rows = 7;
  std::vector<double> wanted;
  std::string pixels;
  unsigned random = 1;
  std::array<std::array<int, columns + 1>, rows + 1> value{};  // with a border of zeros
  for (std::size_t row = 1; row <= rows; ++row) {
    pixels += char(4);
    for (std::size_t column = 1; column <= columns; ++column) {
      random = random * 1664525U + 1013904223U;
      const int now = int(random >> 24);
      value[row][column] = now, wanted.push_back(now);
      const int left = value[row][column - 1], above = value[row - 1][column], corner = value[row - 1][column - 1];
      int best = left;
      for (const int other : {above, corner})
        if (std::abs(left + above - corner - other) < std::abs(left + above - corner - best)) best = other;
      pixels += char(now - best);
    }
  }
  expect_values(png(columns, rows, 8, 0, pixels), wanted, 255);
}

TEST(HeightMap, EveryKindOfColor) {
  expect_values(png(2, 1, 16, 0, bytes_of({0, 1, 2, 255, 255})), {258, 65535}, 65535);
  expect_values(png(2, 1, 8, 2, bytes_of({0, 7, 8, 9, 200, 1, 1})), {7, 200}, 255);
  expect_values(png(2, 1, 8, 6, bytes_of({0, 7, 8, 9, 1, 200, 1, 1, 1})), {7, 200}, 255);
  expect_values(png(2, 1, 8, 4, bytes_of({0, 7, 8, 200, 1})), {7, 200}, 255);
  expect_values(png(10, 1, 1, 0, bytes_of({0, 0b10110001, 0b01000000})), {1, 0, 1, 1, 0, 0, 0, 1, 0, 1}, 1);
  expect_values(png(3, 1, 4, 0, bytes_of({0, 0x5f, 0x30})), {5, 15, 3}, 15);
  expect_values(png(3, 1, 2, 3, bytes_of({0, 0b01100000})), {255, 0x33, 0}, 255);
}

TEST(HeightMap, DamagedImagesAreRefused) {
  mesh::GrayImage image;
  const auto good = png(2, 2, 8, 0, bytes_of({0, 1, 2, 0, 3, 4}));
  for (std::size_t length = 0; length < good.size() - 12; ++length)
    EXPECT_NE(mesh::read_png(good.substr(0, length), 100, image), "") << length;
  EXPECT_NE(mesh::read_png(png(2, 2, 8, 0, bytes_of({0, 1, 2, 9, 3, 4})), 100, image), "");  // no such filter
  EXPECT_NE(mesh::read_png(png(2, 2, 8, 0, bytes_of({0, 1, 2})), 100, image), "");
  EXPECT_NE(mesh::read_png(png(2, 2, 8, 0, bytes_of({0, 1, 2, 0, 3, 4}), 1), 100, image), "");
  EXPECT_NE(mesh::read_png(png(2, 2, 8, 5, bytes_of({0, 1, 2, 0, 3, 4})), 100, image), "");
  EXPECT_NE(mesh::read_png(png(2, 2, 3, 0, bytes_of({0, 1, 2, 0, 3, 4})), 100, image), "");
  EXPECT_EQ(mesh::read_png(good, 4, image), "");
  EXPECT_NE(mesh::read_png(good, 3, image), "");
}

TEST(HeightMap, FilesOfBothKindsHaveTheSameHeights) {
  const TestFolder folder;
  const auto save = [&](const char* name, const std::string& bytes) {
    const auto path = folder.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  };
  // An image is seen from above: its top row has the largest y.
  const auto image = mesh::load_heights(save("a.png", png(3, 2, 8, 0, bytes_of({0, 51, 102, 153, 0, 0, 255, 204}))));
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image.map.columns, 3);
  EXPECT_EQ(image.map.rows, 2);
  EXPECT_EQ(image.map.heights, (std::vector<double>{0, 1, .8, .2, .4, .6}));
  const auto again = mesh::load_heights(mesh::to_data_uri(image.map, "a"));
  ASSERT_TRUE(again.ok());
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(again.map.heights[i], double(float(image.map.heights[i])));
  const auto binary = *data_uri_bytes(mesh::to_data_uri(image.map, "a"));
  EXPECT_EQ(mesh::load_heights(save("a.bin", binary)).map.heights, again.map.heights);
  EXPECT_FALSE(mesh::load_heights(save("b.bin", binary + "x")).ok());
  EXPECT_FALSE(mesh::load_heights(save("c.bin", binary.substr(0, 7))).ok());
  EXPECT_FALSE(mesh::load_heights(folder.path() + "/none.png").ok());
  const auto second = mesh::load_heights(save("b.png", mesh::to_png(image.map)));
  EXPECT_EQ(second.map.heights, image.map.heights);  // multiples of 1/5 have 16 bits
}

TEST(HeightMap, AsManyHeightsAsAllowedAndOneMore) {
  constexpr unsigned side = 2049;
  static_assert(std::size_t(side) * side == limits::heights);
  const auto flat = [](unsigned rows) {
    return png(side, rows, 1, 0, std::string(std::size_t(rows) * (side / 8 + 2), '\0'));
  };
  mesh::GrayImage image;
  EXPECT_EQ(mesh::read_png(flat(side), limits::heights, image), "");
  EXPECT_NE(mesh::read_png(flat(side + 1), limits::heights, image), "");
}

TEST(HeightMap, TheSurfaceIsThatOfTheField) {
  Shape shape;
  shape.kind = Shape::Kind::height_field;
  shape.size = {4, 2, 10};
  shape.path = mesh::to_data_uri(mesh::HeightMap{3, 2, {0, .5, 1, .25, .5, .75}}, "f");
  const auto surface = mesh::height_surface(shape);
  ASSERT_EQ(surface.vertices.size(), 6u);
  EXPECT_EQ(surface.triangles.size(), 4u);
  EXPECT_EQ(surface.vertices[2].x, 2);
  EXPECT_EQ(surface.vertices[2].y, -1);
  EXPECT_EQ(surface.vertices[2].z, 10);
  for (const auto& [a, b, c] : surface.triangles) {
    const auto &p = surface.vertices[a], &q = surface.vertices[b], &r = surface.vertices[c];
    EXPECT_GT(cross(q - p, r - p).z, 0);
  }
}

}  // namespace
}  // namespace lissom::test
