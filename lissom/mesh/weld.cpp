// One vertex of those that are equal. They are found in a table of open addressing, by a hash of their bits.
#include <bit>
#include <cstdint>
#include <limits>

#include "lissom/mesh/reading.h"

namespace lissom::mesh {
namespace {

constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();

std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(x + 0.0);  // -0 becomes 0
}

class VertexTable {
 public:
  VertexTable(std::vector<Vec3<double>>& kept, std::size_t max_count) : kept_(kept) {
    slots_.assign(std::bit_ceil(2 * max_count + 16), no_index);
  }
  std::uint32_t index_of(const Vec3<double>& p) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
    std::uint64_t h = bits_of(p.x) * factor;
    h = (std::rotl(h, 29) ^ bits_of(p.y)) * factor;
    h = (std::rotl(h, 29) ^ bits_of(p.z)) * factor;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = std::size_t(h >> 20) & mask;; i = (i + 1) & mask) {
      auto& slot = slots_[i];
      if (slot == no_index) {
        slot = std::uint32_t(kept_.size());
        kept_.push_back(p);
        return slot;
      }
      const auto& q = kept_[slot];
      if (p.x == q.x && p.y == q.y && p.z == q.z) return slot;
    }
  }

 private:
  std::vector<Vec3<double>>& kept_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace

std::size_t weld(TriangleMesh& mesh) {
  std::vector<Vec3<double>> kept;
  VertexTable table(kept, mesh.vertices.size());
  if (mesh.triangles.empty()) {
    for (const auto& p : mesh.vertices) table.index_of(p);
    mesh.vertices = std::move(kept);
    return 0;
  }
  std::vector<std::uint32_t> new_index(mesh.vertices.size(), no_index);
  std::size_t count = 0;
  for (auto triangle : mesh.triangles) {
    for (auto& corner : triangle) {
      if (new_index[corner] == no_index) new_index[corner] = table.index_of(mesh.vertices[corner]);
      corner = new_index[corner];
    }
    if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
      mesh.triangles[count++] = triangle;
  }
  const std::size_t left_out = mesh.triangles.size() - count;
  mesh.triangles.resize(count);
  mesh.vertices = std::move(kept);
  return left_out;
}

}  // namespace lissom::mesh
