#pragma once
// What runs of worlds return.
#include "energy.h"
#include "lissom/scenes/simulation.h"
#include "recordings.h"

namespace lissom::python {

// As scenes::Report, with members that Python can have.
struct WorldReport : scenes::Report {
  double seconds = 0, wall_seconds = 0;
  bool stopped = false;
  Eigen::VectorXd momentum_at_begin, momentum_at_end;
};
LISSOM_PYTHON_TYPE(scenes::Report::Slip, "Slip")

struct WorldRun : BoundRecording {
  WorldReport report;
};

void bind_world_report(nb::module_& m);

}  // namespace lissom::python
