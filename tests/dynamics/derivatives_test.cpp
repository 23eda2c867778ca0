// Derivatives of inverse and forward dynamics, and products with them, against dual numbers, differences and each
// other.
#include "close.h"
#include "dual_oracle.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test::derivatives {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const TreeOptions trees{.max_joints = 16, .armature = 0.3, .mimic = 0.2};

// A force on some frame, and the same as the kernels take it: in the frame of its body, about its origin.
struct ForceOnFrame {
  std::vector<ExternalForce> given;
  VectorXd per_body;
  ForceOnFrame(Case& c, Random& random) : per_body(VectorXd::Zero(6 * (c.model.body_count() + 1))) {
    if (c.seed % 3 == 0) {
      per_body.resize(0);
      return;
    }
    const ExternalForce force{c.some_frame(random), random.vec3(20), random.vec3(5), {}, world_frame};
    given.push_back(force);
    forward_kinematics(c.model, c.work, c.q);
    const auto& frame = c.model.frames()[std::size_t(force.on.index)];
    const auto X_WF = placement(c.model, c.work, force.on);
    // X_WB = X_WF X_FB
    const auto X_WB = X_WF * inverse(frame.placement);
    const auto arm = transpose_times(X_WB.R, Vec3<double>(0, 0, 0) - X_WB.p);  // the force acts at the world's origin
    const auto f = transpose_times(X_WB.R, force.force), t = transpose_times(X_WB.R, force.torque) + cross(arm, f);
    const double six[] = {t.x, t.y, t.z, f.x, f.y, f.z};
    for (int i = 0; i < 6; ++i) per_body[6 * frame.body + i] = six[i];
  }
};

TEST(Derivatives, OfInverseDynamicsAreThoseOfDualNumbers) {
  for_each_tree(
      trees,
      [](Case& c) {
        Random random(c.seed);
        const ForceOnFrame force(c, random);
        DualOracle oracle(c.model);
        for (int again = 0; again < 2; ++again) {  // another state in the same workspace
          const auto d = inverse_dynamics_derivatives(c.model, c.work, c.q, c.v, c.a, force.given);
          const VectorXd forces = again ? VectorXd() : force.per_body;
          if (again && !force.given.empty()) break;
          EXPECT_TRUE(close(d.dtau_dq, oracle.matrix(false, 0, c.q, c.v, c.a, forces), 1e-11));
          EXPECT_TRUE(close(d.dtau_dv, oracle.matrix(false, 1, c.q, c.v, c.a, forces), 1e-11));
          EXPECT_TRUE(close(d.M, oracle.matrix(false, 2, c.q, c.v, c.a, forces), 1e-11));
          EXPECT_TRUE(close(d.M, mass_matrix(c.model, c.work, c.q), 1e-12));
          c.q = random_configuration(c.model, random.seed()), c.v *= -0.7, c.a *= 2;
        }
      },
      400);
}

TEST(Derivatives, OfForwardDynamicsAreThoseOfDualNumbers) {
  for_each_tree(
      trees,
      [](Case& c) {
        Random random(c.seed);
        const ForceOnFrame force(c, random);
        DualOracle oracle(c.model);
        const auto d = forward_dynamics_derivatives(c.model, c.work, c.q, c.v, c.tau, force.given);
        EXPECT_TRUE(close(d.a, forward_dynamics(c.model, c.work, c.q, c.v, c.tau, force.given), 1e-9));
        EXPECT_TRUE(close(d.M_inverse, inverse_mass_matrix(c.model, c.work, c.q), 1e-9));
        const MatrixXd dq = oracle.matrix(true, 0, c.q, c.v, c.tau, force.per_body),
                       dv = oracle.matrix(true, 1, c.q, c.v, c.tau, force.per_body);
        EXPECT_TRUE(close(d.da_dq, dq, 1e-8));
        EXPECT_TRUE(close(d.da_dv, dv, 1e-8));
        EXPECT_TRUE(close(d.M_inverse, oracle.matrix(true, 2, c.q, c.v, c.tau, force.per_body), 1e-8));
        // M⁻¹ may be badly conditioned, but M ∂a/∂q = -∂tau/∂q holds as well as numbers allow.
        const auto id = inverse_dynamics_derivatives(c.model, c.work, c.q, c.v, d.a, force.given);
        const MatrixXd M = id.M;
        const double size = largest(id.M) * largest(d.da_dq) + largest(id.dtau_dq) + 1;
        EXPECT_TRUE(close(MatrixXd(M * d.da_dq), -MatrixXd(id.dtau_dq), 1e-12, size));
      },
      400);
}

