#include "lissom/mesh/voxels.h"

#include <algorithm>
#include <cmath>

namespace lissom::mesh {
namespace {

// Whether the projections of a triangle and of a cube around the origin overlap on an axis.
bool overlap_along(const Vec3<double>& axis, const std::array<Vec3<double>, 3>& corners, double half_size) {
  const double a = dot(axis, corners[0]), b = dot(axis, corners[1]), c = dot(axis, corners[2]);
  const double reach = half_size * (std::abs(axis.x) + std::abs(axis.y) + std::abs(axis.z));
  return std::min({a, b, c}) <= reach && std::max({a, b, c}) >= -reach;
}

// Whether a triangle and a cube touch: no axis separates them (Akenine-Möller 2001).
bool touches(const std::array<Vec3<double>, 3>& corners, const Vec3<double>& center, double half_size) {
  const std::array<Vec3<double>, 3> relative{corners[0] - center, corners[1] - center, corners[2] - center};
  const std::array<Vec3<double>, 3> edges{relative[1] - relative[0], relative[2] - relative[1],
                                          relative[0] - relative[2]};
  if (!overlap_along(cross(edges[0], edges[1]), relative, half_size)) return false;
  for (const auto& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
    if (!overlap_along(axis, relative, half_size)) return false;
    for (const auto& edge : edges)
      if (!overlap_along(cross(axis, edge), relative, half_size)) return false;
  }
  return true;
}

// How much of [cell, cell + 1] lies in [lower, upper].
double overlap(double cell, double lower, double upper) {
  return std::max(0.0, std::min(cell + 1, upper) - std::max(cell, lower));
}

}  // namespace

Voxels::Voxels(const TriangleMesh& mesh, int resolution) {
  const auto box = bounds(mesh);
  const auto extent = box.upper - box.lower;
  const double longest = std::max({extent.x, extent.y, extent.z});
  size_ = longest > 0 ? longest / resolution : 1;
  const std::array lower{box.lower.x, box.lower.y, box.lower.z}, extents{extent.x, extent.y, extent.z};
  for (std::size_t i = 0; i < 3; ++i) {
    // There is more than an empty cell on each side. Of a cell on the surface half belongs to the body, on average.
    counts_[i] = int(std::ceil(extents[i] / size_ - 1e-9)) + 3;
    origin_[i] = lower[i] + 0.5 * extents[i] - 0.5 * size_ * counts_[i];
  }
  cells_.assign(std::size_t(counts_[0]) * std::size_t(counts_[1]) * std::size_t(counts_[2]), Cell::unknown);
  mark_surface(mesh);
  fill_from_outside();
}

int Voxels::index_at(int axis, double coordinate) const {
  const double index = std::floor((coordinate - origin_[std::size_t(axis)]) / size_);
  return int(std::clamp(index, 0.0, double(count(axis) - 1)));
}

void Voxels::mark_surface(const TriangleMesh& mesh) {
  for (const auto& t : mesh.triangles) mark_triangle(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
}

void Voxels::mark_triangle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const std::array<Vec3<double>, 3> corners{a, b, c};
  const int x0 = index_at(0, std::min({a.x, b.x, c.x})), x1 = index_at(0, std::max({a.x, b.x, c.x}));
  const int y0 = index_at(1, std::min({a.y, b.y, c.y})), y1 = index_at(1, std::max({a.y, b.y, c.y}));
  const int z0 = index_at(2, std::min({a.z, b.z, c.z})), z1 = index_at(2, std::max({a.z, b.z, c.z}));
  for (int z = z0; z <= z1; ++z)
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        auto& cell = cells_[offset(x, y, z)];
        const Vec3<double> center{lower(0, x) + 0.5 * size_, lower(1, y) + 0.5 * size_, lower(2, z) + 0.5 * size_};
        if (cell != Cell::surface && touches(corners, center, 0.5 * size_)) cell = Cell::surface;
      }
}

// What cannot be reached from a corner of the grid lies inside.
void Voxels::fill_from_outside() {
  std::vector<std::array<int, 3>> stack{{0, 0, 0}};
  cells_[0] = Cell::outside;
  while (!stack.empty()) {
    const auto [x, y, z] = stack.back();
    stack.pop_back();
    for (int side = 0; side < 6; ++side) {
      std::array<int, 3> next{x, y, z};
      next[std::size_t(side / 2)] += side % 2 == 0 ? 1 : -1;
      const bool in_grid = next[0] >= 0 && next[0] < counts_[0] && next[1] >= 0 && next[1] < counts_[1] &&
                           next[2] >= 0 && next[2] < counts_[2];
      if (!in_grid || at(next[0], next[1], next[2]) != Cell::unknown) continue;
      cells_[offset(next[0], next[1], next[2])] = Cell::outside;
      stack.push_back(next);
    }
  }
  for (auto& cell : cells_)
    if (cell == Cell::unknown) cell = Cell::inside;
}

double Voxels::volume(const Bounds& box) const {
  const auto in_cells = [&](int axis, double x) { return (x - origin_[std::size_t(axis)]) / size_; };
  double sum = 0;
  for (int z = index_at(2, box.lower.z); z <= index_at(2, box.upper.z); ++z) {
    const double z_part = overlap(z, in_cells(2, box.lower.z), in_cells(2, box.upper.z));
    for (int y = index_at(1, box.lower.y); y <= index_at(1, box.upper.y); ++y) {
      const double zy_part = z_part * overlap(y, in_cells(1, box.lower.y), in_cells(1, box.upper.y));
      for (int x = index_at(0, box.lower.x); x <= index_at(0, box.upper.x); ++x) {
        const auto cell = at(x, y, z);
        const double part = cell == Cell::inside ? 1 : cell == Cell::surface ? 0.5 : 0;
        if (part > 0) sum += part * zy_part * overlap(x, in_cells(0, box.lower.x), in_cells(0, box.upper.x));
      }
    }
  }
  return sum * size_ * size_ * size_;
}

}  // namespace lissom::mesh
