// Derivatives of the dynamics of robots with closed loops, against differences of the dynamics themselves.
#include "lissom/constraints/closed_loop_derivatives.h"

#include "largest.h"
#include "lissom/api/postures.h"
#include "lissom/constraints/loop_derivatives.h"
#include "loop_cases.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Accelerations above the multipliers.
VectorXd both(const VectorXd& a, const VectorXd& lambda) {
  VectorXd x(a.size() + lambda.size());
  x << a, lambda;
  return x;
}
VectorXd dynamics_at(Case& c, ClosedLoops& loops, const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  const VectorXd a = forward_dynamics(c.model, c.work, loops, q, v, tau);
  return both(a, loops.multipliers());
}
VectorXd random_direction(Random& random, int size) {
  VectorXd x(size);
  for (double& e : x) e = random.uniform(-1, 1);
  return x;
}
// Differences lose digits where derivatives are large.
double size_of(const VectorXd& x) {
  return larger(1.0, largest(x));
}

// Of the rows themselves, closed or open.
TEST(ClosedLoopDerivatives, OfRowsAreTheirDifferences) {
  int rows = 0;
  for_each_tree(
      {.min_joints = 2, .max_joints = 10, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        Closures description{{random_loop(c, random, random.integer(1, 63))}, {}};
        description.loops.push_back(random_loop(c, random, 1));
        description.loops.back().kind = LoopKind::distance, description.loops.back().length = 1;
        add_random_coupling(c.model, random, description);
        LoopRows loop_rows(c.model, description);
        PreciseRows precise(c.model, loop_rows);
        const VectorXd lambda = random_direction(random, loop_rows.count());
        const VectorXd dq = random_direction(random, c.model.nv()), dv = random_direction(random, c.model.nv());
        LoopDerivatives d(c.model, loop_rows);
        d.evaluate(c.model, loop_rows, c.q, c.v, c.a, lambda);
        const auto at = [&](double t, bool v_too) {
          precise.evaluate(c.model, loop_rows, integrate(c.model, c.q, dq, v_too ? 0 : t), c.v + (v_too ? t : 0) * dv,
                           c.a);
          return &precise;
        };
        const VectorXd rate = rate_of([&](double t) -> VectorXd { return at(t, false)->rate(); });
        const VectorXd by_q = rate_of([&](double t) -> VectorXd { return at(t, false)->acceleration(); });
        const VectorXd by_v = rate_of([&](double t) -> VectorXd { return at(t, true)->acceleration(); });
        EXPECT_TRUE(close(d.rate_dq() * dq, rate, 1e-8, size_of(rate)));
        EXPECT_TRUE(close(d.acceleration_dq() * dq, by_q, 1e-8, size_of(by_q)));
        EXPECT_TRUE(close(d.acceleration_dv() * dv, by_v, 1e-8, size_of(by_v)));
        rows += loop_rows.count();
      },
      60);
  EXPECT_GT(rows, 200);
}

// In every direction where the rows are independent; loops closed and open, couplings, mimic joints, rotors.
TEST(ClosedLoopDerivatives, OfForwardDynamicsAreItsDifferences) {
  int independent = 0, loops_count = 0;
  for_each_tree(
      {.min_joints = 3, .max_joints = 10, .armature = 0.3, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        ClosedLoops loops(c.model, close_at_state(c, random));
        if (c.seed % 3 == 0) c.q = integrate(c.model, c.q, random_direction(random, c.model.nv()), 0.1);
        const auto d = forward_dynamics_derivatives(c.model, c.work, loops, c.q, c.v, c.tau);
        if (loops.rank() < loops.rows().count()) return;
        const VectorXd x = both(d.a, d.multipliers);
        EXPECT_TRUE(identical(x, dynamics_at(c, loops, c.q, c.v, c.tau)));
        EXPECT_TRUE(identical(loops.multipliers(), d.multipliers));
        if (size_of(x) > 1e5) return;  // nearly singular
        ++independent, loops_count += int(loops.rows().description().loops.size());
        const int nv = c.model.nv();
        const VectorXd dq = random_direction(random, nv), dv = random_direction(random, nv),
                       dtau = random_direction(random, nv);
        const auto expect = [&](const Matrix& da, const Matrix& dlambda, const VectorXd& along,
                                const std::function<VectorXd(double)>& f) {
          const VectorXd moved = rate_of(f);
          const double scale = larger(size_of(moved), 1e-2 * size_of(x) * size_of(x));
          EXPECT_TRUE(close(both(da * along, dlambda * along), moved, 1e-7, scale));
        };
        expect(d.da_dq, d.dlambda_dq, dq,
               [&](double t) { return dynamics_at(c, loops, integrate(c.model, c.q, dq, t), c.v, c.tau); });
        expect(d.da_dv, d.dlambda_dv, dv, [&](double t) { return dynamics_at(c, loops, c.q, c.v + t * dv, c.tau); });
        expect(d.da_dtau, d.dlambda_dtau, dtau,
               [&](double t) { return dynamics_at(c, loops, c.q, c.v, c.tau + t * dtau); });
      },
      200);
  EXPECT_GT(independent, 50);
  EXPECT_GT(loops_count, 70);
}

