#include "lissom/io/write/xml_output.h"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "lissom/math/mat3.h"

namespace lissom::io::write {

std::string number_text(double number) {
  if (number == 0) return "0";  // no sign
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

std::string numbers_text(std::span<const double> numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : " ") + number_text(x);
  return text;
}

std::string numbers_text(const Vec3<double>& v) {
  return numbers_text(std::array{v.x, v.y, v.z});
}

pugi::xml_node add(pugi::xml_node parent, const char* tag) {
  return parent.append_child(tag);
}

pugi::xml_node add_text(pugi::xml_node parent, const char* tag, const std::string& text) {
  auto node = add(parent, tag);
  node.text().set(text.c_str());
  return node;
}

void put(pugi::xml_node node, const char* name, std::string_view text) {
  node.append_attribute(name).set_value(std::string(text).c_str());
}
void put(pugi::xml_node node, const char* name, const char* text) {
  put(node, name, std::string_view(text));
}
void put(pugi::xml_node node, const char* name, double number) {
  put(node, name, std::string_view(number_text(number)));
}
void put(pugi::xml_node node, const char* name, const Vec3<double>& v) {
  put(node, name, std::string_view(numbers_text(v)));
}
void put(pugi::xml_node node, const char* name, const PerDof& values) {
  put(node, name, std::string_view(numbers_text(values.values())));
}
void put_unless(double usual, pugi::xml_node node, const char* name, double number) {
  if (number != usual) put(node, name, number);
}
void put_unless(double usual, pugi::xml_node node, const char* name, const PerDof& values) {
  if (!(values == usual)) put(node, name, values);
}

Vec3<double> rpy_of(const Mat3<double>& R) {
  if (is_identity(R)) return {0, 0, 0};
  constexpr double rounding = 1e-12;
  const double yaw = std::hypot(R.xx, R.yx) > rounding ? std::atan2(R.yx, R.xx) : 0;
  // R_z(-yaw) R = R_y(pitch) R_x(roll) has the row y (0, cos roll, -sin roll), whatever the pitch is. So roll and pitch
  // also take up the error of a yaw that is hardly determined.
  const double c = std::cos(yaw), s = std::sin(yaw);
  const double cos_roll = c * R.yy - s * R.xy, sin_roll = s * R.xz - c * R.yz;
  const double cos_pitch = c * R.xx + s * R.yx;
  return {std::atan2(sin_roll, cos_roll), std::atan2(-R.zx, cos_pitch), yaw};
}

bool is_identity(const Mat3<double>& R) {
  return R.xx == 1 && R.yy == 1 && R.zz == 1 && R.xy == 0 && R.xz == 0 && R.yz == 0;
}
bool is_identity(const Pose<double>& X) {
  return is_identity(X.R) && X.p.x == 0 && X.p.y == 0 && X.p.z == 0;
}

void put_pose(pugi::xml_node node, const Pose<double>& X) {
  if (X.p.x != 0 || X.p.y != 0 || X.p.z != 0) put(node, "xyz", X.p);
  if (!is_identity(X.R)) put(node, "rpy", rpy_of(X.R));
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace lissom::io::write
