// Positions and orientations, in all ways that MJCF has for them.
#include <cmath>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::io::mjcf {
namespace {

constexpr const char* orientations[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
constexpr double min_norm = 1e-14;  // MuJoCo's

double norm_of(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}
Vec3<double> first_three(const NumberList& n, std::size_t from = 0) {
  return {n.value[from], n.value[from + 1], n.value[from + 2]};
}

Mat3<double> without_direction(const Element& element, const char* attribute) {
  element.error(
      "orientation-zero",
      "attribute " + in_quotes(attribute) + " is " + in_quotes(element.text(attribute)) + ": it gives no direction",
      "write vectors of length 1");
  return identity3<double>();
}

Mat3<double> from_euler(const NumberList& n, const Compiler& compiler, double factor = 1) {
  auto R = identity3<double>();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = compiler.euler_sequence[i];
    const bool moving = letter >= 'a';
    const int axis = (moving ? letter - 'a' : letter - 'A') - ('x' - 'a');
    const auto about_axis =
        rotation_about({double(axis == 0), double(axis == 1), double(axis == 2)}, factor * compiler.angle(n.value[i]));
    R = moving ? R * about_axis : about_axis * R;
  }
  return R;
}

Mat3<double> from_xyaxes(const Element& element, const NumberList& n) {
  auto x = first_three(n), y = first_three(n, 3);
  if (norm_of(x) < min_norm) return without_direction(element, "xyaxes");
  x = unit(x);
  y = y - dot(x, y) * x;
  if (norm_of(y) < min_norm) return without_direction(element, "xyaxes");
  y = unit(y);
  return transpose(from_rows(x, y, cross(x, y)));
}

// The smallest rotation that takes z to n, and by π about x if n is -z.
Mat3<double> shortest_from_z_to(const Vec3<double>& n) {
  const double sine = std::hypot(n.x, n.y);
  if (sine < 1e-10) return rotation_about({1, 0, 0}, std::atan2(sine, n.z));
  return rotation_about({-n.y / sine, n.x / sine, 0}, std::atan2(sine, n.z));
}

Mat3<double> from_quaternion(const NumberList& n) {
  const Quaternion<double> q{n.value[0], n.value[1], n.value[2], n.value[3]};
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(norm > min_norm) || (q.x == 0 && q.y == 0 && q.z == 0)) return identity3<double>();  // as MuJoCo takes it
  return matrix(normalized(q));
}

Mat3<double> read_rotation(const Settings& at_level, const char* attribute, const Compiler& compiler) {
  const std::string_view which = attribute;
  const Element& element = at_level.element();
  NumberList n;
  const std::size_t count = which == "euler" || which == "zaxis" ? 3 : which == "xyaxes" ? 6 : 4;
  if (!at_level.numbers(attribute, count, count, n)) return identity3<double>();
  if (which == "quat") return from_quaternion(n);
  if (which == "euler") return from_euler(n, compiler);
  if (which == "xyaxes") return from_xyaxes(element, n);
  const auto axis = first_three(n);
  if (norm_of(axis) < min_norm) return without_direction(element, attribute);
  return which == "zaxis" ? shortest_from_z_to(unit(axis)) : rotation_about(unit(axis), compiler.angle(n.value[3]));
}

}  // namespace

Mat3<double> rotation_about(const Vec3<double>& axis, double angle) {
  if (angle == 0) return identity3<double>();
  const double c = std::cos(angle), s = std::sin(angle);
  const auto& [x, y, z] = std::array{axis.x, axis.y, axis.z};
  const double k = 1 - c;
  return {c + k * x * x,     k * x * y - s * z, k * x * z + s * y,  //
          k * x * y + s * z, c + k * y * y,     k * y * z - s * x,  //
          k * x * z - s * y, k * y * z + s * x, c + k * z * z};
}

Mat3<double> read_euler(const Settings& settings, const Compiler& compiler, double factor) {
  NumberList n;
  return settings.numbers("euler", 3, 3, n) ? from_euler(n, compiler, factor) : identity3<double>();
}
Mat3<double> read_quaternion(const Settings& settings, const char* attribute) {
  NumberList n;
  return settings.numbers(attribute, 4, 4, n) ? from_quaternion(n) : identity3<double>();
}

bool has_orientation(const Settings& settings) {
  for (const char* attribute : orientations)
    if (settings.has(attribute)) return true;
  return false;
}

Pose<double> read_pose(const Settings& settings, const Compiler& compiler) {
  Pose<double> X;
  settings.vector("pos", X.p);
  // The nearest element that says something about the orientation counts.
  ReportedAttributes reported;
  for (const Element& level : settings.levels()) {
    const char* found = nullptr;
    for (const char* attribute : orientations) {
      if (!level.has(attribute)) continue;
      if (found)
        level.error("orientation-several",
                    "both " + std::string(found) + " and " + attribute + " give an orientation; MuJoCo accepts one",
                    "remove one of them");
      found = attribute;
    }
    if (!found) continue;
    X.R = read_rotation(Settings(level, nullptr, reported), found, compiler);
    break;
  }
  return X;
}

std::optional<FromTo> read_fromto(const Settings& settings) {
  NumberList n;
  if (!settings.numbers("fromto", 6, 6, n)) return std::nullopt;
  const auto from = first_three(n), to = first_three(n, 3), along = from - to;
  FromTo result;
  result.pose.p = 0.5 * (from + to);
  result.half_length = 0.5 * norm_of(along);
  if (result.half_length < min_norm) {
    settings.owner("fromto").error("fromto", "the two points of 'fromto' are the same", "give two different points");
    result.half_length = 1;
    return result;
  }
  result.pose.R = shortest_from_z_to(unit(along));
  return result;
}

}  // namespace lissom::io::mjcf
