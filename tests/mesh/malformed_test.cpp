// Malformed files: each is reported with the right code, on the right line, with a remedy, and gives no mesh.
#include <random>

#include "mesh_test_support.h"

namespace lissom::test::mesh_malformed {
namespace {

using namespace mesh;

struct Malformed {
  const char* what;
  std::string bytes, name, code;
  int line = 0;
};
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string facet =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

std::vector<Malformed> malformed_stl() {
  auto not_finite = tetrahedron_stl();
  not_finite.replace(84 + 12, 4, packed(std::numeric_limits<float>::quiet_NaN()));
  auto huge = tetrahedron_stl();
  huge.replace(80, 4, packed(std::uint32_t{0xffffffff}));
  return {{"an empty file", "", "a.stl", "mesh-truncated"},
          {"half a header", std::string(60, 'x'), "a.stl", "mesh-truncated"},
          {"a file that was cut off", tetrahedron_stl().substr(0, 200), "a.stl", "mesh-truncated"},
          {"four billion triangles", huge, "a.stl", "mesh-truncated"},
          {"no triangles", std::string(84, '\0'), "a.stl", "mesh-empty"},
          {"a vertex that is NaN", not_finite, "a.stl", "mesh-not-finite"},
          {"text cut off", facet.substr(0, 60), "a.stl", "mesh-truncated", 5},
          {"text with a wrong word", replaced(facet, "endloop", "endless"), "a.stl", "mesh-syntax", 7},
          {"text with a word for a number", replaced(facet, "1 0 0", "1 O 0"), "a.stl", "mesh-syntax", 5},
          {"text with four vertices", replaced(facet, "endloop", "vertex 1 1 1\nendloop"), "a.stl", "mesh-syntax", 7},
          {"text with infinity", replaced(facet, "1 0 0", "1 inf 0"), "a.stl", "mesh-not-finite", 5},
          {"a solid without facets", "solid nothing\nendsolid nothing\n", "a.stl", "mesh-empty"},
          {"triangles that are points", replaced(replaced(facet, "1 0 0", "0 0 0"), "0 1 0", "0 0 0"), "a.stl",
           "mesh-empty"}};
}

std::vector<Malformed> malformed_obj() {
  return {{"an index beyond the vertices", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "a.obj", "mesh-index", 4},
          {"index 0", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "a.obj", "mesh-syntax", 4},
          {"a negative index beyond the first", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 -2 -1\n", "a.obj", "mesh-index", 4},
          {"an index of forty digits", "v 0 0 0\nf 1 1 " + std::string(40, '9') + "\n", "a.obj", "mesh-syntax", 2},
          {"a vertex of two numbers", "v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", "a.obj", "mesh-syntax", 2},
          {"a vertex with a comma", "v 0,5 0 0\n", "a.obj", "mesh-syntax", 1},
          {"a vertex that is nan", "v 0 0 nan\n", "a.obj", "mesh-not-finite", 1},
          {"a vertex beyond all bounds", "v 0 0 1e300\n", "a.obj", "mesh-not-finite", 1},
          {"vertices only", "v 0 0 0\nv 1 0 0\n", "a.obj", "mesh-empty"},
          {"lines only", "v 0 0 0\nv 1 0 0\nl 1 2\nf 1 2\n", "a.obj", "mesh-empty"},
          {"bytes that are no text", "v 0 0 0\n\x01\x02\x03\x04\n", "a.obj", "mesh-syntax", 2},
          {"an empty file", "", "a.obj", "mesh-empty"}};
}

std::vector<Malformed> malformed_ply() {
  const auto text = ply_text();
  const std::string binary = replaced(text.substr(0, text.find("0 0 0 7")), "ascii", "binary_little_endian");
  return {{"a header that does not end", text.substr(0, text.find("property float y")), "a.ply", "mesh-truncated", 6},
          {"an unknown format", replaced(text, "ascii", "asci"), "a.ply", "mesh-syntax", 2},
          {"no format", replaced(text, "format ascii 1.0", "comment"), "a.ply", "mesh-syntax", 12},
          {"an unknown type", replaced(text, "uchar red", "half red"), "a.ply", "mesh-syntax", 8},
          {"a list that is counted by floats", replaced(text, "list uchar", "list float"), "a.ply", "mesh-syntax", 10},
          {"a property before the elements", replaced(text, "comment of", "property float a\ncomment"), "a.ply",
           "mesh-syntax", 3},
          {"a negative number of vertices", replaced(text, "vertex 4", "vertex -4"), "a.ply", "mesh-syntax", 4},
          {"more vertices than there are bytes", replaced(text, "vertex 4", "vertex 4000000000"), "a.ply",
           "mesh-truncated", 12},
          {"an index beyond the vertices", replaced(text, "3 1 2 3", "3 1 2 4"), "a.ply", "mesh-index", 19},
          {"a word for a number", replaced(text, "0 1 0 7", "0 one 0 7"), "a.ply", "mesh-truncated", 14},
          {"binary without data", binary, "a.ply", "mesh-truncated"},
          {"a binary list of four billion",
           replaced(binary, "list uchar", "list uint") + std::string(52, '\0') + packed(0xffffffffu), "a.ply",
           "mesh-truncated"},
          {"an element with no properties and no end",
           "ply\nformat ascii 1.0\nelement a 9000000000000000000\nend_header\n", "a.ply", "mesh-empty"},
          {"a header only", "ply\nformat ascii 1.0\nend_header\n", "a.ply", "mesh-empty"}};
}

std::vector<Malformed> malformed_dae() {
  const auto good = dae("", dae_triangles(), dae_scene("<node><instance_geometry url=\"#g\"/></node>"));
  const std::string cycle = dae("", dae_triangles(), dae_scene("<node id=\"n\"><instance_node url=\"#n\"/></node>"));
  std::string doubling = "<library_nodes><node id=\"n0\"><instance_geometry url=\"#g\"/></node>";
  for (int i = 1; i < 40; ++i) {
    const auto inner = "<instance_node url=\"#n" + std::to_string(i - 1) + "\"/>";
    doubling += "<node id=\"n" + std::to_string(i) + "\">" + inner + inner + "</node>";
  }
  doubling += "</library_nodes>" + dae_scene("<node><instance_node url=\"#n39\"/></node>");
  return {{"XML that was cut off", good.substr(0, 300), "a.dae", "mesh-syntax", 5},
          {"another root", "<?xml version=\"1.0\"?><robot><COLLADA/></robot>", "a.dae", "mesh-syntax", 1},
          {"a geometry that is missing", replaced(good, "url=\"#g\"", "url=\"#h\""), "a.dae", "mesh-syntax", 8},
          {"a source that is missing", replaced(good, "source=\"#p\"", "source=\"#q\""), "a.dae", "mesh-syntax", 5},
          {"fewer numbers than stated", replaced(good, "0 0 1</float", "0 0</float"), "a.dae", "mesh-truncated", 4},
          {"a word for a number", replaced(good, "0 0 1</float", "0 x 1</float"), "a.dae", "mesh-truncated", 4},
          {"four billion positions", replaced(good, "count=\"4\" stride", "count=\"4000000000\" stride"), "a.dae",
           "mesh-truncated", 4},
          {"a stride of two", replaced(good, "stride=\"3\"", "stride=\"2\""), "a.dae", "mesh-syntax", 4},
          {"an index beyond the vertices", replaced(good, "1 2 3</p>", "1 2 7</p>"), "a.dae", "mesh-index", 6},
          {"a negative index", replaced(good, "1 2 3</p>", "1 2 -3</p>"), "a.dae", "mesh-index", 6},
          {"a triangle of two corners", replaced(good, "1 2 3</p>", "1 2</p>"), "a.dae", "mesh-truncated", 6},
          {"no input of vertices", replaced(good, "\"VERTEX\"", "\"NORMAL\""), "a.dae", "mesh-syntax", 6},
          {"a node that places itself", cycle, "a.dae", "mesh-nodes", 8},
          {"nodes that double forty times", dae("", dae_triangles(), doubling), "a.dae", "mesh-nodes", 8},
          {"a matrix of three numbers", replaced(good, "<node>", "<node><matrix>1 2 3</matrix>"), "a.dae",
           "mesh-syntax", 8},
          {"nothing in it", "<COLLADA/>", "a.dae", "mesh-empty"}};
}

std::vector<Malformed> malformed_gltf() {
  const auto good = embedded_gltf();
  const auto bytes = glb(tetrahedron_gltf(""), tetrahedron_buffer());
  auto old_version = bytes, long_chunk = bytes;
  old_version.replace(4, 4, packed(std::uint32_t{1}));
  long_chunk.replace(12, 4, packed(std::uint32_t{0xfffffff0}));
  const auto draco =
      replaced(good, "\"indices\": 1", "\"indices\": 1, \"extensions\": {\"KHR_draco_mesh_compression\": {}}");
  return {
      {"JSON that was cut off", good.substr(0, 200), "a.gltf", "mesh-syntax"},
      {"JSON that is no glTF", "{\"links\": []}", "a.gltf", "mesh-format"},
      {"a list", "{\"asset\": {}, \"nodes\": {}, \"meshes\": 3}", "a.gltf", "mesh-empty"},
      {"a file that was cut off", bytes.substr(0, bytes.size() - 30), "a.glb", "mesh-truncated"},
      {"a header that was cut off", bytes.substr(0, 15), "a.glb", "mesh-truncated"},
      {"a chunk of four billion bytes", long_chunk, "a.glb", "mesh-truncated"},
      {"version 1", old_version, "a.glb", "mesh-unsupported"},
      {"no binary chunk", glb(tetrahedron_gltf(""), ""), "a.glb", "mesh-truncated"},
      {"an accessor beyond the buffer", replaced(good, "\"count\": 12", "\"count\": 13"), "a.gltf", "mesh-truncated"},
      {"an accessor of 2^64 elements", replaced(good, "\"count\": 4", "\"count\": 18446744073709551615"), "a.gltf",
       "mesh-truncated"},
      {"a negative count", replaced(good, "\"count\": 4", "\"count\": -4"), "a.gltf", "mesh-syntax"},
      {"a view beyond the buffer", replaced(good, "\"byteOffset\": 48", "\"byteOffset\": 49"), "a.gltf",
       "mesh-truncated"},
      {"a view whose offset overflows", replaced(good, "\"byteOffset\": 48", "\"byteOffset\": 18446744073709551600"),
       "a.gltf", "mesh-truncated"},
      {"a buffer that is no base64", replaced(good, "base64,AAA", "base64,A*A"), "a.gltf", "mesh-syntax"},
      {"an index beyond the vertices", replaced(good, "\"count\": 4", "\"count\": 3"), "a.gltf", "mesh-index"},
      {"indices as float", replaced(good, "5123", "5126"), "a.gltf", "mesh-truncated"},
      {"positions as a matrix", replaced(good, "VEC3", "MAT4"), "a.gltf", "mesh-syntax"},
      {"compression", draco, "a.gltf", "mesh-unsupported"},
      {"compression of views", replaced(good, "\"scene\": 0", "\"extensionsRequired\": [\"EXT_meshopt_compression\"]"),
       "a.gltf", "mesh-unsupported"},
      {"a sparse accessor", replaced(good, "\"count\": 4", "\"count\": 4, \"sparse\": {}"), "a.gltf",
       "mesh-unsupported"},
      {"a node that is its own child", replaced(good, "{\"mesh\": 0", "{\"mesh\": 0, \"children\": [0]"), "a.gltf",
       "mesh-nodes"},
      {"a node that is missing", replaced(good, "[{\"nodes\": [0]}]", "[{\"nodes\": [7]}]"), "a.gltf", "mesh-syntax"},
      {"a scene that is missing", replaced(good, "\"scene\": 0", "\"scene\": 9"), "a.gltf", "mesh-syntax"},
      {"a mesh that is missing", replaced(good, "\"mesh\": 0", "\"mesh\": 1"), "a.gltf", "mesh-syntax"},
      {"a buffer elsewhere", tetrahedron_gltf("\"uri\": \"a.bin\""), "a.gltf", "mesh-external"},
      {"lists nested a thousand deep", "{\"asset\": " + std::string(1000, '[') + std::string(1000, ']') + "}", "a.gltf",
       "mesh-syntax"}};
}

std::vector<Malformed> malformed_others() {
  std::string msh = packed(4, 0, 0, 1) + std::string(48, '\0') + packed(0, 1, 9);
  return {{"an index of MSH beyond the vertices", msh, "a.msh", "mesh-index"},
          {"MSH that was cut off", msh.substr(0, 30), "a.msh", "mesh-truncated"},
          {"MSH with a negative count", packed(-1, 0, 0, 0), "a.msh", "mesh-truncated"},
          {"a text", "Dear Sir or Madam,\n", "a.txt", "mesh-format"},
          {"a pointer of Git LFS",
           "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, '0') + "\nsize 12345\n", "a.stl",
           "mesh-pointer"},
          {"a page", "<html><body>404 Not Found</body></html>", "a.stl", "mesh-format"},
          {"a picture", "\x89PNG\r\n\x1a\n" + std::string(100, 'x'), "a.png", "mesh-format"}};
}

std::vector<Malformed> all_malformed() {
  std::vector<Malformed> all;
  for (const auto& list :
       {malformed_stl(), malformed_obj(), malformed_ply(), malformed_dae(), malformed_gltf(), malformed_others()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

TEST(MeshMalformed, IsReported) {
  for (const auto& file : all_malformed()) {
    SCOPED_TRACE(file.name + ": " + file.what);
    const auto loaded = load_mesh_bytes(file.bytes, file.name);
    EXPECT_FALSE(loaded.ok());
    EXPECT_TRUE(loaded.mesh.triangles.empty());
    std::size_t errors = 0;
    for (const auto& finding : loaded.findings) {
      errors += finding.severity == Severity::error;
      EXPECT_EQ(finding.file, file.name);
      EXPECT_FALSE(finding.message.empty());
      EXPECT_FALSE(finding.remedy.empty());
      if (finding.severity != Severity::error) continue;
      EXPECT_EQ(finding.code, file.code) << to_string(finding);
      EXPECT_EQ(finding.line, file.line) << to_string(finding);
    }
    EXPECT_EQ(errors, 1u);
  }
}

// Whatever is changed or cut off: an answer, and indices that are in range.
TEST(MeshMalformed, DamagedFilesHaveAnAnswer) {
  const std::vector<std::pair<std::string, std::string>> files{
      {tetrahedron_stl(), "a.stl"},
      {facet + "endsolid\n", "b.stl"},
      {l_shape_obj(), "a.obj"},
      {ply_text(), "a.ply"},
      {dae("", dae_triangles(), dae_scene("<node><instance_geometry url=\"#g\"/></node>")), "a.dae"},
      {embedded_gltf(), "a.gltf"},
      {glb(tetrahedron_gltf(""), tetrahedron_buffer()), "a.glb"}};
  std::mt19937 random(7);
  int good = 0, bad = 0;
  for (const auto& [bytes, name] : files)
    for (int k = 0; k < 400; ++k) {
      auto changed = k % 4 == 0 ? bytes.substr(0, random() % bytes.size()) : bytes;
      for (int i = 0; i < k % 4 && !changed.empty(); ++i) changed[random() % changed.size()] = char(random());
      const auto loaded = load_mesh_bytes(changed, name);
      ++(loaded.ok() ? good : bad);
      EXPECT_TRUE(loaded.ok() || !loaded.findings.empty()) << name << " " << k;
      for (const auto& t : loaded.mesh.triangles)
        for (const auto corner : t) ASSERT_LT(corner, loaded.mesh.vertices.size());
    }
  EXPECT_GT(good, 100);
  EXPECT_GT(bad, 100);
}

TEST(MeshLimits, AtTheLimitAndBeyond) {
  LoadOptions options;
  options.max_triangles = 4;
  const auto dae_text = dae("", dae_triangles(), "");
  const auto gltf_text = embedded_gltf();
  const std::array<std::pair<std::string, std::string>, 5> files{
      {{tetrahedron_stl(), "a.stl"},
       {ply_text(), "a.ply"},
       {dae_text, "a.dae"},
       {gltf_text, "a.gltf"},
       {"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0.5 1.5 0\nv 0 1 0\nv -.5 .5 0\nf 1 2 3 4 5 6", "a.obj"}}};
  for (const auto& [bytes, name] : files) {
    options.max_triangles = 4;
    EXPECT_EQ(codes_of(load_mesh_bytes(bytes, name, options).findings), "") << name;
    options.max_triangles = 3;
    EXPECT_EQ(codes_of(load_mesh_bytes(bytes, name, options).findings), "mesh-triangles") << name;
  }
  for (const auto& [bytes, name] : {std::pair(dae_text, "a.dae"), std::pair(gltf_text, "a.gltf")}) {
    LoadOptions small;
    small.max_document_bytes = bytes.size();
    EXPECT_EQ(codes_of(load_mesh_bytes(bytes, name, small).findings), "");
    small.max_document_bytes = bytes.size() - 1;
    EXPECT_EQ(codes_of(load_mesh_bytes(bytes, name, small).findings), "mesh-size");
  }
}

TEST(MeshLimits, FilesThatCannotBeRead) {
  const TestFolder folder;
  EXPECT_EQ(codes_of(load_mesh(folder.path() + "/missing.stl").findings), "mesh-file");
  EXPECT_EQ(codes_of(load_mesh(folder.path()).findings), "mesh-file");
}

}  // namespace
}  // namespace lissom::test::mesh_malformed