TEST(Derivatives, ProductsAreThoseOfTheMatrices) {
  for_each_tree(trees, [](Case& c) {
    Random random(c.seed);
    const ForceOnFrame force(c, random);
    const int nv = c.model.nv();
    const VectorXd dq = random.vector(nv, 1), dv = random.vector(nv, 1), dx = random.vector(nv, 1),
                   weights = random.vector(nv, 1);
    const auto id = inverse_dynamics_derivatives(c.model, c.work, c.q, c.v, c.a, force.given);
    const double scale = largest(id.dtau_dq) + largest(id.dtau_dv) + largest(id.M) + 1;
    EXPECT_TRUE(close(inverse_dynamics_jvp(c.model, c.work, c.q, c.v, c.a, {dq, dv, dx}, force.given),
                      VectorXd(id.dtau_dq * dq + id.dtau_dv * dv + id.M * dx), 1e-12, nv * scale));
    const auto& g = inverse_dynamics_vjp(c.model, c.work, c.q, c.v, c.a, weights, force.given);
    EXPECT_TRUE(close(g.q, VectorXd(id.dtau_dq.transpose() * weights), 1e-12, nv * scale));
    EXPECT_TRUE(close(g.v, VectorXd(id.dtau_dv.transpose() * weights), 1e-12, nv * scale));
    EXPECT_TRUE(close(g.last, VectorXd(id.M.transpose() * weights), 1e-12, nv * scale));

    const auto fd = forward_dynamics_derivatives(c.model, c.work, c.q, c.v, c.tau, force.given);
    const double fd_scale = nv * (largest(fd.da_dq) + largest(fd.da_dv) + largest(fd.M_inverse) + 1);
    EXPECT_TRUE(close(forward_dynamics_jvp(c.model, c.work, c.q, c.v, c.tau, {dq, dv, dx}, force.given),
                      VectorXd(fd.da_dq * dq + fd.da_dv * dv + fd.M_inverse * dx), 1e-9, fd_scale));
    const auto& h = forward_dynamics_vjp(c.model, c.work, c.q, c.v, c.tau, weights, force.given);
    EXPECT_TRUE(close(h.q, VectorXd(fd.da_dq.transpose() * weights), 1e-9, fd_scale));
    EXPECT_TRUE(close(h.v, VectorXd(fd.da_dv.transpose() * weights), 1e-9, fd_scale));
    EXPECT_TRUE(close(h.last, VectorXd(fd.M_inverse.transpose() * weights), 1e-9, fd_scale));
  });
}

