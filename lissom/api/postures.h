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

}  // namespace lissom
