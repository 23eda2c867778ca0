#pragma once
// Whether two descriptions are the same, number by number. Not installed.
#include "lissom/model/description.h"

namespace lissom {

// All members but the paths at which the files of meshes were found. NaN is the same as NaN.
bool same_description(const Description& a, const Description& b);

}  // namespace lissom
