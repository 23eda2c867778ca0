#pragma once
// The motions of a robot: files in the folder motions/ beside its file that fit it, and those that can be generated.
#include <string>

#include "lissom/control/motion_plan.h"
#include "model_arguments.h"

// A motion, and the robot that does it: with frames for its contacts if the motion was generated or needs them.
struct ChosenMotion {
  lissom::Model model;
  lissom::control::MotionPlan plan;
  std::string source;  // its file, or "generated"
};

// The motion of a file if the name ends with .json; otherwise that of its name in the folder motions/ if it fits the
// robot, or a generated one. Throws Error if there is none, and names those that there are; ImpossibleMotion if the
// robot's mechanism does not allow it.
ChosenMotion choose_motion(const ModelArguments& robot, const std::string& motion);

// Prints the motions of the robot with their descriptions, and returns the exit code: 1 if there are none.
int list_motions(const ModelArguments& robot, bool as_json);
