#pragma once
// Meshes of known shape, and files of every format.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lissom/mesh/load.h"
#include "lissom/mesh/mass_properties.h"
#include "test_folder.h"

namespace lissom::test {

inline mesh::TriangleMesh box(const Vec3<double>& lower, const Vec3<double>& upper) {
  mesh::TriangleMesh m;
  for (int i = 0; i < 8; ++i)
    m.vertices.push_back({i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z});
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}

// A prism over an L, of 2 x 3 with legs of 0.5, from z = 0.125 to 0.875: twelve vertices and twenty triangles.
inline std::string l_shape_obj() {
  return "v 0.25 -0.5 0.125\nv 2.25 -0.5 0.125\nv 2.25 0 0.125\nv 0.75 0 0.125\nv 0.75 2.5 0.125\nv 0.25 2.5 0.125\n"
         "v 0.25 -0.5 0.875\nv 2.25 -0.5 0.875\nv 2.25 0 0.875\nv 0.75 0 0.875\nv 0.75 2.5 0.875\nv 0.25 2.5 0.875\n"
         "f 1 3 2\nf 1 4 3\nf 1 6 4\nf 4 6 5\nf 7 8 9\nf 7 9 10\nf 7 10 12\nf 10 11 12\n"
         "f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\n"
         "f 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n";
}

// Rings of points around z: a torus with circles of `minor` around a circle of `major`.
inline mesh::TriangleMesh torus(double major, double minor, int n, int k) {
  mesh::TriangleMesh m;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) {
      const double a = 2 * M_PI * i / n, b = 2 * M_PI * j / k, r = major + minor * std::cos(b);
      m.vertices.push_back({r * std::cos(a), r * std::sin(a), minor * std::sin(b)});
    }
  const auto at = [&](int i, int j) { return std::uint32_t((i % n) * k + j % k); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) {
      m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return m;
}

// Numbers as bytes, little-endian or reversed.
template <class... T>
std::string packed(T... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  return bytes;
}
template <class T>
std::string reversed(T number) {
  auto bytes = packed(number);
  return {bytes.rbegin(), bytes.rend()};
}

// A tetrahedron with corners 0, e_x, e_y, e_z: volume 1/6.
inline const std::array<std::array<float, 3>, 4> tetrahedron_corners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
inline const std::array<std::array<std::uint32_t, 3>, 4> tetrahedron_faces{
    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

inline std::string tetrahedron_stl() {
  std::string bytes(80, ' ');
  bytes += packed(std::uint32_t{4});
  for (const auto& face : tetrahedron_faces) {
    bytes += packed(0.f, 0.f, 0.f);
    for (const auto i : face)
      bytes += packed(tetrahedron_corners[i][0], tetrahedron_corners[i][1], tetrahedron_corners[i][2]);
    bytes += packed(std::uint16_t{0});
  }
  return bytes;
}

// The buffer of glTF files of the tests: positions (48 bytes), indices of 16 bits (24 bytes).
inline std::string tetrahedron_buffer() {
  std::string bytes;
  for (const auto& p : tetrahedron_corners) bytes += packed(p[0], p[1], p[2]);
  for (const auto& face : tetrahedron_faces)
    bytes += packed(std::uint16_t(face[0]), std::uint16_t(face[1]), std::uint16_t(face[2]));
  return bytes;
}
inline std::string base64(const std::string& bytes) {
  const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[(bits >> (18 - 6 * k)) & 63];
  }
  return text;
}
// `buffer`: "uri": "…", or nothing for .glb; `node`: more of the node.
inline std::string tetrahedron_gltf(const std::string& buffer, const std::string& node = "") {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0)" + node +
         R"(}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
    {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}], "bufferViews": [
    {"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}], "buffers": [{)" +
         buffer + (buffer.empty() ? "" : ", ") + R"("byteLength": 72}]})";
}
inline std::string embedded_gltf() {
  return tetrahedron_gltf("\"uri\": \"data:application/octet-stream;base64," + base64(tetrahedron_buffer()) + "\"");
}
inline std::string glb(std::string json, std::string binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  return "glTF" +
         packed(std::uint32_t{2}, std::uint32_t(28 + json.size() + binary.size()), std::uint32_t(json.size())) +
         "JSON" + json + packed(std::uint32_t(binary.size())) + std::string("BIN\0", 4) + binary;
}

// COLLADA with the tetrahedron; `asset`, `primitives` and `scene` are put in.
inline std::string dae(const std::string& asset, const std::string& primitives, const std::string& scene) {
  return "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\"><asset>" + asset +
         "</asset>\n<library_geometries><geometry id=\"g\"><mesh>\n<source id=\"p\"><float_array id=\"a\" count=\"12\">"
         "0 0 0 1 0 0 0 1 0 0 0 1</float_array>"
         "<technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"/></technique_common></source>\n"
         "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n" +
         primitives + "\n</mesh></geometry></library_geometries>\n" + scene + "</COLLADA>\n";
}
inline std::string dae_triangles() {
  return "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
         "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>";
}
inline std::string dae_scene(const std::string& nodes) {
  return "<library_visual_scenes><visual_scene id=\"s\">" + nodes +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>";
}

inline std::string ply_text() {
  return "ply\nformat ascii 1.0\ncomment of the tests\nelement vertex 4\nproperty float x\nproperty float y\n"
         "property float z\nproperty uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0 7\n1 0 0 7\n0 1 0 7\n0 0 1 7\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
}

inline std::string codes_of(const std::vector<Diagnostic>& findings) {
  std::string codes;
  for (const auto& finding : findings) codes += (codes.empty() ? "" : " ") + finding.code;
  return codes;
}

// A mesh that has to be readable.
inline mesh::TriangleMesh read_good(const std::string& bytes, const std::string& name,
                                    const mesh::LoadOptions& options = {}) {
  auto loaded = mesh::load_mesh_bytes(bytes, name, options);
  EXPECT_TRUE(loaded.ok()) << name << ": " << (loaded.findings.empty() ? "" : to_string(loaded.findings[0]));
  return std::move(loaded.mesh);
}

}  // namespace lissom::test