// Differences know nothing of the other formulas; they are as precise as half of the digits allow.
TEST(Derivatives, AreThoseOfDifferences) {
  for_each_tree(
      {.max_joints = 8, .armature = 0.3, .mimic = 0.2},
      [](Case& c) {
        const int nv = c.model.nv();
        const double step = 1e-5;
        const auto id = inverse_dynamics_derivatives(c.model, c.work, c.q, c.v, c.a);
        const auto move = integrate_derivatives(c.model, c.work, c.q, c.v, 0.3);
        const VectorXd end = integrate(c.model, c.q, c.v, 0.3);
        for (int j = 0; j < nv; ++j) {
          VectorXd e = VectorXd::Zero(nv);
          e[j] = step;
          const VectorXd plus = integrate(c.model, c.q, e), minus = integrate(c.model, c.q, -e);
          const auto tau = [&](const VectorXd& q, const VectorXd& v) -> VectorXd {
            return inverse_dynamics(c.model, c.work, q, v, c.a);
          };
          EXPECT_TRUE(close(id.dtau_dq.col(j), VectorXd((tau(plus, c.v) - tau(minus, c.v)) / (2 * step)), 1e-6,
                            largest(id.dtau_dq) + 1));
          EXPECT_TRUE(close(id.dtau_dv.col(j), VectorXd((tau(c.q, c.v + e) - tau(c.q, c.v - e)) / (2 * step)), 1e-6,
                            largest(id.dtau_dv) + 1));
          const auto change = [&](const VectorXd& from, const VectorXd& to) {
            return VectorXd((difference(c.model, end, to) - difference(c.model, end, from)) / (2 * step));
          };
          EXPECT_TRUE(close(move.dq.col(j),
                            change(integrate(c.model, minus, c.v, 0.3), integrate(c.model, plus, c.v, 0.3)), 1e-7,
                            largest(move.dq)));
          EXPECT_TRUE(close(move.dv.col(j),
                            change(integrate(c.model, c.q, c.v - e, 0.3), integrate(c.model, c.q, c.v + e, 0.3)), 1e-7,
                            largest(move.dq)));
        }
      },
      100);
}

TEST(Derivatives, IntegrateAtRest) {
  for_each_tree(
      {.mimic = 0.2},
      [](Case& c) {
        const int nv = c.model.nv();
        const auto move = integrate_derivatives(c.model, c.work, c.q, VectorXd::Zero(nv), 0.3);
        EXPECT_TRUE(close(move.dq, MatrixXd::Identity(nv, nv), 1e-14));
        EXPECT_TRUE(close(move.dv, MatrixXd(0.3 * MatrixXd::Identity(nv, nv)), 1e-14));
      },
      100);
}

// A step of the linear system is a step of the robot, to first order; the continuous one is its limit.
TEST(Derivatives, LinearizationPredictsSteps) {
  for_each_tree(
      {.max_joints = 6, .armature = 1, .mimic = 0.2},
      [](Case& c) {
        Random random(c.seed);
        const int nv = c.model.nv();
        const double dt = 1e-2, size = 1e-5;
        const auto step = [&](const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
          const VectorXd v1 = v + dt * forward_dynamics(c.model, c.work, q, v, tau);
          return std::pair(integrate(c.model, q, v1, dt), v1);
        };
        const auto x = linearize(c.model, c.work, c.q, c.v, c.tau, dt);
        const VectorXd dq = random.vector(nv, size), dv = random.vector(nv, size), du = random.vector(nv, size);
        const auto [q1, v1] = step(c.q, c.v, c.tau);
        const auto [qp, vp] = step(integrate(c.model, c.q, dq), c.v + dv, c.tau + du);
        const auto [qm, vm] = step(integrate(c.model, c.q, -dq), c.v - dv, c.tau - du);
        VectorXd found(2 * nv), before(2 * nv);
        found << (difference(c.model, q1, qp) - difference(c.model, q1, qm)) / 2, (vp - vm) / 2;
        before << dq, dv;
        const VectorXd expected = x.A * before + x.B * du;
        EXPECT_TRUE(close(found, expected, 1e-5, largest(expected)));

        const double small = 1e-6;
        const auto limit = linearize(c.model, c.work, c.q, c.v, c.tau, small),
                   y = linearize(c.model, c.work, c.q, c.v, c.tau);
        const MatrixXd rate = (limit.A - MatrixXd::Identity(2 * nv, 2 * nv)) / small;
        EXPECT_TRUE(close(rate, y.A, 1e-4, largest(y.A)));
        EXPECT_TRUE(close(MatrixXd(limit.B / small), y.B, 1e-4, largest(y.B) + 1));
      },
      100);
}

