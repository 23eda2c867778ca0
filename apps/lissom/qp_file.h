#pragma once
// Reads files of quadratic programs: gzip, little endian. "LQP1", int32 count; then for each problem int32 n, me, mi,
// status (0 solved, 1 infeasible), float64 objective, and float64 arrays row by row: H n×n, g, A me×n, b, C mi×n, l, u,
// lx, ux, x*.
#include <string>
#include <vector>

#include "lissom/qp/problem.h"

struct StoredProblem {
  int expected_status = 0;
  double expected_objective = 0;
  lissom::qp::Matrix H, A, C;
  Eigen::VectorXd g, b, l, u, lx, ux, expected_x;

  lissom::qp::Problem problem() const;
};

// Throws lissom::Error that says which problem and which part of it is wrong.
std::vector<StoredProblem> read_problems(const std::string& file);
