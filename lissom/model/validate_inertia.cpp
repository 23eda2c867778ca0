// Checks each link: whether a rigid body can have this mass and this inertia.
#include <algorithm>
#include <array>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {

namespace {

bool is_zero(const Sym3<double>& I) {
  return I.xx == 0 && I.yy == 0 && I.zz == 0 && I.xy == 0 && I.xz == 0 && I.yz == 0;
}

using Moments = std::array<double, 3>;

// One rotation of Jacobi's method in the plane (p, q), which makes A[p][q] zero.
void rotate(std::array<std::array<double, 3>, 3>& A, std::size_t p, std::size_t q) {
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const std::size_t r = 3 - p - q;
  const double pq = A[p][q], pr = A[p][r], qr = A[q][r];
  A[p][p] -= t * pq;
  A[q][q] += t * pq;
  A[p][q] = A[q][p] = 0;
  A[p][r] = A[r][p] = c * pr - s * qr;
  A[q][r] = A[r][q] = s * pr + c * qr;
}

// The eigenvalues in ascending order, to full precision relative to the largest (a closed formula loses half of the
// digits where two are equal).
Moments principal_moments(const Sym3<double>& I) {
  const double scale =
      std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz), std::abs(I.xy), std::abs(I.xz), std::abs(I.yz)});
  if (scale == 0 || !std::isfinite(scale)) return {0, 0, 0};
  const double k = 1 / scale;
  std::array<std::array<double, 3>, 3> A{
      {{k * I.xx, k * I.xy, k * I.xz}, {k * I.xy, k * I.yy, k * I.yz}, {k * I.xz, k * I.yz, k * I.zz}}};
  constexpr int sweeps = 8;  // converges quadratically; three are usually enough
  for (int sweep = 0; sweep < sweeps; ++sweep) rotate(A, 0, 1), rotate(A, 0, 2), rotate(A, 1, 2);
  Moments moments{scale * A[0][0], scale * A[1][1], scale * A[2][2]};
  std::sort(moments.begin(), moments.end());
  return moments;
}

std::string to_text(const Moments& m) {
  return lissom::to_text(m[0]) + ", " + lissom::to_text(m[1]) + ", " + lissom::to_text(m[2]) + " kg m²";
}

void check_moments(const LinkDescription& link, Findings& findings) {
  // Files have few digits; deviations that rounding can explain are not reported.
  constexpr double tolerance = 1e-6;
  const Moments moments = principal_moments(link.inertia);
  const double largest = std::max(std::abs(moments[0]), std::abs(moments[2]));
  if (moments[0] < -tolerance * largest) {
    findings.warning(
        "inertia-not-positive", link.line, subject(link),
        "the principal moments of inertia are " + to_text(moments) +
            ": no body has a negative one. The mass matrix may be indefinite (motions of negative kinetic energy), "
            "and forward dynamics unphysical or impossible; inverse dynamics can still be computed",
        "correct the inertia of this link: look for a wrong sign, for products of inertia larger than the moments, or "
        "for a tensor that is not about the center of mass");
    return;
  }
  const double excess = moments[2] - moments[0] - moments[1];
  if (excess > tolerance * largest)
    findings.warning(
        "inertia-triangle", link.line, subject(link),
        "the principal moments of inertia are " + to_text(moments) + ": the largest exceeds the sum of the others by " +
            lissom::to_text(100 * excess / moments[2]) + " %, which no distribution of mass does",
        "correct the inertia of this link: look for moments in the wrong order or units, or a tensor that is not about "
        "the center of mass");
}

}  // namespace

bool is_massless(const LinkDescription& link) {
  return link.mass == 0 && is_zero(link.inertia);
}

void check_inertias(const Description& description, Findings& findings) {
  for (const LinkDescription& link : description.links) {
    const bool no_inertia = is_zero(link.inertia);
    if (link.mass < 0) {
      findings.error("mass-negative", link.line, subject(link),
                     "the mass is " + lissom::to_text(link.mass) + " kg, expected 0 or more",
                     "give a mass of 0 or more");
    } else if (link.mass == 0 && !no_inertia) {
      findings.warning("inertia-without-mass", link.line, subject(link), "it has inertia but no mass",
                       "give it its mass, or remove the inertia");
    } else if (link.mass > 0 && no_inertia) {
      findings.warning("mass-without-inertia", link.line, subject(link),
                       "it has mass but no inertia, like a point: its rotation would have no kinetic energy",
                       "give it the inertia of a body of its size and mass");
    }
    if (!no_inertia) check_moments(link, findings);
  }
}

}  // namespace lissom::validation
