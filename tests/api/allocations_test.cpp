// After construction nothing allocates: all calls of allocation functions are counted.
#include <new>

#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

#define EXPECT_NO_ALLOCATION(call)                  \
  do {                                              \
    const long before = allocations;                \
    (void)(call);                                   \
    const long after = allocations;                 \
    EXPECT_EQ(after - before, 0) << "by " << #call; \
  } while (false)
#define EXPECT_NO_ALLOCATION_OF(call) EXPECT_NO_ALLOCATION(((call), 0))

class Allocations : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!counting_allocations) GTEST_SKIP() << "the sanitizers have a heap of their own";
  }
};

TEST_F(Allocations, AreCounted) {
  const long before = allocations;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(100);
  EXPECT_GT(allocations, before);
  // (Called as functions: compilers may remove pairs of new and delete expressions.)
  const long middle = allocations;
  ::operator delete(::operator new(80));
  EXPECT_GT(allocations, middle);
  const long last = allocations;
  ::operator delete(::operator new(64, std::align_val_t(64)), std::align_val_t(64));
  EXPECT_GT(allocations, last);
}

void expect_none_by_parameters(Case& c) {
  prepare_derivatives(c.model, c.work);
  prepare_matrices(c.model, c.work);
  Eigen::MatrixXd da(c.model.nv(), 10 * c.model.body_count());
  EXPECT_NO_ALLOCATION_OF(forward_dynamics_parameter_derivatives(c.model, c.work, c.q, c.v, c.tau, {}, da));
}

// Second derivatives have memory of their own since their first call.
void expect_none_by_second_order(Case& c) {
  const auto& m = c.model;
  auto& w = c.work;
  const auto &q = c.q, &v = c.v, &a = c.a, &tau = c.tau;
  const int nv = m.nv();
  const FrameId of{int(m.frames().size()) - 1};
  Eigen::MatrixXd dJ(6 * nv, nv);
  Columns6 dh(6, nv);
  Matrix H(3 * nv, 3 * nv);
  prepare_derivatives(m, w);
  jacobian_derivatives(m, w, q, of, dJ);
  EXPECT_NO_ALLOCATION_OF(jacobian_derivatives(m, w, q, of, dJ));
  EXPECT_NO_ALLOCATION_OF(centroidal_momentum_derivatives(m, w, q, v, dh));
  EXPECT_NO_ALLOCATION_OF(inverse_dynamics_second_order(m, w, q, v, a, tau, H));
  EXPECT_NO_ALLOCATION_OF(forward_dynamics_second_order(m, w, q, v, tau, a, H));
}

