// The text that is generated: names, structure, and a golden file; and what compilers make of it, where they are
// installed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "generated_folder.h"
#include "lissom/api/load.h"
#include "lissom/codegen/body_writer.h"
#include "lissom/codegen/generate.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace codegen;
namespace fs = std::filesystem;

Model own_model(const std::string& name, Base base) {
  LoadOptions options;
  options.base = base;
  return load(std::string(LISSOM_MODELS_DIR) + "/" + name + ".urdf", options);
}
std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all;
  for (const auto& row : algorithms()) all.push_back(row.algorithm);
  return all;
}
// Compiles and runs what is generated for a robot, in each language with each compiler.
void compile_and_run(const Model& model, const GenerateOptions& given, std::span<const Algorithm> what) {
  const GeneratedFolder folder;
  int tried = 0;
  const auto try_all = [&](Language language, const std::vector<std::string>& compilers, const std::string& source) {
    auto options = given;
    options.language = language;
    const auto made = generate(model, what, options);
    folder.write(made);
    for (const auto& compiler : compilers)
      if (installed(compiler.substr(0, compiler.find(' ')))) {
        EXPECT_TRUE(folder.passes(compiler, made.name + source)) << model.name();
        ++tried;
      }
  };
  // (Without optimization, which would take a minute.)
  try_all(Language::cpp, {"g++ -std=c++17 -O0", "clang++-19 -std=c++17 -O0"}, "_test.cpp");
  try_all(Language::c, {"gcc -std=c99 -O0", "clang-19 -std=c99 -O0"}, "_test.c");
  try_all(Language::cuda, {"g++ -std=c++17 -O0 -x c++"}, "_test.cu");
  if (tried == 0) GTEST_SKIP() << "no compiler is installed";
}

}  // namespace

TEST(Emit, NamesAreSafe) {
  EXPECT_EQ(identifier_of("humanoid"), "humanoid");
  EXPECT_EQ(identifier_of("my robot/v2"), "my_robot_v2");
  EXPECT_EQ(identifier_of("../../etc/passwd"), "etc_passwd");
  EXPECT_EQ(identifier_of("7dof"), "robot_7dof");
  EXPECT_EQ(identifier_of("class"), "class_robot");
  EXPECT_EQ(identifier_of("__x__"), "x_robot");
  EXPECT_EQ(identifier_of("関節"), "robot");
  EXPECT_EQ(identifier_of(""), "robot");
  EXPECT_EQ(identifier_of(std::string(500, 'a')).size(), 64u);
}

TEST(Emit, NamesInCommentsStayOnTheirLine) {
  auto description = random_description(3, {.max_joints = 3});
  description.name = "evil */ \\";
  for (auto& joint : description.joints) joint.name += " */ #error \\";
  BuildOptions options;
  options.base = Base::free;
  const auto made = generate(build(description, options), std::vector{Algorithm::rnea});
  std::istringstream lines(made.files[0].text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.find("#error") == std::string::npos || line.starts_with("//")) << line;
    EXPECT_FALSE(line.ends_with("\\")) << line;
  }
}

TEST(Emit, NumbersAreReadBackExactly) {
  for (const double x : {0.1, 1 / 3., 1e-300, 12345678901234567., 1., 6.02e23}) {
    EXPECT_EQ(std::stod(literal(x)), x);
    EXPECT_NE(literal(x).find_first_of(".e"), std::string::npos) << "an integer in C";
  }
  EXPECT_EQ(literal(0.5f), "0.5f");
}

TEST(Emit, LongFunctionsAreDivided) {
  const auto model = own_model("humanoid", Base::free);
  GenerateOptions options;
  options.emit.operations_per_function = 1000;
  const auto divided = generate(model, std::vector{Algorithm::rnea}, options).files[0].text;
  EXPECT_NE(divided.find("rnea_3("), std::string::npos);
  options.emit.operations_per_function = 0;
  EXPECT_EQ(generate(model, std::vector{Algorithm::rnea}, options).files[0].text.find("rnea_1("), std::string::npos);
}

TEST(Emit, PlanarArmLooksAsItDid) {
  const auto model = own_model("planar2", Base::fixed);
  const auto text = generate(model, std::vector{Algorithm::rnea}).files[0].text;
  // Without what is the same for every robot.
  const auto begin = text.find("namespace detail {\n\ntemplate <class T>\ninline void rnea_body");
  ASSERT_NE(begin, std::string::npos);
  // Operands of an expression are evaluated, and so numbered, in the order that the compiler of the library chooses.
#ifdef __clang__
  const auto path = fs::path(LISSOM_TEST_DATA) / "codegen" / "planar2_rnea_clang.txt";
#else
  const auto path = fs::path(LISSOM_TEST_DATA) / "codegen" / "planar2_rnea_gcc.txt";
#endif
  if (std::getenv("LISSOM_WRITE_GOLDEN")) std::ofstream(path) << text.substr(begin);
  std::ifstream file(path);
  const std::string golden(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text.substr(begin), golden) << "if that is meant, run this test with LISSOM_WRITE_GOLDEN=1";
}

TEST(Emit, ArmCompilesAndPassesItsTest) {
  GenerateOptions options;
  options.trace.external_forces = true;
  compile_and_run(own_model("arm7", Base::fixed), options, all_algorithms());
}

TEST(Emit, EveryJointTypeCompilesAndPassesItsTest) {
  // Small functions, so that values are handed from one to the next.
  GenerateOptions options;
  options.emit.operations_per_function = 300;
  const auto c = random_case(11, {.min_joints = 9, .max_joints = 9, .armature = 0.5, .mimic = 0.3});
  ASSERT_GT(c.model.nv(), 0);
  compile_and_run(c.model, options,
                  std::vector{Algorithm::velocities, Algorithm::rnea, Algorithm::factor, Algorithm::aba,
                              Algorithm::step, Algorithm::rnea_vjp});
}

TEST(Emit, HumanoidCompilesAndPassesItsTest) {
  compile_and_run(own_model("humanoid", Base::free), {}, std::vector{Algorithm::rnea, Algorithm::crba, Algorithm::aba});
}

}  // namespace lissom::test
