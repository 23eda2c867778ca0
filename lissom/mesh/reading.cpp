#include "lissom/mesh/reading.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lissom/model/text.h"

namespace lissom::mesh {

bool Reading::refuse(std::string code, int line, std::string message, std::string remedy) {
  findings.push_back({Severity::error, std::move(code), file, line, "", std::move(message), std::move(remedy)});
  return false;
}
void Reading::warn(std::string code, int line, std::string message, std::string remedy) {
  findings.push_back({Severity::warning, std::move(code), file, line, "", std::move(message), std::move(remedy)});
}
void Reading::note(std::string code, int line, std::string message, std::string remedy) {
  findings.push_back({Severity::note, std::move(code), file, line, "", std::move(message), std::move(remedy)});
}

bool Reading::add_vertex(const Vec3<double>& p, int line) {
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
    return refuse("mesh-not-finite", line,
                  "vertex " + std::to_string(mesh.vertices.size()) + " is (" + to_text(p.x) + ", " + to_text(p.y) +
                      ", " + to_text(p.z) + "), expected finite numbers",
                  "export the mesh again");
  // Sums of products of three coordinates have to be finite, too.
  constexpr double max_coordinate = 1e60;
  if (std::abs(p.x) > max_coordinate || std::abs(p.y) > max_coordinate || std::abs(p.z) > max_coordinate)
    return refuse("mesh-not-finite", line,
                  "vertex " + std::to_string(mesh.vertices.size()) + " has a coordinate beyond 1e60",
                  "export the mesh again");
  // Parts of scenes are counted once more where they are placed.
  if (vertices_made_++ >= 6 * options.max_triangles) return refuse_size("vertices");
  mesh.vertices.push_back(p);
  return true;
}

bool Reading::refuse_size(const char* what) {
  return refuse("mesh-triangles", 0,
                "there are more " + std::string(what) + " than the limit of " + std::to_string(options.max_triangles) +
                    " triangles allows",
                "simplify the mesh, or raise max_triangles");
}

bool Reading::expect_triangles(std::uint64_t count) {
  if (count <= options.max_triangles - std::min(options.max_triangles, mesh.triangles.size()) &&
      triangles_made_ <= 2 * options.max_triangles)
    return true;
  return refuse_size("triangles");
}

bool Reading::check_corner(std::int64_t corner, int line) {
  if (corner >= 0 && std::uint64_t(corner) < mesh.vertices.size()) return true;
  return refuse("mesh-index", line,
                "a polygon has the vertex of index " + std::to_string(corner) +
                    " from 0, but the number of vertices is " + std::to_string(mesh.vertices.size()),
                "export the mesh again; the file may be cut off or damaged");
}

bool Reading::add_triangle(std::int64_t a, std::int64_t b, std::int64_t c, int line) {
  if (!check_corner(a, line) || !check_corner(b, line) || !check_corner(c, line) || !expect_triangles(1)) return false;
  ++triangles_made_;
  mesh.triangles.push_back({std::uint32_t(a), std::uint32_t(b), std::uint32_t(c)});
  return true;
}

bool Reading::add_polygon(std::span<const std::int64_t> corners, int line) {
  if (corners.size() == 3) return add_triangle(corners[0], corners[1], corners[2], line);
  if (corners.size() < 3) return true;  // points and lines have no surface
  if (!expect_triangles(corners.size() - 2)) return false;
  triangles_made_ += corners.size() - 2;
  polygon_.clear();
  for (const auto corner : corners) {
    if (!check_corner(corner, line)) return false;
    polygon_.push_back(std::uint32_t(corner));
  }
  if (!triangulate(mesh.vertices, polygon_, mesh.triangles, comparisons_left_) && large_polygons_++ == 0)
    warn("mesh-polygon", line, "the polygons of the file are too large to be divided with care",
         "triangulate the mesh where it was made");
  return true;
}

bool Reading::add_part(const TriangleMesh& part, const SceneTransform& placement) {
  if (!expect_triangles(part.triangles.size())) return false;
  const auto first = std::uint32_t(mesh.vertices.size());
  for (const auto& p : part.vertices)
    if (!add_vertex(placement * p, 0)) return false;
  const bool mirrored = placement.mirrors();
  for (auto t : part.triangles) {
    if (mirrored) std::swap(t[1], t[2]);
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return true;
}

}  // namespace lissom::mesh
