#include "lissom/coordinates/check_rotation.h"

#include "lissom/model/diagnostic.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom {

void check_rotation(const Mat3<double>& R, const std::string& where) {
  if (is_rotation(R)) return;
  const double off = distance_from_orthonormal(R);
  throw Error(where + " is not a rotation matrix " +
              (off <= 1e-6 ? "(determinant -1); swap two axes, or the sign of one"
                           : "(its columns differ from orthonormal ones by " + std::to_string(off) + ")"));
}

}  // namespace lissom
