// The same input gives the same bits, wherever it lies in the caller's memory. Eigen reads a vector that is not aligned
// element by element up to the first aligned one, and compilers fuse a b + c d there otherwise than in whole registers:
// sums and sums of products over the caller's memory would depend on its address.
#include "addresses.h"

#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "lissom/api/load.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/control/whole_body.h"
#include "lissom/coordinates/charts.h"
#include "lissom/formulations.h"
#include "lissom/ik.h"
#include "lissom/lissom.h"
#include "lissom/qp.h"
#include "lissom/sim.h"
#include "lissom/stance.h"
#include "random_tree.h"

namespace lissom::test::addresses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  std::string name;
  Model model;
  VectorXd q, v, a;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string file : {"humanoid.urdf", "arm7.urdf"}) {
    const auto model =
        load(std::string(LISSOM_MODELS_DIR) + "/" + file, {.base = file == "arm7.urdf" ? Base::file : Base::free});
    Random random(5);
    const VectorXd step = random.vector(model.nv(), .4);
    all.push_back({file, model, integrate(model, neutral(model), step), random.vector(model.nv(), 1),
                   random.vector(model.nv(), 3)});
  }
  return all;
}

class Addresses : public testing::TestWithParam<int> {
 protected:
  const Case c_ = cases()[std::size_t(GetParam())];
  const Model& model_ = c_.model;
  const int nq_ = model_.nq(), nv_ = model_.nv();
  const FrameId frame_ = FrameId{int(model_.frames().size()) - 1};
  const std::vector<ExternalForce> external_{
      {.on = frame_, .force = {1, 2, 3}, .torque = {.1, .2, .3}, .at = {frame_, {.1, 0, .2}}}};

  // f(memory, work, q, v, a, results)
  template <class F>
  void call(const char* name, F f) {
    expect_same_bits(c_.name + std::string(", ") + name, [&](Memory& m, Results& r) {
      Workspace work(model_);
      f(m, work, m.copy(c_.q), m.copy(c_.v), m.copy(c_.a), r);
    });
  }
};

TEST_P(Addresses, Dynamics) {
  call("inverse_dynamics", [&](Memory& m, Workspace& w, const auto& q, const auto& v, const auto& a, Results& r) {
    auto tau = m.vector(nv_);
    inverse_dynamics(model_, w, q, v, a, external_, tau);
    r.add(tau, inverse_dynamics(model_, w, q, v, a));
  });
  call("forward_dynamics", [&](Memory& m, Workspace& w, const auto& q, const auto& v, const auto& tau, Results& r) {
    auto a = m.vector(nv_);
    forward_dynamics(model_, w, q, v, tau, external_, a);
    r.add(a, forward_dynamics(model_, w, q, v, tau));
  });
  call("matrices", [&](Memory& m, Workspace& w, const auto& q, const auto& v, const auto& a, Results& r) {
    auto M = m.rows(nv_, nv_), C = m.rows(nv_, nv_), M_inverse = m.rows(nv_, nv_);
    auto Y = m.columns(nv_, 10 * model_.body_count());
    mass_matrix(model_, w, q, M), coriolis_matrix(model_, w, q, v, C), inverse_mass_matrix(model_, w, q, M_inverse);
    regressor(model_, w, q, v, a, Y);
    r.add(M, C, M_inverse, Y);
    r.add(mass_matrix(model_, w, q), coriolis_matrix(model_, w, q, v), inverse_mass_matrix(model_, w, q));
  });
  call("factor", [&](Memory& m, Workspace& w, const auto& q, const auto& v, const auto&, Results& r) {
    auto factor = factorize_mass_matrix(model_, w, q);
    auto x = m.vector(nv_), D = m.vector(nv_);
    auto L = m.rows(nv_, nv_), M_inverse = m.rows(nv_, nv_);
    factor.solve(v, x), factor.L(L), factor.D(D), factor.inverse(w, M_inverse);
    r.add(x, L, D, M_inverse, factor.solve(v));
  });
}

