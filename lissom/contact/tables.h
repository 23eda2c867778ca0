#pragma once
// The functions that kernels.cpp defines, by instruction set.
#include "lissom/contact/problem.h"
#include "lissom/contact/report.h"
#include "lissom/contact/whitened.h"
#include "lissom/math/instruction_set.h"

namespace lissom::contact {

struct SolverMemory;

struct Kernels {
  Report (*solve)(const Problem<double>& problem, SolverMemory& memory, double* p, double* u, const Settings& settings);
  void (*whiten)(const TreeFactor& factor, const RowMatrix& rows);
  void (*gram)(const RowMatrix& rows, double* G, int stride);
  void (*add_velocities)(const RowMatrix& rows, const double* z, double* u);
  void (*add_impulses)(const RowMatrix& rows, const double* p, double* z);
  // The same for many columns (linearize.h).
  void (*whiten_columns)(const TreeFactor& factor, const RowMatrix& W);
  void (*unwhiten_columns)(const TreeFactor& factor, const RowMatrix& W);
  void (*add_rows_of)(const RowMatrix& Y, const RowMatrix& W, double* U);
  void (*add_rows_times)(const RowMatrix& Y, const double* P, const RowMatrix& W);
  bool (*differentiate)(const Problem<double>& problem, SolverMemory& memory, const double* p, const double* u,
                        std::span<const FrictionChange> friction, const double* d, int stride, double* dp, double* I,
                        double* X);
};

/// The table for this processor.
const Kernels& kernels();

LISSOM_DECLARE_FOR_SETS(const Kernels& kernel_table();)

}  // namespace lissom::contact
