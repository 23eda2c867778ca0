// Every function has its own result, and an overload that writes the same bits into the caller's array; functions
// without q read what forward_kinematics has left, or throw.
#include <functional>

#include "close.h"
#include "largest.h"
#include "lissom/kernels/kernels.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void expect_own_results(Case& c) {
  const auto& m = c.model;
  auto& w = c.work;
  const auto &q = c.q, &v = c.v, &a = c.a, &tau = c.tau;
  Random random(c.seed);
  const FrameId of = c.some_frame(random);
  struct Result {
    const char* name;
    std::function<MatrixXd()> now;  // value of the reference
    MatrixXd then;                  // its value when it was returned
  };
  std::vector<Result> results;
  const auto keep = [&](const char* name, const auto& reference) {
    results.push_back({name, [&reference] { return MatrixXd(reference); }, MatrixXd(reference)});
  };
  const auto M = mass_matrix(m, w, q), C = coriolis_matrix(m, w, q, v), M_inverse = inverse_mass_matrix(m, w, q);
  keep("mass_matrix", M), keep("coriolis_matrix", C), keep("inverse_mass_matrix", M_inverse);
  keep("inverse_dynamics", inverse_dynamics(m, w, q, v, a));
  keep("bias_forces", bias_forces(m, w, q, v));
  keep("gravity_forces", gravity_forces(m, w, q));
  keep("forward_dynamics", forward_dynamics(m, w, q, v, tau));
  keep("jacobian", jacobian(m, w, q, of));
  keep("jacobian_rate", jacobian_rate(m, w, q, v, of));
  keep("joint_jacobians", joint_jacobians(m, w, q));
  keep("center_of_mass_jacobian", center_of_mass_jacobian(m, w, q));
  keep("centroidal_map", centroidal_map(m, w, q));
  keep("centroidal_momentum", centroidal_momentum(m, w, q, v));
  keep("centroidal_momentum_rate", centroidal_momentum_rate(m, w, q, v, a));
  keep("regressor", regressor(m, w, q, v, a));
  const std::vector<ExternalForce> push{{of, {1, 2, 3}, {4, 5, 6}, {}, of}};
  generalized_forces(m, w, q, push);
  equilibrium_torques(m, w, q, push);
  center_of_mass(m, w, q), kinetic_energy(m, w, q, v), potential_energy(m, w, q);
  for (const auto& r : results) EXPECT_TRUE(identical(r.now(), r.then)) << r.name;
}

TEST(Results, NoFunctionWritesAnothersResult) {
  for_each_tree({}, expect_own_results, 30);
  for_each_tree({.armature = 0.3, .mimic = 0.4}, expect_own_results, 30);
}

#define EXPECT_SAME(result, call, ...)                                                                  \
  do {                                                                                                  \
    (result).setConstant(7);                                                                            \
    call(c.model, c.work __VA_OPT__(, ) __VA_ARGS__, result);                                           \
    const MatrixXd found = result;                                                                      \
    EXPECT_TRUE(identical(found, MatrixXd(call(c.model, c.work __VA_OPT__(, ) __VA_ARGS__)))) << #call; \
  } while (false)

// What forward_kinematics has left.
void expect_same_without_q(Case& c) {
  const int nv = c.model.nv();
  Columns6 A(6, nv);
  MatrixXd any_size(6, nv);
  Eigen::Matrix3Xd J(3, nv);
  VectorXd h(6);
  forward_kinematics(c.model, c.work, random_configuration(c.model, c.seed + 9), c.v, c.a);
  EXPECT_SAME(A, centroidal_map);
  EXPECT_SAME(any_size, centroidal_map);
  EXPECT_SAME(J, center_of_mass_jacobian);
  EXPECT_SAME(h, centroidal_momentum);
  EXPECT_SAME(h, centroidal_momentum_rate);
}

