#pragma once
// lissom control --motion walk, trot or balance: gaits of lissom/walking, with options of their own.
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "lissom/walking/gait.h"

namespace verb::control {

// The options of gaits.
struct WalkArguments {
  lissom::walking::GaitOptions gait;
  double direction = 0, yaw_per_step = 0;  // deg
  std::string stairs;
  bool no_capture_steps = false;
  std::vector<CLI::Option*> options;  // all of them

  void add_to(CLI::App& verb);
};

struct Options;

// Gaits, which win over motion files of the same name.
struct NamedGait {
  const char *name, *description;
};
std::vector<NamedGait> gaits_of(std::size_t feet);
bool is_gait(const std::string& motion);
// Throws an Error if an option of gaits was given for another motion.
void expect_no_gait_options(const WalkArguments& arguments, const std::string& motion);
// Walks, prints the report and returns the exit code.
int walk(Options& o);

}  // namespace verb::control