TEST_P(Addresses, ForcesAndKinematics) {
  call("forces and energies", [&](Memory& m, Workspace& w, const auto& q, const auto& v, const auto&, Results& r) {
    auto h = m.vector(nv_), g = m.vector(nv_), tau = m.vector(nv_), still = m.vector(nv_);
    bias_forces(model_, w, q, v, h), gravity_forces(model_, w, q, g);
    generalized_forces(model_, w, q, external_, tau), equilibrium_torques(model_, w, q, external_, still);
    r.add(h, g, tau, still);
    r.add(kinetic_energy(model_, w, q, v), potential_energy(model_, w, q));
  });
  call("momentum", [&](Memory& m, Workspace& w, const auto& q, const auto& v, const auto& a, Results& r) {
    auto momentum = m.vector(6), rate = m.vector(6);
    auto A = m.columns(6, nv_);
    centroidal_map(model_, w, q, A);
    centroidal_momentum(model_, w, q, v, momentum), centroidal_momentum_rate(model_, w, q, v, a, rate);
    r.add(A, momentum, rate, center_of_mass(model_, w, q));
  });
  call("jacobians", [&](Memory& m, Workspace& w, const auto& q, const auto& v, const auto& a, Results& r) {
    auto J = m.columns(6, nv_), J_dot = m.columns(6, nv_), J_com = m.columns(3, nv_), all = m.columns(6, nv_);
    jacobian(model_, w, q, frame_, J), jacobian_rate(model_, w, q, v, frame_, J_dot);
    center_of_mass_jacobian(model_, w, q, J_com), joint_jacobians(model_, w, q, all);
    r.add(J, J_dot, J_com, all);
    forward_kinematics(model_, w, q, v, a);
    const auto X = placement(model_, w, frame_);
    const auto V = velocity(model_, w, frame_), A = acceleration(model_, w, frame_);
    r.add(X.R, X.p, V.linear, V.angular, A.linear, A.angular);
  });
}

TEST_P(Addresses, Configurations) {
  expect_same_bits(c_.name, [&](Memory& m, Results& r) {
    auto q = m.copy(c_.q), v = m.copy(c_.v), q1 = m.vector(nq_), d = m.vector(nv_), half = m.vector(nq_),
         normal = m.vector(nq_);
    integrate(model_, q, v, .1, q1), difference(model_, q, q1, d), interpolate(model_, q, q1, .3, half);
    const VectorXd scaled = 1.5 * c_.q;
    normalize(model_, m.copy(scaled), normal);
    r.add(q1, d, half, normal);
    r.add(integrate(model_, q, v), difference(model_, q, q1), interpolate(model_, q, q1, .3), normalize(model_, q));
  });
}

TEST_P(Addresses, Derivatives) {
  expect_same_bits(c_.name, [&](Memory& m, Results& r) {
    Workspace w(model_);
    const auto q = m.copy(c_.q), v = m.copy(c_.v), a = m.copy(c_.a), direction = m.copy(c_.v), weights = m.copy(c_.a);
    auto dq = m.rows(nv_, nv_), dv = m.rows(nv_, nv_), M = m.rows(nv_, nv_);
    auto x = m.vector(nv_), y = m.vector(nv_), z = m.vector(nv_);
    inverse_dynamics_derivatives(model_, w, q, v, a, {}, dq, dv, M);
    r.add(dq, dv, M);
    forward_dynamics_derivatives(model_, w, q, v, a, {}, x, dq, dv, M);
    r.add(x, dq, dv, M);
    inverse_dynamics_jvp(model_, w, q, v, a, {direction, direction, direction}, {}, x);
    r.add(x);
    forward_dynamics_jvp(model_, w, q, v, a, {direction, direction, direction}, {}, x);
    r.add(x);
    inverse_dynamics_vjp(model_, w, q, v, a, weights, {}, x, y, z);
    r.add(x, y, z);
    forward_dynamics_vjp(model_, w, q, v, a, weights, {}, x, y, z);
    r.add(x, y, z);
    integrate_derivatives(model_, w, q, v, .1, dq, dv);
    r.add(dq, dv);
    auto da = m.columns(nv_, 10 * model_.body_count());
    forward_dynamics_parameter_derivatives(model_, w, q, v, a, {}, da);
    r.add(da);
  });
}