void expect_same_in_callers_arrays(Case& c) {
  const auto& m = c.model;
  auto& w = c.work;
  const auto &q = c.q, &v = c.v, &a = c.a, &tau = c.tau;
  const int nv = m.nv();
  Random random(c.seed);
  const FrameId of = c.some_frame(random), in = c.some_frame(random);
  const Point at{c.some_frame(random), random.vec3(1)};
  const std::vector<ExternalForce> push{{of, {1, 2, 3}, {4, 5, 6}, at, in}};
  VectorXd x(nv), six(6), parameters(10 * m.body_count());
  Matrix square(nv, nv);
  Columns6 J(6, nv);
  MatrixXd large = MatrixXd::Zero(9, nv), Y(nv, 10 * m.body_count());
  const auto block = large.middleRows<6>(2);
  Eigen::Matrix3Xd J_com(3, nv);
  EXPECT_SAME(x, inverse_dynamics, q, v, a);
  EXPECT_SAME(x, inverse_dynamics, q, v, a, push);
  EXPECT_SAME(x, forward_dynamics, q, v, tau);
  EXPECT_SAME(x, forward_dynamics, q, v, tau, push);
  EXPECT_SAME(x, bias_forces, q, v);
  EXPECT_SAME(x, gravity_forces, q);
  EXPECT_SAME(x, generalized_forces, q, push);
  EXPECT_SAME(x, equilibrium_torques, q, push);
  EXPECT_SAME(square, mass_matrix, q);
  EXPECT_SAME(square, inverse_mass_matrix, q);
  EXPECT_SAME(square, coriolis_matrix, q, v);
  EXPECT_SAME(J, centroidal_map, q);
  EXPECT_SAME(J, joint_jacobians, q);
  EXPECT_SAME(J, jacobian, q, of);
  EXPECT_SAME(J, jacobian, q, of, at, in);
  EXPECT_SAME(J, jacobian, of, at, in);
  EXPECT_SAME(J, jacobian, of);
  EXPECT_SAME(J, jacobian_rate, q, v, of);
  EXPECT_SAME(J, jacobian_rate, q, v, of, at, in);
  EXPECT_SAME(J, jacobian_rate, of, at, in);
  EXPECT_SAME(J, jacobian_rate, of);
  EXPECT_SAME(J_com, center_of_mass_jacobian, q);
  EXPECT_SAME(six, centroidal_momentum, q, v);
  EXPECT_SAME(six, centroidal_momentum_rate, q, v, a);
  EXPECT_SAME(Y, regressor, q, v, a);
  inertial_parameters(m, parameters);
  EXPECT_TRUE(identical(parameters, inertial_parameters(m)));
  // Into rows of a larger matrix, and nowhere else.
  jacobian(m, w, q, of, at, in, large.middleRows<6>(2));
  EXPECT_TRUE(identical(MatrixXd(block), MatrixXd(jacobian(m, w, of, at, in))));
  EXPECT_TRUE(large.topRows<2>().isZero(0) && large.bottomRows<1>().isZero(0));
}

#undef EXPECT_SAME

TEST(Results, CallersArraysGetTheSameBits) {
  for_each_tree({}, expect_same_in_callers_arrays, 30);
  for_each_tree({.armature = 0.3, .mimic = 0.4}, expect_same_in_callers_arrays, 30);
  for_each_tree({.mimic = 0.4}, expect_same_without_q, 30);
}

void expect_same_linearization(Case& c) {
  const int nv = c.model.nv();
  Matrix A = Matrix::Constant(2 * nv, 2 * nv, 7), B = Matrix::Constant(2 * nv, nv, 7);
  const auto found = [&](const Linearization& expected) {
    return identical(MatrixXd(A), MatrixXd(expected.A)) && identical(MatrixXd(B), MatrixXd(expected.B));
  };
  linearize(c.model, c.work, c.q, c.v, c.tau, A, B);
  EXPECT_TRUE(found(linearize(c.model, c.work, c.q, c.v, c.tau)));
  linearize(c.model, c.work, c.q, c.v, c.tau, 0.01, A, B);
  EXPECT_TRUE(found(linearize(c.model, c.work, c.q, c.v, c.tau, 0.01)));
}

