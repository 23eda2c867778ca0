// Derivatives of robots of other projects, with a fixed and a free base, mimic joints and rotors, against dual numbers.
// These robots are not part of this repository: without them this test is skipped.
#include <cstdlib>
#include <filesystem>

#include <Eigen/Eigenvalues>

#include "close.h"
#include "dual_oracle.h"
#include "lissom/lissom.h"

namespace lissom::test::corpus_derivatives {
namespace {

using Eigen::VectorXd;

// (Robots of more than a few bodies, whose links have mass.)
constexpr const char* robots[] = {"ur5/ur5_robot",
                                  "panda/panda",
                                  "iiwa14/iiwa14_primitive_collision",
                                  "wam/wam",
                                  "anymal_b/anymal",
                                  "solo12/solo12",
                                  "hyq/hyq_no_sensors",
                                  "simple_humanoid/simple_humanoid",
                                  "atlas/atlas_convex_hull",
                                  "h1_with_hand/h1_with_hand"};

// The robot of the file, with a rotor on every joint that can have one.
Model geared(const std::filesystem::path& file, Base base) {
  LoadOptions options;
  options.base = base;
  auto description = load(file.string(), options).description();
  for (auto& joint : description.joints)
    if (joint_traits(joint.type).takes_armature) joint.armature = 0.1;
  BuildOptions build_options;
  build_options.base = base;
  return build(description, build_options);
}

// The largest by the smallest eigenvalue of M.
double condition(const Eigen::MatrixXd& M) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of(M.selfadjointView<Eigen::Upper>(), Eigen::EigenvaluesOnly);
  return of.eigenvalues()[M.rows() - 1] / of.eigenvalues()[0];  // in increasing order
}

void compare(const Model& model, std::uint64_t seed) {
  Workspace work(model);
  DualOracle oracle(model);
  Random random(seed);
  const VectorXd q = random_configuration(model, seed), v = random.vector(model.nv(), 1),
                 a = random.vector(model.nv(), 1), tau = random.vector(model.nv(), 10);
  const auto d = inverse_dynamics_derivatives(model, work, q, v, a);
  EXPECT_TRUE(close(d.dtau_dq, oracle.matrix(false, 0, q, v, a), 1e-11));
  EXPECT_TRUE(close(d.dtau_dv, oracle.matrix(false, 1, q, v, a), 1e-11));
  EXPECT_TRUE(close(d.M, oracle.matrix(false, 2, q, v, a), 1e-11));
  // Solutions with M amplify rounding as M is conditioned.
  const double tolerance = 1e-11 * std::max(1., 1e-3 * condition(d.M));
  const auto f = forward_dynamics_derivatives(model, work, q, v, tau);
  EXPECT_TRUE(close(f.da_dq, oracle.matrix(true, 0, q, v, tau), tolerance));
  EXPECT_TRUE(close(f.da_dv, oracle.matrix(true, 1, q, v, tau), tolerance));
  EXPECT_TRUE(close(f.M_inverse, oracle.matrix(true, 2, q, v, tau), tolerance));
}

}  // namespace

TEST(DerivativesOfTheCorpus, AreThoseOfDualNumbers) {
  const char* const given = std::getenv("LISSOM_SHARED");
  const auto folder = std::filesystem::path(given ? given : LISSOM_SHARED_DIR) / "corpus" / "urdf";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds corpus/";
  std::uint64_t seed = 1;
  for (const std::string robot : robots)
    for (const auto base : {Base::fixed, Base::free}) {
      SCOPED_TRACE(robot);
      compare(geared(folder / (robot + ".urdf"), base), seed++);
    }
}

}  // namespace lissom::test::corpus_derivatives