TEST_P(Addresses, Linearizations) {
  expect_same_bits(c_.name, [&](Memory& m, Results& r) {
    Workspace w(model_);
    const auto q = m.copy(c_.q), v = m.copy(c_.v), tau = m.copy(c_.a);
    auto A = m.rows(2 * nv_, 2 * nv_), B = m.rows(2 * nv_, nv_);
    linearize(model_, w, q, v, tau, A, B);
    r.add(A, B);
    linearize(model_, w, q, v, tau, .01, A, B);
    r.add(A, B);
    const auto d = forward_dynamics_derivatives(model_, w, c_.q, c_.v, c_.a);
    const auto dq = m.rows(MatrixXd(d.da_dq)), dv = m.rows(MatrixXd(d.da_dv)), dtau = m.rows(MatrixXd(d.M_inverse));
    linearization_of(model_, v, dq, dv, dtau, A, B);
    r.add(A, B);
    sim::System system(model_);
    const auto step = sim::linearize_step(system, "rk4", {0, c_.q, c_.v}, tau, .01);
    r.add(step.A, step.B, step.end.q, step.end.v);
  });
}

TEST_P(Addresses, Formulations) {
  using namespace formulations;
  const Mechanism mechanism(model_);
  const Charted charted(model_);
  const VectorXd q_charted = charted.from_model(c_.q), rates = charted.rates_map(q_charted) * c_.v;
  expect_same_bits(c_.name, [&](Memory& m, Results& r) {
    const auto q = m.copy(c_.q), v = m.copy(c_.v), a = m.copy(c_.a);
    r.add(forward_dynamics_mirtich(mechanism, q, v, a), inverse_dynamics_in_link_frames(mechanism, q, v, a));
    r.add(stacked_jacobian(mechanism, q), parent_rotations(mechanism, q));
    const auto maximal = maximal_dynamics(mechanism, q, v, a);
    r.add(maximal.a);
    const auto x = m.copy(q_charted), x_dot = m.copy(rates);
    const auto equations = gauss(charted, x, x_dot);
    const VectorXd bias = equations.N * rates - equations.gravity;
    r.add(equations.M, equations.N, equations.gravity, projector(charted, x));
    const auto b = m.copy(bias), Q = m.copy(VectorXd::Ones(bias.size()));
    r.add(solve_with_multipliers(charted, x, x_dot, equations.M, b, Q).acceleration);
    r.add(solve_projected(charted, x, x_dot, equations.M, b, Q));
    const auto euler = lagrange(charted, x, x_dot);
    r.add(euler.M, euler.gravity);
    r.add(charted.from_model(q), charted.to_model(x), charted.velocity_map(x), charted.rates_map(x));
    r.add(charted.velocity_map_rate(x, x_dot), charted.constraint(x), charted.constraint_bias(x, x_dot));
  });
}

