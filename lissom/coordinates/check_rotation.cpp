#include "lissom/coordinates/check_rotation.h"

#include "lissom/model/diagnostic.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom {

void check_rotation(const Mat3<double>& R, const std::string& where) {
  if (is_rotation(R)) return;
  const double off = distance_from_orthonormal(R);
  throw Error(where + ": the matrix is not a rotation: " +
              (off <= 1e-6
                   ? "it mirrors (its determinant is -1); swap two axes, or the sign of one"
                   : "its columns are off by " + std::to_string(off) + " from being at right angles and of length 1"));
}

}  // namespace lissom
