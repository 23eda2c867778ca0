// <inertial>, sums of geoms, and what the compiler does to them.
#include <algorithm>
#include <array>
#include <cmath>

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

// By Jacobi's rotations, which converge quadratically.
PrincipalAxes principal_axes(const Sym3<double>& I) {
  std::array<std::array<double, 3>, 3> A{{{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}}},
      V{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr int sweeps = 12;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
      if (A[p][q] == 0) continue;
      const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
      const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (std::size_t k = 0; k < 3; ++k) {
        const double kp = A[k][p], kq = A[k][q];
        A[k][p] = c * kp - s * kq, A[k][q] = s * kp + c * kq;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const double pk = A[p][k], qk = A[q][k];
        A[p][k] = c * pk - s * qk, A[q][k] = s * pk + c * qk;
        const double vp = V[k][p], vq = V[k][q];
        V[k][p] = c * vp - s * vq, V[k][q] = s * vp + c * vq;
      }
    }
  std::array<std::size_t, 3> order{0, 1, 2};
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return A[i][i] > A[j][j]; });
  const auto column = [&](std::size_t i) { return Vec3<double>{V[0][i], V[1][i], V[2][i]}; };
  const auto x = column(order[0]), y = column(order[1]);
  return {{A[order[0]][order[0]], A[order[1]][order[1]], A[order[2]][order[2]]},
          transpose(from_rows(x, y, cross(x, y)))};
}

void read_inertial(const Element& unnamed, const Scope& scope, LinkDescription& link, Reading& reading) {
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
