#pragma once
// Postures in files: "models/postures/humanoid.json#handstand".
#include <string>

#include "lissom/lissom.h"

// A posture of a file that maps names to postures (FILE#NAME), or of a file that holds one (FILE): `q`, or `joints` by
// name (a number, or a list of them) with `base_position` and `base_quaternion` (w x y z). Joints that are not named
// stay at neutral. Error that names option, file and what is wrong with it.
Eigen::VectorXd posture_of(const lissom::Model& model, const std::string& option, const std::string& text);
