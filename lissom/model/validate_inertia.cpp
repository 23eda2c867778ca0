// Checks each link: whether a rigid body can have this mass and this inertia. What is impossible on its own does no
// harm if the link is fixed to others and the sum is possible: then it is only noted.
#include <algorithm>
#include <array>
#include <cmath>

#include "lissom/model/interpretation.h"
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

std::string to_text(Moments m) {
  for (double& x : m)
    if (std::abs(x) < 1e-14 * std::abs(m[2])) x = 0;  // rounding errors
  return lissom::to_text(m[0]) + ", " + lissom::to_text(m[1]) + ", " + lissom::to_text(m[2]) + " kg m²";
}

enum class Flaw { none, rounding, triangle, negative };

// Which law of rigid bodies these moments violate.
Flaw flaw_of(const Moments& moments) {
  // Files have few digits; deviations that rounding can explain are not reported, or only noted.
  constexpr double tolerance = 1e-6, few_digits = 1e-2;
  const double largest = std::max(std::abs(moments[0]), std::abs(moments[2]));
  if (moments[0] < -tolerance * largest) return Flaw::negative;
  const double excess = moments[2] - moments[0] - moments[1];
  return excess > few_digits * largest ? Flaw::triangle : excess > tolerance * largest ? Flaw::rounding : Flaw::none;
}

// With two significant digits.
std::string percent(double fraction) {
  const double unit = std::pow(10, std::floor(std::log10(fraction)) - 1);
  return lissom::to_text(100 * unit * std::round(fraction / unit)) + " %";
}

// `outweighed`: the link is fixed to others, and the whole body has a possible inertia.
void check_moments(const LinkDescription& link, bool outweighed, Findings& findings) {
  const Moments moments = principal_moments(link.inertia);
  const Flaw flaw = flaw_of(moments);
  if (flaw == Flaw::none) return;
  const bool harmless = outweighed || flaw == Flaw::rounding;
  const Severity severity = harmless ? Severity::note : Severity::warning;
  const std::string rest =
      outweighed ? "; the links that are fixed to it make up for it, so that dynamics is not affected" : "";
  if (flaw == Flaw::negative) {
    findings.add(
        severity, "inertia-not-positive", link.line, subject(link),
        "the principal moments of inertia are " + to_text(moments) + ": no body has a negative one" +
            (outweighed ? rest
                        : ". The mass matrix may be indefinite (motions of negative kinetic energy), and forward "
                          "dynamics unphysical or impossible; inverse dynamics can still be computed"),
        "correct the inertia of this link: look for a wrong sign, for products of inertia larger than the moments, or "
        "for a tensor that is not about the center of mass");
    return;
  }
  findings.add(
      severity, "inertia-triangle", link.line, subject(link),
      "the principal moments of inertia are " + to_text(moments) + ": the largest exceeds the sum of the others by " +
          percent((moments[2] - moments[0] - moments[1]) / moments[2]) + ", which no distribution of mass does" + rest,
      "correct the inertia of this link: look for moments in the wrong order or units, or a tensor that is not about "
      "the center of mass");
}

// The inertia about the center of mass of a body; that about its origin if it has no mass.
Sym3<double> about_center_of_mass(const RigidInertia<double>& body) {
  if (!(body.mass > 0)) return body.I;
  const auto& h = body.h;
  const double k = 1 / body.mass, hh = dot(h, h);
  return body.I - Sym3<double>{k * (hh - h.x * h.x), -k * h.x * h.y, -k * h.x * h.z,
                               k * (hh - h.y * h.y), -k * h.y * h.z, k * (hh - h.z * h.z)};
}

struct BodyFigures {
  RigidInertia<double> inertia{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  int links = 0;
  Moments moments{};
};

// What each rigid body has in sum, at the index of its first link.
std::vector<BodyFigures> figures_of(const Description& description, const RigidBodies& bodies) {
  std::vector<BodyFigures> all(description.links.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    BodyFigures& body = all[bodies.of[i]];
    body.inertia += inertia_about_origin(description.links[i], bodies.placement[i]);
    ++body.links;
  }
  for (BodyFigures& body : all) body.moments = principal_moments(about_center_of_mass(body.inertia));
  return all;
}

void check_inertia(const LinkDescription& link, const BodyFigures& body, Findings& findings) {
  const bool no_inertia = is_zero(link.inertia);
  const bool outweighed = body.links > 1 && body.inertia.mass > 0 && body.moments[0] > 0 &&
                          (flaw_of(body.moments) == Flaw::none || flaw_of(body.moments) == Flaw::rounding);
  const Severity severity = outweighed ? Severity::note : Severity::warning;
  if (link.mass < 0)
    findings.error("mass-negative", link.line, subject(link),
                   "the mass is " + lissom::to_text(link.mass) + " kg, expected 0 or more", "give a mass of 0 or more");
  else if (link.mass == 0 && !no_inertia)
    findings.add(severity, "inertia-without-mass", link.line, subject(link), "it has inertia but no mass",
                 "give it its mass, or remove the inertia");
  else if (link.mass > 0 && no_inertia)
    findings.add(severity, "mass-without-inertia", link.line, subject(link),
                 std::string("it has mass but no inertia, like a point") +
                     (outweighed ? "; the links that are fixed to it have inertia"
                                 : ": its rotation would have no kinetic energy"),
                 "give it the inertia of a body of its size and mass");
  if (!no_inertia) check_moments(link, outweighed, findings);
}

}  // namespace

