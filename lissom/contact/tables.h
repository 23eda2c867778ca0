#pragma once
// The functions that kernels.cpp defines, by instruction set.
#include "lissom/contact/problem.h"
#include "lissom/contact/report.h"
#include "lissom/math/instruction_set.h"

namespace lissom::contact {

struct SolverMemory;

struct Kernels {
  Report (*solve)(const Problem<double>& problem, SolverMemory& memory, double* p, double* u, const Settings& settings);
};

LISSOM_DECLARE_FOR_SETS(const Kernels& kernel_table();)

}  // namespace lissom::contact
