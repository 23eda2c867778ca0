// Problems whose solutions are known.
#include "contact_test_support.h"

namespace lissom::contact::test {
namespace {

TEST(ContactClosedForms, OneContactSeparates) {
  const auto s = solve(point_mass(2, 0.5, {0.3, -1, 2}));
  EXPECT_TRUE(s.report.converged());
  EXPECT_EQ(s.p, VectorXd::Zero(3));
  EXPECT_EQ(s.u, Eigen::Vector3d(0.3, -1, 2));
}

TEST(ContactClosedForms, OneContactSticks) {
  const auto s = solve(point_mass(2, 0.5, {-1, 0.3, -0.3}));
  EXPECT_LT((s.p - Eigen::Vector3d(2, -0.6, 0.6)).norm(), 1e-14);
  EXPECT_LT(s.u.norm(), 1e-14);
}

TEST(ContactClosedForms, OneContactSlips) {
  const auto s = solve(point_mass(2, 0.5, {-1, 3, -4}));
  EXPECT_LT((s.p - Eigen::Vector3d(2, -0.6, 0.8)).norm(), 1e-13);  // |p_t| = μ p_n, against the velocity
  EXPECT_LT((s.u - Eigen::Vector3d(0, 2.7, -3.6)).norm(), 1e-13);
}

TEST(ContactClosedForms, WithoutFrictionOnlyTheNormalActs) {
  const auto s = solve(point_mass(2, 0, {-1, 3, -4}));
  EXPECT_LT((s.p - Eigen::Vector3d(2, 0, 0)).norm(), 1e-14);
  EXPECT_LT((s.u - Eigen::Vector3d(0, 3, -4)).norm(), 1e-14);
}

/// A cube on four corners that slides: its friction is μ m g, whichever corner carries how much.
ContactData cube(double mass, double friction, const Eigen::Vector3d& velocity, double edge = 0.2) {
  MatrixXd J(12, 6);
  ContactData data;
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector3d r(i % 2 ? edge / 2 : -edge / 2, i < 2 ? edge / 2 : -edge / 2, -edge / 2);
    Eigen::Matrix<double, 3, 6> J_point;
    J_point.leftCols<3>() = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 3; ++k) J_point.col(3 + k) = Eigen::Vector3d::Unit(k).cross(r);
    const int order[] = {2, 0, 1};  // normal first
    for (int k = 0; k < 3; ++k) J.row(3 * i + k) = J_point.row(order[k]);
    data.add(cone(0, friction));
  }
  VectorXd M_inverse(6), v(6);
  M_inverse << VectorXd::Constant(3, 1 / mass), VectorXd::Constant(3, 6 / (mass * edge * edge));
  v << velocity, 0, 0, 0;
  data.G = J * M_inverse.asDiagonal() * J.transpose();
  data.b = J * v;
  return data;
}

TEST(ContactClosedForms, ASlidingCubeIsSlowedByFriction) {
  const double mass = 3, h = 1e-3, mu = 0.4, g = 9.81;
  Eigen::Vector3d v(1, 0.5, 0);
  VectorXd p = VectorXd::Zero(12);
  const double speed = v.norm();
  for (int step = 1; step <= 250; ++step) {
    const auto data = cube(mass, mu, v - h * g * Eigen::Vector3d::UnitZ());
    const auto s = solve(data, {}, &p);
    expect_solved(data, s, numbered("step", step));
    p = s.p;
    EXPECT_NEAR(p[0] + p[3] + p[6] + p[9], mass * g * h, 1e-6);
    v = {s.u[1], s.u[2], s.u[0]};
    EXPECT_NEAR(v.norm(), speed - step * h * mu * g, 1e-6) << step;
  }
  for (int step = 0; step < 40; ++step) {  // until it rests, and stays
    const auto s = solve(cube(mass, mu, v - h * g * Eigen::Vector3d::UnitZ()), {}, &p);
    p = s.p, v = {s.u[1], s.u[2], s.u[0]};
  }
  EXPECT_LT(v.norm(), 1e-6);
}

