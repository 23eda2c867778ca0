#pragma once
// What runs return.
#include "results.h"
#include "sim_types.h"

namespace lissom::python {

// As sim::Report, with members that Python can have.
struct BoundLoopForce {
  std::string name, unit;
  double max = 0;
};
struct RunReport : sim::Report {
  Eigen::VectorXd momentum_at_begin, momentum_at_end;
  std::vector<BoundLoopForce> forces_of_loops;
};
LISSOM_PYTHON_TYPE(BoundLoopForce, "LoopForce")
LISSOM_PYTHON_TYPE(sim::SaturatedMotor, "SaturatedMotor")

struct Run : BoundRecording {
  RunReport report;
};

/// Fills the members that Python has instead of those of sim::Report.
void fill(RunReport& report);
void bind_report(nb::module_& sim);

}  // namespace lissom::python
