// <inertial>, sums of geoms, and what the compiler does to them.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

std::string moments_text(const std::array<double, 3>& m) {
  return to_text(m[0]) + ", " + to_text(m[1]) + ", " + to_text(m[2]) + " kg m²";
}

Sym3<double> isotropic(double i) {
  return {i, 0, 0, i, 0, i};
}

// Returns whether a violated triangle inequality was balanced.
void balance(const Element& body, bool balanced, const std::array<double, 3>& m, LinkDescription& link) {
  const double excess = std::max({m[0] - m[1] - m[2], m[1] - m[0] - m[2], m[2] - m[0] - m[1]});
  if (!(excess > 0)) return;
  const double mean = (m[0] + m[1] + m[2]) / 3;
  // MuJoCo's test knows no rounding; products of rotations do.
  if (excess <= 1e-12 * mean) return;
  if (!balanced)
    return body.warning("inertia-refused",
                        "the principal moments of inertia are " + moments_text(m) +
                            ": the largest exceeds the sum of the others, and MuJoCo refuses the file",
                        "correct the inertia, or set balanceinertia=\"true\" in <compiler>");
  link.inertia = isotropic(mean);
  body.warning("inertia-balanced",
               "the principal moments of inertia are " + moments_text(m) +
                   ": the largest exceeds the sum of the others, so that MuJoCo replaces all three by their mean, " +
                   to_text(mean),
               "correct the inertia");
}

}  // namespace

// By Jacobi's rotations, the largest element first, and by less than 45° each; then axes are exchanged by rotations of
// 90° until the moments fall. MuJoCo does the same, and stops at an absolute threshold: so its frames are found, also
// where several would do.
PrincipalAxes principal_axes(const Sym3<double>& I, double threshold) {
  const std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Mat3<double> R = identity3<double>();
  Sym3<double> D = I;
  constexpr int max_rotations = 100;
  for (int i = 0; i < max_rotations; ++i) {
    const double xy = std::abs(D.xy), xz = std::abs(D.xz), yz = std::abs(D.yz);
    const bool about_z = xy > xz && xy > yz, about_y = !about_z && xz > yz;
    const double element = about_z ? D.xy : about_y ? -D.xz : D.yz;
    const double difference = about_z ? D.xx - D.yy : about_y ? D.xx - D.zz : D.yy - D.zz;
    if (std::abs(element) <= std::max(threshold, 1e-17 * (D.xx + D.yy + D.zz))) break;
    const double quarter = (about_y ? 1 : -1) * std::numbers::pi / 4;  // where both directions would do
    const double angle = difference == 0 ? quarter : std::atan(2 * element / difference) / 2;
    R = R * rotation_about(axes[about_z ? 2 : about_y ? 1 : 0], angle);
    D = congruence(transpose(R), I);
  }
  std::array<double, 3> moments{D.xx, D.yy, D.zz};
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{0}})
    if (moments[k] + threshold < moments[k + 1]) {
      std::swap(moments[k], moments[k + 1]);
      R = R * rotation_about(axes[k == 0 ? 2 : 0], std::numbers::pi / 2);
    }
  return {moments, R};
}

std::optional<Mat3<double>> read_inertial(const Element& unnamed, const Scope& scope, LinkDescription& link,
                                          Reading& reading) {
  const std::string subject = shown("link", link.name);
  const Element element = unnamed.with_subject(subject);
  const Settings s(element, nullptr, reading.reported);
  for (const char* required : {"pos", "mass"})
    if (!s.has(required)) element.missing(required);
  Pose<double> X = read_pose(s, scope.model->compiler);
  link.mass = s.number("mass", 0);
  const bool full = s.has("fullinertia"), diagonal = s.has("diaginertia");
  if (full && (diagonal || has_orientation(s))) {
    element.error("inertia-several",
                  std::string("'fullinertia' is given together with ") +
                      (diagonal ? "'diaginertia'" : "an orientation") + ", expected one of them",
                  "remove one of them");
    X.R = identity3<double>();
  }
  NumberList n;
  Sym3<double> I{0, 0, 0, 0, 0, 0};
  if (full && s.numbers("fullinertia", 6, 6, n)) {
    I = {n.value[0], n.value[3], n.value[4], n.value[1], n.value[5], n.value[2]};
    const auto axes = principal_axes(I);
    if (*std::ranges::min_element(axes.moments) <= 0)
      element.error("inertia-not-positive",
                    "the principal moments of 'fullinertia' are " + moments_text(axes.moments) +
                        ", expected positive ones: MuJoCo refuses the file",
                    "check signs and the order xx yy zz xy xz yz");
  } else if (s.numbers("diaginertia", 3, 3, n)) {
    I = {n.value[0], 0, 0, n.value[1], 0, n.value[2]};
  }
  link.com = X.p;
  link.inertia = congruence(X.R, I);
  return full ? std::nullopt : std::optional(X.R);
}

MassProperties sum_of(const std::vector<MassProperties>& parts) {
  if (parts.size() == 1) return parts.front();
  MassProperties sum;
  for (const auto& part : parts) sum.mass += part.mass, sum.center = sum.center + part.mass * part.center;
  if (!(sum.mass > 0)) return {};
  sum.center = (1 / sum.mass) * sum.center;
  for (const auto& part : parts) {
    const auto d = part.center - sum.center;
    const double m = part.mass, dd = dot(d, d);
    sum.inertia += part.inertia;
    sum.inertia += Sym3<double>{m * (dd - d.x * d.x), -m * d.x * d.y, -m * d.x * d.z,
                                m * (dd - d.y * d.y), -m * d.y * d.z, m * (dd - d.z * d.z)};
  }
  return sum;
}

void finish_inertia(const Element& body, const Compiler& compiler, LinkDescription& link) {
  if (link.mass < 0)
    body.error("mass-negative", "the mass is " + to_text(link.mass) + " kg, expected 0 or more",
               "give a mass of 0 or more");
  if (link.mass < compiler.min_mass) link.mass = compiler.min_mass;
  const auto& I = link.inertia;
  const bool zero = I.xx == 0 && I.yy == 0 && I.zz == 0;
  const auto axes = principal_axes(I);
  auto moments = axes.moments;
  if (std::ranges::any_of(moments, [&](double m) { return m < compiler.min_inertia; })) {
    for (double& m : moments) m = std::max(m, compiler.min_inertia);
    link.inertia = congruence(axes.R, Sym3<double>{moments[0], 0, 0, moments[1], 0, moments[2]});
  }
  if (!zero) balance(body, compiler.balance_inertia, moments, link);
}

void set_total_mass(double total, Description& description) {
  double sum = 0;
  for (const auto& link : description.links) sum += link.mass;
  if (!(total > 0) || !(sum > 0)) return;
  for (auto& link : description.links) {
    link.mass *= total / sum;
    link.inertia = scaled(total / sum, link.inertia);
  }
}

}  // namespace lissom::io::mjcf
