// Meshes: reading 10 MB of each format, with and without the cache; mass properties, hull, decomposition.
// LISSOM_CACHE should name an empty folder.
#include "lissom/mesh.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <benchmark/benchmark.h>

namespace {

using namespace lissom::mesh;
using benchmark::State;

// A torus with waves: n k vertices, 2 n k triangles.
TriangleMesh wavy_torus(int n, int k) {
  TriangleMesh m;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) {
      const double a = 2 * M_PI * i / n, b = 2 * M_PI * j / k;
      const double r = 0.3 * (1 + 0.05 * std::sin(7 * a) * std::cos(5 * b)), s = 1 + r * std::cos(b);
      m.vertices.push_back({s * std::cos(a), s * std::sin(a), r * std::sin(b)});
    }
  const auto at = [&](int i, int j) { return std::uint32_t((i % n) * k + j % k); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) {
      m.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      m.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return m;
}

// A file in a folder that is removed at the end.
class File {
 public:
  explicit File(const std::string& name) {
    auto pattern = (std::filesystem::temp_directory_path() / "lissom-bench-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/" + name;
    write_mesh(path_, wavy_torus(500, 200));
  }
  ~File() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

void read(State& state, const char* name, bool use_cache) {
  const File file(name);
  LoadOptions options;
  options.use_cache = use_cache;
  load_mesh(file.path(), options);
  for (auto _ : state) {
    const auto loaded = load_mesh(file.path(), options);
    if (!loaded.ok() || loaded.from_cache != use_cache) state.SkipWithError("the mesh was not read as it should be");
    benchmark::DoNotOptimize(loaded.mesh.vertices.data());
  }
  state.SetBytesProcessed(std::int64_t(state.iterations()) * std::int64_t(std::filesystem::file_size(file.path())));
}
BENCHMARK_CAPTURE(read, stl, "a.stl", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, stl_cached, "a.stl", true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, obj, "a.obj", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, obj_cached, "a.obj", true)->Unit(benchmark::kMillisecond);

void mass(State& state, InertiaKind kind) {
  const auto m = wavy_torus(500, 200);
  for (auto _ : state) benchmark::DoNotOptimize(mass_properties(m, kind));
}
BENCHMARK_CAPTURE(mass, exact, InertiaKind::exact)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mass, convex, InertiaKind::convex)->Unit(benchmark::kMillisecond);

void hull(State& state) {
  const auto m = wavy_torus(500, 200);
  for (auto _ : state) benchmark::DoNotOptimize(convex_hull(m));
}
BENCHMARK(hull)->Unit(benchmark::kMillisecond);

void decomposition(State& state) {
  const auto m = wavy_torus(100, 40);
  DecomposeOptions options;
  options.use_cache = false;
  for (auto _ : state) benchmark::DoNotOptimize(decompose(m, options));
}
BENCHMARK(decomposition)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
