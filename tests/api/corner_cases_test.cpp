// Robots with few or no joints.
#include "close.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(CornerCases, ARobotThatCannotMove) {
  Random random(1);
  Description d;
  d.name = "rock";
  d.links = {random_link("rock", random)};
  const auto m = build(d);
  EXPECT_EQ(m.nq(), 0);
  EXPECT_EQ(m.nv(), 0);
  EXPECT_EQ(m.body_count(), 0);
  EXPECT_GT(m.mass(), 0);
  Workspace w(m);
  const VectorXd none(0);
  const auto rock = m.frame("rock");

  EXPECT_EQ(neutral(m).size(), 0);
  EXPECT_EQ(random_configuration(m, 1).size(), 0);
  EXPECT_EQ(integrate(m, none, none).size(), 0);
  EXPECT_EQ(difference(m, none, none).size(), 0);
  EXPECT_EQ(interpolate(m, none, none, 0.5).size(), 0);
  EXPECT_EQ(normalize(m, none).size(), 0);
  forward_kinematics(m, w, none);
  forward_kinematics(m, w, none, none);
  forward_kinematics(m, w, none, none, none);
  EXPECT_EQ(placement(m, w, rock).p.x, 0);
  EXPECT_EQ(velocity(m, w, rock).linear.x, 0);
  EXPECT_EQ(acceleration(m, w, rock).linear.x, 0);
  EXPECT_EQ(jacobian(m, w, none, rock).cols(), 0);
  EXPECT_EQ(jacobian_rate(m, w, none, none, rock).cols(), 0);
  EXPECT_EQ(joint_jacobians(m, w, none).cols(), 0);
  EXPECT_TRUE(close(to_eigen(center_of_mass(m, w, none)), to_eigen(d.links[0].com), 1e-15));
  EXPECT_EQ(center_of_mass_jacobian(m, w, none).cols(), 0);
  const std::vector<ExternalForce> push{{rock, {1, 2, 3}, {4, 5, 6}, {}, world_frame}};
  EXPECT_EQ(inverse_dynamics(m, w, none, none, none).size(), 0);
  EXPECT_EQ(inverse_dynamics(m, w, none, none, none, push).size(), 0);
  EXPECT_EQ(forward_dynamics(m, w, none, none, none).size(), 0);
  EXPECT_EQ(forward_dynamics(m, w, none, none, none, push).size(), 0);
  EXPECT_EQ(mass_matrix(m, w, none).size(), 0);
  EXPECT_EQ(bias_forces(m, w, none, none).size(), 0);
  EXPECT_EQ(gravity_forces(m, w, none).size(), 0);
  EXPECT_EQ(coriolis_matrix(m, w, none, none).size(), 0);
  EXPECT_EQ(factorize_mass_matrix(m, w, none).L().size(), 0);
  EXPECT_EQ(factorize_mass_matrix(m, w, none).solve(none).size(), 0);
  EXPECT_EQ(inverse_mass_matrix(m, w, none).size(), 0);
  EXPECT_EQ(centroidal_map(m, w, none).cols(), 0);
  EXPECT_TRUE(centroidal_momentum(m, w, none, none).isZero(0));
  EXPECT_TRUE(centroidal_momentum_rate(m, w, none, none, none).isZero(0));
  EXPECT_EQ(kinetic_energy(m, w, none, none), 0);
  EXPECT_TRUE(close(potential_energy(m, w, none), 9.81 * m.mass() * d.links[0].com.z, 1e-14));
  EXPECT_EQ(regressor(m, w, none, none, none).size(), 0);
  EXPECT_EQ(inertial_parameters(m).size(), 0);

  batch::Workspace<double> b(m, 2);
  batch::Rows<double> q(5, 0), out(5, 0), com(5, 3);
  batch::inverse_dynamics<double>(m, b, q, q, q, out);
  batch::mass_matrix<double>(m, b, q, out);
  batch::jacobian<double>(m, b, q, rock, out);
  batch::center_of_mass<double>(m, b, q, com);
  EXPECT_TRUE(close(com.row(4).transpose(), to_eigen(d.links[0].com), 1e-15));
}

TEST(CornerCases, AStoneInFreeFall) {
  Random random(2);
  Description d;
  d.links = {random_link("stone", random)};
  const auto m = build(d, {.base = Base::free});
  Workspace w(m);
  const auto q = random_configuration(m, 1);
  const VectorXd zero = VectorXd::Zero(6);
  forward_kinematics(m, w, q, zero, forward_dynamics(m, w, q, zero, zero));
  const auto a = acceleration(m, w, m.frame("stone"));
  EXPECT_TRUE(close(to_eigen(a.linear), Eigen::Vector3d(0, 0, -9.81), 1e-13));
  EXPECT_TRUE(close(to_eigen(a.angular), Eigen::Vector3d::Zero(), 1e-13));
  // Spinning: angular momentum and energy are conserved.
  const VectorXd v = random.vector(6, 1), fall = forward_dynamics(m, w, q, v, zero);
  EXPECT_TRUE(close(centroidal_momentum_rate(m, w, q, v, fall).tail(3), Eigen::Vector3d::Zero(), 1e-12));
  MatrixXd M = mass_matrix(m, w, q);
  EXPECT_TRUE(close(M.topLeftCorner(3, 3), d.links[0].mass * MatrixXd::Identity(3, 3), 1e-14));
}

TEST(CornerCases, OnePointMassOnAnAxisThroughItHasNoInertia) {
  Description d;
  d.links.resize(2);
  d.links[0].name = "a", d.links[1].name = "b", d.links[1].mass = 1;
  JointDescription j;
  j.name = "j", j.type = JointType::revolute, j.parent = "a", j.child = "b";
  d.joints = {j};
  const auto m = build(d);
  Workspace w(m);
  const VectorXd one = VectorXd::Ones(1);
  EXPECT_FALSE(forward_dynamics(m, w, one, one, one).allFinite());
  EXPECT_EQ(mass_matrix(m, w, one)(0, 0), 0);
}

TEST(CornerCases, AWorkspaceMovesWithItsMemory) {
  auto c = random_case(7);
  const VectorXd expected = inverse_dynamics(c.model, c.work, c.q, c.v, c.a);
  Workspace moved = std::move(c.work);
  EXPECT_TRUE(identical(inverse_dynamics(c.model, moved, c.q, c.v, c.a), expected));
  c.work = std::move(moved);
  EXPECT_TRUE(identical(inverse_dynamics(c.model, c.work, c.q, c.v, c.a), expected));
}

TEST(CornerCases, VectorsMayBePartsOfOthersAndRowsOfMatrices) {
  auto c = random_case(11);
  const VectorXd expected = bias_forces(c.model, c.work, c.q, c.v);
  VectorXd long_one(c.model.nq() + c.model.nv() + 2);
  long_one << 7, c.q, c.v, 7;
  EXPECT_TRUE(identical(
      bias_forces(c.model, c.work, long_one.segment(1, c.model.nq()), long_one.segment(1 + c.model.nq(), c.model.nv())),
      expected));
  // A result may be an argument of the next call.
  EXPECT_NO_THROW(forward_dynamics(c.model, c.work, c.q, c.v, inverse_dynamics(c.model, c.work, c.q, c.v, c.a)));
}

}  // namespace
}  // namespace lissom::test