// The change of a result along e_j, by central differences.
template <class F>
MatrixXd differences(const Case& c, int columns, const F& result) {
  const int nv = c.model.nv();
  const double step = 1e-5;
  MatrixXd m;
  for (int j = 0; j < columns; ++j) {
    VectorXd e = VectorXd::Zero(nv);
    e[j % nv] = step;
    const VectorXd change = (result(j / nv, e) - result(j / nv, VectorXd(-e))) / (2 * step);
    if (j == 0) m.resize(change.size(), columns);
    m.col(j) = change;
  }
  return m;
}

// Eigen allocates the blocks of products of large matrices, and wide registers need them aligned.
TEST(Derivatives, LinearizationOfALargeRobot) {
  auto c = random_case(1, {.min_joints = 250, .max_joints = 250});
  const int nv = c.model.nv();
  ASSERT_GT(nv, 200);
  const auto d = linearize(c.model, c.work, c.q, c.v, c.tau, 1e-3);
  const auto f = forward_dynamics_derivatives(c.model, c.work, c.q, c.v, c.tau);
  const VectorXd v1 = c.v + 1e-3 * f.a;
  const auto move = integrate_derivatives(c.model, c.work, c.q, v1, 1e-3);
  MatrixXd top = MatrixXd(move.dv).lazyProduct(d.A.bottomRows(nv));
  top.leftCols(nv) += move.dq;
  EXPECT_TRUE(close(d.A.topRows(nv), top, 1e-12));
  EXPECT_TRUE(close(d.B.topRows(nv), MatrixXd(MatrixXd(move.dv).lazyProduct(d.B.bottomRows(nv))), 1e-12));
}

TEST(Derivatives, OfJacobiansAndCentroidalMomentum) {
  for_each_tree(
      {.max_joints = 10, .mimic = 0.2},
      [](Case& c) {
        Random random(c.seed);
        const int nv = c.model.nv();
        const auto of = c.some_frame(random);
        const MatrixXd H = jacobian_derivatives(c.model, c.work, c.q, of);
        EXPECT_TRUE(close(H,
                          differences(c, nv,
                                      [&](int, const VectorXd& e) {
                                        const MatrixXd J = jacobian(c.model, c.work, integrate(c.model, c.q, e), of);
                                        return VectorXd(Eigen::Map<const VectorXd>(J.data(), J.size()));
                                      }),
                          1e-7, largest(H) + 1));
        // Along the motion, it gives the rate of the Jacobian.
        const MatrixXd J_dot = jacobian_rate(c.model, c.work, c.q, c.v, of);
        const VectorXd along = H * c.v;
        EXPECT_TRUE(close(Eigen::Map<const MatrixXd>(along.data(), 6, nv), J_dot, 1e-11, largest(H) + 1));
        const MatrixXd dh = centroidal_momentum_derivatives(c.model, c.work, c.q, c.v);
        EXPECT_TRUE(close(dh,
                          differences(c, nv,
                                      [&](int, const VectorXd& e) {
                                        return VectorXd(
                                            centroidal_momentum(c.model, c.work, integrate(c.model, c.q, e), c.v));
                                      }),
                          1e-7, largest(dh) + 1));
      },
      100);
}

TEST(Derivatives, SecondOrderIsThatOfGradients) {
  for_each_tree(
      {.max_joints = 5, .armature = 0.5, .mimic = 0.2},
      [](Case& c) {
        Random random(c.seed);
        const int nv = c.model.nv();
        const VectorXd weights = random.vector(nv, 1);
        const auto moved = [&](int which, const VectorXd& e, const VectorXd& third, auto gradient) {
          const VectorXd q = which == 0 ? integrate(c.model, c.q, e) : c.q, v = which == 1 ? VectorXd(c.v + e) : c.v,
                         x = which == 2 ? VectorXd(third + e) : third;
          const DynamicsGradient g = gradient(q, v, x);
          VectorXd all(3 * nv);
          all << g.q, g.v, g.last;
          return all;
        };
        const Matrix inverse = inverse_dynamics_second_order(c.model, c.work, c.q, c.v, c.a, weights);
        EXPECT_TRUE(close(inverse,
                          differences(c, 3 * nv,
                                      [&](int which, const VectorXd& e) {
                                        return moved(which, e, c.a,
                                                     [&](const VectorXd& q, const VectorXd& v, const VectorXd& a) {
                                                       return inverse_dynamics_vjp(c.model, c.work, q, v, a, weights);
                                                     });
                                      }),
                          1e-6, largest(inverse) + 1));
        const Matrix forward = forward_dynamics_second_order(c.model, c.work, c.q, c.v, c.tau, weights);
        EXPECT_TRUE(close(forward,
                          differences(c, 3 * nv,
                                      [&](int which, const VectorXd& e) {
                                        return moved(which, e, c.tau,
                                                     [&](const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
                                                       return forward_dynamics_vjp(c.model, c.work, q, v, tau, weights);
                                                     });
                                      }),
                          1e-5, largest(forward) + 1));
      },
      50);
}

