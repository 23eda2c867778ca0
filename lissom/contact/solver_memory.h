#pragma once
// The memory that a solve writes to, and what it keeps of the last Newton step.
#include "lissom/contact/prepared_block.h"
#include "lissom/contact/report.h"

namespace lissom::contact {

/// How a block enters Newton's matrix.
struct Linearized {
  Mode mode;
  int first;                 // its first row in the matrix; -1: none
  double r;                  // 1/g
  double mu, t0, t1, kappa;  // slip: direction y_t/|y_t|, and μ y_n/|y_t|
};

/// Memory for steps, and the last factorized matrix: A = L U without pivoting.
struct NewtonMemory {
  int stride = 0;
  double *A = nullptr, *L = nullptr;  // U, and beside it the right-hand side; multipliers, by columns
  double* x = nullptr;                // solution
  double *p = nullptr, *u = nullptr;  // the point that is tried
  double *shorter_p = nullptr, *shorter_u = nullptr;
  double *q = nullptr, *w = nullptr;  // impulses with open blocks at their bounds, and the velocities of these
  int* rows = nullptr;                // row of the problem, for each row of the matrix
  int* at = nullptr;                  // row of the matrix for each row of the problem; -1: none
  Linearized* blocks = nullptr;
  int size = 0;  // rows of the matrix
};

/// All that a solve writes to; vectors are padded.
struct SolverMemory {
  PreparedBlock<double>* prepared = nullptr;
  double *p = nullptr, *u = nullptr, *best_p = nullptr, *best_u = nullptr, *fallback_p = nullptr, *fallback_u = nullptr;
  NewtonMemory newton;
};

}  // namespace lissom::contact
