#include "lissom/io/sdf/values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/model/axes.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

std::string in_angles(const Element& element) {
  return "<" + printable(shortened(element.tag(), 60)) + ">";
}

// Quaternions in the order x y z w.
Mat3<double> rotation_of_quaternion(const Element& element, const double* q) {
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(n > 0) || !std::isfinite(n)) {
    element.error("quaternion", "the quaternion of the pose is zero or not finite",
                  "write a quaternion of norm 1, x y z w");
    return identity3<double>();
  }
  constexpr double tolerance = 1e-3;
  if (std::abs(n - 1) > tolerance)
    element.warning("quaternion",
                    "the quaternion of the pose has norm " + to_text(n) + ", expected 1; it is normalized",
                    "write a quaternion of norm 1, x y z w");
  const double x = q[0] / n, y = q[1] / n, z = q[2] / n, w = q[3] / n;
  return {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),  //
          2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),  //
          2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
}

bool in_degrees(const Element& pose) {
  return pose.has("degrees") && to_flag(pose, pose.text("degrees"), "attribute 'degrees'").value_or(false);
}

Pose<double> read_rotation_format(const Element& element) {
  Pose<double> X;
  const std::string_view format = element.has("rotation_format") ? element.text("rotation_format") : "euler_rpy";
  if (format != "euler_rpy" && format != "quat_xyzw") {
    element.error("rotation-format", "rotation_format is " + in_quotes(format), "write euler_rpy or quat_xyzw");
    return X;
  }
  const bool quaternion = format == "quat_xyzw";
  NumberList n;
  if (!read_numbers(element, quaternion ? 7 : 6, n)) return X;
  X.p = {n.value[0], n.value[1], n.value[2]};
  const double* r = &n.value[3];
  if (quaternion) {
    if (in_degrees(element))
      element.error("rotation-format", "the rotation is a quaternion, and also in degrees",
                    "remove the attribute 'degrees'");
    X.R = rotation_of_quaternion(element, r);
  } else if (r[0] != 0 || r[1] != 0 || r[2] != 0) {  // the identity stays exact
    const double unit = in_degrees(element) ? std::numbers::pi / 180 : 1;
    X.R = rotation_rpy(r[0] * unit, r[1] * unit, r[2] * unit);
  }
  return X;
}

}  // namespace

bool read_numbers(const Element& element, std::size_t count, NumberList& out, Infinity infinity) {
  const std::string text = element.value();
  if (text.empty()) return false;
  const auto problem = parse_numbers(text, count, out, infinity);
  if (!problem) return true;
  element.error(problem->code,
                in_angles(element) + " is " + in_quotes(text) + ": " + problem->message + ", expected " +
                    counted(count, "number"),
                problem->remedy);
  return false;
}

std::optional<double> number_in(const Element& parent, const char* name, Infinity infinity) {
  const Element child = parent.child(name);
  if (!child) return std::nullopt;
  child.expect_value();
  NumberList n;
  return read_numbers(child, 1, n, infinity) ? std::optional(n.value[0]) : std::nullopt;
}

std::optional<Vec3<double>> vector_in(const Element& parent, const char* name) {
  const Element child = parent.child(name);
  if (!child) return std::nullopt;
  child.expect_value();
  NumberList n;
  if (!read_numbers(child, 3, n)) return std::nullopt;
  return Vec3<double>{n.value[0], n.value[1], n.value[2]};
}

std::optional<bool> to_flag(const Element& element, std::string_view text, std::string_view what) {
  for (const auto* yes : {"true", "True", "TRUE", "1"})
    if (text == yes) return true;
  for (const auto* no : {"false", "False", "FALSE", "0"})
    if (text == no) return false;
  element.error("flag", std::string(what) + " is " + in_quotes(text) + ", which is neither true nor false",
                "write true or false");
  return std::nullopt;
}

std::optional<bool> flag_in(const Element& parent, const char* name) {
  const Element child = parent.child(name);
  if (!child) return std::nullopt;
  child.expect_value();
  const std::string text = child.value();
  return text.empty() ? std::nullopt : to_flag(child, text, "<" + std::string(name) + ">");
}

std::string text_in(const Element& parent, const char* name) {
  const Element child = parent.child(name);
  if (!child) return {};
  child.expect_value();
  return child.value();
}

WrittenPose read_pose(const Element& parent) {
  const Element element = parent.child("pose");
  if (!element) return {};
  // Until 1.6, the attribute was called frame.
  element.expect_value({"relative_to", "frame", "rotation_format", "degrees"});
  const auto* attribute = element.has("relative_to") ? "relative_to" : "frame";
  return {read_rotation_format(element), std::string(element.text(attribute)), element.line()};
}

void keep(const Element& element, Element::Words used, Description& description) {
  const pugi::xml_node top = element.node();
  const std::string subject(element.subject());
  const auto is_used = [&](const pugi::xml_node& leaf) {
    return std::ranges::find(used, std::string_view(leaf.name())) != used.end();
  };
  std::string path = top.name();
  for (pugi::xml_node node = top;;) {
    pugi::xml_node next = node.first_child();
    if (!next) {
      if (node.type() == pugi::node_pcdata && !is_used(node.parent()))
        description.kept.push_back({subject, path, Element(node.parent(), element.report(), subject).value(),
                                    element.report().line(node.parent())});
      while (node != top && !node.next_sibling()) {
        if (node.type() == pugi::node_element) path.resize(path.rfind('/'));
        node = node.parent();
      }
      if (node == top) return;
      if (node.type() == pugi::node_element) path.resize(path.rfind('/'));
      next = node.next_sibling();
    }
    node = next;
    if (node.type() == pugi::node_element) path += "/" + std::string(node.name());
  }
}

void keep_children(const Element& element, Element::Words names, Description& description) {
  for (const std::string_view name : names)
    if (const Element child = element.child(std::string(name).c_str())) keep(child, {}, description);
}

void not_read(const Element& element, const char* why) {
  const std::string tag(element.tag());
  element.report().count(Severity::note, "not-read", element.line(), element.subject(),
                         in_angles(element) + " is not read: " + why, "none needed", tag);
}

}  // namespace lissom::io::sdf
