#pragma once
// A motion carried out on a plant, and what there is to tell about it: whether it succeeded, and with which margins.
#include <functional>

#include "lissom/control/motion_runner.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::plant {

enum class Kind { integrated, held };
const char* to_string(Kind kind);
Kind kind_of(const std::string& name);  // Error with the names there are

// After each tick, for those who watch or record.
struct Reading {
  const Plant& plant;
  control::MotionRunner& runner;
  const control::Tick& tick;
  double tick_us;  // the controller's time for it
};

struct RunOptions {
  Kind kind = Kind::held;
  Options plant = {};
  control::WholeBodyOptions controller = {};
  double longest = 300;  // s of motion; a run that takes longer has failed
  std::function<void(const Reading&)> observer = {};
};

// Extremes over the run; of friction while a contact carries more than 5 % of the weight.
struct ContactReport {
  std::string name;
  double largest_normal = 0;       // N, as the plant has it
  double wanted_friction_use = 0;  // of the controller's own forces: |tangent| / (friction · normal), at most 1
  double friction_use = 0;         // of the plant's
  double slip = 0;                 // m
};
struct MotorReport {
  std::string joint;
  double largest_torque = 0, limit = 0;  // N m
  double nearest_limit = 0;              // rad or m: how near it came to a position limit, negative beyond
};
struct ClearanceReport {
  std::string name;
  double smallest = 0, least = 0;  // m; smallest as the controller saw it, infinite where it never did
};
struct RunReport {
  bool succeeded = false;
  std::string failure;
  double seconds = 0;
  long ticks = 0, elastic_ticks = 0, failed_ticks = 0;
  double tick_median = 0, tick_p99 = 0, tick_max = 0;  // µs, dynamics included
  double largest_com_error = 0;                        // m
  std::vector<ContactReport> contacts;
  std::vector<MotorReport> motors;
  std::vector<ClearanceReport> clearances;
  std::vector<control::MotionRunner::Transition> transitions;

  double largest_friction_use() const;
  double largest_slip() const;
  double largest_torque_use() const;
};

RunReport run(const Model& model, const control::Motion& motion, const RunOptions& options = {});

}  // namespace lissom::plant
