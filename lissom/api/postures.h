#pragma once
// Postures in files, as models/postures/ has them (JSON): `q`, or `joints` by name (a number each, or a list) with
// `base_position` and `base_quaternion` (w x y z). Joints that are not named stay at neutral.
#include <map>
#include <string>

#include "lissom/api/workspace.h"

namespace lissom {

// Of a file that maps names to postures. Error with file and place.
std::map<std::string, Eigen::VectorXd> read_postures(const Model& model, const std::string& path);
// "models/postures/humanoid.json#handstand": one of them; or FILE alone, where it holds one posture.
Eigen::VectorXd read_posture(const Model& model, const std::string& file_and_name);

}  // namespace lissom