void expect_none(Case& c) {
  const auto& m = c.model;
  auto& w = c.work;
  const auto &q = c.q, &v = c.v, &a = c.a, &tau = c.tau;
  Random random(c.seed);
  const FrameId of = c.some_frame(random), in = c.some_frame(random);
  const Point at{c.some_frame(random), {0.1, 0.2, 0.3}};
  const std::vector<ExternalForce> forces{{of, {1, 2, 3}, {4, 5, 6}, at, in}, {in, {1, 0, 0}, {0, 0, 1}, {}, of}};

  prepare_derivatives(m, w), prepare_matrices(m, w);
  const DynamicsDirection direction{v, a, tau};
  EXPECT_NO_ALLOCATION(inverse_dynamics_derivatives(m, w, q, v, a, forces));
  EXPECT_NO_ALLOCATION(forward_dynamics_derivatives(m, w, q, v, tau, forces));
  EXPECT_NO_ALLOCATION(&inverse_dynamics_jvp(m, w, q, v, a, direction, forces));
  EXPECT_NO_ALLOCATION(&inverse_dynamics_vjp(m, w, q, v, a, tau, forces));
  EXPECT_NO_ALLOCATION(&forward_dynamics_jvp(m, w, q, v, tau, direction, forces));
  EXPECT_NO_ALLOCATION(&forward_dynamics_vjp(m, w, q, v, tau, a, forces));
  EXPECT_NO_ALLOCATION(integrate_derivatives(m, w, q, v, 0.1));
  EXPECT_NO_ALLOCATION_OF(forward_kinematics(m, w, q));
  EXPECT_NO_ALLOCATION_OF(forward_kinematics(m, w, q, v));
  EXPECT_NO_ALLOCATION_OF(forward_kinematics(m, w, q, v, a));
  EXPECT_NO_ALLOCATION(placement(m, w, of));
  EXPECT_NO_ALLOCATION(&jacobian(m, w, of, at, in));
  EXPECT_NO_ALLOCATION(&jacobian_rate(m, w, of, at, in));
  EXPECT_NO_ALLOCATION(center_of_mass(m, w));
  EXPECT_NO_ALLOCATION(&centroidal_momentum_rate(m, w));
  EXPECT_NO_ALLOCATION(kinetic_energy(m, w));
  EXPECT_NO_ALLOCATION(velocity(m, w, of));
  EXPECT_NO_ALLOCATION(velocity(m, w, of, at, in));
  EXPECT_NO_ALLOCATION(acceleration(m, w, of));
  EXPECT_NO_ALLOCATION(acceleration(m, w, of, at, in));
  EXPECT_NO_ALLOCATION(&jacobian(m, w, q, of));
  EXPECT_NO_ALLOCATION(&jacobian(m, w, q, of, at, in));
  EXPECT_NO_ALLOCATION(&jacobian_rate(m, w, q, v, of));
  EXPECT_NO_ALLOCATION(&jacobian_rate(m, w, q, v, of, at, in));
  EXPECT_NO_ALLOCATION(&joint_jacobians(m, w, q));
  EXPECT_NO_ALLOCATION(center_of_mass(m, w, q));
  EXPECT_NO_ALLOCATION(&center_of_mass_jacobian(m, w, q));
  EXPECT_NO_ALLOCATION(&inverse_dynamics(m, w, q, v, a));
  EXPECT_NO_ALLOCATION(&inverse_dynamics(m, w, q, v, a, forces));
  EXPECT_NO_ALLOCATION(&forward_dynamics(m, w, q, v, tau));
  EXPECT_NO_ALLOCATION(&forward_dynamics(m, w, q, v, tau, forces));
  EXPECT_NO_ALLOCATION(mass_matrix(m, w, q));
  EXPECT_NO_ALLOCATION(&bias_forces(m, w, q, v));
  EXPECT_NO_ALLOCATION(&gravity_forces(m, w, q));
  EXPECT_NO_ALLOCATION(coriolis_matrix(m, w, q, v));
  MassMatrixFactor factor(m);
  EXPECT_NO_ALLOCATION_OF(factor.factorize(m, w, q));
  EXPECT_NO_ALLOCATION(&factor.solve(tau));
  EXPECT_NO_ALLOCATION(factor.inverse(w));
  EXPECT_NO_ALLOCATION(factor.L());
  EXPECT_NO_ALLOCATION(&factor.D());
  EXPECT_NO_ALLOCATION(inverse_mass_matrix(m, w, q));
  EXPECT_NO_ALLOCATION(&centroidal_map(m, w, q));
  EXPECT_NO_ALLOCATION(&centroidal_momentum(m, w, q, v));
  EXPECT_NO_ALLOCATION(&centroidal_momentum_rate(m, w, q, v, a));
  EXPECT_NO_ALLOCATION(kinetic_energy(m, w, q, v));
  EXPECT_NO_ALLOCATION(potential_energy(m, w, q));
  EXPECT_NO_ALLOCATION(&regressor(m, w, q, v, a));
}

void expect_none_into_arrays(Case& c) {
  const auto& m = c.model;
  auto& w = c.work;
  const auto &q = c.q, &v = c.v, &a = c.a;
  const FrameId of{int(m.frames().size()) - 1};
  const std::vector<ExternalForce> forces{{of, {1, 2, 3}, {4, 5, 6}, {}, of}};
  Eigen::VectorXd next(m.nq()), way(m.nv());
  Columns6 J(6, m.nv());
  Eigen::MatrixXd large(8, m.nv());
  Matrix square(m.nv(), m.nv());
  prepare_matrices(m, w);
  EXPECT_NO_ALLOCATION_OF(inverse_dynamics(m, w, q, v, a, forces, way));
  EXPECT_NO_ALLOCATION_OF(jacobian(m, w, q, of, J));
  EXPECT_NO_ALLOCATION_OF(jacobian(m, w, q, of, large.topRows<6>()));
  EXPECT_NO_ALLOCATION_OF(mass_matrix(m, w, q, square));
  EXPECT_NO_ALLOCATION_OF(inverse_mass_matrix(m, w, q, square));
  EXPECT_NO_ALLOCATION_OF(normalize(m, q, next));
  EXPECT_NO_ALLOCATION_OF(generalized_forces(m, w, q, forces, way));
  EXPECT_NO_ALLOCATION_OF(integrate(m, q, v, 0.1, next));
  EXPECT_NO_ALLOCATION_OF(difference(m, q, next, way));
}

