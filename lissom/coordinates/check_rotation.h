#pragma once
#include <string>

#include "lissom/math/mat3.h"

namespace lissom {

/// Error, beginning with `where`, unless is_rotation(R).
void check_rotation(const Mat3<double>& R, const std::string& where);

}  // namespace lissom
