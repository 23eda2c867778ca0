// Batches of second derivatives, of derivatives of kinematics, and of those with respect to inertial parameters.
#include "close.h"
#include "largest.h"
#include "lissom/lissom.h"
#include "random_batch.h"

namespace lissom::test {
namespace second_order {

using batch::Quantity;
using batch::Rows;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const TreeOptions trees{.max_joints = 7, .armature = 0.3, .mimic = 0.3};

VectorXd rows_of(const MatrixXd& m) {
  const Rows<double> r = m;
  return Eigen::Map<const VectorXd>(r.data(), r.size());
}

// jacobian_derivatives in the order of batches: row r * nv + k, column j is ∂J(r, k)/∂q_j.
MatrixXd kinematic_hessian(const Model& m, Workspace& w, const VectorXd& q, FrameId frame) {
  const int nv = m.nv();
  const MatrixXd H = jacobian_derivatives(m, w, q, frame);
  MatrixXd all(6 * nv, nv);
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < nv; ++k) all.row(r * nv + k) = H.row(6 * k + r);
  return all;
}

// Second derivatives, derivatives of kinematics and those by inertial parameters, in one row per robot.
template <class S>
MatrixXd all_of(const Model& m, batch::Workspace<S>& w, const Batch<S>& b, FrameId frame) {
  const int nv = m.nv(), parameters = 10 * m.body_count();
  Rows<S> all = Rows<S>::Constant(b.q.rows(), nv * (2 * parameters + 24 * nv + 6), S(std::nan("")));
  std::vector<batch::Output<S>> outputs;
  long at = 0;
  const auto add = [&](Quantity quantity, int columns) {
    outputs.push_back({quantity, all.middleCols(at, columns), frame});
    at += columns;
  };
  add(Quantity::inverse_dynamics_dparameters, nv * parameters);
  add(Quantity::inverse_dynamics_second_order, 9 * nv * nv);
  add(Quantity::jacobian_derivatives, 6 * nv * nv);
  add(Quantity::centroidal_momentum_derivatives, 6 * nv);
  add(Quantity::forward_dynamics_dparameters, nv * parameters);
  add(Quantity::forward_dynamics_second_order, 9 * nv * nv);
  batch::evaluate<S>(m, w, {.q = b.q, .v = b.v, .a = b.a, .tau = b.tau, .weights = b.tau}, outputs);
  EXPECT_EQ(at, all.cols());
  return all.template cast<double>();
}

template <class S>
class SecondOrderBatchOf : public ::testing::Test {};
using Numbers = ::testing::Types<double, float>;
TYPED_TEST_SUITE(SecondOrderBatchOf, Numbers);

TYPED_TEST(SecondOrderBatchOf, EqualsOneByOneWithinRounding) {
  using S = TypeParam;
  const bool single = sizeof(S) == 4;
  for_each_tree(
      trees,
      [&](Case& c) {
        const auto& m = c.model;
        batch::Workspace<S> w(m, 2);
        const FrameId frame{int(m.frames().size()) - 1};
        const Batch<S> b(m, w.lanes() + 3);
        const MatrixXd found = all_of(m, w, b, frame);
        for (long i = 0; i < found.rows(); ++i) {
          const auto row = [&](const Rows<S>& x) { return VectorXd(x.row(i).transpose().template cast<double>()); };
          const VectorXd q = normalize(m, row(b.q)), v = row(b.v), a = row(b.a), tau = row(b.tau);
          long at = 0;
          const auto expect = [&](const char* name, const MatrixXd& one, double tolerance) {
            const double scale = larger(1.0, largest(one));
            EXPECT_TRUE(close(found.row(i).segment(at, one.size()).transpose(), rows_of(one), tolerance, scale))
                << name;
            at += one.size();
          };
          const double direct = single ? 1e-4 : 1e-11, inverted = single ? 0.1 : 1e-7;
          expect("regressor", regressor(m, c.work, q, v, a), direct);
          expect("inverse", inverse_dynamics_second_order(m, c.work, q, v, a, tau), direct);
          expect("Jacobian", kinematic_hessian(m, c.work, q, frame), direct);
          expect("momentum", centroidal_momentum_derivatives(m, c.work, q, v), direct);
          expect("parameters", forward_dynamics_parameter_derivatives(m, c.work, q, v, tau), inverted);
          expect("forward", forward_dynamics_second_order(m, c.work, q, v, tau, tau), inverted);
        }
      },
      15);
}

TYPED_TEST(SecondOrderBatchOf, SameBitsForAnyNumberOfThreads) {
  using S = TypeParam;
  const auto c = random_case(4, {.min_joints = 4, .max_joints = 5});
  const FrameId frame{int(c.model.frames().size()) - 1};
  batch::Workspace<S> one(c.model, 1), three(c.model, 3);
  const int B = 3 * one.lanes() + 1;
  const Batch<S> b(c.model, B);
  const MatrixXd expected = all_of(c.model, one, b, frame);
  EXPECT_TRUE(identical(all_of(c.model, three, b, frame), expected));
  EXPECT_TRUE(identical(all_of(c.model, three, b.part(5, 4), frame), expected.middleRows(5, 4)));
}

// Beside quantities of first order, in any order, and with external forces: second derivatives have none.
TEST(SecondOrderBatch, OtherOutputsOfTheCallDoNotMatter) {
  for_each_tree(
      trees,
      [](Case& c) {
        const auto& m = c.model;
        batch::Workspace<double> w(m, 2);
        const int B = w.lanes() + 3, nv = m.nv();
        const Batch<double> b(m, B);
        Random random(c.seed);
        const FrameId on = c.some_frame(random);
        const Rows<double> f = Rows<double>::Random(B, 6);
        const std::vector<batch::ExternalForces<double>> external{{on, f}};
        Rows<double> da(B, nv * 10 * m.body_count()), da_dq(B, nv * nv), H(B, 9 * nv * nv), again(B, nv * nv);
        batch::evaluate(m, w, {.q = b.q, .v = b.v, .tau = b.tau, .external = external, .weights = b.a},
                        {{Quantity::forward_dynamics_dq, again},
                         {Quantity::forward_dynamics_second_order, H},
                         {Quantity::forward_dynamics_dq, da_dq},
                         {Quantity::forward_dynamics_dparameters, da}});
        EXPECT_TRUE(identical(da_dq, again));
        for (int i = 0; i < B; ++i) {
          const std::vector<ExternalForce> forces{
              {on, {f(i, 0), f(i, 1), f(i, 2)}, {f(i, 3), f(i, 4), f(i, 5)}, {on, {0, 0, 0}}}};
          const VectorXd q = b.q.row(i), v = b.v.row(i), a = b.a.row(i), tau = b.tau.row(i);
          const MatrixXd by_parameters = forward_dynamics_parameter_derivatives(m, c.work, q, v, tau, forces);
          EXPECT_TRUE(close(da.row(i).transpose(), rows_of(by_parameters), 1e-8, 10));
          const MatrixXd by_q = forward_dynamics_derivatives(m, c.work, q, v, tau, forces).da_dq;
          EXPECT_TRUE(close(da_dq.row(i).transpose(), rows_of(by_q), 1e-8, 10));
          const Matrix second = forward_dynamics_second_order(m, c.work, q, v, tau, a);
          EXPECT_TRUE(close(H.row(i).transpose(), rows_of(second), 1e-7, 10));
        }
      },
      15);
}

}  // namespace second_order
}  // namespace lissom::test
