#pragma once
// Converts robots between URDF, MJCF and SDF.
#include <string>

#include "lissom/io/write/write.h"
#include "model_arguments.h"

struct RobotConversion {
  std::string from, to, format, meshes = "keep";  // format: urdf, mjcf, sdf; empty: by the ending of `to`
  std::string loops;
  ModelArguments model;
  bool strict = false, plain = false, force = false, json = false, all = false, quiet = false;
};

// Writes the robot, and prints what the target cannot say: on standard output, or on standard error if the robot goes
// there. Returns the exit code: 1, and nothing is written, if something would be lost and that is refused.
int convert_robot(const RobotConversion& options);
