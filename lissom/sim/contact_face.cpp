#include "lissom/sim/contact_face.h"

#include <algorithm>
#include <cmath>

#include "lissom/spatial/quaternion.h"

namespace lissom::sim {

namespace {

constexpr double contact_height = 1e-6, separation_height = 1e-5;  // m: a point below touches; one above has separated
constexpr double max_depth = 1e-2;           // m: a point deeper under the plane is on its other side, not in contact
constexpr double max_recovery_speed = 0.02;  // m/s, out of the ground
constexpr double separation_speed = 1e-7;    // m/s
// m: a contact without a placement counts as this far away, so that one whose placement is nearer has precedence.
constexpr double distance_without_placement = 0.3;

}  // namespace

ContactFace::ContactFace(const Model& model, Contact contact) : use_(1) {
  const ContactRows entry(model, std::move(contact));
  name_ = entry.name;
  kind_ = entry.contact.kind;
  friction_ = entry.contact.friction;
  frame_ = entry.frame;
  against_ = entry.against;
  has_placement_ = entry.contact.placement.has_value();
  placed_ = has_placement_ || kind_ != ContactKind::fixed;
  if (has_placement_) plane_ = *entry.contact.placement;
  if (kind_ != ContactKind::fixed)
    for (const auto& point : entry.points) points_.push_back({.in_frame = point});
  J_ = J_against_ = Columns6::Zero(6, model.nv());
  use_ = FrictionUse(std::max(1, point_count()));
  staying_.reserve(points_.size());
}

int ContactFace::row_count() const {
  return (slides() ? 3 : 1) * point_count();
}
int ContactFace::max_equalities() const {
  return kind_ == ContactKind::fixed ? 6 : kind_ == ContactKind::sliding ? 0 : point_count() > 1 ? 3 : 2;
}
double ContactFace::ground(const Model& model, const Workspace& work) const {
  return (placement(model, work, against_) * plane_).p.z;
}
bool ContactFace::touching() const {
  return std::ranges::any_of(points_, &FacePoint::touches);
}

void ContactFace::update(const Model& model, Workspace& work) {
  const auto X_F = placement(model, work, frame_), X_A = placement(model, work, against_);
  if (!placed_) plane_ = inverse(X_A) * X_F, placed_ = true;
  const auto X_P = X_A * plane_;
  axes_ = X_P.R;
  X_ = inverse(X_P) * X_F;
  distance_ = has_placement_ ? std::hypot(X_.p.x, X_.p.y, X_.p.z) : distance_without_placement;
  const auto body = [&](FrameId frame) { return model.frames()[std::size_t(frame.index)].body; };
  relative_jacobian(model, work, body(frame_), body(against_), X_F.p, axes_, J_, J_against_);
  for (auto& p : points_) {
    p.arm = X_.R * p.in_frame;
    p.position = X_.p + p.arm;
  }
}

bool ContactFace::update_contact(bool eligible, double time) {
  bool landed = false, touched = touching();
  eligible_ = eligible;
  double moved = 0;
  for (auto& p : points_) {
    if (p.touches) moved = std::max(moved, std::hypot(p.position.x - p.anchor.x, p.position.y - p.anchor.y));
    if (p.touches && slipping_) p.anchor = p.position;
    if (p.touches && (p.position.z > separation_height || !p.stays)) p.touches = false;
  }
  if (slipping_) past_slip_ += moved;
  slipped_before_ = slipping_;
  slipping_ = false;
  for (auto& p : points_)
    if (eligible && !p.touches && p.position.z <= contact_height && p.position.z >= -max_depth) {
      if (!touched) past_slip_ = 0, touched = true;
      p.touches = landed = true;
      p.anchor = p.position;
      contact_time_ = time;
    }
  return landed;
}

void ContactFace::begin_solve() {
  for (auto& p : points_) p.stays = p.touches;
}

// direction · (J_linear + J_angular × arm)
void ContactFace::row_along(const Vec3<double>& d, const Vec3<double>& arm, Matrix& to, int row) const {
  const auto m = cross(arm, d);
  to.row(row) =
      d.x * J_.row(0) + d.y * J_.row(1) + d.z * J_.row(2) + m.x * J_.row(3) + m.y * J_.row(4) + m.z * J_.row(5);
}

void ContactFace::choose_pair() {
  a_ = b_ = -1;
  double farthest = 1e-6;
  for (int i = 0; i < point_count(); ++i) {
    const auto& p = points_[std::size_t(i)];
    if (!p.stays) continue;
    if (a_ < 0) {
      a_ = i;
    } else {
      const auto& from = points_[std::size_t(a_)].arm;
      if (const double d = std::hypot(p.arm.x - from.x, p.arm.y - from.y); d > farthest) farthest = d, b_ = i;
    }
  }
}

Vec3<double> ContactFace::across() const {
  const auto d = points_[std::size_t(b_)].arm - points_[std::size_t(a_)].arm;
  const double length = std::hypot(d.x, d.y);
  return {-d.y / length, d.x / length, 0};
}

void ContactFace::write(VelocityRows& rows, int first_row, const Eigen::VectorXd& v, const TimeStep& step) {
  first_row_ = first_row;
  first_equality_ = rows.equalities;
  if (kind_ == ContactKind::fixed) return write_fixed(rows, step.gap_gain);
  write_normals(rows, v, step);
  a_ = b_ = -1;
  if (!slides()) write_tangents(rows, step.gap_gain);
}

void ContactFace::write_fixed(VelocityRows& rows, double gap_gain) {
  const auto rotation = logarithm(quaternion(X_.R));
  const double gap[6] = {X_.p.x, X_.p.y, X_.p.z, rotation.x, rotation.y, rotation.z};
  for (int k = 0; k < 6; ++k) {
    rows.A.row(rows.equalities) = J_.row(k);
    rows.b[rows.equalities++] = -gap_gain * gap[k];
  }
}

void ContactFace::write_normals(VelocityRows& rows, const Eigen::VectorXd& v, const TimeStep& step) {
  for (int i = 0; i < point_count(); ++i) {
    const auto& p = points_[std::size_t(i)];
    const int row = first_row_ + i;
    row_along({0, 0, 1}, p.arm, rows.C, row);
    rows.u[row] = qp::unbounded;
    rows.weight[row] = 0;
    rows.l[row] = p.touches ? std::min(-p.position.z * step.gap_gain, max_recovery_speed)
                  : step.prevents_penetration && eligible_ && p.position.z > 0 ? -p.position.z / step.length
                                                                               : -qp::unbounded;
    if (slides()) write_sliding(rows, i, v, step);
  }
}

// Friction against sliding, μ n v / (|v| + sliding_regularization). It is implicit in v, so that it never accelerates
// the point; n and |v| are those of the last solution.
void ContactFace::write_sliding(VelocityRows& rows, int point, const Eigen::VectorXd& v, const TimeStep& step) {
  const auto& p = points_[std::size_t(point)];
  const int along = first_row_ + point_count() + 2 * point;
  row_along({1, 0, 0}, p.arm, rows.C, along);
  row_along({0, 1, 0}, p.arm, rows.C, along + 1);
  const double speed = std::hypot(rows.C.row(along).dot(v), rows.C.row(along + 1).dot(v));
  const double weight = p.touches ? step.length * friction_ * p.normal / (speed + sliding_regularization) : 0;
  for (const int k : {along, along + 1}) {
    rows.weight[k] = std::max(weight, 1e-12);
    rows.l[k] = weight > 0 ? 0 : -qp::unbounded;
    rows.u[k] = weight > 0 ? 0 : qp::unbounded;
  }
}

// Returns the first positive root of  gap + t (w + a t),  with  a = (w⁺ - w) / length:  a step of length t moves q with
// the velocity at its end.
double ContactFace::time_to_landing(const VelocityRows& rows, const Eigen::VectorXd& v, const Eigen::VectorXd& x,
                                    double length) const {
  double first = std::numeric_limits<double>::infinity();
  for (int i = 0; i < point_count() && eligible_; ++i) {
    const auto& p = points_[std::size_t(i)];
    if (p.touches || p.position.z <= 0) continue;
    const double w = rows.C.row(first_row_ + i).dot(v), end = rows.C.row(first_row_ + i).dot(x);
    if (p.position.z + length * end >= 0) continue;
    // The point is under the plane at the end, so one root lies in the step. (The formula avoids cancellation.)
    const double a = (end - w) / length, root = std::sqrt(std::max(0.0, w * w - 4 * a * p.position.z));
    first = std::min(first, w <= 0 ? 2 * p.position.z / (root - w) : -(w + root) / (2 * a));
  }
  return first;
}

void ContactFace::write_tangents(VelocityRows& rows, double gap_gain) {
  choose_pair();
  const auto put = [&](const FacePoint& p, const Vec3<double>& direction) {
    row_along(direction, p.arm, rows.A, rows.equalities);
    rows.b[rows.equalities++] = -gap_gain * dot(direction, p.position - p.anchor);
  };
  if (a_ < 0) return;
  put(points_[std::size_t(a_)], {1, 0, 0});
  put(points_[std::size_t(a_)], {0, 1, 0});
  if (b_ >= 0) put(points_[std::size_t(b_)], across());
}

bool ContactFace::release_pulling(const VelocityRows& rows, const Eigen::VectorXd& x, const Eigen::VectorXd& z) {
  bool rewrite = false;
  for (int i = 0; i < point_count(); ++i) {
    auto& p = points_[std::size_t(i)];
    const int row = first_row_ + i;
    if (!p.stays || z[row] > 0 || rows.C.row(row).dot(x) - rows.l[row] < separation_speed) continue;
    p.stays = false;
    rewrite = rewrite || i == a_ || i == b_;
  }
  return rewrite;
}

void ContactFace::read(const Eigen::VectorXd& y, const Eigen::VectorXd& z, double rate) {
  Vec3<double> force(0, 0, 0), torque(0, 0, 0);
  const auto add = [&](const Vec3<double>& arm, const Vec3<double>& f) { force += f, torque += cross(arm, f); };
  int e = first_equality_;
  state_ = {};
  if (kind_ == ContactKind::fixed) {
    force = {rate * y[e], rate * y[e + 1], rate * y[e + 2]};
    torque = {rate * y[e + 3], rate * y[e + 4], rate * y[e + 5]};
    state_.points = 1;
  }
  double moved = 0;
  for (int i = 0; i < point_count(); ++i) {
    auto& p = points_[std::size_t(i)];
    // (The multiplier of a point that does not touch yet is the impulse of an impact, not a force.)
    p.normal = p.touches ? std::max(0.0, rate * z[first_row_ + i]) : 0;
    add(p.arm, {0, 0, p.normal});
    if (!p.stays) continue;
    ++state_.points;
    moved = std::max(moved, std::hypot(p.position.x - p.anchor.x, p.position.y - p.anchor.y));
    if (!slides()) continue;
    const int along = first_row_ + point_count() + 2 * i;
    add(p.arm, {rate * z[along], rate * z[along + 1], 0});
  }
  if (a_ >= 0) {
    add(points_[std::size_t(a_)].arm, {rate * y[e], rate * y[e + 1], 0});
    if (b_ >= 0) add(points_[std::size_t(b_)].arm, rate * y[e + 2] * across());
  }
  state_.force = axes_ * force;
  state_.torque = axes_ * torque;
  state_.normal = force.z;
  state_.slip = state_.loaded_slip = state_.points > 0 ? past_slip_ + moved : 0;
  if (kind_ == ContactKind::fixed) return;
  if (slipping_) {
    state_.friction_use = use_if_stuck_;
  } else if (slides()) {
    const double limit = friction_ * force.z;
    state_.friction_use = limit > 0 ? std::hypot(force.x, force.y) / limit : 0;
  } else {
    const auto carried = load(force, y, rate);
    state_.friction_use = staying_.empty() ? 0 : use_.min_use(staying_, carried, friction_);
  }
}

// Lever arms are taken within the plane only: a face that stands on an edge is not quite parallel to it.
PlaneLoad ContactFace::load(const Vec3<double>& force, const Eigen::VectorXd& y, double rate) {
  PlaneLoad load{.normal = force.z, .tangent_x = force.x, .tangent_y = force.y};
  staying_.clear();
  for (const auto& p : points_) {
    load.x += p.normal * p.arm.x, load.y += p.normal * p.arm.y;
    if (p.stays) staying_.push_back(p.arm);
  }
  const int e = first_equality_;
  if (a_ >= 0) {
    const auto& a = points_[std::size_t(a_)].arm;
    load.spin = rate * (a.x * y[e + 1] - a.y * y[e]);
  }
  if (b_ >= 0) {
    const auto& b = points_[std::size_t(b_)].arm;
    const auto d = across();
    load.spin += rate * y[e + 2] * (b.x * d.y - b.y * d.x);
  }
  return load;
}

}  // namespace lissom::sim
