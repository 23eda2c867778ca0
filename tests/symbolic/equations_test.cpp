// Closed forms: that they are what the textbook prints, and that their values are those of the algorithms.
#include "lissom/equations.h"

#include <filesystem>

#include "close.h"
#include "lissom/lissom.h"
#include "random_tree.h"
#include "refusal.h"

namespace lissom::test {
namespace {

Model own(const std::string& file) {
  return load(LISSOM_MODELS_DIR "/" + file + ".urdf");
}
SymbolGroups all_symbols() {
  return symbol_groups("all");
}

// Every printed quantity at a few states, against the algorithms on doubles.
void compare(const Model& model, const EquationOptions& options, FrameId frame, std::uint64_t seed) {
  const auto forms = equations(model, options);
  const auto weightless = model.with_gravity({0, 0, 0});
  Workspace work(model);
  Random random(seed);
  const Eigen::VectorXd q0 = random_configuration(model, 99);
  for (std::uint64_t k = 0; k < 3; ++k) {
    const Eigen::VectorXd q = random_configuration(model, seed + k), v = random.vector(model.nv(), 2);
    EXPECT_TRUE(close(forms["H"].evaluate(q, v), Eigen::MatrixXd(mass_matrix(model, work, q)), 1e-10, 1e-3));
    EXPECT_TRUE(close(forms["C"].evaluate(q, v), Eigen::VectorXd(bias_forces(weightless, work, q, v)), 1e-10, 1e-3));
    EXPECT_TRUE(close(forms["G"].evaluate(q, v), Eigen::VectorXd(gravity_forces(model, work, q)), 1e-10, 1e-3));
    EXPECT_TRUE(close(forms["T"].evaluate(q, v)(0, 0), kinetic_energy(model, work, q, v), 1e-10, 1e-3));
    EXPECT_TRUE(close(forms["U"].evaluate(q, v)(0, 0) - forms["U"].evaluate(q0, v)(0, 0),
                      potential_energy(model, work, q) - potential_energy(model, work, q0), 1e-10, 10));
    forward_kinematics(model, work, q);
    const auto X = placement(model, work, frame);
    EXPECT_TRUE(close(forms["p"].evaluate(q, v), Eigen::Vector3d(X.p.x, X.p.y, X.p.z), 1e-10));
    EXPECT_TRUE(close(forms["R"].evaluate(q, v),
                      Eigen::Matrix3d{{X.R.xx, X.R.xy, X.R.xz}, {X.R.yx, X.R.yy, X.R.yz}, {X.R.zx, X.R.zy, X.R.zz}},
                      1e-10));
    EXPECT_TRUE(close(forms["J"].evaluate(q, v), Eigen::MatrixXd(jacobian(model, work, q, frame)), 1e-10));
  }
}
EquationOptions everything(const Model& model, FrameId frame, const SymbolGroups& symbols) {
  return {.only = {"H", "C", "G", "T", "U", "p", "R", "J"},
          .frame = model.frames()[std::size_t(frame.index)].name,
          .symbols = symbols,
          .max_terms = 200'000};
}

TEST(Equations, OfTheTwoLinkArmAreTheTextbooks) {
  const auto e = equations(own("planar2"));
  EXPECT_EQ(e["H"].text(0, 0), "7/2 + cos q2");
  EXPECT_EQ(e["H"].text(0, 1), "5/4 + ½ cos q2");
  EXPECT_EQ(e["M"].text(1, 0), "5/4 + ½ cos q2");
  EXPECT_EQ(e["H"].text(1, 1), "5/4");
  EXPECT_EQ(e["C"].text(0, 0), "−q̇1 q̇2 sin q2 − ½ q̇2² sin q2");
  EXPECT_EQ(e["C"].text(1, 0), "½ q̇1² sin q2");
  EXPECT_EQ(e["G"].text(0, 0), "½ g cos(q1 + q2) + 3/2 g cos q1");
  EXPECT_EQ(e["G"].text(1, 0), "½ g cos(q1 + q2)");
  EXPECT_EQ(e["H"].latex(0, 1), "\\tfrac{5}{4} + \\tfrac{1}{2} \\cos q_2");
  EXPECT_EQ(e["C"].latex(0, 0), "-\\dot q_1 \\dot q_2 \\sin q_2 - \\tfrac{1}{2} \\dot q_2^2 \\sin q_2");
}

TEST(Equations, OfTheEndPointWithSymbolsForLengths) {
  const auto e = equations(own("planar2"), {.frame = "tip", .symbols = symbol_groups("lengths")});
  ASSERT_EQ(e.forms().size(), 2U);
  EXPECT_EQ(e["p"].text(0, 0), "a1 cos q1 + a2 cos(q1 + q2)");
  EXPECT_EQ(e["p"].text(2, 0), "a1 sin q1 + a2 sin(q1 + q2)");
  EXPECT_EQ(e["J"].text(0, 0), "−a1 sin q1 − a2 sin(q1 + q2)");
  EXPECT_EQ(e["J"].text(0, 1), "−a2 sin(q1 + q2)");
  EXPECT_EQ(e["J"].text(2, 0), "a1 cos q1 + a2 cos(q1 + q2)");
  EXPECT_EQ(e["J"].text(2, 1), "a2 cos(q1 + q2)");
}

TEST(Equations, WithSymbolsForAllParameters) {
  const auto e = equations(own("planar2"), {.symbols = all_symbols()});
  EXPECT_EQ(e["H"].text(0, 0), "m1 c1² + m2 (a1² + c2² + 2 a1 c2 cos q2) + I1 + I2");
  EXPECT_EQ(e["C"].text(0, 0), "−m2 a1 c2 (2 q̇1 q̇2 + q̇2²) sin q2");
  EXPECT_EQ(e["G"].text(0, 0), "m2 c2 g cos(q1 + q2) + (m1 c1 + m2 a1) g cos q1");
}

TEST(Equations, TakeOtherValuesForParameters) {
  const auto e = equations(own("planar2"), {.symbols = all_symbols()});
  const Eigen::Vector2d q(0.3, -1.1), v(1, 2);
  const Eigen::MatrixXd H = e["H"].evaluate(q, v, {{"m1", 2}, {"c2", 0.25}, {"I1", 0.5}});
  EXPECT_DOUBLE_EQ(H(1, 1), 1 * 0.25 * 0.25 + 1);
  EXPECT_NEAR(H(0, 0), 2 * 0.25 + (1 + 0.0625 + 2 * 0.25 * std::cos(-1.1)) + 0.5 + 1, 1e-14);
}

TEST(Equations, AgreeWithTheAlgorithmsOnOurModels) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LISSOM_MODELS_DIR "/mechanisms")) {
    if (entry.path().extension() != ".urdf") continue;
    const auto stem = entry.path().stem().string();
    if (stem == "branching_hub" || stem == "tilted_axes") continue;  // long
    SCOPED_TRACE(stem);
    const auto model = load(entry.path().string());
    const FrameId frame{int(model.frames().size()) - 1};
    compare(model, everything(model, frame, {}), frame, 5);
    compare(model, everything(model, frame, all_symbols()), frame, 6);
    compare(model, everything(model, frame, symbol_groups("none")), frame, 7);
    ++count;
  }
  EXPECT_GE(count, 12);
  for (const std::string file : {"planar2", "planar3"})
    for (const auto groups : {"none", "gravity", "masses", "lengths", "inertias", "masses,lengths", "all"}) {
      const auto model = own(file);
      const auto frame = model.frame("tip");
      compare(model, everything(model, frame, symbol_groups(groups)), frame, 8);
    }
}

