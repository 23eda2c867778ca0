#pragma once
// Reads postures from JSON files such as those in models/postures/: `q`, or `joints` by name (a number each, or a list)
// with `base_position` and `base_quaternion` (w x y z). Joints that are not named have their value of neutral(model).
#include <map>
#include <string>

#include "lissom/api/workspace.h"

namespace lissom {

/// All postures of a file that maps names to postures; a file that is one posture itself, such as the output of `lissom
/// stance --json`, gives it the name of the file without its extension. Throws an Error that names the file and the
/// path in it.
std::map<std::string, Eigen::VectorXd> read_postures(const Model& model, const std::string& path);
/// One posture of a file: "models/postures/humanoid.json#handstand", or the file alone if it has only one posture.
Eigen::VectorXd read_posture(const Model& model, const std::string& file_and_name);

/// A posture of the robot's file (Description::postures): a keyframe of MJCF, or "initial" of SDF. Joints that it does
/// not name are neutral, and joints that the model does not have, such as those of another base, are ignored. Throws an
/// Error that lists all postures if there is none of that name.
Eigen::VectorXd posture_of_file(const Model& model, const std::string& name);
/// Where the robot is at the beginning: the posture "initial" (SDF) or "qpos0" (MJCF) of its file if it has one,
/// otherwise neutral(model).
Eigen::VectorXd initial_configuration(const Model& model);

}  // namespace lissom