// A state of a mechanism in which its loops are closed and stay closed.
struct ClosedState {
  explicit ClosedState(const Model& m, std::uint64_t seed = 1) : model(m), work(m), loops(m) {
    Random random(seed);
    q = initial_configuration(model);
    loops.assemble(model, work, q);
    v = random_direction(random, model.nv());
    tau = random_direction(random, model.nv());
    // (Away from the configuration of the file, which may be singular.)
    for (int i = 0; i < 5; ++i) {
      loops.project(model, work, q, v);
      q = integrate(model, q, v, 0.02);
    }
    loops.project(model, work, q, v);
  }
  Model model;
  Workspace work;
  ClosedLoops loops;
  VectorXd q, v, tau;
};

// Along directions that keep the loops closed, derivatives also hold where rows are redundant.
void expect_closed_derivatives(ClosedState s, bool redundant) {
  const int nv = s.model.nv();
  ASSERT_LT(s.loops.gap(s.model, s.work, s.q), 1e-12);
  const auto x = linearize(s.model, s.work, s.loops, s.q, s.v, s.tau);
  const auto d = forward_dynamics_derivatives(s.model, s.work, s.loops, s.q, s.v, s.tau);
  EXPECT_EQ(s.loops.rank() < s.loops.rows().count(), redundant);
  ASSERT_EQ(x.directions.cols(), 2 * (nv - s.loops.rank()));
  ASSERT_GT(x.directions.cols(), 0);
  for (Eigen::Index k = 0; k < x.directions.cols(); ++k) {
    const VectorXd dq = x.directions.col(k).head(nv), dv = x.directions.col(k).tail(nv);
    const VectorXd moved = rate_of([&](double t) {
      VectorXd q = integrate(s.model, s.q, dq, t), v = s.v + t * dv;
      s.loops.project(s.model, s.work, q, v);
      return forward_dynamics(s.model, s.work, s.loops, q, v, s.tau);
    });
    const VectorXd predicted = d.da_dq * dq + d.da_dv * dv;
    EXPECT_TRUE(close(predicted, moved, 2e-7, size_of(moved))) << "direction " << k;
  }
  // At an equilibrium the flow keeps the loops closed to first order: A takes these directions to themselves.
  const VectorXd rest = VectorXd::Zero(nv);
  const VectorXd hold =
      inverse_dynamics(s.model, s.work, s.loops, s.q, rest, rest, std::vector<bool>(std::size_t(nv), true)).tau;
  const auto y = linearize(s.model, s.work, s.loops, s.q, rest, hold);
  const MatrixXd inside = y.A * y.directions, reduced = y.directions.transpose() * inside;
  EXPECT_TRUE(close(y.directions * reduced, inside, 1e-9, larger(1.0, largest(inside))));
}
Model with_loops(const std::string& name) {
  const std::string stem = LISSOM_MODELS_DIR "/" + name;
  return load(stem + ".urdf", {.loops_file = stem + ".json"});
}
TEST(ClosedLoopDerivatives, HoldAlongClosedDirections) {
  expect_closed_derivatives(ClosedState(with_loops("iftomm/a02_four_bars_2")), false);
  expect_closed_derivatives(ClosedState(with_loops("iftomm/a04_bricard")), true);
  expect_closed_derivatives(ClosedState(with_loops("iftomm/a03_squeezer")), false);
  expect_closed_derivatives(ClosedState(with_loops("mechanisms/delta")), false);
}