RigidBodies rigid_bodies(const Description& description, const Tree& tree) {
  const std::size_t n = description.links.size();
  RigidBodies bodies{std::vector<std::size_t>(n), std::vector<Pose<double>>(n)};
  for (std::size_t i = 0; i < n; ++i) bodies.of[i] = i;  // also those that no root leads to
  for (const int at : tree.order) {
    const auto i = static_cast<std::size_t>(at);
    if (tree.parent[i] == none) continue;
    const JointDescription& joint = description.joints[static_cast<std::size_t>(tree.joint[i])];
    if (joint.type != JointType::fixed) continue;
    const auto parent = static_cast<std::size_t>(tree.parent[i]);
    bodies.of[i] = bodies.of[parent];
    bodies.placement[i] = bodies.placement[parent] * joint.origin;
  }
  return bodies;
}

namespace {

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

// The radius around a link's frame within which its shapes, but for meshes, and its joints are; 0 if nothing tells.
std::vector<double> sizes_of_links(const Description& description, const Tree& tree) {
  std::vector<double> size(description.links.size(), 0);
  const auto reach = [&](std::size_t link, double radius) { size[link] = std::max(size[link], radius); };
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (tree.joint[i] != none && tree.parent[i] != none) {
      const double offset = length(description.joints[static_cast<std::size_t>(tree.joint[i])].origin.p);
      reach(i, offset);
      reach(static_cast<std::size_t>(tree.parent[i]), offset);
    }
    for (const auto* shapes : {&description.links[i].visuals, &description.links[i].collisions})
      for (const Geometry& geometry : *shapes)
        if (const Shape& s = geometry.shape;
            s.kind != Shape::Kind::mesh && s.kind != Shape::Kind::plane && s.kind != Shape::Kind::height_field)
          reach(i, length(geometry.origin.p) + length(s.size) + s.radius + s.length);
  }
  return size;
}

// Moments and centers of mass in millimeters or centimeters, of a robot in meters: no link is that much larger than
// what is attached to it.
void check_units(const LinkDescription& link, double size, Findings& findings) {
  constexpr double factor = 20, min_radius = 2, far = 10;  // m
  if (!(link.mass > 0) || size == 0) return;
  const double gyration = std::sqrt(std::max({link.inertia.xx, link.inertia.yy, link.inertia.zz, 0.0}) / link.mass);
  const double center = length(link.com), radius = std::max(gyration, center);
  if (!(radius > min_radius) || !(radius > factor * size)) return;
  // Many files have placeholders, such as 1 kg m² for a finger.
  findings.add(
      radius > far ? Severity::warning : Severity::note, "inertia-units", link.line, subject(link),
      (center > gyration ? "its center of mass is " + lissom::to_text(center) + " m away from its frame"
                         : "its mass is spread over " + lissom::to_text(gyration) + " m (radius of gyration)") +
          ", while its shapes and joints are within " + lissom::to_text(size) +
          " m; is that a placeholder, or in centimeters or millimeters?",
      "write lengths in m, and inertia in kg m²");
}

}  // namespace

void check_inertias(const Description& description, const Tree& tree, Findings& findings) {
  const RigidBodies bodies = rigid_bodies(description, tree);
  const std::vector<BodyFigures> figures = figures_of(description, bodies);
  for (std::size_t i = 0; i < description.links.size(); ++i)
    check_inertia(description.links[i], figures[bodies.of[i]], findings);
  const std::vector<double> sizes = sizes_of_links(description, tree);
  for (std::size_t i = 0; i < sizes.size(); ++i) check_units(description.links[i], sizes[i], findings);
}

}  // namespace lissom::validation
