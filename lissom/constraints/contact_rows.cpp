#include "lissom/constraints/contact_rows.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/wording.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::control {

namespace {

constexpr double nearly_level = 1e-3;  // rad
constexpr double least_reliance = .3;  // on the friction of a contact that comes or goes
constexpr double slow_sliding = 1e-3;  // m/s, below which friction against sliding fades out

// Where a contact that names no place is held: where it is; turned back to the axes of what it touches where it is as
// good as level with them, so that rounding of a posture does not tilt the ground.
Pose<double> place_here(const Pose<double>& X) {
  const Vec3<double> normal(X.R.xz, X.R.yz, X.R.zz);
  const double tilt = std::hypot(normal.x, normal.y);
  if (normal.z <= 0 || tilt >= nearly_level) return X;
  const double yaw = std::atan2(X.R.yx, X.R.xx), c = std::cos(yaw), s = std::sin(yaw);
  return {Mat3<double>(c, -s, 0, s, c, 0, 0, 0, 1), X.p};
}

void set_force_columns(ContactEntry& e, const Moment::Relative& r) {
  if (e.contact.kind == ContactKind::fixed) {
    e.G.setIdentity();
    return;
  }
  const auto R = transpose(e.place.R) * r.X.R;  // from the frame's axes to those of the place
  const auto origin = e.contact.kind == ContactKind::point ? e.points[0] : Vec3<double>(0, 0, 0);
  const auto put = [&](int column, const Vec3<double>& f, const Vec3<double>& at) {
    const auto moment = cross(at, f);
    e.G.col(column) << f.x, f.y, f.z, moment.x, moment.y, moment.z;
  };
  for (std::size_t i = 0; i < e.points.size(); ++i) {
    const auto at = R * (e.points[i] - origin);
    if (e.contact.kind == ContactKind::sliding) {
      const auto v = r.velocity.linear + cross(r.velocity.angular, at);
      const double along = std::hypot(v.x, v.y), over = e.contact.friction / (along + slow_sliding);
      put(int(i), {-over * v.x, -over * v.y, 1}, at);
    } else {
      put(3 * int(i), {1, 0, 0}, at), put(3 * int(i) + 1, {0, 1, 0}, at), put(3 * int(i) + 2, {0, 0, 1}, at);
    }
  }
}

}  // namespace

const char* to_string(ContactKind kind) {
  switch (kind) {
    case ContactKind::point:
      return "point";
    case ContactKind::surface:
      return "surface";
    case ContactKind::fixed:
      return "fixed";
    case ContactKind::sliding:
      return "sliding";
  }
  return "";
}

int ContactEntry::per_point() const {
  return contact.kind == ContactKind::fixed ? 0 : contact.kind == ContactKind::sliding ? 1 : 3;
}
int ContactEntry::friction_rows() const {
  return per_point() == 3 ? 4 * int(points.size()) : 0;
}

ContactEntry make_entry(const Model& model, Contact contact) {
  ContactEntry e;
  e.name = contact.name.empty() ? contact.frame : contact.name;
  e.frame = model.frame(contact.frame);
  e.against = model.frame(contact.against);
  const auto bad = [&](const std::string& what) { return Error("contact " + in_quotes(e.name) + ": " + what); };
  if (!(contact.friction >= 0) || !std::isfinite(contact.friction))
    throw bad("friction " + in_words(contact.friction) + "; expected 0 or more");
  if (!(contact.least_force >= 0) || !(contact.largest_force >= contact.least_force))
    throw bad("normal force from " + in_words(contact.least_force) + " to " + in_words(contact.largest_force) +
              " N; expected 0 <= least_force <= largest_force");
  if (!(contact.ramp >= 0)) throw bad("ramp " + in_words(contact.ramp) + " s; expected 0 or more");
  const auto& frames = model.frames();
  if (frames[std::size_t(e.frame.index)].body == frames[std::size_t(e.against.index)].body)
    throw bad("its frame and " + in_quotes(contact.against) + " are parts of the same body");
  e.points = contact.points;
  if (e.points.empty()) switch (contact.kind) {
      case ContactKind::point:
        e.points = {{0, 0, 0}};
        break;
      case ContactKind::surface:
      case ContactKind::sliding:
        e.points = contact_polygon(model, e.frame);
        break;
      case ContactKind::fixed:
        break;
    }
  if (contact.kind == ContactKind::surface && e.points.size() < 3)
    throw bad("a surface needs three points; it has " + std::to_string(e.points.size()));
  if (contact.kind == ContactKind::point) e.points.resize(1);
  e.rows = contact.kind == ContactKind::point     ? std::vector<int>{0, 1, 2}
           : contact.kind == ContactKind::sliding ? std::vector<int>{2, 3, 4}
                                                  : std::vector<int>{0, 1, 2, 3, 4, 5};
  if (contact.place) e.place = *contact.place, e.placed = true;
  e.contact = std::move(contact);
  const int variables = e.contact.kind == ContactKind::fixed ? 6 : e.per_point() * int(e.points.size());
  e.J = Columns6::Zero(6, model.nv());
  e.G = Columns6::Zero(6, variables);
  e.joint_forces = Matrix::Zero(model.nv(), variables);
  e.share = e.contact.ramp > 0 ? 0 : 1;
  return e;
}

void evaluate(ContactEntry& e, Moment& m) {
  if (!e.placed) {
    e.place = place_here(inverse(m.placement(e.against)) * m.placement(e.frame));
    e.placed = true;
  }
  const auto point = e.contact.kind == ContactKind::point ? e.points[0] : Vec3<double>(0, 0, 0);
  const auto at = m.placement(e.frame) * point;
  const auto r = m.relative(e.frame, e.against, at, e.place.R, e.J);
  e.axes = m.placement(e.against) * e.place;

  const auto away = transpose_times(e.place.R, r.X * point - (e.place.p + e.place.R * point));
  const auto turned = logarithm(quaternion(transpose(e.place.R) * r.X.R));
  const auto back = [&](const Vec3<double>& gap, const Vec3<double>& velocity) {
    return -e.contact.stiffness * gap - e.contact.damping * velocity;
  };
  const auto linear = back(away, r.velocity.linear), angular = back(turned, r.velocity.angular);
  e.wish << linear.x, linear.y, linear.z, angular.x, angular.y, angular.z;
  e.rate << r.rate.linear.x, r.rate.linear.y, r.rate.linear.z, r.rate.angular.x, r.rate.angular.y, r.rate.angular.z;
  set_force_columns(e, r);
  e.joint_forces.noalias() = e.J.transpose() * e.G;
}

void advance_ramp(ContactEntry& e, double step) {
  const double change = e.contact.ramp > 0 ? step / e.contact.ramp : 1;
  e.share = e.wanted ? std::min(1.0, e.share + change) : std::max(0.0, e.share - change);
  e.held = e.wanted || e.share > 0;
  if (!e.held && !e.contact.place) e.placed = false;
}

double pyramid_slope(const ContactEntry& e) {
  return std::max(e.share, least_reliance) * e.contact.friction / std::sqrt(2);
}

// Down to nothing at the end, so that leaving is no jump; slowly at first when it comes. (Twice the weight: a robot
// that moves pushes more than that.)
ForceRange force_range(const ContactEntry& e, double weight) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double ramped = e.share < 1 ? 2 * e.share * e.share * weight : infinity;
  if (!e.unilateral()) return {-ramped, ramped};
  return {e.wanted ? e.share * e.share * e.contact.least_force : 0, std::min(e.contact.largest_force, ramped)};
}

}  // namespace lissom::control
