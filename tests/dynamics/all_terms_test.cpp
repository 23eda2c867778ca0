// One pass for everything against one algorithm after another.
#include <gtest/gtest.h>

#include "close.h"
#include "lissom/kernels/kernels.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(AllTerms, AreThoseOfTheSingleAlgorithms) {
  for_each_tree({.armature = 0.3, .mimic = 0.2}, [](Case& c) {
    const auto& kernels = single_kernels();
    const ModelView<double> view(c.model);
    const auto scratch = kernels.scratch(view);
    const int nv = c.model.nv(), stride = row_stride(nv);
    Rows M = Rows::Zero(nv + 1, stride);
    VectorXd h(nv + padding), momentum(6), rate(6);
    MatrixXd A(6, nv + padding);
    kernels.all_terms(view, *scratch, c.q.data(), c.v.data(), M.data(), stride, h.data(), A.data(), momentum.data(),
                      rate.data());
    const MatrixXd expected_M = MatrixXd(mass_matrix(c.model, c.work, c.q)).triangularView<Eigen::Upper>();
    EXPECT_TRUE(close(MatrixXd(M.topLeftCorner(nv, nv).triangularView<Eigen::Upper>()), expected_M, 1e-11));
    EXPECT_TRUE(close(h.head(nv), bias_forces(c.model, c.work, c.q, c.v), 1e-10));
    EXPECT_TRUE(close(A.leftCols(nv), centroidal_map(c.model, c.work, c.q), 1e-10));
    EXPECT_TRUE(close(momentum, centroidal_momentum(c.model, c.work, c.q, c.v), 1e-10));
    EXPECT_TRUE(close(rate, centroidal_momentum_rate(c.model, c.work, c.q, c.v, VectorXd::Zero(nv)), 1e-9));
  });
}

}  // namespace
}  // namespace lissom::test