TEST_P(Addresses, ConversionsAndBlocks) {
  using namespace formulations;
  Workspace of_case(model_);
  const MatrixXd M = mass_matrix(model_, of_case, c_.q), J = jacobian(model_, of_case, c_.q, frame_);
  for (const auto other : {Convention::pinocchio, Convention::mujoco}) {
    const Conversion to(model_, other);
    expect_same_bits(c_.name + " to " + to_string(other), [&](Memory& m, Results& r) {
      const auto q = m.copy(c_.q), v = m.copy(c_.v), a = m.copy(c_.a);
      const auto there = to.to_state(q, v);
      const auto back = to.from_state(m.copy(there.q), m.copy(there.v));
      r.add(there.q, there.v, back.q, back.v);
      r.add(to.velocity_map(q), to.to_acceleration(q, v, a), to.from_acceleration(q, v, a), to.to_forces(q, a),
            to.from_forces(q, a));
      r.add(to.to_mass_matrix(q, m.columns(M)), to.from_mass_matrix(q, m.columns(M)), to.to_jacobian(q, m.columns(J)),
            to.from_jacobian(q, m.columns(J)), to.to_bias_forces(q, v, m.columns(M), a));
    });
  }
  if (model_.joints().front().type != JointType::free) return;
  expect_same_bits(c_.name + " in blocks", [&](Memory& m, Results& r) {
    Workspace w(model_);
    const auto q = m.copy(c_.q), v = m.copy(c_.v);
    r.add(coriolis_forces(model_, w, q, v), coriolis_and_gravity_forces(model_, w, q, v));
    const auto state = to_floating_base(model_, q, v);
    VectorXd q_back, v_back;
    from_floating_base(model_, state, q_back, v_back);
    r.add(q_back, v_back);
  });
}

TEST(Addresses, Charts) {
  for (const auto& name : chart_names()) {
    const auto chart = lissom::chart(name);
    VectorXd theta = VectorXd::LinSpaced(chart.size(), .3, .7);
    if (chart.constraints() > 0) theta = chart.coordinates(matrix(Quaternion<double>{.8, .2, .4, .4}));
    const Vec3<double> omega(.4, -.7, .2);
    expect_same_bits(name, [&](Memory& m, Results& r) {
      const auto x = m.copy(theta), rates = m.copy(chart.rates(theta, omega));
      r.add(chart.rotation(x));
      r.add(chart.rate_map(x), chart.rate_map_rate(x, rates), chart.rates(x, omega), chart.angular_velocity(x, rates));
      r.add(chart.constraint(x), chart.constraint_bias(x, rates), chart.inverse_condition(x));
    });
  }
}

TEST_P(Addresses, InverseKinematics) {
  Workspace w(model_);
  forward_kinematics(model_, w, integrate(model_, c_.q, c_.v, .1));
  const auto X = placement(model_, w, frame_);
  expect_same_bits(c_.name, [&](Memory& m, Results& r) {
    ik::Solver solver(model_, {ik::pose(frame_, X)});
    r.add(solver.solve(m.copy(c_.q), {.starts = 2}).q);
    ik::VelocitySolver velocities(model_);
    const auto task = ik::at_origin(frame_, {{.1, .2, .3}, {.3, .2, .1}});
    r.add(velocities.solve(m.copy(c_.q), {&task, 1}).v);
  });
}

TEST_P(Addresses, AControllersTicks) {
  expect_same_bits(c_.name, [&](Memory& m, Results& r) {
    const auto q = m.copy(c_.q), v = m.copy(c_.v);
    control::WholeBody controller(model_);
    const auto name = model_.frames()[std::size_t(frame_.index)].name;
    controller.add(control::PostureTask{.target = c_.q});
    controller.add(control::PointTask{.frame = name, .target = {.3, .2, .4}, .weight = 10});
    controller.add(control::MomentumTask{.weight = .01});
    for (int i = 0; i < 3; ++i) {
      const auto& tick = controller.solve(q, v);
      r.add(tick.torques, tick.accelerations, tick.com, tick.com_velocity);
    }
    RobotSnapshot robot(model_);
    EXPECT_TRUE(robot.update(q, v));
    r.add(robot.M, robot.h, robot.A, robot.momentum, robot.momentum_rate);
  });
}
INSTANTIATE_TEST_SUITE_P(Robots, Addresses, testing::Values(0, 1));