TEST(Equations, OfASpatialArmAgreeWithTheAlgorithms) {
  const auto arm = own("arm7");
  const auto e = equations(arm, {.only = {"p", "R"}, .frame = "link5"});
  Workspace work(arm);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Eigen::VectorXd q = random_configuration(arm, seed), v = Eigen::VectorXd::Zero(7);
    forward_kinematics(arm, work, q);
    const auto X = placement(arm, work, arm.frame("link5"));
    EXPECT_TRUE(close(e["p"].evaluate(q, v), Eigen::Vector3d(X.p.x, X.p.y, X.p.z), 1e-13));
    EXPECT_TRUE(close(e["R"].evaluate(q, v)(2, 1), X.R.zy, 1e-13));
  }
}

TEST(Equations, AgreeWithTheAlgorithmsOnRandomRobots) {
  std::map<JointType, int> seen;
  for_each_tree(
      {.min_joints = 1, .max_joints = 2, .several_roots = false, .armature = 0.3, .mimic = 0.4},
      [&](Case& c) {
        if (c.model.nv() == 0 || c.model.nv() > 6) return;
        Random random(c.seed);
        const auto frame = c.some_frame(random);
        compare(c.model, everything(c.model, frame, random.chance(0.3) ? all_symbols() : SymbolGroups{}), frame,
                c.seed);
        for (const auto& joint : c.model.joints()) ++seen[joint.type];
      },
      150);
  for (const auto& traits : joint_types) EXPECT_GT(seen[traits.type], 0) << traits.name;
}

