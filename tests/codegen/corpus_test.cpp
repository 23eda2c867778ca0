// Robots of other projects: programs give the same as interpreted. They are not part of this repository: without them
// this test is skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "generated_folder.h"
#include "lissom/api/load.h"
#include "programs.h"
#include "random_tree.h"

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

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST(ProgramsOfTheCorpus, GiveTheSameAsInterpreted) {
  const auto folder = corpus();
  if (!folder) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds corpus/";
  const auto files = files_in(*folder);
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

// The code itself, in both languages: of every eighth robot, and of all where LISSOM_LONG=1.
TEST(ProgramsOfTheCorpus, CompileAndGiveTheSame) {
  const auto folder = corpus();
  if (!folder) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds corpus/";
  const std::pair<std::string, codegen::Language> compilers[] = {{"gcc -std=c99 -O0", codegen::Language::c},
                                                                 {"g++ -std=c++17 -O0", codegen::Language::cpp}};
  const auto files = files_in(*folder);
  const std::size_t step = number_of_trees(1) > 1 ? 1 : 8;
  int tried = 0;
  for (std::size_t i = 0; i < files.size(); i += step)
    for (const auto base : {Base::fixed, Base::free})
      if (const auto model = robot(files[i], base))
        for (const auto& [compiler, language] : compilers) {
          if (!installed(compiler.substr(0, 3))) continue;
          codegen::GenerateOptions options{.language = language};
          options.emit.tolerance = 1e-12;
          using enum codegen::Algorithm;
          const auto made = generate(*model, std::vector{rnea, bias, crba, aba}, options);
          const GeneratedFolder to;
          to.write(made);
          EXPECT_TRUE(to.passes(compiler, made.name + (language == codegen::Language::c ? "_test.c" : "_test.cpp")))
              << files[i];
          ++tried;
        }
  if (tried == 0) GTEST_SKIP() << "no compiler is installed";
  EXPECT_GE(tried, 8);
}

}  // namespace lissom::test
