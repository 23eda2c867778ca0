#pragma once
// What `lissom control` prints about a run.
#include <string>

#include <nlohmann/json.hpp>

#include "lissom/control/run.h"

// What was run.
struct ControlRun {
  std::string robot, motion, simulator;
  nlohmann::json settings;
  std::string recording;     // file; empty: none
  std::uint64_t frames = 0;  // in it
  bool audited = true;       // whether the work of all forces is known
};

nlohmann::json control_json(const ControlRun& run, const lissom::control::MotionReport& report);
void print_control(const ControlRun& run, const lissom::control::MotionReport& report);
