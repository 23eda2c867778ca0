#pragma once
// Gray values of PNG files, of which height fields are made. Not installed.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lissom::mesh {

struct GrayImage {
  int columns = 0, rows = 0;
  std::vector<double> values;  // 0 to 1, row by row, the top row first
};

bool is_png(std::string_view bytes);
// Reads an image of any color type and depth that is not interlaced; of colors, the red channel. Returns what is wrong,
// or an empty text.
std::string read_png(std::string_view bytes, std::size_t max_values, GrayImage& image);
// The same as PNG with 16 bits for each value.
std::string to_png(const GrayImage& image);

}  // namespace lissom::mesh
