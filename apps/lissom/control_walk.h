#pragma once
// lissom control --motion walk, trot or balance: gaits of lissom/walking, with options of their own.
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "lissom/sim/simulated_robot.h"
#include "lissom/walking/gait.h"
#include "model_arguments.h"

namespace verb::control {

// The options of gaits.
struct WalkArguments {
  lissom::walking::GaitOptions gait;
  double direction = 0, turn = 0;  // deg
  std::string stairs;
  bool no_capture_steps = false;
  std::vector<CLI::Option*> options;  // all of them

  void add_to(CLI::App& verb);
};

// What a gait shares with other motions.
struct WalkRun {
  ModelArguments& model;
  std::string motion, simulator;
  lissom::sim::Imperfections imperfections;
  std::vector<std::string> pushes;
  int substeps = 1;
  bool json = false, quiet = false;
};

bool is_gait(const std::string& motion);
// Throws an Error if an option of gaits was given for another motion.
void expect_no_gait_options(const WalkArguments& arguments, const std::string& motion);
// Walks, prints the report and returns the exit code.
int walk(const WalkArguments& arguments, const WalkRun& run);

}  // namespace verb::control
