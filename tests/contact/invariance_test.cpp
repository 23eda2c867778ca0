// What must not change the motion: the choice of tangents, the order of the blocks, units, the start.
#include "contact_test_support.h"

namespace lissom::contact::test {
namespace {

constexpr Settings sharp{.tolerance = 1e-10, .max_sweeps = 2000, .max_factorizations = 100};

// Definite, with little friction, so that there is one solution.
ContactData problem(int trial, int contacts) {
  ContactRandom r(std::uint64_t(trial) + 50);
  ContactData data;
  for (int i = 0; i < contacts; ++i) data.add(cone(0, r.between(0, 0.4)));
  data.G = random_positive(r, 3 * contacts, 3 * contacts + 5) + 0.5 * MatrixXd::Identity(3 * contacts, 3 * contacts);
  data.b = VectorXd::NullaryExpr(3 * contacts, [&] { return r.normal(); });
  return data;
}

ContactData transformed(const ContactData& data, const MatrixXd& T) {
  ContactData other = data;
  other.G = T * data.G * T.transpose();
  other.b = T * data.b;
  return other;
}

TEST(ContactInvariance, RotationOfTangents) {
  for (int trial = 0; trial < trials(30, 1000); ++trial) {
    const auto data = problem(trial, 4);
    MatrixXd T = MatrixXd::Identity(12, 12);
    for (int i = 0; i < 4; ++i)
      T.block<2, 2>(3 * i + 1, 3 * i + 1) = Eigen::Rotation2Dd(0.7 * i + trial).toRotationMatrix();
    const auto a = solve(data, sharp), b = solve(transformed(data, T), sharp);
    ASSERT_TRUE(a.report.converged() && b.report.converged()) << trial;
    EXPECT_LT((T * a.p - b.p).norm(), 1e-7) << trial;
  }
}

TEST(ContactInvariance, OrderOfBlocks) {
  for (int trial = 0; trial < trials(30, 1000); ++trial) {
    const auto data = problem(trial, 4);
    const int order[] = {2, 0, 3, 1};
    MatrixXd T = MatrixXd::Zero(12, 12);
    for (int i = 0; i < 4; ++i) T.block<3, 3>(3 * i, 3 * order[i]).setIdentity();
    auto other = transformed(data, T);
    for (std::size_t i = 0; i < 4; ++i) other.blocks[i].friction = data.blocks[std::size_t(order[i])].friction;
    const auto a = solve(data, sharp), b = solve(other, sharp);
    ASSERT_TRUE(a.report.converged() && b.report.converged()) << trial;
    EXPECT_LT((T * a.p - b.p).norm(), 1e-7) << trial;
  }
}

TEST(ContactInvariance, Units) {
  // Masses times 2^20, velocities times 2^-6: powers of 2, so that even the bits agree.
  for (int trial = 0; trial < trials(30, 1000); ++trial) {
    const auto data = problem(trial, 4);
    auto other = data;
    other.G *= 0x1p-20, other.b *= 0x1p-6;
    const auto a = solve(data, {.tolerance = 1e-6}), b = solve(other, {.tolerance = 1e-6 * 0x1p-6});
    EXPECT_EQ(a.report.sweeps, b.report.sweeps) << trial;
    EXPECT_EQ(VectorXd(a.p * 0x1p14), b.p) << trial;
  }
}

TEST(ContactInvariance, TheSolutionAsStart) {
  for (int trial = 0; trial < trials(30, 1000); ++trial) {
    const auto data = problem(trial, 4);
    const auto a = solve(data, sharp), b = solve(data, sharp, &a.p);
    ASSERT_TRUE(a.report.converged() && b.report.converged()) << trial;
    EXPECT_LE(b.report.sweeps, 3) << trial;
    EXPECT_EQ(b.report.factorizations, 0) << trial;
    EXPECT_LT((a.p - b.p).norm(), 1e-8) << trial;
    // A bad start is no harm.
    VectorXd bad = VectorXd::Constant(12, -7);
    const auto c = solve(data, sharp, &bad);
    EXPECT_LT((a.p - c.p).norm(), 1e-7) << trial;
  }
}

TEST(ContactInvariance, RepeatedSolvesGiveTheSameBits) {
  WalkingMachine machine(3, 9, 2);
  const auto data = machine.next(0.002);
  ProblemBuffer<double> buffer(64, 32);
  Solver solver(64, 32);
  data.write(buffer);
  VectorXd first;
  for (int i = 0; i < 3; ++i) {
    VectorXd p = VectorXd::Zero(data.rows()), u = p;
    solver.solve(buffer.problem(), p.data(), u.data());
    if (i == 0) first = p;
    EXPECT_EQ(p, first);
    // Another problem in between leaves no trace.
    WalkingMachine other(std::uint64_t(10 + i), 12, 1);
    other.next(0.002).write(buffer);
    VectorXd q = VectorXd::Zero(37), w = q;
    solver.solve(buffer.problem(), q.data(), w.data());
    data.write(buffer);
  }
}

TEST(ContactInvariance, PaddingIsIgnored) {
  WalkingMachine machine(4, 5, 0);
  const auto data = machine.next(0.002);
  const auto expected = solve(data);
  ProblemBuffer<double> buffer(24, 8);
  data.write(buffer);
  for (int i = 0; i < data.rows(); ++i)
    for (int j = data.rows(); j < buffer.stride(); ++j) buffer.row(i)[j] = std::nan("");
  Solver solver(24, 8);
  VectorXd p = VectorXd::Zero(15), u = p;
  EXPECT_TRUE(solver.solve(buffer.problem(), p.data(), u.data()).converged());
  EXPECT_EQ(p, expected.p);
}

}  // namespace
}  // namespace lissom::contact::test
