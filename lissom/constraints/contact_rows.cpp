#include "lissom/constraints/contact_rows.h"

#include <cmath>

#include "lissom/geometry/contact_polygon.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

namespace {

constexpr double nearly_level = 1e-3;  // rad

// The placement of a contact that is given none: where it is. If it is almost level with what it touches, it is made
// exactly level, so that rounding of a posture does not tilt the ground.
Pose<double> initial_placement(const Pose<double>& X) {
  const Vec3<double> normal(X.R.xz, X.R.yz, X.R.zz);
  const double tilt = std::hypot(normal.x, normal.y);
  if (normal.z <= 0 || tilt >= nearly_level) return X;
  return {heading(X.R), X.p};
}

void set_force_columns(ContactRows& e, const RobotSnapshot::Relative& r) {
  if (e.contact.kind == ContactKind::fixed) {
    e.G.setIdentity();
    return;
  }
  const auto R = transpose(e.placement.R) * r.X.R;  // from the frame's axes to those of the placement
  const auto origin = e.contact.kind == ContactKind::point ? e.points[0] : Vec3<double>(0, 0, 0);
  const auto put = [&](int column, const Vec3<double>& f, const Vec3<double>& at) {
    const auto moment = cross(at, f);
    e.G.col(column) << f.x, f.y, f.z, moment.x, moment.y, moment.z;
  };
  // A ball touches below its center.
  const Vec3<double> below(0, 0, e.contact.kind == ContactKind::point ? -e.contact.radius : 0);
  for (std::size_t i = 0; i < e.points.size(); ++i) {
    const auto at = R * (e.points[i] - origin) + below;
    if (e.contact.kind == ContactKind::sliding) {
      const auto v = r.velocity.linear + cross(r.velocity.angular, at);
      const double along = std::hypot(v.x, v.y), over = e.contact.friction / (along + sliding_regularization);
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

Mat3<double> heading(const Mat3<double>& R) {
  const double yaw = std::atan2(R.yx, R.xx), c = std::cos(yaw), s = std::sin(yaw);
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}

double weight(const Model& model) {
  return model.moving_mass() * std::sqrt(dot(model.gravity(), model.gravity()));
}

int ContactRows::per_point() const {
  return contact.kind == ContactKind::fixed ? 0 : contact.kind == ContactKind::sliding ? 1 : 3;
}
int ContactRows::friction_rows() const {
  return per_point() == 3 ? 4 * int(points.size()) : 0;
}

namespace {

void check(const Contact& c, const std::string& name) {
  const auto bad = [&](const std::string& what) { return Error("contact " + in_quotes(name) + ": " + what); };
  if (!(c.friction >= 0) || !std::isfinite(c.friction))
    throw bad("friction is " + to_text(c.friction) + ", expected 0 or more");
  if (!(c.min_normal_force >= 0) || !(c.max_normal_force >= c.min_normal_force))
    throw bad("min_normal_force is " + to_text(c.min_normal_force) + " N and max_normal_force " +
              to_text(c.max_normal_force) + " N, expected 0 <= min_normal_force <= max_normal_force");
  if (!(c.radius >= 0) || !std::isfinite(c.radius))
    throw bad("radius is " + to_text(c.radius) + " m, expected 0 or more");
  if (c.radius > 0 && c.kind != ContactKind::point)
    throw bad("radius is " + to_text(c.radius) + " m, but its kind is " + to_string(c.kind) +
              "; expected kind point, or no radius");
  if (!(c.ramp >= 0)) throw bad("ramp is " + to_text(c.ramp) + " s, expected 0 or more");
}

std::vector<Vec3<double>> points_of(const Model& model, const Contact& c, FrameId frame) {
  if (c.kind == ContactKind::point) return {c.points.empty() ? Vec3<double>(0, 0, 0) : c.points[0]};
  if (!c.points.empty() || c.kind == ContactKind::fixed) return c.points;
  return contact_polygon(model, frame);
}

}  // namespace

ContactRows::ContactRows(const Model& model, Contact given) : contact(std::move(given)) {
  name = contact.name.empty() ? contact.frame : contact.name;
  frame = model.frame(contact.frame);
  against = contact.against.empty() ? world_frame : model.frame(contact.against);
  check(contact, name);
  const auto bad = [&](const std::string& what) { return Error("contact " + in_quotes(name) + ": " + what); };
  const auto& frames = model.frames();
  if (frames[std::size_t(frame.index)].body == frames[std::size_t(against.index)].body)
    throw bad("frame and against (" + in_quotes(frames[std::size_t(against.index)].name) + ") belong to the same body");
  points = points_of(model, contact, frame);
  if (contact.kind == ContactKind::surface && points.size() < 3)
    throw bad("it has " + std::to_string(points.size()) + " points, expected at least three for a surface");
  rows = contact.kind == ContactKind::point     ? std::vector<int>{0, 1, 2}
         : contact.kind == ContactKind::sliding ? std::vector<int>{2, 3, 4}
                                                : std::vector<int>{0, 1, 2, 3, 4, 5};
  if (contact.placement) placement = *contact.placement, placed = true;
  const int count = contact.kind == ContactKind::fixed ? 6 : per_point() * int(points.size());
  J = Columns6::Zero(6, model.nv());
  G = Columns6::Zero(6, count);
  generalized_forces = Matrix::Zero(model.nv(), count);
}

void ContactRows::evaluate(const RobotSnapshot& robot) {
  if (!placed) {
    placement = initial_placement(inverse(robot.placement(against)) * robot.placement(frame));
    placed = true;
  }
  const auto point = contact.kind == ContactKind::point ? points[0] : Vec3<double>(0, 0, 0);
  const auto at = robot.placement(frame) * point;
  const auto r = robot.relative(frame, against, at, placement.R, J);
  axes = robot.placement(against) * placement;

  const auto displacement = transpose_times(placement.R, r.X * point - (placement.p + placement.R * point));
  const auto rotation = logarithm(quaternion(transpose(placement.R) * r.X.R));
  const auto stabilized = [&](const Vec3<double>& gap, const Vec3<double>& velocity) {
    return -contact.stiffness * gap - contact.damping * velocity;
  };
  const auto linear = stabilized(displacement, r.velocity.linear), angular = stabilized(rotation, r.velocity.angular);
  desired << linear.x, linear.y, linear.z, angular.x, angular.y, angular.z;
  Jdot_v << r.Jdot_v.linear.x, r.Jdot_v.linear.y, r.Jdot_v.linear.z, r.Jdot_v.angular.x, r.Jdot_v.angular.y,
      r.Jdot_v.angular.z;
  set_force_columns(*this, r);
  for (int i = 0; i < int(J.cols()); ++i) {
    if ((J.col(i).array() == 0).all())  // most joints do not move this frame
      generalized_forces.row(i).setZero();
    else
      generalized_forces.row(i).noalias() = J.col(i).transpose().lazyProduct(G);
  }
}

}  // namespace lissom
