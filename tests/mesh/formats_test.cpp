// The same body in every format, with its units, axes and transformations.
#include <fstream>

#include "mesh_test_support.h"

namespace lissom::test::mesh_formats {
namespace {

using namespace mesh;

void expect_tetrahedron(const TriangleMesh& m, const char* what) {
  EXPECT_EQ(m.vertices.size(), 4u) << what;
  EXPECT_EQ(m.triangles.size(), 4u) << what;
  const auto p = mass_properties(m);
  EXPECT_NEAR(p.mass, 1.0 / 6, 1e-12) << what;
  EXPECT_NEAR(p.center.x, 0.25, 1e-12) << what;
  EXPECT_NEAR(p.center.y, 0.25, 1e-12) << what;
  EXPECT_NEAR(p.center.z, 0.25, 1e-12) << what;
  EXPECT_TRUE(check_surface(m).empty()) << what << ": " << codes_of(check_surface(m));
}

TEST(MeshFormats, Stl) {
  expect_tetrahedron(read_good(tetrahedron_stl(), "a.stl"), "binary");
  auto solid = tetrahedron_stl();
  solid.replace(0, 5, "solid");
  expect_tetrahedron(read_good(solid, "no ending"), "binary that says solid");
  std::string text = "solid a name with facet and vertex in it\n";
  for (const auto& face : tetrahedron_faces) {
    text += "  facet normal nan nan nan\n    outer loop\n";
    for (const auto i : face)
      text += "      vertex " + std::to_string(tetrahedron_corners[i][0]) + " " +
              std::to_string(tetrahedron_corners[i][1]) + "e0 +" + std::to_string(tetrahedron_corners[i][2]) + "\n";
    text += "    endloop\r\n  endfacet\n";
  }
  expect_tetrahedron(read_good(text + "endsolid", "a.stl"), "text");
  const auto unfinished = load_mesh_bytes(text, "a.stl");
  expect_tetrahedron(unfinished.mesh, "without endsolid");
  EXPECT_EQ(codes_of(unfinished.findings), "mesh-truncated");
}

TEST(MeshFormats, Obj) {
  const std::string corners = "# comment\nmtllib a.mtl\no thing\nv 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\n";
  expect_tetrahedron(read_good(corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4", "a.obj"), "plain");
  expect_tetrahedron(
      read_good(corners + "f 1//1 3//1 2//1\r\nf 1/1 2/1 4/1\nf 1/1/1 4/1/1 3/1/1\ns off\nf 2 3 4 # end\n",
                "without ending"),
      "slashes");
  expect_tetrahedron(read_good(corners + "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n", "a.obj"), "from the end");
  expect_tetrahedron(read_good(corners + "f 1 3 \\\n2\nf 1 2\\\n 4\nf 1 4 3\nf 2 3 4\n", "a.obj"), "continued lines");
}

TEST(MeshFormats, PolygonsAreDivided) {
  // The L as polygons of six corners, which are not convex, from different corners on, and quadrangles.
  const auto l = l_shape_obj();
  const auto vertices = l.substr(0, l.find("f "));
  const std::string sides = "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
  const std::array<std::string, 3> floors{"f 1 6 5 4 3 2\n", "f 4 3 2 1 6 5\n", "f 3 2 1 6 5 4\n"};
  for (const auto& floor : floors) {
    const auto m = read_good(vertices + sides + floor + "f 7 8 9 10 11 12\n", "a.obj");
    EXPECT_EQ(m.triangles.size(), 20u);
    EXPECT_NEAR(mass_properties(m).mass, 1.6875, 1e-12);
    EXPECT_NEAR(surface_area(m), 12, 1e-12);  // triangles outside of the polygon would add to it
    EXPECT_TRUE(check_surface(m).empty());
  }
}

TEST(MeshFormats, Ply) {
  expect_tetrahedron(read_good(ply_text(), "a.ply"), "text");
  const std::string header =
      "element vertex 4\nproperty double x\nproperty float y\nproperty short z\n"
      "element material 2\nproperty list uchar float things\n"
      "element face 4\nproperty uchar flags\nproperty list int uint vertex_index\nend_header\n";
  std::string little = "ply\nformat binary_little_endian 1.0\n" + header,
              big = "ply\nformat binary_big_endian 1.0\n" + header;
  const auto add = [&](auto number) {
    little += packed(number);
    big += reversed(number);
  };
  for (const auto& p : tetrahedron_corners) add(double(p[0])), add(p[1]), add(std::int16_t(p[2]));
  for (int i = 0; i < 2; ++i) add(std::uint8_t(i + 1)), add(1.5f), i == 1 ? add(2.5f) : void();
  for (const auto& face : tetrahedron_faces) {
    add(std::uint8_t{9}), add(std::int32_t{3});
    for (const auto i : face) add(i);
  }
  expect_tetrahedron(read_good(little, "a.ply"), "little-endian");
  expect_tetrahedron(read_good(big, "a.ply"), "big-endian");
}

TEST(MeshFormats, Msh) {
  std::string bytes = packed(4, 1, 1, 4);
  for (const auto& p : tetrahedron_corners) bytes += packed(p[0], p[1], p[2]);
  bytes += packed(0.f, 0.f, 1.f, .5f, .5f);
  for (const auto& face : tetrahedron_faces) bytes += packed(face[0], face[1], face[2]);
  expect_tetrahedron(read_good(bytes, "a.msh"), "msh");
  const auto points = packed(1, 0, 0, 0) + packed(1.f, 2.f, 3.f);
  EXPECT_EQ(codes_of(load_mesh_bytes(points, "a.msh").findings), "mesh-empty");
  LoadOptions options;
  options.accept_points = true;
  EXPECT_EQ(read_good(points, "a.msh", options).vertices.size(), 1u);
}

TEST(MeshFormats, Collada) {
  const std::string vertex =
      "<input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/><input semantic=\"NORMAL\" "
      "source=\"#n\" offset=\"0\"/>";
  const std::array<std::string, 4> primitives{
      dae_triangles(),
      "<polylist count=\"4\">" + vertex +
          "<vcount>3 3 3 3</vcount><p>9 0 9 2 9 1 9 0 9 1 9 3 9 0 9 3 9 2 9 1 9 2 9 3</p></polylist>",
      "<polygons count=\"4\">" + vertex +
          "<p>9 0 9 2 9 1</p><p>9 0 9 1 9 3</p><p>9 0 9 3 9 2</p><p>9 1 9 2 9 3</p></polygons>",
      "<tristrips count=\"1\">" + vertex + "<p>9 0 9 2 9 1 9 3</p></tristrips><trifans>" + vertex +
          "<p>9 0 9 1 9 3 9 2</p></trifans>"};
  for (const auto& primitive : primitives) {
    expect_tetrahedron(
        read_good(dae("", primitive, dae_scene("<node><instance_geometry url=\"#g\"/></node>")), "a.dae"),
        primitive.c_str());
    expect_tetrahedron(read_good(dae("", primitive, ""), "a.dae"), "without a scene");
  }
}

TEST(MeshFormats, ColladaUnitsAxesAndNodes) {
  const auto plain = dae_scene("<node><instance_geometry url=\"#g\"/></node>");
  const auto in_mm = read_good(dae("<unit meter=\"0.001\"/>", dae_triangles(), plain), "a.dae");
  EXPECT_NEAR(mass_properties(in_mm).mass, 1e-9 / 6, 1e-20);
  // (1, 0, 0) · 2, rotated by 90° about z, moved by (0, 0, 3).
  const auto nodes = dae_scene(
      "<node><translate>0 0 3</translate><node><rotate>0 0 2 90</rotate><scale>2 2 2</scale>"
      "<instance_geometry url=\"#g\"/></node></node>");
  const auto moved = bounds(read_good(dae("<unit meter=\"0.5\"/>", dae_triangles(), nodes), "a.dae"));
  EXPECT_NEAR(moved.lower.x, -1, 1e-12);
  EXPECT_NEAR(moved.upper.x, 0, 1e-12);
  EXPECT_NEAR(moved.upper.y, 1, 1e-12);
  EXPECT_NEAR(moved.lower.z, 1.5, 1e-12);
  EXPECT_NEAR(moved.upper.z, 2.5, 1e-12);
  // A matrix that mirrors, and a node that is placed twice.
  const auto twice =
      dae("", dae_triangles(),
          "<library_nodes><node id=\"n\"><instance_geometry url=\"#g\"/></node></library_nodes>" +
              dae_scene("<node><matrix>-1 0 0 -5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url=\"#n\"/>"
                        "</node><node><instance_node url=\"#n\"/></node>"));
  const auto both = read_good(twice, "a.dae");
  EXPECT_EQ(both.triangles.size(), 8u);
  EXPECT_NEAR(mass_properties(both).mass, 2.0 / 6, 1e-12);  // not zero: the mirrored one is not inside out
  EXPECT_NEAR(bounds(both).lower.x, -6, 1e-12);
}

TEST(MeshFormats, UpAxis) {
  // A long z in the file: which axis is long then?
  const auto longest = [](const std::string& up, UpAxis what) {
    LoadOptions options;
    options.up_axis = what;
    const auto text = dae("<up_axis>" + up + "</up_axis>", dae_triangles(),
                          dae_scene("<node><scale>1 2 3</scale><instance_geometry url=\"#g\"/></node>"));
    const auto box = bounds(read_good(text, "a.dae", options));
    return std::array{box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z};
  };
  const std::array as_written{0.0, 0.0, 0.0, 1.0, 2.0, 3.0};
  EXPECT_EQ(longest("Y_UP", UpAxis::as_robots_do), as_written);
  EXPECT_EQ(longest("X_UP", UpAxis::ignore), as_written);
  EXPECT_EQ(longest("Z_UP", UpAxis::apply), as_written);
  EXPECT_EQ(longest("Y_UP", UpAxis::apply), (std::array{0.0, -3.0, 0.0, 1.0, 0.0, 2.0}));
  EXPECT_EQ(longest("X_UP", UpAxis::apply), (std::array{-2.0, -3.0, 0.0, 0.0, 0.0, 1.0}));
}

TEST(MeshFormats, Gltf) {
  LoadOptions as_written;
  as_written.up_axis = UpAxis::ignore;
  expect_tetrahedron(read_good(embedded_gltf(), "a.gltf", as_written), "base64");
  expect_tetrahedron(read_good(glb(tetrahedron_gltf(""), tetrahedron_buffer()), "a.glb", as_written), "glb");
  // y is up in glTF: (x, y, z) becomes (x, -z, y). Here y is twice as long, and z three times.
  const auto scaled = tetrahedron_gltf("\"uri\": \"data:;base64," + base64(tetrahedron_buffer()) + "\"",
                                       ", \"scale\": [1, 2, 3], \"translation\": [0, 10, 0]");
  const auto box = bounds(read_good(scaled, "a.gltf"));
  EXPECT_EQ((std::array{box.lower.x, box.lower.y, box.lower.z}), (std::array{0.0, -3.0, 10.0}));
  EXPECT_EQ((std::array{box.upper.x, box.upper.y, box.upper.z}), (std::array{1.0, 0.0, 12.0}));
  // 90° about z as a quaternion, moved by 5 along y; and the same as a matrix, column by column.
  for (const std::string node :
       {", \"rotation\": [0, 0, 0.70710678118654752, 0.70710678118654752], \"translation\": [0, 5, 0]",
        ", \"matrix\": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]"}) {
    const auto turned = bounds(read_good(glb(tetrahedron_gltf("", node), tetrahedron_buffer()), "a.glb", as_written));
    EXPECT_NEAR(turned.lower.x, -1, 1e-12) << node;
    EXPECT_NEAR(turned.upper.x, 0, 1e-12) << node;
    EXPECT_NEAR(turned.lower.y, 5, 1e-12) << node;
    EXPECT_NEAR(turned.upper.y, 6, 1e-12) << node;
  }
}

TEST(MeshFormats, GltfStridesAndQuantization) {
  // Positions as bytes, normalized, every 8 bytes; no indices; a strip and a fan.
  std::string buffer;
  for (const int i : {0, 2, 1, 3, 0, 1, 3, 2}) {
    for (int c = 0; c < 3; ++c) buffer += char(i == c + 1 ? 127 : 0);
    buffer += std::string(5, 'x');
  }
  const std::string text = R"({"asset": {}, "extensionsRequired": ["KHR_mesh_quantization"], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}, {"attributes": {"POSITION": 1}, "mode": 6}]}],
    "accessors": [{"bufferView": 0, "componentType": 5120, "normalized": true, "count": 4, "type": "VEC3"},
      {"bufferView": 0, "byteOffset": 32, "componentType": 5120, "normalized": true, "count": 4, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 64, "byteStride": 8}], "buffers": [{"byteLength": 64}]})";
  LoadOptions options;
  options.up_axis = UpAxis::ignore;
  expect_tetrahedron(read_good(glb(text, buffer), "a.glb", options), "quantized");
}

TEST(MeshFormats, GltfBuffersLieInTheFolder) {
  const TestFolder folder;
  std::filesystem::create_directories(folder.path() + "/a/b c");
  const auto write = [&](const std::string& name, const std::string& content) {
    std::ofstream(folder.path() + "/" + name, std::ios::binary) << content;
  };
  write("outside.bin", tetrahedron_buffer());
  write("a/b c/inside.bin", tetrahedron_buffer());
  std::filesystem::create_symlink("../outside.bin", folder.path() + "/a/link.bin");
  const auto codes = [&](const std::string& uri) {
    write("a/x.gltf", tetrahedron_gltf("\"uri\": \"" + uri + "\""));
    const auto loaded = load_mesh(folder.path() + "/a/x.gltf");
    EXPECT_EQ(loaded.ok(), loaded.findings.empty());
    return codes_of(loaded.findings);
  };
  EXPECT_EQ(codes("b%20c/inside.bin"), "");
  EXPECT_EQ(codes("b c/../b c/inside.bin"), "");
  EXPECT_EQ(codes("../outside.bin"), "mesh-external");
  EXPECT_EQ(codes(folder.path() + "/outside.bin"), "mesh-external");
  EXPECT_EQ(codes("link.bin"), "mesh-external");
  EXPECT_EQ(codes("https://example.org/a.bin"), "mesh-external");
  EXPECT_EQ(codes("missing.bin"), "mesh-file");
  EXPECT_EQ(codes("b%20c"), "mesh-file");
}

TEST(MeshFormats, ScaleAndMirroredScale) {
  LoadOptions options;
  options.scale = {2, 3, 4};
  EXPECT_NEAR(mass_properties(read_good(tetrahedron_stl(), "a.stl", options)).mass, 4, 1e-12);
  options.scale = {2, -3, 4};
  const auto mirrored = read_good(tetrahedron_stl(), "a.stl", options);
  EXPECT_NEAR(mass_properties(mirrored).mass, 4, 1e-12);
  EXPECT_NEAR(mass_properties(mirrored).center.y, -0.75, 1e-12);
  EXPECT_TRUE(check_surface(mirrored).empty());
  options.scale = {1, 0, 1};
  EXPECT_EQ(codes_of(load_mesh_bytes(tetrahedron_stl(), "a.stl", options).findings), "mesh-scale");
}

TEST(MeshFormats, VerticesAndTrianglesThatAreNotNeededAreLeftOut) {
  const auto loaded =
      load_mesh_bytes("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nv 0 0 -0\nf 1 2 3\nf 1 5 2\nf 5 3 2\n", "a.obj");
  EXPECT_EQ(loaded.mesh.vertices.size(), 3u);
  EXPECT_EQ(loaded.mesh.triangles.size(), 2u);
  EXPECT_EQ(codes_of(loaded.findings), "mesh-degenerate");
  EXPECT_EQ(loaded.findings[0].severity, Severity::note);
}

}  // namespace
}  // namespace lissom::test::mesh_formats
