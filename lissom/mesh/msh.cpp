// MuJoCo's own binary format: the numbers of vertices, normals, texture coordinates and triangles, then all of them.
#include "lissom/mesh/bytes.h"
#include "lissom/mesh/reading.h"

namespace lissom::mesh {
namespace {

constexpr std::size_t msh_header_bytes = 16;

struct MshHeader {
  std::int64_t vertices, normals, texture_coordinates, triangles;

  bool valid() const { return vertices >= 0 && normals >= 0 && texture_coordinates >= 0 && triangles >= 0; }
  std::int64_t first_triangle() const {
    return msh_header_bytes + 12 * vertices + 12 * normals + 8 * texture_coordinates;
  }
  std::int64_t bytes() const { return first_triangle() + 12 * triangles; }
};

MshHeader header_of(std::string_view bytes) {
  const auto count = [&](std::size_t i) { return std::int64_t(number_at<std::int32_t>(bytes, 4 * i)); };
  return {count(0), count(1), count(2), count(3)};
}

}  // namespace

bool is_msh(std::string_view bytes) {
  if (bytes.size() < msh_header_bytes) return false;
  const auto header = header_of(bytes);
  return header.valid() && header.vertices > 0 && std::uint64_t(header.bytes()) == bytes.size();
}

bool read_msh(Reading& reading) {
  if (!is_msh(reading.bytes))
    return reading.refuse("mesh-truncated", 0,
                          "the numbers of vertices, normals, texture coordinates and faces in the header do not make "
                          "up the size of the file, " +
                              std::to_string(reading.bytes.size()) + " bytes",
                          "check that this is a .msh file of MuJoCo, or use STL or OBJ");
  const auto header = header_of(reading.bytes);
  if (!reading.expect_triangles(std::uint64_t(header.triangles))) return false;
  for (std::int64_t i = 0; i < header.vertices; ++i) {
    const auto at = msh_header_bytes + 12 * std::size_t(i);
    const auto coordinate = [&](std::size_t c) { return double(number_at<float>(reading.bytes, at + 4 * c)); };
    if (!reading.add_vertex({coordinate(0), coordinate(1), coordinate(2)}, 0)) return false;
  }
  for (std::int64_t i = 0; i < header.triangles; ++i) {
    const auto at = std::size_t(header.first_triangle() + 12 * i);
    const auto corner = [&](std::size_t c) { return std::int64_t(number_at<std::int32_t>(reading.bytes, at + 4 * c)); };
    if (!reading.add_triangle(corner(0), corner(1), corner(2), 0)) return false;
  }
  return true;
}

}  // namespace lissom::mesh
