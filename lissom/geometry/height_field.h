#pragma once
// Ground given by heights over a grid. Each cell is two triangles, divided along the diagonal from its lowest to its
// highest indices.
#include <array>
#include <vector>

#include "lissom/math/vec3.h"

namespace lissom {

/// z(x, y) over a rectangle about the origin of its frame; solid below the surface.
class HeightField {
 public:
  /// `columns` heights along x in each of `rows` rows along y, row by row; the first is at (-size_x / 2, -size_y / 2).
  /// Throws an Error unless both are at least 2, all numbers are finite, and sizes positive.
  HeightField(int columns, int rows, double size_x, double size_y, std::vector<double> heights);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  /// Distances of grid points along x and y.
  double step_x() const { return step_x_; }
  double step_y() const { return step_y_; }
  double size_x() const { return step_x_ * (columns_ - 1); }
  double size_y() const { return step_y_ * (rows_ - 1); }
  Vec3<double> point(int column, int row) const {
    return {-.5 * size_x() + column * step_x_, -.5 * size_y() + row * step_y_,
            heights_[std::size_t(row) * std::size_t(columns_) + std::size_t(column)]};
  }
  /// The corners of a triangle, counterclockwise as seen from above. Triangles are numbered cell by cell, row by row:
  /// 2 cell + 0 is below the diagonal (y smaller), 2 cell + 1 above.
  std::array<Vec3<double>, 3> triangle(int index) const;
  /// The triangle above or below a point; -1 beside the field.
  int triangle_at(double x, double y) const;
  int triangle_count() const { return 2 * (columns_ - 1) * (rows_ - 1); }

 private:
  int columns_, rows_;
  double step_x_, step_y_, lowest_, highest_;
  std::vector<double> heights_;
};

}  // namespace lissom