void expect_same_state_and_factor(Case& c) {
  const auto q1 = random_configuration(c.model, c.seed + 5);
  VectorXd q(c.model.nq()), D(c.model.nv());
  Matrix L(c.model.nv(), c.model.nv());
  interpolate(c.model, c.q, q1, 0.3, q);
  EXPECT_TRUE(identical(q, interpolate(c.model, c.q, q1, 0.3)));
  EXPECT_TRUE(close(q, integrate(c.model, c.q, difference(c.model, c.q, q1), 0.3), 1e-13, 10));
  auto factor = factorize_mass_matrix(c.model, c.work, c.q);
  factor.L(L), factor.D(D);
  EXPECT_TRUE(identical(MatrixXd(L), MatrixXd(factor.L())));
  EXPECT_TRUE(identical(D, factor.D()));
  EXPECT_TRUE(close(L.transpose() * D.asDiagonal() * L, mass_matrix(c.model, c.work, c.q), 1e-9, largest(D)));
}

TEST(Results, CallersArraysOfStatesFactorsAndLinearizations) {
  for_each_tree({}, expect_same_state_and_factor, 30);
  for_each_tree({}, expect_same_linearization, 30);
}

// A matrix is never read as a vector, nor a vector as columns: the call does not compile, or is that of another
// overload.
TEST(Results, MatricesAreNoVectors) {
  static_assert(!std::is_convertible_v<MatrixXd, VectorIn> && !std::is_convertible_v<Columns6, VectorIn>);
  static_assert(!std::is_convertible_v<MatrixXd&, VectorOut> && !std::is_convertible_v<Matrix&, VectorOut>);
  static_assert(!std::is_convertible_v<VectorXd&, Columns6Out> && !std::is_convertible_v<Matrix&, Columns6Out>);
  static_assert(!std::is_convertible_v<Columns6&, Columns3Out> && std::is_convertible_v<MatrixXd&, Columns3Out>);
  static_assert(std::is_convertible_v<Eigen::RowVectorXd, VectorIn> && std::is_convertible_v<Vector6, VectorIn>);
  static_assert(std::is_convertible_v<MatrixXd::ColXpr, VectorOut>);
}

TEST(Results, TwoFramesDoNotAliasInArraysOfTheirOwn) {
  for_each_tree(
      {},
      [](Case& c) {
        Random random(c.seed);
        const FrameId left = c.some_frame(random), right = c.some_frame(random);
        Columns6 J_right(6, c.model.nv());
        forward_kinematics(c.model, c.work, c.q);
        const auto& J_left = jacobian(c.model, c.work, left);
        const Columns6 before = J_left;
        jacobian(c.model, c.work, right, J_right);
        EXPECT_TRUE(identical(MatrixXd(J_left), MatrixXd(before)));
        EXPECT_TRUE(identical(MatrixXd(J_right), MatrixXd(jacobian(c.model, c.work, c.q, right))));
      },
      30);
}

void expect_same_after_forward_kinematics(Case& c) {
  const auto& m = c.model;
  Random random(c.seed);
  const FrameId of = c.some_frame(random), in = c.some_frame(random);
  const Point at{c.some_frame(random), random.vec3(1)};
  Workspace fresh(m);
  forward_kinematics(m, c.work, c.q, c.v, c.a);
  EXPECT_TRUE(identical(MatrixXd(jacobian(m, c.work, of, at, in)), MatrixXd(jacobian(m, fresh, c.q, of, at, in))));
  // (Passes with and without accelerations have different rounding errors in velocities.)
  EXPECT_TRUE(close(jacobian_rate(m, c.work, of, at, in), jacobian_rate(m, fresh, c.q, c.v, of, at, in), 1e-12, 10));
  EXPECT_TRUE(identical(to_eigen(center_of_mass(m, c.work)), to_eigen(center_of_mass(m, fresh, c.q))));
  EXPECT_TRUE(
      identical(MatrixXd(center_of_mass_jacobian(m, c.work)), MatrixXd(center_of_mass_jacobian(m, fresh, c.q))));
  EXPECT_TRUE(identical(MatrixXd(centroidal_map(m, c.work)), MatrixXd(centroidal_map(m, fresh, c.q))));
  EXPECT_TRUE(close(centroidal_momentum(m, c.work), centroidal_momentum(m, fresh, c.q, c.v), 1e-12, 10));
  EXPECT_TRUE(identical(centroidal_momentum_rate(m, c.work), centroidal_momentum_rate(m, fresh, c.q, c.v, c.a)));
  EXPECT_TRUE(close(kinetic_energy(m, c.work), kinetic_energy(m, fresh, c.q, c.v), 1e-12, 10));
  EXPECT_EQ(potential_energy(m, c.work), potential_energy(m, fresh, c.q));
  EXPECT_EQ(c.work.stage(), Stage::accelerations);
}

