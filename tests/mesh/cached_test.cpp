// Meshes from the cache are the same as those from the file; without a cache everything works, too. And files that are
// written are read back.
#include "lissom/mesh/cached.h"

#include <fstream>

#include "lissom/mesh/write.h"
#include "mesh_test_support.h"

namespace lissom::test::mesh_cached {
namespace {

using namespace mesh;

class MeshCache : public testing::Test {
 protected:
  MeshCache() {
    const char* const before = std::getenv("LISSOM_CACHE");
    if (before) before_ = before;
    ::setenv("LISSOM_CACHE", cache_.path().c_str(), 1);
    write_mesh(file(), torus(1, 0.3, 100, 40));  // 400 kB
  }
  ~MeshCache() override { before_ ? ::setenv("LISSOM_CACHE", before_->c_str(), 1) : ::unsetenv("LISSOM_CACHE"); }

  std::string file() const { return folder_.path() + "/torus.stl"; }
  const TestFolder& cache() const { return cache_; }
  std::string entry() const { return std::filesystem::directory_iterator(cache_.path())->path().string(); }

 private:
  TestFolder folder_, cache_;
  std::optional<std::string> before_;
};

TEST_F(MeshCache, GivesTheSameMesh) {
  const auto first = load_mesh(file()), second = load_mesh(file());
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.format, Format::stl);
  EXPECT_EQ(to_obj(first.mesh), to_obj(second.mesh));
  EXPECT_EQ(cache().files(), 1);
  LoadOptions options;
  options.scale = {1, 1, -1};
  EXPECT_FALSE(load_mesh(file(), options).from_cache);
  EXPECT_TRUE(load_mesh(file(), options).from_cache);
  options.use_cache = false;
  EXPECT_FALSE(load_mesh(file(), options).from_cache);
  // The same content elsewhere is the same mesh, with its own name in the findings.
  std::filesystem::copy(file(), file() + "2.stl");
  EXPECT_TRUE(load_mesh(file() + "2.stl").from_cache);
}

TEST_F(MeshCache, KeepsTheFindings) {
  std::ofstream(file(), std::ios::app | std::ios::binary) << "more";
  const auto first = load_mesh(file()), second = load_mesh(file());
  EXPECT_TRUE(second.from_cache);
  ASSERT_EQ(codes_of(first.findings), "mesh-trailing");
  EXPECT_EQ(to_string(first.findings[0]), to_string(second.findings[0]));
}

TEST_F(MeshCache, DamagedEntriesAreNotUsed) {
  load_mesh(file());
  const auto path = entry();
  std::ifstream in(path, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t n : {std::size_t{0}, std::size_t{20}, good.size() / 2, good.size() - 1}) {
    std::ofstream(path, std::ios::binary) << good.substr(0, n);
    const auto loaded = load_mesh(file());
    EXPECT_FALSE(loaded.from_cache);
    EXPECT_TRUE(loaded.ok());
    auto changed = good;
    changed[n] = char(changed[n] ^ 1);
    std::ofstream(path, std::ios::binary) << changed;
    EXPECT_FALSE(load_mesh(file()).from_cache);
    EXPECT_TRUE(load_mesh(file()).from_cache);
  }
}

TEST_F(MeshCache, IsNotNeeded) {
  for (const char* folder : {"/proc/nothing/here", "/dev/null", ""}) {
    ::setenv("LISSOM_CACHE", folder, 1);
    if (!*folder) ::setenv("XDG_CACHE_HOME", "/proc/nothing", 1);
    EXPECT_TRUE(load_mesh(file()).ok());
    EXPECT_FALSE(load_mesh(file()).from_cache);
    DecomposeOptions options;
    options.resolution = 16;
    options.max_hulls = 2;
    EXPECT_EQ(decompose(read_good(l_shape_obj(), "l.obj"), options).hulls.size(), 2u);
  }
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(MeshCache, KeepsDecompositions) {
  const auto m = read_good(l_shape_obj(), "l.obj");
  const auto first = decompose(m), second = decompose(m);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(first.concavity, second.concavity);
  ASSERT_EQ(first.hulls.size(), second.hulls.size());
  for (std::size_t i = 0; i < first.hulls.size(); ++i) EXPECT_EQ(to_obj(first.hulls[i]), to_obj(second.hulls[i]));
  DecomposeOptions options;
  options.max_hulls = 3;
  EXPECT_FALSE(decompose(m, options).from_cache);
  auto other = m;
  other.vertices[0].x += 1e-9;
  EXPECT_FALSE(decompose(other).from_cache);
}

TEST_F(MeshCache, SmallFilesAndThoseWithOthersAreNotKept) {
  const TestFolder folder;
  std::ofstream(folder.path() + "/a.stl", std::ios::binary) << tetrahedron_stl();
  EXPECT_TRUE(load_mesh(folder.path() + "/a.stl").ok());
  std::ofstream(folder.path() + "/a.bin", std::ios::binary) << tetrahedron_buffer();
  std::ofstream(folder.path() + "/a.gltf") << tetrahedron_gltf("\"uri\": \"a.bin\"") << std::string(300'000, ' ');
  EXPECT_TRUE(load_mesh(folder.path() + "/a.gltf").ok());
  EXPECT_EQ(cache().files(), 0);
}

TEST(MeshWrite, IsReadBack) {
  const auto m = torus(1, 0.3, 20, 10);
  const auto obj = read_good(to_obj(m), "a.obj");
  ASSERT_EQ(obj.triangles.size(), m.triangles.size());
  EXPECT_EQ(mass_properties(obj).mass, mass_properties(m).mass);
  const auto stl = read_good(to_stl(m), "a.stl");
  ASSERT_EQ(stl.triangles.size(), m.triangles.size());
  EXPECT_EQ(stl.vertices.size(), m.vertices.size());
  EXPECT_NEAR(mass_properties(stl).mass, mass_properties(m).mass, 1e-6);
  EXPECT_TRUE(check_surface(stl).empty());
}

TEST(MeshWrite, RefusesWhatCannotBe) {
  const TestFolder folder;
  auto m = box({0, 0, 0}, {1, 1, 1});
  write_mesh(folder.path() + "/a.OBJ", m);
  EXPECT_TRUE(load_mesh(folder.path() + "/a.OBJ").ok());
  EXPECT_THROW(write_mesh(folder.path() + "/a.dae", m), Error);
  EXPECT_THROW(write_mesh(folder.path() + "/no/a.stl", m), Error);
  m.triangles.push_back({0, 1, 8});
  EXPECT_THROW(write_mesh(folder.path() + "/b.stl", m), Error);
  m.triangles.pop_back();
  m.vertices[0].x = std::nan("");
  EXPECT_THROW(write_mesh(folder.path() + "/b.stl", m), Error);
  EXPECT_EQ(folder.files(), 1);
}

}  // namespace
}  // namespace lissom::test::mesh_cached
