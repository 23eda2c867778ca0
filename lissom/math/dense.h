#pragma once
// Dense linear algebra, compiled once: the decompositions behind these functions take a compiler seconds each.
#include <Eigen/Core>

namespace lissom::dense {

/// The x with A x = b, for a square A.
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
/// The x of least norm that minimizes ‖A x - b‖. Pivots smaller than rank_tolerance times the largest one count as
/// zero; 0 stands for a tolerance that allows for rounding alone.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double rank_tolerance = 0);
/// The matrix A⁺ with which A⁺ b is that least-squares solution.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A, double rank_tolerance = 0);
/// The singular values, largest first. Their errors are a few rounding errors of the largest one, so a vanishing one
/// may come out as 0.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
/// The eigenvalues of a symmetric matrix, smallest first.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& A);
/// An orthonormal basis, as columns, of the orthogonal complement of A's columns.
Eigen::MatrixXd complement(const Eigen::MatrixXd& A, double rank_tolerance = 0);

/// Copies the upper triangle of an n × n matrix, stored by rows `stride` apart, to its lower triangle.
void mirror_upper(double* matrix, int n, int stride);

}  // namespace lissom::dense