TEST(Results, CallsWithoutQReadWhatForwardKinematicsLeft) {
  for_each_tree({}, expect_same_after_forward_kinematics, 30);
  for_each_tree({.armature = 0.5, .mimic = 0.4}, expect_same_after_forward_kinematics, 30);
}

// Factors are independent of each other, whatever is factorized or solved in between with the same workspace.
void expect_own_factors(Case& c) {
  const auto q2 = random_configuration(c.model, c.seed + 7);
  auto factor = factorize_mass_matrix(c.model, c.work, c.q), other = factorize_mass_matrix(c.model, c.work, q2);
  const VectorXd x = factor.solve(c.tau), y = other.solve(c.tau);
  inverse_mass_matrix(c.model, c.work, q2);
  forward_dynamics(c.model, c.work, q2, c.a, c.v);
  MassMatrixFactor moved = std::move(other);
  EXPECT_TRUE(identical(factor.solve(c.tau), x));
  EXPECT_TRUE(identical(moved.solve(c.tau), y));
  EXPECT_TRUE(close(mass_matrix(c.model, c.work, c.q) * x, c.tau, 1e-8, largest(x)));
}

TEST(Results, AFactorBelongsToItsOwner) {
  for_each_tree({}, expect_own_factors, 30);
  for_each_tree({.armature = 0.3, .mimic = 0.4}, expect_own_factors, 30);
}

class Stages : public ::testing::Test {
 protected:
  const Model model = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  Workspace work{model};
  const VectorXd q = random_configuration(model, 1), v = VectorXd::Ones(model.nv());
  const FrameId hand{int(model.frames().size()) - 1};

