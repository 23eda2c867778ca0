#pragma once
#include <string>

#include "lissom/math/mat3.h"

namespace lissom {

/// Throws an Error, which begins with `where`, if R is not a rotation matrix (see is_rotation).
void check_rotation(const Mat3<double>& R, const std::string& where);

}  // namespace lissom
