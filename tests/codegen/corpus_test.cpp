// Robots of other projects: programs give the same as interpreted. They are not part of this repository: without them
// this test is skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "lissom/api/load.h"
#include "programs.h"

namespace lissom::test {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> corpus() {
  const char* const given = std::getenv("LISSOM_SHARED");
  const auto folder = fs::path(given ? given : LISSOM_SHARED_DIR) / "corpus" / "urdf";
  if (!fs::is_directory(folder)) return {};
  return folder;
}

// The robot, if its file can be used and its mass matrix is not singular.
std::optional<Model> robot(const fs::path& file, Base base) {
  LoadOptions options;
  options.base = base;
  try {
    const auto model = load(file.string(), options);
    if (model.nv() == 0) return {};
    const auto program = codegen::trace(model, codegen::Algorithm::aba);
    const auto inputs = codegen::random_inputs(model, program, 1);
    for (const double a : codegen::interpreted(model, codegen::Algorithm::aba, {}, program, inputs))
      if (!std::isfinite(a) || std::abs(a) > 1e8) return {};
    return model;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

TEST(ProgramsOfTheCorpus, GiveTheSameAsInterpreted) {
  const auto folder = corpus();
  if (!folder) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds corpus/";
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(*folder))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::ranges::sort(files);
  int compared = 0;
  for (const auto& file : files)
    for (const auto base : {Base::fixed, Base::free})
      if (const auto model = robot(file, base)) {
        compare(*model, {.body_frames = true, .external_forces = true, .sparse = true}, 1, 1e-12);
        ++compared;
        ASSERT_FALSE(HasFailure()) << file;
      }
  EXPECT_GE(compared, 45);
}

}  // namespace lissom::test