TEST(Equations, FoldSumsOfAnglesOfParallelAxesOnly) {
  // A leg: abduction about x, then two parallel axes about y.
  const auto e =
      equations(own("quadruped"), {.only = {"p"}, .frame = "front_left_foot", .symbols = symbol_groups("lengths")});
  EXPECT_EQ(e["p"].text(0, 0), "d1x − a2 sin q2 − a3 sin(q2 + q3)");
  EXPECT_EQ(e["p"].text(1, 0), "d1y + a1 cos q1 + (a2 cos q2 + a3 cos(q2 + q3)) sin q1");
}

TEST(Equations, TooLongForPaperAreRefusedWithAnEstimate) {
  const auto said = refusal([] { equations(load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free})); });
  EXPECT_NE(said.find("36 degrees of freedom"), std::string::npos) << said;
  EXPECT_NE(said.find("H alone may have up to 10^"), std::string::npos) << said;
  EXPECT_NE(said.find("--max-terms"), std::string::npos) << said;
  EXPECT_NE(refusal([] { equations(own("planar2"), {.max_terms = 5}); }).find("at most 5 terms"), std::string::npos);
  EXPECT_EQ(equations(own("planar2"), {.max_terms = 15})["H"].term_count(), 5U);
}

TEST(Equations, SayWhatIsWrong) {
  const auto arm = own("planar2");
  Description nothing;
  nothing.name = "rock";
  nothing.links = {random_link("rock", *std::make_unique<Random>(1))};
  EXPECT_NE(refusal([&] { equations(build(nothing)); }).find("rock has no degrees of freedom"), std::string::npos);
  EXPECT_NE(refusal([&] { equations(arm, {.frame = "tpi"}); }).find("tip"), std::string::npos);
  EXPECT_NE(refusal([&] { equations(arm, {.only = {"J"}}); }).find("--frame"), std::string::npos);
  EXPECT_NE(refusal([&] { equations(arm, {.only = {"K"}}); }).find("no quantity 'K'"), std::string::npos);
  EXPECT_NE(refusal([&] { equations(arm, {.digits = 0}); }).find("expected 1 to 17"), std::string::npos);
  EXPECT_NE(refusal([&] { symbol_groups("mases"); }).find("did you mean 'masses'?"), std::string::npos);
  const auto e = equations(arm);
  const Eigen::Vector2d two(0, 0);
  EXPECT_EQ(refusal([&] { e["H"].evaluate(Eigen::Vector3d(0, 0, 0), two); }), "q has 3 elements, expected 2");
  EXPECT_NE(refusal([&] { e["H"].evaluate(two, two, {{"m1", 2}}); }).find("no parameter 'm1'"), std::string::npos);
  EXPECT_NE(refusal([&] { e["T"]; }).find("only"), std::string::npos);
  EXPECT_NE(refusal([&] { e["H"].text(2, 0); }).find("no entry (2, 0)"), std::string::npos);
}

}  // namespace
}  // namespace lissom::test
