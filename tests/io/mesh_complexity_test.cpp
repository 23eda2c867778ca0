// How the work of readers of meshes grows.
#include <cstdint>

#include "complexity.h"
#include "lissom/mesh/height_map.h"
#include "lissom/mesh/load.h"

namespace lissom::test {
namespace {

template <class... T>
void append_bytes(Text& bytes, T... values) {
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}
// A row of triangles: 0 1 2, 1 2 3, … of these vertices.
Text vertex(int i, const char* between = " ") {
  return std::to_string(i) + between + std::to_string(i % 2) + between + std::to_string(i % 3);
}
Text row(int count, const std::function<Text(int)>& one) {
  Text all;
  for (int i = 0; i < count; ++i) all += one(i);
  return all;
}
Text face(int i, int first) {
  return std::to_string(i + first) + " " + std::to_string(i + 1 + first) + " " + std::to_string(i + 2 + first);
}

Text stl_text(int n) {
  return "solid a\n" +
         row(n,
             [](int i) {
               return "facet normal 0 0 1\nouter loop\nvertex " + vertex(i) + "\nvertex " + vertex(i + 1) +
                      "\nvertex " + vertex(i + 2) + "\nendloop\nendfacet\n";
             }) +
         "endsolid a\n";
}
Text stl_binary(int n) {
  Text bytes(80, '\0');
  append_bytes(bytes, std::uint32_t(n));
  for (int i = 0; i < n; ++i) {
    append_bytes(bytes, 0.f, 0.f, 1.f);
    for (int k = i; k < i + 3; ++k) append_bytes(bytes, float(k), float(k % 2), float(k % 3));
    append_bytes(bytes, std::uint16_t(0));
  }
  return bytes;
}
Text msh(int n) {
  Text bytes;
  append_bytes(bytes, std::int32_t(n + 2), std::int32_t(0), std::int32_t(0), std::int32_t(n));
  for (int i = 0; i < n + 2; ++i) append_bytes(bytes, float(i), float(i % 2), float(i % 3));
  for (int i = 0; i < n; ++i) append_bytes(bytes, std::int32_t(i), std::int32_t(i + 1), std::int32_t(i + 2));
  return bytes;
}
Text obj(int n) {
  return row(n + 2, [](int i) { return "v " + vertex(i) + "\n"; }) +
         row(n, [](int i) { return "f " + face(i, 1) + "\n"; });
}
Text ply(int n) {
  return "ply\nformat ascii 1.0\nelement vertex " + std::to_string(n + 2) +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " + std::to_string(n) +
         "\nproperty list uchar int vertex_indices\nend_header\n" + row(n + 2, [](int i) { return vertex(i) + "\n"; }) +
         row(n, [](int i) { return "3 " + face(i, 0) + "\n"; });
}
Text dae(int n) {
  const Text count = std::to_string(n + 2);
  return "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='" +
         std::to_string(3 * (n + 2)) + "'>" + row(n + 2, [](int i) { return vertex(i) + " "; }) +
         "</float_array><technique_common><accessor source='#a' count='" + count +
         "' stride='3'/></technique_common></source><vertices id='v'><input semantic='POSITION' "
         "source='#p'/></vertices>"
         "<triangles count='" +
         std::to_string(n) + "'><input semantic='VERTEX' source='#v' offset='0'/><p>" +
         row(n, [](int i) { return face(i, 0) + " "; }) +
         "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node>"
         "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
         "<instance_visual_scene url='#s'/></scene></COLLADA>";
}
// As many nodes as triangles: each places the same one.
Text gltf(int n) {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [)" +
         many(
             n, [](const Text& i) { return i; }, ",") +
         R"(]}], "nodes": [)" +
         many(
             n, [](const Text& i) { return R"({"mesh": 0, "translation": [)" + i + ", 0, 0]}"; }, ",") +
         R"(], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
         "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
         "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36,
         "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
}

TEST(MeshComplexity, Meshes) {
  const struct {
    const char* name;
    Text (*make)(int);
  } formats[] = {{"text.stl", stl_text}, {"binary.stl", stl_binary}, {"a.obj", obj}, {"a.ply", ply},
                 {"a.dae", dae},         {"a.gltf", gltf},           {"a.msh", msh}};
  for (const auto& [name, make] : formats) {
    SCOPED_TRACE(name);
    expect_proportional(of_text(make,
                                [file = Text(name)](const Text& bytes) {
                                  const auto found = mesh::load_mesh_bytes(bytes, file);
                                  EXPECT_FALSE(found.mesh.empty()) << file;
                                }),
                        1000);
  }
}

TEST(MeshComplexity, HeightMaps) {
  const auto map = [](int n) {
    mesh::HeightMap field{20, n, {}};
    for (int k = 0; k < 20 * n; ++k) field.heights.push_back(k % 97 / 100.0);
    return to_png(field);
  };
  const auto read = [](const Text& bytes) { EXPECT_TRUE(mesh::load_heights_bytes(bytes, "map.png").ok()); };
  expect_proportional(of_text(map, read), 500);
}

}  // namespace
}  // namespace lissom::test
