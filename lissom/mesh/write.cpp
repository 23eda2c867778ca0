#include "lissom/mesh/write.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lissom/files/replace_file.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

// As little-endian bytes.
void append_u32(std::uint32_t number, std::string& bytes) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(char((number >> shift) & 0xff));
}
void append_vector(const Vec3<double>& v, std::string& bytes) {
  for (const double x : {v.x, v.y, v.z}) append_u32(std::bit_cast<std::uint32_t>(float(x)), bytes);
}

void append_digits(double number, std::string& text) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.push_back(' ');
  text.append(digits, end);
}

void check_mesh(const TriangleMesh& mesh) {
  for (const auto& t : mesh.triangles)
    for (const auto corner : t)
      if (corner >= mesh.vertices.size())
        throw Error("mesh has a triangle with vertex " + std::to_string(corner) + ", expected less than " +
                    std::to_string(mesh.vertices.size()));
  for (const auto& p : mesh.vertices)
    for (const double x : {p.x, p.y, p.z})
      if (!std::isfinite(x)) throw Error("mesh has a coordinate " + to_text(x) + ", expected finite numbers");
}

}  // namespace

std::string to_stl(const TriangleMesh& mesh) {
  std::string bytes = "lissom";
  bytes.resize(80, '\0');
  bytes.reserve(84 + 50 * mesh.triangles.size());
  append_u32(std::uint32_t(mesh.triangles.size()), bytes);
  for (const auto& t : mesh.triangles) {
    const auto &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const auto n = cross(b - a, c - a);
    const double length = std::sqrt(dot(n, n));
    append_vector(length > 0 ? (1 / length) * n : Vec3<double>{0, 0, 0}, bytes);
    for (const auto* p : {&a, &b, &c}) append_vector(*p, bytes);
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string to_obj(const TriangleMesh& mesh) {
  std::string text;
  for (const auto& p : mesh.vertices) {
    text.push_back('v');
    for (const double x : {p.x, p.y, p.z}) append_digits(x, text);
    text.push_back('\n');
  }
  for (const auto& t : mesh.triangles)
    text += "f " + std::to_string(t[0] + std::uint64_t{1}) + " " + std::to_string(t[1] + std::uint64_t{1}) + " " +
            std::to_string(t[2] + std::uint64_t{1}) + "\n";
  return text;
}

void write_mesh(const std::string& path, const TriangleMesh& mesh) {
  check_mesh(mesh);
  std::string ending = path.substr(path.size() - std::min<std::size_t>(path.size(), 4));
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj")
    throw Error(in_quotes(path) + " does not end with .stl or .obj; other formats are not written");
  if (const auto why = replace_file(path, ending == ".stl" ? to_stl(mesh) : to_obj(mesh)); !why.empty())
    throw Error(path + ": the mesh cannot be written: " + why);
}

}  // namespace lissom::mesh
