#include "lissom/math/dense.h"

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace lissom::dense {

// Products of large matrices load blocks of memory as if they were aligned for the widest registers.
static_assert(EIGEN_DEFAULT_ALIGN_BYTES >= EIGEN_IDEAL_MAX_ALIGN_BYTES,
              "take over LISSOM_EIGEN_DEFINITIONS (lissom/CMakeLists.txt)");

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Decomposition = Eigen::CompleteOrthogonalDecomposition<MatrixXd>;

namespace {

// Eigen's decompositions do not accept a matrix without rows or columns; the callers treat that case first.
Decomposition decomposed(const MatrixXd& A, double rank_tolerance) {
  Decomposition d(A.rows(), A.cols());
  if (rank_tolerance > 0) d.setThreshold(rank_tolerance);
  d.compute(A);
  return d;
}

}  // namespace

VectorXd solve(const MatrixXd& A, const VectorXd& b) {
  return A.fullPivLu().solve(b);
}
MatrixXd inverse(const MatrixXd& A) {
  return A.partialPivLu().inverse();
}
VectorXd least_squares(const MatrixXd& A, const VectorXd& b, double rank_tolerance) {
  if (A.size() == 0) return VectorXd::Zero(A.cols());
  return decomposed(A, rank_tolerance).solve(b);
}
MatrixXd pseudo_inverse(const MatrixXd& A, double rank_tolerance) {
  if (A.size() == 0) return MatrixXd::Zero(A.cols(), A.rows());
  return decomposed(A, rank_tolerance).pseudoInverse();
}
VectorXd eigenvalues(const MatrixXd& A) {
  if (A.size() == 0) return VectorXd(0);
  return A.selfadjointView<Eigen::Lower>().eigenvalues();
}
// The eigenvalues of ((0, A), (Aᵀ, 0)) are ± the singular values of A, and zeros.
VectorXd singular_values(const MatrixXd& A) {
  const auto m = A.rows(), n = A.cols();
  MatrixXd both = MatrixXd::Zero(m + n, m + n);
  both.bottomLeftCorner(n, m) = A.transpose();
  return eigenvalues(both).tail(std::min(m, n)).reverse().cwiseMax(0);
}
MatrixXd complement(const MatrixXd& A, double rank_tolerance) {
  if (A.cols() == 0) return MatrixXd::Identity(A.rows(), A.rows());
  const auto d = decomposed(A, rank_tolerance);
  return MatrixXd(d.householderQ()).rightCols(A.rows() - d.rank());
}

void mirror_upper(double* matrix, int n, int stride) {
  // In blocks of 4 × 4, which are transposed in registers.
  using Block = Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
  const int whole = n / 4 * 4;
  for (int i = 0; i < whole; i += 4) {
    for (int k = i; k < i + 4; ++k)
      for (int j = k + 1; j < i + 4; ++j) matrix[j * stride + k] = matrix[k * stride + j];
    for (int j = i + 4; j < whole; j += 4)
      Block(matrix + j * stride + i, Eigen::OuterStride<>(stride)) =
          Block(matrix + i * stride + j, Eigen::OuterStride<>(stride)).transpose();
  }
  for (int i = 0; i < n; ++i)
    for (int j = std::max(i + 1, whole); j < n; ++j) matrix[j * stride + i] = matrix[i * stride + j];
}

}  // namespace lissom::dense
