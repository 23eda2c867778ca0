#include "lissom/constraints/relative_motion.h"

#include "lissom/api/unchecked.h"

namespace lissom {

void body_jacobian(const Model& model, Workspace& work, int body, const Vec3<double>& at, const Mat3<double>& axes,
                   Columns6& J) {
  Unchecked(model, work).jacobian(body, at, axes, J.data());
}

void relative_jacobian(const Model& model, Workspace& work, int body, int from, const Vec3<double>& at,
                       const Mat3<double>& axes, Columns6& J, Columns6& J_from) {
  body_jacobian(model, work, body, at, axes, J);
  if (from == 0) return;  // the world does not move
  body_jacobian(model, work, from, at, axes, J_from);
  J -= J_from;
}

}  // namespace lissom
