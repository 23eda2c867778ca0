// The textbook's factor of the mass matrix against the blocked one, and against M itself.
#include <gtest/gtest.h>

#include "close.h"
#include "lissom/dynamics/mass_matrix_factor.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test::factors {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const TreeOptions trees{.armature = 0.3, .mimic = 0.2};

TEST(Ltdl, IsAFactorOfTheMassMatrix) {
  for_each_tree(trees, [](Case& c) {
    const int n = c.model.nv();
    Rows H = mass_matrix(c.model, c.work, c.q);
    const MatrixXd M = H;
    ltdl(c.model.sparsity(), H.data(), n);
    MatrixXd L = H.triangularView<Eigen::UnitLower>();
    // Elements that are not on the path to the base were never touched: those of M are zero.
    const MatrixXd again = L.transpose() * H.diagonal().asDiagonal() * L;
    EXPECT_TRUE(close(again, M, 1e-10));
    VectorXd x = c.tau;
    ltdl_solve(c.model.sparsity(), H.data(), n, x.data());
    EXPECT_TRUE(close(M * x, c.tau, 1e-8));
  });
}

TEST(Ltdl, IsTheBlockedFactor) {
  for_each_tree(trees, [](Case& c) {
    const int n = c.model.nv();
    const auto& s = c.model.sparsity();
    const Rows M = mass_matrix(c.model, c.work, c.q);
    BlockedFactor<double> blocked(s);
    LtdlFactor<double> plain(s);
    factorize(s, blocked, M.data(), n);
    factorize(s, plain, M.data(), n);
    Rows L(n, n), L_plain(n, n);
    VectorXd D(n), D_plain(n);
    write_out(s, blocked, L.data(), D.data(), n);
    write_out(s, plain, L_plain.data(), D_plain.data(), n);
    EXPECT_TRUE(close(L_plain, L, 1e-9));
    EXPECT_TRUE(close(D_plain, D, 1e-9));
    VectorXd x(n + padding), x_plain(n + padding);
    solve(s, blocked, c.tau.data(), x.data());
    solve(s, plain, c.tau.data(), x_plain.data());
    EXPECT_TRUE(close(x_plain.head(n), x.head(n), 1e-8));
    const int stride = row_stride(n);
    Rows inverse = Rows::Zero(n + 1, stride), inverse_plain = inverse;
    BlockedInverseScratch<double> w(s);
    LtdlInverseScratch<double> w_plain(s);
    invert(s, blocked, w, inverse.data(), stride);
    invert(s, plain, w_plain, inverse_plain.data(), stride);
    const MatrixXd upper = inverse.topLeftCorner(n, n).triangularView<Eigen::Upper>();
    const MatrixXd upper_plain = inverse_plain.topLeftCorner(n, n).triangularView<Eigen::Upper>();
    EXPECT_TRUE(close(upper_plain, upper, 1e-8));
  });
}

}  // namespace
}  // namespace lissom::test::factors
