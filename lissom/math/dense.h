#pragma once
// Dense linear algebra, compiled once: the decompositions behind these functions take a compiler seconds each.
#include <Eigen/Core>

namespace lissom::dense {

// x with A x = b, A square.
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
// The shortest x that makes ‖A x - b‖ smallest, and the matrix that gives it. What is smaller than rank_tolerance times
// the largest pivot counts as dependent; 0: rounding alone.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double rank_tolerance = 0);
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);
// The largest first; each to some rounding of the largest, so that one that vanishes may be 0.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
// Of a symmetric matrix, the smallest first.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& A);
// Orthonormal columns at right angles to those of A.
Eigen::MatrixXd complement(const Eigen::MatrixXd& A, double rank_tolerance = 0);

}  // namespace lissom::dense
