#include "lissom/coordinates/dense.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace lissom::dense {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd solve(const MatrixXd& A, const VectorXd& b) {
  return A.fullPivLu().solve(b);
}
MatrixXd inverse(const MatrixXd& A) {
  return A.partialPivLu().inverse();
}
VectorXd least_squares(const MatrixXd& A, const VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}
MatrixXd pseudo_inverse(const MatrixXd& A) {
  return A.completeOrthogonalDecomposition().pseudoInverse();
}
VectorXd singular_values(const MatrixXd& A) {
  return A.jacobiSvd().singularValues();
}
VectorXd eigenvalues(const MatrixXd& A) {
  return A.selfadjointView<Eigen::Lower>().eigenvalues();
}
MatrixXd complement(const MatrixXd& A) {
  const MatrixXd Q = A.householderQr().householderQ() * MatrixXd::Identity(A.rows(), A.rows());
  return Q.rightCols(A.rows() - A.cols());
}

}  // namespace lissom::dense
