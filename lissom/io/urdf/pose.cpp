#include <cmath>

#include "lissom/io/urdf/parts.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"

namespace lissom::io::urdf {
namespace {

// Quaternions are part of the format since version 1.1, in the order x y z w.
Mat3<double> rotation_xyzw(const Element& element, const NumberList& q) {
  const double n =
      std::sqrt(q.value[0] * q.value[0] + q.value[1] * q.value[1] + q.value[2] * q.value[2] + q.value[3] * q.value[3]);
  if (!(n > 0) || !std::isfinite(n)) {
    element.error("quaternion", "the quaternion is zero or not finite", "write a quaternion of norm 1, x y z w");
    return identity3<double>();
  }
  constexpr double tolerance = 1e-3;
  if (std::abs(n - 1) > tolerance)
    element.warning("quaternion", "the quaternion has norm " + to_text(n) + ", expected 1; it is normalized",
                    "write a quaternion of norm 1, x y z w");
  const double x = q.value[0] / n, y = q.value[1] / n, z = q.value[2] / n, w = q.value[3] / n;
  return {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),  //
          2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),  //
          2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
}

}  // namespace

Pose<double> read_pose(const Element& element) {
  Pose<double> X;
  NumberList n;
  if (element.numbers("xyz", 3, n)) X.p = {n.value[0], n.value[1], n.value[2]};
  const bool rpy = element.numbers("rpy", 3, n);
  const auto is_degrees = [](double x) { return std::abs(x) >= 15 && std::abs(x) <= 360 && std::fmod(x, 15) == 0; };
  if (rpy && (is_degrees(n.value[0]) || is_degrees(n.value[1]) || is_degrees(n.value[2])))
    element.warning(
        "rpy-degrees",
        "rpy is " + in_quotes(element.text("rpy")) + " rad, which is more than two turns; are these degrees?",
        "write radians, such as 1.5707963267948966 for 90°");
  // Most rotations in files are the identity; they stay exact, and cost nothing.
  if (rpy && (n.value[0] != 0 || n.value[1] != 0 || n.value[2] != 0))
    X.R = rotation_rpy(n.value[0], n.value[1], n.value[2]);
  if (element.has("quat_xyzw")) {
    if (element.has("rpy"))
      element.warning("duplicate-attribute", "there are both rpy and quat_xyzw; rpy is used", "remove one of them");
    else if (element.numbers("quat_xyzw", 4, n))
      X.R = rotation_xyzw(element, n);
  }
  return X;
}

Pose<double> read_origin(const Element& element) {
  const Element origin = element.child("origin");
  if (!origin) return {};
  origin.expect({"xyz", "rpy", "quat_xyzw"}, {});
  return read_pose(origin);
}

FrameDescription read_frame(const Element& element) {
  element.expect({"name", "link", "xyz", "rpy", "quat_xyzw"}, {"origin"});
  element.extension("<frame>, a named frame,");
  FrameDescription frame;
  frame.name = element.text("name");
  frame.link = element.text("link");
  frame.line = element.line();
  frame.origin = element.peek("origin") ? read_origin(element) : read_pose(element);
  return frame;
}

}  // namespace lissom::io::urdf