// A link that is heavier or lighter accelerates otherwise: π is linear in what a description says of a link's mass.
TEST(Derivatives, WithRespectToInertialParametersAreDifferences) {
  int parameters = 0;
  for_each_tree(
      {.min_joints = 2, .max_joints = 8, .fixed_links = false, .armature = 0.3, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        const FrameId on = c.some_frame(random);
        const std::vector<ExternalForce> force{{on, {1, -2, 3}, {0.5, 1, -1}, {on, {0.1, 0, 0.2}}}};
        const MatrixXd da = forward_dynamics_parameter_derivatives(c.model, c.work, c.q, c.v, c.tau, force);
        const auto some = std::size_t(random.integer(0, int(c.description.links.size()) - 1));
        const auto scaled = [&](double scale) {  // the mass and the inertia of one link
          Description d = c.description;
          d.links[some].mass *= scale;
          auto& I = d.links[some].inertia;
          for (double* const x : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *x *= scale;
          return build(d, c.options);
        };
        const double e = 1e-4;
        const auto above = scaled(1 + e), below = scaled(1 - e);
        Workspace first(above), second(below);
        const VectorXd measured = (forward_dynamics(above, first, c.q, c.v, c.tau, force) -
                                   forward_dynamics(below, second, c.q, c.v, c.tau, force)) /
                                  (2 * e);
        const VectorXd change = (inertial_parameters(above) - inertial_parameters(below)) / (2 * e);
        parameters += int((change.array() != 0).count());
        EXPECT_TRUE(close(da * change, measured, 1e-6, larger(1.0, largest(measured))));
      },
      60);
  EXPECT_GT(parameters, 300);
}

TEST(Derivatives, RefuseWrongArguments) {
  auto c = random_case(3);
  const int nv = c.model.nv();
  const VectorXd longer = VectorXd::Zero(nv + 1), zero = VectorXd::Zero(nv);
  VectorXd nan = zero;
  nan[0] = std::nan("");
  const auto message = [](auto f) {
    try {
      f();
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message([&] { inverse_dynamics_derivatives(c.model, c.work, c.q, longer, c.a); }),
            "v has " + std::to_string(nv + 1) + " elements, expected " + std::to_string(nv));
  EXPECT_EQ(message([&] { forward_dynamics_derivatives(c.model, c.work, c.q, c.v, nan); }), "tau[0] is NaN");
  EXPECT_EQ(message([&] { inverse_dynamics_jvp(c.model, c.work, c.q, c.v, c.a, {zero, zero, nan}); }), "da[0] is NaN");
  EXPECT_EQ(message([&] { forward_dynamics_vjp(c.model, c.work, c.q, c.v, c.tau, longer); }),
            "weights has " + std::to_string(nv + 1) + " elements, expected " + std::to_string(nv));
  EXPECT_NE(message([&] { linearize(c.model, c.work, c.q, c.v, c.tau, 0); }), "no error");
  Matrix small(nv, nv + 1), good(nv, nv);
  EXPECT_NE(message([&] { inverse_dynamics_derivatives(c.model, c.work, c.q, c.v, c.a, {}, small, good, good); }),
            "no error");
}

}  // namespace
}  // namespace lissom::test::derivatives
