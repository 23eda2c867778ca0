// Random problems, judged by the residual from its definition, by enumeration of modes and by ADMM.
#include "modes.h"

namespace lissom::contact::test {
namespace {

// Enough for nearly all problems that a solution exists for.
constexpr Settings patient{.max_sweeps = 4000, .max_factorizations = 200};

ContactData random_cones(ContactRandom& r, int contacts, int rank, double spread) {
  ContactData data;
  const double frictions[] = {0, 0.3, 0.8, 1.2, 10};
  for (int i = 0; i < contacts; ++i) data.add(cone(0, frictions[r.integer(0, 4)]));
  const int n = 3 * contacts;
  MatrixXd J = MatrixXd::NullaryExpr(n, rank, [&] { return r.normal(); });
  VectorXd M_inverse(rank), v(rank);
  for (double& x : M_inverse) x = std::pow(10, r.between(-spread, spread));
  for (double& x : v) x = r.normal();
  // All normals can open at once: a solution then exists, whatever the friction.
  for (int i = 0; i < contacts; ++i) {
    J(3 * i, 0) = std::abs(J(3 * i, 0)) + 1;
    J(3 * i + 1, 0) = J(3 * i + 2, 0) = 0;
  }
  data.G = J * M_inverse.asDiagonal() * J.transpose();
  data.b = J * v;
  return data;
}

TEST(ContactRandomProblems, OneContactIsExact) {
  for (int trial = 0; trial < trials(300, 100000); ++trial) {
    ContactRandom r(std::uint64_t(trial) + 1);
    ContactData data;
    data.add(cone(0, trial % 5 ? r.between(0, 1.5) : 10));
    data.G = random_positive(r, 3, 3, trial % 2 ? 0 : 1.5);
    data.b = r.vector();
    const auto s = solve(data, {.max_sweeps = 1, .max_factorizations = 0});
    EXPECT_LT(independent_residual(data, s.p), 1e-12 * (data.G.norm() * s.p.norm() + data.b.norm())) << trial;
    expect_honest(data, s, numbered("trial", trial));
  }
}

TEST(ContactRandomProblems, OneContactIsFoundByEnumerationToo) {
  for (int trial = 0; trial < trials(15, 500); ++trial) {
    ContactRandom r(std::uint64_t(trial) + 1000);
    ContactData data;
    data.add(cone(0, r.between(0.1, 0.5)));
    data.G = random_positive(r, 3, 3) + 2 * MatrixXd::Identity(3, 3);
    data.b = Eigen::Vector3d(-std::abs(r.normal()), r.normal(), r.normal());
    const auto s = solve(data);
    VectorXd p;
    EXPECT_LT(best_by_enumeration(data, p), 1e-7) << trial;
    EXPECT_LT((p - s.p).norm(), 1e-5) << trial;  // with little friction, there is one solution
  }
}

TEST(ContactRandomProblems, TwoContactsAreFoundByEnumerationToo) {
  for (int trial = 0; trial < trials(6, 100); ++trial) {
    ContactRandom r(std::uint64_t(trial) + 2000);
    ContactData data;
    for (int i = 0; i < 2; ++i) data.add(cone(0, r.between(0.1, 0.4)));
    data.G = random_positive(r, 6, 6) + 2 * MatrixXd::Identity(6, 6);
    data.b = VectorXd::NullaryExpr(6, [&] { return r.normal(); });
    data.b[0] = -std::abs(data.b[0]), data.b[3] = -std::abs(data.b[3]);
    const auto s = solve(data);
    expect_solved(data, s, numbered("trial", trial));
    VectorXd p;
    EXPECT_LT(best_by_enumeration(data, p), 1e-7) << trial;
    EXPECT_LT((p - s.p).norm(), 1e-5) << trial;
  }
}

/// Solves, and where that fails, asks ADMM: only what it solves counts as a failure.
int unsolved_of(const std::vector<ContactData>& problems, const Settings& settings) {
  int unsolved = 0;
  for (const auto& data : problems) {
    const auto s = solve(data, settings);
    expect_honest(data, s, "random");
    if (s.report.converged())
      EXPECT_LT(independent_residual(data, s.p), 2e-6);
    else if (admm(data, 1e-6, 3000).residual < 1e-6)
      ++unsolved;
  }
  return unsolved;
}

TEST(ContactRandomProblems, DefiniteSingularAndOfAllFrictions) {
  std::vector<ContactData> problems;
  for (int trial = 0; trial < trials(150, 20000); ++trial) {
    ContactRandom r(std::uint64_t(trial) + 3000);
    const int contacts = r.integer(1, 8);
    problems.push_back(random_cones(r, contacts, trial % 2 ? 3 * contacts + 2 : std::max(3, 2 * contacts), 0.5));
  }
  EXPECT_LE(unsolved_of(problems, patient), int(problems.size()) / 100);
}

TEST(ContactRandomProblems, MassRatiosOfABillion) {
  // Stacks of cubes whose masses alternate, as points that touch each other: 1 µg under 1 kg, 1 g under 1000 t.
  for (const double heavy : {1e3, 1e6, 1e9}) {
    const int bodies = 4;
    MatrixXd J = MatrixXd::Zero(3 * bodies, 3 * bodies);
    VectorXd M_inverse(3 * bodies), v(3 * bodies);
    ContactData data;
    for (int i = 0; i < bodies; ++i) {
      data.add(cone(0, 0.5));
      M_inverse.segment<3>(3 * i).setConstant(i % 2 ? 1 / heavy : 1.0);
      v.segment<3>(3 * i) = Eigen::Vector3d(-0.01, 0.001 * i, -0.002);
      J.block<3, 3>(3 * i, 3 * i).setIdentity();
      if (i > 0) J.block<3, 3>(3 * i, 3 * i - 3) = -Eigen::Matrix3d::Identity();
    }
    data.G = J * M_inverse.asDiagonal() * J.transpose();
    data.b = J * v;
    const auto s = solve(data);
    expect_honest(data, s, "stack of " + std::to_string(heavy));
    EXPECT_TRUE(s.p.allFinite());
    if (heavy > 1e6) continue;  // the matrix is nearly singular: the budget may end first
    expect_solved(data, s, "stack of " + std::to_string(heavy));
    // The ground carries all of it.
    EXPECT_NEAR(s.p[0] / (0.01 * (2 + 2 * heavy)), 1, 1e-4) << heavy;
  }
}

TEST(ContactRandomProblems, RowsThatCannotMove) {
  ContactRandom r(5);
  for (int trial = 0; trial < 50; ++trial) {
    auto data = random_cones(r, 4, 14, 0.5);
    for (int i = 3; i < 6; ++i) data.G.row(i).setZero(), data.G.col(i).setZero();
    data.b[3] = std::abs(data.b[3]);
    data.add(unilateral(0)), data.add(box(0, -1.0, 1.0)), data.add(free<double>(0, 2));
    MatrixXd G = MatrixXd::Zero(16, 16);
    G.topLeftCorner(12, 12) = data.G;
    data.G = G;
    VectorXd b = VectorXd::Zero(16);
    b.head(12) = data.b, b[12] = 0.5, b[13] = 3;
    data.b = b;
    const auto s = solve(data, patient);
    expect_solved(data, s, numbered("trial", trial));
    EXPECT_EQ(s.p.segment(3, 3), VectorXd::Zero(3));
    EXPECT_EQ(s.p[12], 0);
  }
}

TEST(ContactRandomProblems, OneDirectionThatCannotMove) {
  // A slider: along its normal it moves, across it does not. It has to slip.
  ContactData data;
  data.add(cone(0, 0.5));
  data.G = MatrixXd::Zero(3, 3);
  data.G(0, 0) = 1;
  data.b = Eigen::Vector3d(-1, 0.3, 0.4);
  const auto s = solve(data);
  expect_solved(data, s, "slider");
  EXPECT_LT((s.p - Eigen::Vector3d(1, -0.3, -0.4)).norm(), 1e-9);
}

TEST(ContactRandomProblems, MixedBlocks) {
  std::vector<ContactData> problems;
  for (int trial = 0; trial < trials(100, 20000); ++trial) {
    ContactRandom r(std::uint64_t(trial) + 7000);
    auto data = random_cones(r, r.integer(1, 4), 20, 0.5);
    const int cones = data.rows();
    data.add(unilateral(0)), data.add(box(0, -0.1, 0.1)), data.add(free<double>(0, r.integer(1, 6)));
    data.add(disk(0, 1, 0, 0.05)), data.add(disk(0, 2, 0, 0.02));
    const int n = data.blocks.back().row + 2;
    MatrixXd G = random_positive(r, n, n + 3) * 0.2;
    G.topLeftCorner(cones, cones) += data.G;
    VectorXd b = VectorXd::NullaryExpr(n, [&] { return r.normal(); });
    b.head(cones) = data.b;
    data.G = G, data.b = b;
    problems.push_back(data);
  }
  EXPECT_LE(unsolved_of(problems, patient), int(problems.size()) / 50);
}

TEST(ContactRandomProblems, WalkingMachines) {
  // With the default budget, warm: what a simulation asks for.
  const int machines = trials(20, 1000), steps = 10;
  int unsolved = 0, count = 0;
  for (int m = 0; m < machines; ++m) {
    WalkingMachine machine(std::uint64_t(m), 2 + m % 9, m % 3);
    VectorXd p;
    for (int step = 0; step < steps; ++step, ++count) {
      const auto data = machine.next(0.002, step ? &p : nullptr);
      const auto s = solve(data, {}, step ? &p : nullptr);
      expect_honest(data, s, numbered("machine", m));
      unsolved += !s.report.converged();
      p = s.p;
    }
  }
  EXPECT_LE(unsolved, count / 50);
}

}  // namespace
}  // namespace lissom::contact::test
