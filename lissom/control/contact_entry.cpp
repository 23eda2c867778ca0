#include "lissom/control/contact_entry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/geometry/contact_polygon.h"

namespace lissom::control {

namespace {

constexpr double min_friction_fraction = .3;  // of the friction, while a contact is ramped in or out
// Costs ½ k s² of margins, where s is the violation as a fraction of the weight, or of the weight times the distance of
// the face's edge from its middle. Compare an error of the center of mass' acceleration, with its usual weight of 100:
// with a center of pressure 12 % of the height from where it should be, it is 1.2 m/s², and costs 70.
constexpr double force_cost = 2e4, support_cost = 60;
constexpr int friction_margin_rows = 4;

// The scaled face's edges, as rows on the normal forces: the moment about each is at least 0.
void add_support_rows(ContactEntry& e, const std::vector<Vec3<double>>& hull, double weight) {
  Vec3<double> middle(0, 0, 0);
  for (const auto& p : hull) middle += (1.0 / double(hull.size())) * p;
  const int per = e.per_point();
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const auto along = hull[(i + 1) % hull.size()] - hull[i];
    const double length = std::hypot(along.x, along.y);
    const Vec3<double> inward(-along.y / length, along.x / length, 0);
    const double half = dot(inward, middle - hull[i]);
    const auto edge = middle + e.margins.support * (hull[i] - middle);
    const int row = friction_margin_rows + 1 + int(i);
    for (std::size_t p = 0; p < e.points.size(); ++p)
      e.soft.rows(row, per * int(p) + per - 1) = dot(inward, e.points[p] - edge);
    e.soft.weight[row] = support_cost / (weight * weight * half * half);
  }
}

}  // namespace

ContactEntry::ContactEntry(const Model& model, Contact given) : ContactRows(model, std::move(given)) {
  ramp_fraction = contact.ramp > 0 ? 0 : 1;
}

void set_margins(ContactEntry& e, const ContactMargins& margins, double weight) {
  e.margins = margins;
  const bool face = e.contact.kind == ContactKind::surface || e.contact.kind == ContactKind::sliding;
  const auto hull = face && margins.support < 1 ? convex_hull(e.points) : std::vector<Vec3<double>>{};
  const int count = e.unilateral() && weight > 0 ? friction_margin_rows + 1 + int(hull.size()) : 0;
  e.soft = {Matrix::Zero(count, e.variables()), Eigen::VectorXd::Zero(count), Eigen::VectorXd::Zero(count)};
  if (count == 0) return;
  e.soft.weight.setConstant(force_cost / (weight * weight));
  add_support_rows(e, hull, weight);
  update_margins(e);
}

void update_margins(ContactEntry& e) {
  if (e.soft.rows.rows() == 0) return;
  const int per = e.per_point();
  const double slope = e.margins.friction * pyramid_slope(e);
  for (int first = 0; first < e.variables(); first += per) {
    const int normal = first + per - 1;
    for (int side = 0; side < friction_margin_rows; ++side) {
      e.soft.rows(side, normal) = slope;
      if (per == 3) e.soft.rows(side, first + side / 2) = side % 2 ? 1 : -1;
    }
    e.soft.rows(friction_margin_rows, normal) = 1;
  }
  e.soft.lower[friction_margin_rows] = e.enabled ? e.ramp_fraction * e.ramp_fraction * e.margins.min_normal_force : 0;
}

// v_center = ω × r n, and for the acceleration likewise. Where it has rolled to is no drift: along the surface only its
// slip is damped.
void let_roll(ContactEntry& e, const RobotSnapshot& robot) {
  if (e.contact.kind != ContactKind::point || e.contact.radius == 0) return;
  const double r = e.contact.radius;
  e.J.row(0) -= r * e.J.row(4), e.J.row(1) += r * e.J.row(3);
  e.Jdot_v[0] -= r * e.Jdot_v[4], e.Jdot_v[1] += r * e.Jdot_v[3];
  for (int i = 0; i < 2; ++i) e.desired[i] = -e.contact.damping * e.J.row(i).dot(robot.v);
}

void advance_ramp(ContactEntry& e, double step) {
  const double change = e.contact.ramp > 0 ? step / e.contact.ramp : 1;
  e.ramp_fraction = e.enabled ? std::min(1.0, e.ramp_fraction + change) : std::max(0.0, e.ramp_fraction - change);
  e.active = e.enabled || e.ramp_fraction > 0;
  if (!e.active && !e.contact.placement) e.placed = false;
}

double pyramid_slope(const ContactEntry& e) {
  return std::max(e.ramp_fraction, min_friction_fraction) * e.contact.friction / std::sqrt(2);
}

// The maximum is quadratic in ramp_fraction: it is zero at the end of a release, so that the force has no jump, and
// grows slowly at first when the contact is made. It is twice the weight, because a moving robot can push with more
// than its weight.
ForceRange force_range(const ContactEntry& e, double weight) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double ramped = e.ramp_fraction < 1 ? 2 * e.ramp_fraction * e.ramp_fraction * weight : infinity;
  if (!e.unilateral()) return {-ramped, ramped};
  return {e.enabled ? e.ramp_fraction * e.ramp_fraction * e.contact.min_normal_force : 0,
          std::min(e.contact.max_normal_force, ramped)};
}

}  // namespace lissom::control
