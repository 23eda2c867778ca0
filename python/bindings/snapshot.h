#pragma once
// The RobotSnapshot of Python: its own, or that of a controller for the time of one call.
#include "calls.h"
#include "lissom/constraints/robot_snapshot.h"

namespace lissom::python {

struct BoundSnapshot {
  struct Held {
    Model model;
    RobotSnapshot robot;
    explicit Held(const Model& m) : model(m), robot(model) {}
  };
  const RobotSnapshot* robot = nullptr;  // null when the call has ended
  std::shared_ptr<Held> held = {};
  void expect() const;
};

}  // namespace lissom::python