TEST(ContactClosedForms, BoxesHoldTheirBounds) {
  ContactData data;
  data.add(box(0, -1.0, 1.0));   // dry friction that holds
  data.add(box(0, -1.0, 1.0));   // that slips forward
  data.add(box(0, -1.0, 1.0));   // that slips backward
  data.add(unilateral(0));       // a limit that is reached
  data.add(unilateral(0));       // that is left
  data.add(box(0, 0.25, 0.25));  // a given impulse
  data.G = 2 * MatrixXd::Identity(6, 6);
  data.b = VectorXd(6);
  data.b << 0.5, 3, -3, -1, 1, 7;
  const auto s = solve(data);
  VectorXd p(6);
  p << -0.25, -1, 1, 0.5, 0, 0.25;
  EXPECT_LT((s.p - p).norm(), 1e-14);
  expect_solved(data, s, "boxes");
  expect_honest(data, s, "boxes");
}

TEST(ContactClosedForms, FreeRowsStandStillAlsoWhereRedundant) {
  ContactRandom r(3);
  for (int size = 1; size <= 6; ++size) {
    MatrixXd J = MatrixXd::NullaryExpr(size + 6, 7, [&] { return r.normal(); });
    if (size > 1) J.row(1) = J.row(0);  // within a block
    J.row(size) = J.row(size - 1);      // between blocks
    ContactData data;
    data.add(free<double>(0, size));
    data.add(free<double>(0, 6));
    data.G = J * J.transpose();
    data.b = J * VectorXd::NullaryExpr(7, [&] { return r.normal(); });
    const auto s = solve(data);
    expect_solved(data, s, numbered("size", size));
    EXPECT_LT(s.u.norm(), 1e-6) << size;
  }
}

TEST(ContactClosedForms, TorsionAndRollingAreBoundedByTheNormalImpulse) {
  // A ball that is pressed down, spins about the normal and rolls: normal, tangents, torsion, rolling.
  for (const double spin : {0.01, 10.0}) {
    ContactData data;
    data.add(cone(0, 0.5));
    data.add(disk(0, 1, 0, 0.02));
    data.add(disk(0, 2, 0, 0.01));
    data.G = MatrixXd::Identity(6, 6);
    data.G.diagonal().tail(3).array() = 50;
    data.b = VectorXd(6);
    data.b << -1, 0.1, 0, spin, 0.6 * spin, 0.8 * spin;
    const auto s = solve(data);
    expect_solved(data, s, "ball");
    expect_honest(data, s, "ball");
    if (spin < 1) {
      EXPECT_LT(s.u.tail(3).norm(), 1e-12);
    } else {
      EXPECT_NEAR(s.p[3], -0.02, 1e-12);
      EXPECT_LT((s.p.tail(2) - Eigen::Vector2d(-0.006, -0.008)).norm(), 1e-12);
    }
  }
}

TEST(ContactClosedForms, PositionsAreProjected) {
  // Three stacked blocks of 1 kg, each pair 5 mm too deep: gaps open, impulses push.
  MatrixXd J(3, 3);
  J << 1, 0, 0, -1, 1, 0, 0, -1, 1;
  ContactData data;
  for (int i = 0; i < 3; ++i) data.add(unilateral(0));
  data.G = J * J.transpose();
  data.b = Eigen::Vector3d(-0.005, -0.005, 0.001);
  const auto s = solve(data, {.tolerance = 1e-12});
  EXPECT_TRUE(s.report.converged());
  // The third block is pushed only as far as it has to be.
  EXPECT_LT((J.transpose() * s.p - Eigen::Vector3d(0.005, 0.01, 0.009)).norm(), 1e-12);
  EXPECT_LT(s.u.norm(), 1e-12);
}

TEST(ContactClosedForms, ComplianceGivesWay) {
  ProblemBuffer<double> buffer(3, 1);
  buffer.add(cone(0, 0.5));
  for (int i = 0; i < 3; ++i) buffer.b(i) = i == 0 ? -1 : 0;
  for (int i = 0; i < 3; ++i) {
    buffer.G(i, i) = 1;
    buffer.add_compliance(i, 0.25);
  }
  Solver solver(3, 1);
  double p[3] = {}, u[3];
  EXPECT_TRUE(solver.solve(buffer.problem(), p, u).converged());
  EXPECT_NEAR(p[0], 0.8, 1e-14);
}

TEST(ContactClosedForms, NothingToSolve) {
  const auto s = solve(ContactData{MatrixXd(0, 0), VectorXd(0), {}});
  EXPECT_TRUE(s.report.converged());
  EXPECT_EQ(s.report.sweeps, 0);
  EXPECT_EQ(s.report.residual, 0);
}

}  // namespace
}  // namespace lissom::contact::test