// A workspace that computes no matrices beside M has no memory for them.
TEST_F(Allocations, MatricesAreAllocatedByTheFirstCallThatNeedsThem) {
  for_each_tree(
      {.min_joints = 3},
      [](Case& c) {
        const long before_the_call = allocations;
        Workspace work(c.model);
        const long made = allocations - before_the_call;
        EXPECT_GT(made, 0);
        EXPECT_NO_ALLOCATION(mass_matrix(c.model, work, c.q));
        const long middle = allocations;
        (void)regressor(c.model, work, c.q, c.v, c.a);
        EXPECT_GT(allocations, middle);
        EXPECT_NO_ALLOCATION(coriolis_matrix(c.model, work, c.q, c.v));
        EXPECT_NO_ALLOCATION(inverse_mass_matrix(c.model, work, c.q));
      },
      5);
}

TEST_F(Allocations, NoneInAnyCallOfTheInterface) {
  for (const auto& expect :
       {expect_none, expect_none_into_arrays, expect_none_by_parameters, expect_none_by_second_order}) {
    for_each_tree({}, expect, 100);
    for_each_tree({.armature = 0.3, .mimic = 0.4}, expect, 100);
  }
}

template <class S>
void expect_none_in_batch(Case& c, int threads) {
  using batch::Rows;
  const auto& m = c.model;
  batch::Workspace<S> w(m, threads);
  const int B = 2 * w.lanes() + 1, nv = m.nv();
  Rows<S> q(B, m.nq());
  for (int i = 0; i < B; ++i) q.row(i) = c.q.transpose().cast<S>();
  const Rows<S> v = Rows<S>::Random(B, nv);
  Rows<S> out(B, nv), square(B, nv * nv), columns(B, 6 * nv), one(B, 1), three(B, 3), twelve(B, 12);
  const FrameId frame{0};
  const Rows<S> six = Rows<S>::Random(B, 6);
  for (int round = 0; round < 2; ++round) {
    const long before = allocations;
    batch::inverse_dynamics<S>(m, w, q, v, v, out);
    batch::forward_dynamics<S>(m, w, q, v, v, out);
    batch::bias_forces<S>(m, w, q, v, out);
    batch::gravity_forces<S>(m, w, q, out);
    batch::mass_matrix<S>(m, w, q, square);
    batch::inverse_mass_matrix<S>(m, w, q, square);
    batch::coriolis_matrix<S>(m, w, q, v, square);
    batch::centroidal_map<S>(m, w, q, columns);
    batch::center_of_mass<S>(m, w, q, three);
    batch::kinetic_energy<S>(m, w, q, v, one);
    batch::potential_energy<S>(m, w, q, one);
    batch::placement<S>(m, w, q, frame, twelve);
    batch::jacobian<S>(m, w, q, frame, columns);
    const batch::ExternalForces<S> force{frame, six};
    batch::inverse_dynamics(m, w, q, v, v, out, std::span(&force, 1));
    batch::evaluate(m, w, {.q = q, .v = v},
                    {{batch::Quantity::bias_forces, out}, {batch::Quantity::mass_matrix, square}});
    const long after = allocations;
    EXPECT_TRUE(round == 0 || after == before) << after - before << " with " << threads << " threads";
  }
}
// All derivatives in one pass.
template <class S>
void expect_none_by_derivatives_in_batch(Case& c, int threads) {
  using batch::Quantity;
  using batch::Rows;
  const auto& m = c.model;
  batch::Workspace<S> w(m, threads);
  const int B = 2 * w.lanes() + 1, nv = m.nv(), bodies = m.body_count();
  Rows<S> q(B, m.nq());
  for (int i = 0; i < B; ++i) q.row(i) = c.q.transpose().cast<S>();
  const Rows<S> v = Rows<S>::Random(B, nv);
  const auto columns = [&](Quantity quantity) {
    switch (quantity) {
      case Quantity::inverse_dynamics_jvp:
      case Quantity::forward_dynamics_jvp:
        return nv;
      case Quantity::inverse_dynamics_vjp:
      case Quantity::forward_dynamics_vjp:
        return 3 * nv;
      case Quantity::inverse_dynamics_dparameters:
      case Quantity::forward_dynamics_dparameters:
        return 10 * bodies * nv;
      case Quantity::inverse_dynamics_second_order:
      case Quantity::forward_dynamics_second_order:
        return 9 * nv * nv;
      case Quantity::jacobian_derivatives:
        return 6 * nv * nv;
      case Quantity::centroidal_momentum_derivatives:
        return 6 * nv;
      default:
        return nv * nv;
    }
  };
  std::vector<Rows<S>> rows;
  for (int k = int(Quantity::inverse_dynamics_dq); k <= int(Quantity::centroidal_momentum_derivatives); ++k)
    rows.emplace_back(B, columns(Quantity(k)));
  std::vector<batch::Output<S>> outputs;
  for (std::size_t k = 0; k < rows.size(); ++k)
    outputs.push_back({Quantity(int(Quantity::inverse_dynamics_dq) + int(k)), rows[k], FrameId{0}});
  for (int round = 0; round < 2; ++round) {
    const long before = allocations;
    batch::evaluate<S>(m, w, {.q = q, .v = v, .a = v, .tau = v, .dq = v, .dv = v, .da = v, .dtau = v, .weights = v},
                       outputs);
    const long after = allocations;
    EXPECT_TRUE(round == 0 || after == before) << after - before << " with " << threads << " threads";
  }
}

