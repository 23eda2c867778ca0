// Meshes of robots that other people made, where they are at hand.
#include <algorithm>

#include "lissom/mesh/convex_hull.h"
#include "mesh_test_support.h"

namespace lissom::test::mesh_corpus {
namespace {

namespace fs = std::filesystem;
using namespace mesh;

fs::path corpus() {
  const char* const shared = std::getenv("LISSOM_SHARED");
  return fs::path(shared ? shared : LISSOM_SHARED_DIR) / "corpus";
}

TEST(MeshCorpus, IsReadAndEnclosed) {
  if (!fs::exists(corpus())) GTEST_SKIP() << "no " << corpus();
  int read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(corpus())) {
    const auto ending = entry.path().extension().string();
    if (ending != ".stl" && ending != ".STL" && ending != ".dae" && ending != ".obj" && ending != ".gltf") continue;
    SCOPED_TRACE(entry.path().string());
    LoadOptions options;
    options.use_cache = false;
    const auto loaded = load_mesh(entry.path().string(), options);
    if (!loaded.ok()) {
      // Some buffers of glTF were left out of the corpus.
      ASSERT_FALSE(loaded.findings.empty());
      EXPECT_EQ(codes_of(loaded.findings), "mesh-file") << to_string(loaded.findings[0]);
      continue;
    }
    ++read;
    const auto hull = convex_hull(loaded.mesh);
    const double hull_volume = mass_properties(hull.mesh).mass, volume = mass_properties(loaded.mesh).mass;
    EXPECT_EQ(hull.kind, HullKind::solid);
    const auto findings = check_surface(loaded.mesh);
    if (findings.empty()) {
      EXPECT_GT(volume, 0);
      EXPECT_LT(volume, hull_volume * (1 + 1e-12));
    }
    EXPECT_NEAR(mass_properties(loaded.mesh, InertiaKind::convex).mass, hull_volume, 1e-12 * hull_volume);
  }
  EXPECT_GT(read, 30);
}

}  // namespace
}  // namespace lissom::test::mesh_corpus
