#pragma once
// A mesh file while it is read: what readers of all formats share. Not installed.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lissom/mesh/load.h"
#include "lissom/mesh/scene_transform.h"

namespace lissom::mesh {

class Reading {
 public:
  Reading(std::string_view content, const std::string& name, const LoadOptions& settings)
      : bytes(content), file(name), options(settings) {}

  const std::string_view bytes;
  const std::string& file;
  const LoadOptions& options;
  // Where files lie that this one refers to; empty: none may be opened.
  std::string folder;
  bool used_other_files = false;

  TriangleMesh mesh;
  std::vector<Diagnostic> findings;

  // Adds an error, and returns false.
  bool refuse(std::string code, int line, std::string message, std::string remedy);
  void warn(std::string code, int line, std::string message, std::string remedy);
  void note(std::string code, int line, std::string message, std::string remedy);

  // A vertex; false if it is not finite.
  bool add_vertex(const Vec3<double>& p, int line);
  // Vertices of a polygon, counterclockwise as seen from outside, which is divided into triangles. False if an index
  // is out of range, or there are too many triangles.
  bool add_polygon(std::span<const std::int64_t> corners, int line);
  bool add_triangle(std::int64_t a, std::int64_t b, std::int64_t c, int line);
  // Whether as many triangles may follow.
  bool expect_triangles(std::uint64_t count);
  // A part of a scene, as often as the scene places it: its vertices moved, its triangles flipped if that mirrors.
  bool add_part(const TriangleMesh& part, const SceneTransform& placement);
  // Takes the mesh out, as a part.
  TriangleMesh take_part() { return std::exchange(mesh, {}); }

 private:
  bool check_corner(std::int64_t corner, int line);
  bool refuse_size(const char* what);

  // In all parts of a scene together, so that parts cannot take memory without bound either.
  std::uint64_t vertices_made_ = 0, triangles_made_ = 0;
  std::vector<std::uint32_t> polygon_;
  std::size_t large_polygons_ = 0;
  // Comparisons of vertices that are left for dividing polygons; the time it takes grows with the cube of their size.
  std::int64_t comparisons_left_ = 400'000'000;
};

bool read_stl(Reading& reading);
bool read_obj(Reading& reading);
bool read_ply(Reading& reading);
bool read_dae(Reading& reading);
bool read_gltf(Reading& reading);
bool read_msh(Reading& reading);

// Whether the sizes that the header states make up the size of the file.
bool is_binary_stl(std::string_view bytes);
bool is_msh(std::string_view bytes);

// Makes one vertex of those that are equal, leaves out triangles that have a vertex twice then, and vertices that no
// triangle uses; returns how many triangles were left out.
std::size_t weld(TriangleMesh& mesh);

// Divides a polygon of these vertices into triangles. Where its corners are all convex it becomes a fan, otherwise ears
// are cut off, as long as comparisons are left. Returns false if they are used up; the rest is then a fan.
bool triangulate(const std::vector<Vec3<double>>& vertices, std::vector<std::uint32_t> polygon,
                 std::vector<Triangle>& triangles, std::int64_t& comparisons_left);

}  // namespace lissom::mesh