TEST_F(Allocations, NoneInABatchAfterTheFirst) {
  for (const int threads : {1, 3}) {
    for_each_tree({.mimic = 0.2}, [&](Case& c) { expect_none_in_batch<double>(c, threads); }, 20);
    for_each_tree({.mimic = 0.2}, [&](Case& c) { expect_none_in_batch<float>(c, threads); }, 20);
    for_each_tree({.mimic = 0.2}, [&](Case& c) { expect_none_by_derivatives_in_batch<double>(c, threads); }, 20);
    for_each_tree({.mimic = 0.2}, [&](Case& c) { expect_none_by_derivatives_in_batch<float>(c, threads); }, 20);
  }
}

TEST_F(Allocations, NoneInInverseKinematics) {
  const auto m = load(std::string(LISSOM_MODELS_DIR) + "/humanoid.urdf", {.base = Base::free});
  const auto palm = m.frame("left_palm"), sole = m.frame("right_sole");
  const auto q = neutral(m);
  auto balance = ik::center_of_mass({0, 0, 0});
  ik::Solver solver(m, {ik::pose(palm, {}), ik::position(sole, {0, 0, 0}), balance, ik::look_at(palm, {1, 0, 0}, {})});
  for (const double far : {0.3, 5.0})  // within reach, and out of reach
    for (const auto prefer : {ik::Prefer::first, ik::Prefer::nearest}) {
      const ik::Options options{.starts = 3, .prefer = prefer};
      EXPECT_NO_ALLOCATION_OF(solver.set_target_pose(0, {identity3<double>(), {far, 0.1, 0.2}}));
      EXPECT_NO_ALLOCATION_OF(solver.solve(q, options));
    }
  ik::Pull pull(m, palm, {0, 0, 0}, {sole});
  for (const double far : {0.3, 5.0}) EXPECT_NO_ALLOCATION_OF(pull.solve(q, {far, 0.1, 0.2}));
  ik::VelocitySolver velocities(m, 2);
  const std::vector<ik::VelocityTask> tasks{ik::at_origin(palm, {{1, 0, 0}, {0, 1, 0}}),
                                            ik::at_origin(sole, {{0, 0, 0}, {0, 0, 0}}, 1)};
  const ik::VelocityOptions options{.desired = Eigen::VectorXd::Ones(m.nv()), .hold = 0.1};
  EXPECT_NO_ALLOCATION_OF(velocities.solve(q, tasks, options));
  Workspace work(m);
  Eigen::VectorXd tau(m.nv());
  const std::vector<ExternalForce> forces{{palm, {1, 2, 3}, {4, 5, 6}, {sole, {0.1, 0.2, 0.3}}, palm}};
  EXPECT_NO_ALLOCATION_OF(equilibrium_torques(m, work, q, forces, tau));

  ik::Batch batch(m, ik::pose(palm, {}), 2);
  const std::vector<Pose<double>> poses(50, {identity3<double>(), {0.3, 0.1, 0.2}});
  batch::Rows<double> from = q.transpose(), found(50, m.nq());
  EXPECT_NO_ALLOCATION_OF(batch.solve(poses, from, found));
}

}  // namespace
}  // namespace lissom::test
