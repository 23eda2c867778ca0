#pragma once
// The motion files of a robot: those in the folder motions/ beside its file that fit it.
#include <string>

#include "lissom/model/model.h"

// The motion file: as given if it ends with .json, otherwise by its name in that folder. Throws Error if there is none,
// and names those that there are.
std::string motion_file(const lissom::Model& model, const std::string& robot, const std::string& motion);

// Prints the motions of the robot with their descriptions, and returns the exit code: 1 if there are none.
int list_motions(const lissom::Model& model, const std::string& robot, bool as_json);
