// What is lost where light links carry heavy ones (docs/guarantees.md has the figures): forward dynamics, the factor of
// M, and lanes of floats, against the articulated-body algorithm in long double.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/dynamics/aba.h"
#include "lissom/lissom.h"

namespace lissom::test::mass_ratios {
namespace {

using Eigen::VectorXd;
using Precise = long double;

// Masses grow from 10^-decades kg to 10^decades kg at the tip.
Model chain(int links, double decades) {
  Description robot;
  robot.name = "chain";
  robot.links.resize(std::size_t(links) + 1);
  robot.joints.resize(std::size_t(links));
  robot.links[0].name = "base";
  for (int i = 1; i <= links; ++i) {
    auto& link = robot.links[std::size_t(i)];
    const double m = std::pow(10, decades * (2. * (i - 1) / (links - 1) - 1));
    link.name = "link" + std::to_string(i);
    link.mass = m, link.com = {0, 0, -.5}, link.inertia = {.02 * m, 0, 0, .02 * m, 0, .01 * m};
    auto& joint = robot.joints[std::size_t(i) - 1];
    joint.name = "joint" + std::to_string(i), joint.type = JointType::continuous;
    joint.parent = robot.links[std::size_t(i) - 1].name, joint.child = link.name;
    joint.axis = i % 2 ? Vec3<double>{0, 1, 0} : Vec3<double>{1, 0, 0};
    if (i > 1) joint.origin.p = {0, 0, -1};
  }
  return build(robot);
}

VectorXd precisely(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  const auto& tree = model.tree<double>();
  AbaScratch<Precise> work(tree);
  const auto padded = [](const VectorXd& x) {
    std::vector<Precise> all(std::size_t(x.size()) + padding);
    std::copy(x.begin(), x.end(), all.begin());
    return all;
  };
  const auto Q = padded(q), V = padded(v), T = padded(tau);
  auto a = padded(VectorXd::Zero(v.size()));
  aba(tree, work, Q.data(), V.data(), T.data(), a.data());
  VectorXd rounded(v.size());
  for (int i = 0; i < v.size(); ++i) rounded[i] = double(a[std::size_t(i)]);
  return rounded;
}

// The largest errors relative to the largest acceleration, of some states.
struct Lost {
  double aba = 0, factor = 0, floats = 0;
};
Lost lost(double decades) {
  const auto model = chain(20, decades);
  Workspace work(model);
  batch::Workspace<float> floats(model, 1);
  Lost most;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const VectorXd q = random_configuration(model, seed).cast<float>().cast<double>();
    const VectorXd v = VectorXd::Zero(model.nv()), tau = v;
    const VectorXd exact = precisely(model, q, v, tau);
    const auto error = [&](const VectorXd& a) {
      const double off = largest(a - exact) / largest(exact);
      return std::isnan(off) ? double(INFINITY) : off;
    };
    most.aba = larger(most.aba, error(forward_dynamics(model, work, q, v, tau)));
    const VectorXd rest = tau - bias_forces(model, work, q, v);
    most.factor = larger(most.factor, error(factorize_mass_matrix(model, work, q).solve(rest)));
    const batch::Rows<float> Q = q.cast<float>().transpose(), zero = batch::Rows<float>::Zero(1, model.nv());
    batch::Rows<float> a = zero;
    batch::forward_dynamics<float>(model, floats, Q, zero, zero, a);
    most.floats = larger(most.floats, error(a.row(0).transpose().cast<double>()));
  }
  return most;
}

TEST(MassRatios, ForwardDynamicsKeepsDigitsThatTheFactorAndFloatsLose) {
  for (const double decades : {0., 1., 2., 3., 9.}) {
    const auto found = lost(decades);
    std::printf("10^-%g to 10^%g kg: aba %.1e, factor %.1e, float %.1e\n", decades, decades, found.aba, found.factor,
                found.floats);
    EXPECT_LT(found.aba, 1e-6) << decades;
    if (decades <= 1) {
      EXPECT_LT(found.factor, 1e-9) << decades;
      EXPECT_LT(found.floats, 1e-2) << decades;
    }
    // What the page says; an improvement belongs there.
    if (decades == 9) {
      EXPECT_GT(found.factor, 1e-3);
      EXPECT_GT(found.floats, 1e-1);
    }
  }
}

}  // namespace
}  // namespace lissom::test::mass_ratios
