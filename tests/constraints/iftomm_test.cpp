// The multibody benchmark of IFToMM, to the accuracy of moderate tolerances; bench/iftomm goes further.
#include "iftomm.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace lissom::test {
namespace {

// Runs a problem with error control; at each reference time the error has to stay below the given bound.
void expect_reference(const std::string& name, double tolerance, const std::vector<double>& errors) {
  for (const auto& problem : iftomm::problems()) {
    if (problem.name != name) continue;
    auto [system, x] = iftomm::start(problem);
    ASSERT_EQ(errors.size(), problem.marks.size());
    const double before = iftomm::energy(system, x);
    const auto method =
        sim::integrator(system.model(), "dopri5", {.relative_tolerance = tolerance, .absolute_tolerance = tolerance});
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const auto& mark = problem.marks[i];
      method->step(system, x, mark.t - x.t);
      EXPECT_DOUBLE_EQ(x.t, mark.t);
      const double error = iftomm::error(problem.read(system, x), mark);
      EXPECT_LT(error, errors[i]) << "at t = " << mark.t;
      ::testing::Test::RecordProperty("error_" + std::to_string(i), std::to_string(error * 1e12) + "e-12");
      if (system.loops()) {
        EXPECT_LT(system.loops()->gap(system.model(), system.work(), x.q), 1e-14);
      }
    }
    // The squeezer has a motor, and the governor has dampers.
    if (name != "A03 squeezer" && name != "A05 governor") {
      EXPECT_NEAR(iftomm::energy(system, x), before, 1e-6);
    }
    return;
  }
  FAIL() << "no problem " << name;
}

TEST(IFToMM, A01Pendulum) {
  expect_reference("A01 pendulum", 1e-13, {3e-11});
}
TEST(IFToMM, A02TwoFourBars) {
  expect_reference("A02 two four-bars", 1e-12, {4e-10});  // through singular configurations
}
// Almost flat, where the rounding of closures is divided by the distance from the singular configuration: all rods
// still have the acceleration of one pendulum. (Rods with exactly the same angle would all be rounded in the same way,
// so the angles are disturbed, and the loops closed again.)
TEST(IFToMM, A02AcceleratesAsAPendulumNearASingularPose) {
  for (const auto& problem : iftomm::problems()) {
    if (std::string(problem.name).find("A02") == std::string::npos) continue;
    auto [system, x] = iftomm::start(problem);
    const auto& model = system.model();
    const int n = (model.nv() - 1) / 2;
    const double pull = 9.81 * ((n + 1) / 2. + n) / ((n + 1) / 3. + n);
    const auto sign = [](const auto& joint) { return joint.name.starts_with("coupler") ? -1 : 1; };
    for (const double low : {1e-2, -1e-2, 1e-3, -1e-3}) {
      for (const auto& joint : model.joints()) {
        const double other = 1 + 1e-14 * std::sin(3. * joint.v_index);
        x.q[joint.q_index] = sign(joint) * low * other;
        x.v[joint.v_index] = -5 * sign(joint) * other;
      }
      system.project(x.q, x.v);
      Eigen::VectorXd a(model.nv());
      system.acceleration(0, x.q, x.v, a);
      for (const auto& joint : model.joints())
        EXPECT_NEAR(a[joint.v_index], -pull * sign(joint) * std::cos(low), std::abs(low) < 5e-3 ? 2e-6 : 2e-9)
            << joint.name << ", " << problem.name << ", " << low;
    }
  }
}
TEST(IFToMM, A03Squeezer) {
  expect_reference("A03 squeezer", 1e-12, {4e-9});
}
// The same angles as a program that shares nothing with lissom but the table of lengths and masses (squeezer_test.py),
// to more digits than the published ones, from which both differ by 1.15e-9 in beta.
TEST(IFToMM, A03SqueezerMovesAsInAnotherProgram) {
  std::ifstream file(LISSOM_TEST_DATA "/constraints/squeezer_angles.txt");
  const std::vector<double> angles{std::istream_iterator<double>(file), {}};
  ASSERT_EQ(angles.size(), 7u);
  for (const auto& problem : iftomm::problems()) {
    if (std::string(problem.name) != "A03 squeezer") continue;
    auto [system, x] = iftomm::start(problem);
    const auto method =
        sim::integrator(system.model(), "dopri5", {.relative_tolerance = 1e-13, .absolute_tolerance = 1e-13});
    method->step(system, x, problem.marks[0].t);
    const auto found = problem.read(system, x);
    for (std::size_t i = 0; i < angles.size(); ++i) EXPECT_NEAR(found[i], angles[i], 1e-10) << i;
    EXPECT_NEAR(angles[0] - problem.marks[0].reference[0], -1.15e-9, 2e-11);
  }
}
TEST(IFToMM, A04Bricard) {
  expect_reference("A04 Bricard", 1e-11, {1e-9, 1e-9});
}
TEST(IFToMM, A05Governor) {
  expect_reference("A05 governor", 1e-10, {1e-8, 1e-8, 1e-8});
}

}  // namespace
}  // namespace lissom::test