  static std::string refusal(const std::function<void()>& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Stages, WhatWasNotComputedIsRefusedWithWhatToCall) {
  EXPECT_EQ(work.stage(), Stage::none);
  EXPECT_EQ(refusal([&] { placement(model, work, hand); }),
            "placement: the workspace has nothing yet; call forward_kinematics(model, work, q) first");
  EXPECT_NE(refusal([&] { jacobian(model, work, hand); }), "");
  EXPECT_NE(refusal([&] { center_of_mass(model, work); }), "");
  EXPECT_NE(refusal([&] { potential_energy(model, work); }), "");
  forward_kinematics(model, work, q);
  placement(model, work, hand), jacobian(model, work, hand);
  EXPECT_EQ(refusal([&] { velocity(model, work, hand); }),
            "velocity: the workspace has positions only; call forward_kinematics(model, work, q, v) first");
  EXPECT_NE(refusal([&] { jacobian_rate(model, work, hand); }), "");
  EXPECT_NE(refusal([&] { kinetic_energy(model, work); }), "");
  EXPECT_NE(refusal([&] { centroidal_momentum(model, work); }), "");
  forward_kinematics(model, work, q, v);
  velocity(model, work, hand), kinetic_energy(model, work);
  EXPECT_EQ(refusal([&] { acceleration(model, work, hand); }),
            "acceleration: the workspace has positions and velocities; call forward_kinematics(model, work, q, v, a) "
            "first");
  EXPECT_NE(refusal([&] { centroidal_momentum_rate(model, work); }), "");
}

// Stale velocities are not returned after a call that changed the poses.
TEST_F(Stages, CallsThatMoveTheBodiesSetTheStage) {
  const std::vector<ExternalForce> push{{hand, {1, 2, 3}, {4, 5, 6}, {}, hand}};
  const auto stage_after = [&](const std::function<void()>& call) {
    forward_kinematics(model, work, q, v, v);
    call();
    return work.stage();
  };
  const std::function<void()> to_positions[] = {
      [&] { forward_kinematics(model, work, q); },
      [&] { jacobian(model, work, q, hand); },
      [&] { joint_jacobians(model, work, q); },
      [&] { center_of_mass(model, work, q); },
      [&] { center_of_mass_jacobian(model, work, q); },
      [&] { centroidal_map(model, work, q); },
      [&] { potential_energy(model, work, q); },
      [&] { inverse_dynamics(model, work, q, v, v, push); },
      [&] { forward_dynamics(model, work, q, v, v, push); },
      [&] { generalized_forces(model, work, q, push); },
  };
  for (const auto& call : to_positions) {
    EXPECT_EQ(stage_after(call), Stage::positions);
    EXPECT_NE(refusal([&] { velocity(model, work, hand); }), "");
  }
  EXPECT_EQ(stage_after([&] { kinetic_energy(model, work, q, v); }), Stage::velocities);
  EXPECT_EQ(stage_after([&] { centroidal_momentum(model, work, q, v); }), Stage::velocities);
  const std::function<void()> leave_it[] = {
      [&] { inverse_dynamics(model, work, q, v, v); },
      [&] { forward_dynamics(model, work, q, v, v); },
      [&] { mass_matrix(model, work, q); },
      [&] { inverse_mass_matrix(model, work, q); },
      [&] { bias_forces(model, work, q, v); },
      [&] { gravity_forces(model, work, q); },
      [&] { coriolis_matrix(model, work, q, v); },
      [&] { jacobian(model, work, hand); },
      [&] { regressor(model, work, q, v, v); },
  };
  for (const auto& call : leave_it) EXPECT_EQ(stage_after(call), Stage::accelerations);
  // A call that throws does not change it, either.
  EXPECT_EQ(stage_after([&] { refusal([&] { forward_kinematics(model, work, VectorXd()); }); }), Stage::accelerations);
}

TEST_F(Stages, WhatIsLeftIsThatOfTheLastState) {
  const VectorXd other = random_configuration(model, 2);
  Workspace fresh(model);
  forward_kinematics(model, work, q);
  for (const auto& call : std::initializer_list<std::function<void()>>{
           [&] { joint_jacobians(model, work, other); }, [&] { centroidal_map(model, work, other); },
           [&] { kinetic_energy(model, work, other, v); }, [&] { potential_energy(model, work, other); }}) {
    forward_kinematics(model, work, q, v, v);
    call();
    forward_kinematics(model, fresh, other);
    EXPECT_TRUE(identical(to_eigen(placement(model, work, hand).p), to_eigen(placement(model, fresh, hand).p)));
  }
}

TEST_F(Stages, AWorkspaceTakesATableOfKernels) {
  auto table = single_kernels();
  static int calls;
  calls = 0;
  table.placements = [](const ModelView<double>& view, KernelScratch& scratch, const double* at) {
    ++calls;
    single_kernels().placements(view, scratch, at);
  };
  Workspace own(model, table);
  forward_kinematics(model, own, q);
  forward_kinematics(model, work, q);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(identical(to_eigen(placement(model, own, hand).p), to_eigen(placement(model, work, hand).p)));
  EXPECT_EQ(refusal([&] { Workspace(model, lane_kernels<double>()); }).substr(0, 13),
            lane_kernels<double>().width == 1 ? "" : "kernels.width");
}

TEST_F(Stages, CallersArraysOfAnotherSizeAreRefused) {
  VectorXd longer(model.nv() + 1);
  Matrix square(model.nv(), model.nv() + 1);
  EXPECT_EQ(refusal([&] { bias_forces(model, work, q, v, longer); }), "h has 8 elements, expected 7");
  EXPECT_EQ(refusal([&] { mass_matrix(model, work, q, square); }), "M is 7 × 8, expected 7 × 7");
  Columns6 J(6, model.nv() - 1);
  EXPECT_EQ(refusal([&] { jacobian(model, work, q, hand, J); }), "J is 6 × 6, expected 6 × 7");
}

}  // namespace
}  // namespace lissom::test
