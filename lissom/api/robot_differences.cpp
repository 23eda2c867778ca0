#include "lissom/api/robot_differences.h"

#include <algorithm>
#include <limits>

#include "lissom/io/write/xml_output.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom {
namespace {

constexpr double not_comparable = std::numeric_limits<double>::infinity();

std::string shown(double x, double other) {
  return to_text(x) == to_text(other) ? io::write::number_text(x) : to_text(x);
}

}  // namespace

double norm_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double e : x) sum += e * e;
  return std::sqrt(sum);
}

std::string values_text(const std::vector<double>& x, const std::vector<double>& other) {
  std::string all;
  for (std::size_t i = 0; i < x.size(); ++i)
    all += (i > 0 ? " " : "") + shown(x[i], i < other.size() ? other[i] : not_comparable);
  return all.empty() ? "none" : all;
}

void RobotDifferences::numbers(const std::string& subject, const char* property, double a, double b, double scale,
                               const char* unit) {
  vectors(subject, property, {a}, {b}, scale, unit);
}

void RobotDifferences::vectors(const std::string& subject, const char* property, const std::vector<double>& a,
                               const std::vector<double>& b, double scale, const char* unit) {
  const auto report = [&](double difference) {
    const std::string unit_text = *unit ? std::string(" ") + unit : "";
    add({subject, property, values_text(a, b) + unit_text, values_text(b, a) + unit_text, difference});
  };
  if (a.size() != b.size()) return report(not_comparable);
  std::vector<double> x, y, difference;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) return report(not_comparable);
    difference.push_back(a[i] - b[i]);
  }
  if (difference.empty()) return;
  for (const double e : a)
    if (std::isfinite(e)) x.push_back(e);
  for (const double e : b)
    if (std::isfinite(e)) y.push_back(e);
  const double relative = norm_of(difference) / (std::max(norm_of(x), norm_of(y)) + 1e-3 * scale);
  if (!(relative <= tolerance_)) report(relative);
}

void RobotDifferences::words(const std::string& subject, const char* property, const std::string& a,
                             const std::string& b) {
  if (a != b) add({subject, property, a, b, not_comparable});
}

void RobotDifferences::missing(const std::string& subject, bool in_a) {
  add({subject, "existence", in_a ? "missing" : "there", in_a ? "there" : "missing", not_comparable});
}

double RobotDifferences::distance(const Pose<double>& a, const Pose<double>& b, double length) {
  const auto& A = a.R;
  const auto& B = b.R;
  const double angle = norm_of({A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yx - B.yx, A.yy - B.yy, A.yz - B.yz,
                                A.zx - B.zx, A.zy - B.zy, A.zz - B.zz});
  const auto p = a.p - b.p;
  return std::max(angle, norm_of({p.x, p.y, p.z}) / length);
}

bool is_world_link(const Description& description, const std::string& name) {
  if (name != "world") return false;
  const auto link = std::ranges::find(description.links, name, &LinkDescription::name);
  if (link == description.links.end()) return true;
  const auto root = std::ranges::find(description.roots, name, &RootDescription::link);
  const bool fixed =
      root == description.roots.end() || (root->base == Base::fixed && io::write::is_identity(root->placement));
  return fixed && is_massless(*link) &&
         std::ranges::find(description.joints, name, &JointDescription::child) == description.joints.end();
}

bool is_static(const Description& description, const std::string& link) {
  std::string at = link;
  for (std::size_t i = 0; i <= description.joints.size(); ++i) {
    const auto joint = std::ranges::find(description.joints, at, &JointDescription::child);
    if (joint == description.joints.end()) break;
    if (joint->type != JointType::fixed) return false;
    at = joint->parent;
  }
  const auto root = std::ranges::find(description.roots, at, &RootDescription::link);
  return root == description.roots.end() || root->base == Base::fixed;
}

}  // namespace lissom
