// What has no solution, or is no problem at all, is reported; nothing that is not finite comes out.
#include "contact_test_support.h"
#include "largest.h"

namespace lissom::contact::test {
namespace {

using lissom::test::largest;

void expect_finite(const Solved& s, const std::string& what) {
  EXPECT_TRUE(s.p.allFinite()) << what;
  EXPECT_TRUE(s.u.allFinite()) << what;
}

TEST(ContactFailures, ABodyBetweenClosingWalls) {
  // One body, two walls that both push: no velocity satisfies both.
  ContactData data;
  data.add(cone(0, 0.5)), data.add(cone(0, 0.5));
  MatrixXd J(6, 3);
  J << 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, 1;
  data.G = J * J.transpose();
  data.b = VectorXd::Zero(6);
  data.b[0] = data.b[3] = -1;
  VectorXd p = VectorXd::Zero(6);
  for (int step = 0; step < 200; ++step) {  // also where the impulses of the step before are the start
    const auto s = solve(data, {}, &p);
    EXPECT_EQ(s.report.status, Status::infeasible) << step;
    EXPECT_GT(s.report.residual, 0.1);
    EXPECT_GE(s.report.worst_block, 0);
    expect_finite(s, "walls");
    EXPECT_LE(largest(s.p), 1e6);
    p = s.p;
  }
  const auto capped = solve(data, {.max_impulse = 5});
  EXPECT_EQ(capped.report.status, Status::infeasible);
  EXPECT_LE(largest(capped.p), 5);
}

TEST(ContactFailures, ALimitAgainstAnother) {
  ContactData data;
  data.add(unilateral(0)), data.add(unilateral(0));
  data.G = MatrixXd(2, 2);
  data.G << 1, -1, -1, 1;
  data.b = Eigen::Vector2d(-1, -0.5);
  const auto s = solve(data);
  EXPECT_EQ(s.report.status, Status::infeasible);
  expect_finite(s, "limits");
}

TEST(ContactFailures, AnImmovableContactThatCloses) {
  auto data = point_mass(1, 0.5, {-1, 0, 0});
  data.G.setZero();
  const auto s = solve(data);
  EXPECT_FALSE(s.report.converged());
  EXPECT_NEAR(s.report.residual, 1, 1e-12);
  expect_finite(s, "immovable");
}

TEST(ContactFailures, NumbersThatAreNotFinite) {
  WalkingMachine machine(1, 6, 1);
  const auto good = machine.next(0.002);
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    auto data = good;
    data.b[7] = bad;
    auto s = solve(data);
    EXPECT_EQ(s.report.status, Status::invalid);
    EXPECT_EQ(s.report.worst_block, 2);
    EXPECT_EQ(s.report.residual, infinity);
    expect_finite(s, "b");
    data = good, data.G(4, 9) = data.G(9, 4) = bad;
    s = solve(data);
    EXPECT_EQ(s.report.status, Status::invalid);
    expect_finite(s, "G");
    data = good, data.blocks[3].friction = bad;
    s = solve(data);
    EXPECT_EQ(s.report.status, Status::invalid);
    EXPECT_EQ(s.report.worst_block, 3);
    expect_finite(s, "friction");
    VectorXd start = VectorXd::Zero(good.rows());
    start[5] = bad;
    s = solve(good, {}, &start);
    EXPECT_TRUE(s.report.discarded_start);
    EXPECT_TRUE(s.report.converged());
    EXPECT_EQ(s.p, solve(good).p);
  }
}

TEST(ContactFailures, BlocksThatAreNone) {
  const auto good = point_mass(1, 0.5, {-1, 0, 0});
  const auto status = [&](auto change) {
    auto data = good;
    change(data);
    ProblemBuffer<double> buffer(8, 8);
    data.write(buffer);
    for (std::size_t i = 0; i < data.blocks.size(); ++i) buffer.block(int(i)) = data.blocks[i];
    Solver solver(4, 2);
    VectorXd p = VectorXd::Zero(8), u = p;
    return solver.solve(buffer.problem(), p.data(), u.data()).status;
  };
  EXPECT_EQ(status([](ContactData&) {}), Status::converged);
  EXPECT_EQ(status([](ContactData& d) { d.blocks[0].row = 1; }), Status::invalid);
  EXPECT_EQ(status([](ContactData& d) { d.blocks[0].size = 2; }), Status::invalid);
  EXPECT_EQ(status([](ContactData& d) { d.blocks[0].friction = -0.1; }), Status::invalid);
  EXPECT_EQ(status([](ContactData& d) { d.blocks[0] = {.kind = Kind::free, .size = 7}; }), Status::invalid);
  EXPECT_EQ(status([](ContactData& d) { d.blocks[0] = {.kind = Kind::disk, .size = 3}; }), Status::invalid);
  EXPECT_EQ(status([](ContactData& d) { d.blocks = {box(0, 1.0, 0.0), free<double>(1, 2)}; }), Status::invalid);
  EXPECT_EQ(status([](ContactData& d) { d.blocks = {disk(0, 1, 3, 0.1), free<double>(1, 2)}; }), Status::invalid);
  EXPECT_EQ(status([](ContactData& d) {  // larger than the solver's memory
              d.blocks = {box(0, 0.0, 1.0), box(1, 0.0, 1.0), box(2, 0.0, 1.0)};
            }),
            Status::invalid);
}

TEST(ContactFailures, ASmallBudgetIsReported) {
  WalkingMachine machine(2, 10, 0);
  const auto data = machine.next(0.002);
  const auto s = solve(data, {.tolerance = 1e-13, .max_sweeps = 1, .max_factorizations = 0});
  EXPECT_EQ(s.report.status, Status::budget_exhausted);
  EXPECT_EQ(s.report.sweeps, 1);
  expect_honest(data, s, "small budget");
}

}  // namespace
}  // namespace lissom::contact::test
