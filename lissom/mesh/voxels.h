#pragma once
// A body as cells of a grid: which of them lie outside, on the surface, and inside. Not installed.
#include <array>
#include <cstdint>
#include <vector>

#include "lissom/mesh/triangle_mesh.h"

namespace lissom::mesh {

class Voxels {
 public:
  enum class Cell : std::uint8_t { unknown, outside, surface, inside };

  // The longest extent of the mesh has `resolution` cells, and there is an empty cell around. Holes in the surface that
  // are smaller than a cell do not matter.
  Voxels(const TriangleMesh& mesh, int resolution);

  double size() const { return size_; }
  int count(int axis) const { return counts_[std::size_t(axis)]; }
  // Coordinates of the lower face of the cells with this index.
  double lower(int axis, int index) const { return origin_[std::size_t(axis)] + size_ * index; }
  int index_at(int axis, double coordinate) const;
  Cell at(int x, int y, int z) const { return cells_[offset(x, y, z)]; }
  Cell at(const Vec3<double>& p) const { return at(index_at(0, p.x), index_at(1, p.y), index_at(2, p.z)); }

  // Volume of the body in a box: all of the cells inside, and half of those on the surface.
  double volume(const Bounds& box) const;

 private:
  std::size_t offset(int x, int y, int z) const {
    return (std::size_t(z) * std::size_t(counts_[1]) + std::size_t(y)) * std::size_t(counts_[0]) + std::size_t(x);
  }
  void mark_surface(const TriangleMesh& mesh);
  void mark_triangle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c);
  void fill_from_outside();

  std::array<double, 3> origin_{};
  std::array<int, 3> counts_{};
  double size_ = 1;
  std::vector<Cell> cells_;
};

}  // namespace lissom::mesh
