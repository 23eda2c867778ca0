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

// What reports of motions and of gaits share. Of the motors, the five that are nearest to their limits are printed.
nlohmann::json contacts_json(const std::vector<lissom::control::ContactReport>& contacts);
nlohmann::json motors_json(const std::vector<lissom::control::MotorReport>& motors);
nlohmann::json conflicts_json(const std::vector<lissom::control::ConflictReport>& conflicts);
void print_contacts(const std::vector<lissom::control::ContactReport>& contacts);
void print_motors(std::vector<lissom::control::MotorReport> motors);
void print_conflicts(const std::vector<lissom::control::ConflictReport>& conflicts);

nlohmann::json control_json(const ControlRun& run, const lissom::control::MotionReport& report);
void print_control(const ControlRun& run, const lissom::control::MotionReport& report);