TEST(ClosedLoopDerivatives, HoldWithMimicJointsInTheLoop) {
  int mechanisms = 0;
  for_each_tree(
      {.min_joints = 6, .max_joints = 9, .mimic = 0.5},
      [&](Case& c) {
        if (mechanisms == 5) return;
        Random random(c.seed);
        Loop loop = closed_at(c, random_loop(c, random, 0b000111), c.q);
        ClosedLoops loops(c.model, {{loop, loop}, {}});  // twice, so that half of the rows are redundant
        loops.project(c.model, c.work, c.q, c.v);
        const VectorXd a = forward_dynamics(c.model, c.work, loops, c.q, c.v, c.tau);
        const Matrix directions = closed_directions(c.model, c.work, loops, c.q, c.v);
        if (loops.rank() < 2 || directions.cols() == 0 || size_of(a) > 1e4) return;
        ++mechanisms;
        const int nv = c.model.nv();
        const auto d = forward_dynamics_derivatives(c.model, c.work, loops, c.q, c.v, c.tau);
        const VectorXd along = directions * random_direction(random, int(directions.cols()));
        const VectorXd dq = along.head(nv), dv = along.tail(nv);
        const VectorXd moved = rate_of([&](double t) {
          VectorXd q = integrate(c.model, c.q, dq, t), v = c.v + t * dv;
          loops.project(c.model, c.work, q, v);
          return forward_dynamics(c.model, c.work, loops, q, v, c.tau);
        });
        EXPECT_TRUE(close(d.da_dq * dq + d.da_dv * dv, moved, 1e-7, size_of(moved) + 1e-2 * size_of(a) * size_of(a)));
      },
      60);
  EXPECT_EQ(mechanisms, 5);
}

// Torques of least norm, and constraint forces of least norm where rows are redundant.
void expect_torque_derivatives(ClosedState s, const std::vector<bool>& actuated) {
  const int nv = s.model.nv();
  const VectorXd a0 = forward_dynamics(s.model, s.work, s.loops, s.q, s.v, s.tau);
  const auto d = inverse_dynamics_derivatives(s.model, s.work, s.loops, s.q, s.v, a0, actuated);
  const auto torques = [&](const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    const auto t = inverse_dynamics(s.model, s.work, s.loops, q, v, a, actuated);
    return both(t.tau, t.multipliers);
  };
  const Matrix directions = closed_directions(s.model, s.work, s.loops, s.q, s.v);
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    const VectorXd dq = directions.col(k).head(nv), dv = directions.col(k).tail(nv);
    const VectorXd moved = rate_of([&](double t) {
      VectorXd q = integrate(s.model, s.q, dq, t), v = s.v + t * dv;
      s.loops.project(s.model, s.work, q, v);
      return torques(q, v, a0 + t * dv);
    });
    const VectorXd predicted = both(d.dtau_dq * dq + d.dtau_dv * dv + d.dtau_da * dv,
                                    d.dlambda_dq * dq + d.dlambda_dv * dv + d.dlambda_da * dv);
    EXPECT_TRUE(close(predicted, moved, 2e-7, size_of(moved))) << "direction " << k;
  }
}
TEST(ClosedLoopDerivatives, OfInverseDynamicsAreItsDifferences) {
  for (const char* const name : {"iftomm/a02_four_bars_2", "iftomm/a04_bricard", "mechanisms/delta"}) {
    SCOPED_TRACE(name);
    const ClosedState s(with_loops(name));
    expect_torque_derivatives(ClosedState(s.model), std::vector<bool>(std::size_t(s.model.nv()), true));
  }
  const auto model = with_loops("iftomm/a02_four_bars_2");
  std::vector<bool> one(std::size_t(model.nv()), false);
  one[std::size_t(model.joint("crank_0").v_index)] = true;
  expect_torque_derivatives(ClosedState(model), one);
  ClosedState s(model);
  const std::vector<bool> none(std::size_t(model.nv()), false);
  const VectorXd a = forward_dynamics(model, s.work, s.loops, s.q, s.v, VectorXd::Zero(model.nv()));
  expect_words(refusal([&] { inverse_dynamics_derivatives(model, s.work, s.loops, s.q, s.v, a, none); }),
               {"actuated has 0 independent joints, expected 1"});
}

}  // namespace
}  // namespace lissom::test
