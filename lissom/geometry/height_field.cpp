#include "lissom/geometry/height_field.h"

#include <algorithm>
#include <string>

#include "lissom/geometry/vectors.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

HeightField::HeightField(int columns, int rows, double size_x, double size_y, std::vector<double> heights)
    : columns_(columns), rows_(rows), heights_(std::move(heights)) {
  constexpr int max_points = 1 << 15;  // along one axis: triangles are numbered by int
  if (columns < 2 || rows < 2 || columns > max_points || rows > max_points)
    throw Error("height field has " + std::to_string(columns) + " by " + std::to_string(rows) +
                " points, expected 2 to 32768 along each axis");
  if (heights_.size() != std::size_t(columns) * std::size_t(rows))
    throw Error("height field has " + std::to_string(heights_.size()) + " heights, expected " +
                std::to_string(std::size_t(columns) * std::size_t(rows)));
  if (!(size_x > 0 && size_y > 0 && size_x <= 1e9 && size_y <= 1e9))
    throw Error("height field has a size that is not positive, or above 1e9 m");
  for (std::size_t i = 0; i < heights_.size(); ++i)
    if (!(std::abs(heights_[i]) <= 1e9))
      throw Error("heights[" + std::to_string(i) + "] is not finite, or above 1e9 m");
  step_x_ = size_x / (columns - 1), step_y_ = size_y / (rows - 1);
  const auto [low, high] = std::minmax_element(heights_.begin(), heights_.end());
  lowest_ = *low, highest_ = *high;
}

std::array<Vec3<double>, 3> HeightField::triangle(int index) const {
  const int cell = index / 2, column = cell % (columns_ - 1), row = cell / (columns_ - 1);
  const auto a = point(column, row), c = point(column + 1, row + 1);
  if (index % 2 == 0) return {a, point(column + 1, row), c};
  return {a, c, point(column, row + 1)};
}

int HeightField::triangle_at(double x, double y) const {
  const double u = (x + .5 * size_x()) / step_x_, v = (y + .5 * size_y()) / step_y_;
  if (!(u >= 0 && v >= 0 && u <= columns_ - 1 && v <= rows_ - 1)) return -1;
  const int column = std::min(int(u), columns_ - 2), row = std::min(int(v), rows_ - 2);
  return 2 * (row * (columns_ - 1) + column) + (v - row > u - column ? 1 : 0);
}

}  // namespace lissom