TEST(Addresses, QuadraticPrograms) {
  Random random(9);
  const int n = 23, equalities = 5, rows = 13;
  const MatrixXd root = MatrixXd(n, n).unaryExpr([&](double) { return random.uniform(-1, 1); });
  const auto matrix = [&](int k) {
    return MatrixXd(MatrixXd(k, n).unaryExpr([&](double) { return random.uniform(-1, 1); }));
  };
  const MatrixXd H = root * root.transpose() + .1 * MatrixXd::Identity(n, n), A = matrix(equalities), C = matrix(rows);
  const VectorXd g = random.vector(n, 1), b = random.vector(equalities, .2), one = VectorXd::Ones(rows),
                 bound = VectorXd::Constant(n, 1.5), weight = VectorXd::Unit(rows, 3) * 100;
  expect_same_bits("qp", [&](Memory& m, Results& r) {
    qp::Solver solver({.variables = n, .equalities = equalities, .rows = rows});
    const auto H_m = m.rows(H), A_m = m.rows(A), C_m = m.rows(C);
    const auto g_m = m.copy(g), b_m = m.copy(b), l = m.copy(-.1 * one), u = m.copy(.1 * one), lx = m.copy(-bound),
               ux = m.copy(bound), w = m.copy(weight);
    const auto& s = solver.solve(
        {.H = H_m, .g = g_m, .A = A_m, .b = b_m, .C = C_m, .l = l, .u = u, .lx = lx, .ux = ux, .weight = w});
    EXPECT_EQ(s.status, qp::Status::optimal) << s.reason;
    r.add(s.x);
    r.add(s.objective);
  });
}

TEST(Addresses, ClosedLoops) {
  auto description = load(LISSOM_MODELS_DIR "/arm7.urdf").description();
  const auto open = build(description);
  Random random(3);
  const VectorXd q = .5 * VectorXd::Ones(7);
  Workspace w(open);
  forward_kinematics(open, w, q);
  description.loops.push_back(
      {.name = "handle", .a = {"tool", {}}, .b = {"base", placement(open, w, open.frame("tool"))}});
  const auto model = build(description);
  Workspace work(model);
  ClosedLoops of_case(model);
  VectorXd v = random.vector(7, 1);
  of_case.project_velocity(model, work, q, v);
  const VectorXd tau = random.vector(7, 1);
  expect_same_bits("loops", [&](Memory& m, Results& r) {
    Workspace mine(model);
    ClosedLoops loops(model);
    const auto q_m = m.copy(q), v_m = m.copy(v), tau_m = m.copy(tau);
    const VectorXd a = forward_dynamics(model, mine, loops, q_m, v_m, tau_m);
    r.add(a);
    const auto torques = inverse_dynamics(model, mine, loops, q_m, v_m, m.copy(a), std::vector<bool>(7, true));
    r.add(torques.tau, torques.multipliers);
    const auto linear = linearize(model, mine, loops, q_m, v_m, tau_m);
    r.add(linear.A, linear.B);
    r.add(closed_directions(model, mine, loops, q_m, v_m));
  });
}

// Stances take only vectors of Eigen's own, which are aligned; but what a search has on the heap lies elsewhere each
// time. So do simulations.
TEST(Addresses, WhereTheHeapPutsThings) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  std::vector<std::unique_ptr<char[]>> between;
  expect_same_bits("stance and simulation", [&](Memory&, Results& r) {
    for (std::size_t size = 16; size < 2000; size += 16 + 16 * (between.size() % 5))
      between.push_back(std::make_unique<char[]>(size));
    const auto stance = find_stance(model, {.contacts = {{.frame = "left_sole"}, {.frame = "right_sole"}}});
    EXPECT_EQ(stance.status, StanceStatus::found) << stance.what;
    r.add(stance.q, stance.torques);
    VectorXd q = stance.q, v = VectorXd::Zero(model.nv());
    const auto robot = sim::contact_robot(model, {{.frame = "left_sole"}, {.frame = "right_sole"}}, q, v);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(robot->step(stance.torques)) << robot->failure();
    r.add(robot->q(), robot->v());
  });
}

}  // namespace
}  // namespace lissom::test::addresses
