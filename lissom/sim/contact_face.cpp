#include "lissom/sim/contact_face.h"

#include <algorithm>
#include <cmath>

#include "lissom/spatial/quaternion.h"

namespace lissom::sim {

namespace {

constexpr double down = 1e-6, up = 1e-5;  // m: heights at which a point has come, and has gone
constexpr double beyond = 1e-2;           // m under the plane: on another side of it, not in contact
constexpr double recovery = 0.02;         // m/s, at most, out of the ground
constexpr double leaving = 1e-7;          // m/s
constexpr double without_place = 0.3;     // m: nearer to it, a place counts more than the plane that is everywhere

}  // namespace

ContactFace::ContactFace(const Model& model, Contact contact) : use_(1) {
  const ContactRows entry(model, std::move(contact));
  name_ = entry.name;
  kind_ = entry.contact.kind;
  friction_ = entry.contact.friction;
  frame_ = entry.frame;
  against_ = entry.against;
  has_place_ = entry.contact.place.has_value();
  placed_ = has_place_ || kind_ != ContactKind::fixed;
  if (has_place_) plane_ = *entry.contact.place;
  if (kind_ != ContactKind::fixed)
    for (const auto& point : entry.points) spots_.push_back({.point = point});
  J_ = J_against_ = Columns6::Zero(6, model.nv());
  use_ = FrictionUse(std::max(1, spots()));
  staying_.reserve(spots_.size());
}

int ContactFace::row_count() const {
  return (slides() ? 3 : 1) * spots();
}
int ContactFace::max_equalities() const {
  return kind_ == ContactKind::fixed ? 6 : kind_ == ContactKind::sliding ? 0 : spots() > 1 ? 3 : 2;
}
double ContactFace::ground(const Model& model, const Workspace& work) const {
  return (placement(model, work, against_) * plane_).p.z;
}
bool ContactFace::touching() const {
  return std::ranges::any_of(spots_, &Spot::touches);
}

void ContactFace::look(const Model& model, Workspace& work) {
  const auto X_F = placement(model, work, frame_), X_A = placement(model, work, against_);
  if (!placed_) plane_ = inverse(X_A) * X_F, placed_ = true;
  const auto X_P = X_A * plane_;
  axes_ = X_P.R;
  X_ = inverse(X_P) * X_F;
  far_ = has_place_ ? std::hypot(X_.p.x, X_.p.y, X_.p.z) : without_place;
  const auto body = [&](FrameId frame) { return model.frames()[std::size_t(frame.index)].body; };
  relative_jacobian(model, work, body(frame_), body(against_), X_F.p, axes_, J_, J_against_);
  for (auto& s : spots_) {
    s.arm = X_.R * s.point;
    s.at = X_.p + s.arm;
  }
}

bool ContactFace::update_contact(bool eligible, double time) {
  bool news = false, held = touching();
  eligible_ = eligible;
  double moved = 0;
  for (auto& s : spots_) {
    if (s.touches) moved = std::max(moved, std::hypot(s.at.x - s.anchor.x, s.at.y - s.anchor.y));
    if (s.touches && skids_) s.anchor = s.at;
    if (s.touches && (s.at.z > up || !s.stays)) s.touches = false;
  }
  if (skids_) slid_ += moved;
  skidded_ = skids_;
  skids_ = false;
  for (auto& s : spots_)
    if (eligible && !s.touches && s.at.z <= down && s.at.z >= -beyond) {
      if (!held) slid_ = 0, held = true;
      s.touches = news = true;
      s.anchor = s.at;
      came_ = time;
    }
  return news;
}

void ContactFace::begin() {
  for (auto& s : spots_) s.stays = s.touches;
}

// direction · (J_linear + J_angular × arm)
void ContactFace::row_along(const Vec3<double>& d, const Vec3<double>& arm, Matrix& to, int row) const {
  const auto turn = cross(arm, d);
  to.row(row) = d.x * J_.row(0) + d.y * J_.row(1) + d.z * J_.row(2) + turn.x * J_.row(3) + turn.y * J_.row(4) +
                turn.z * J_.row(5);
}

void ContactFace::choose_pair() {
  a_ = b_ = -1;
  double farthest = 1e-6;
  for (int i = 0; i < spots(); ++i) {
    const auto& s = spots_[std::size_t(i)];
    if (!s.stays) continue;
    if (a_ < 0) {
      a_ = i;
    } else {
      const auto& from = spots_[std::size_t(a_)].arm;
      if (const double d = std::hypot(s.arm.x - from.x, s.arm.y - from.y); d > farthest) farthest = d, b_ = i;
    }
  }
}

Vec3<double> ContactFace::across() const {
  const auto d = spots_[std::size_t(b_)].arm - spots_[std::size_t(a_)].arm;
  const double length = std::hypot(d.x, d.y);
  return {-d.y / length, d.x / length, 0};
}

void ContactFace::write(VelocityRows& rows, int first_row, const Eigen::VectorXd& v, const TimeStep& step) {
  first_row_ = first_row;
  first_equality_ = rows.equalities;
  if (kind_ == ContactKind::fixed) return write_grip(rows, step.per_gap);
  write_normals(rows, v, step);
  a_ = b_ = -1;
  if (!slides()) write_tangents(rows, step.per_gap);
}

void ContactFace::write_grip(VelocityRows& rows, double per_gap) {
  const auto turned = logarithm(quaternion(X_.R));
  const double gap[6] = {X_.p.x, X_.p.y, X_.p.z, turned.x, turned.y, turned.z};
  for (int k = 0; k < 6; ++k) {
    rows.A.row(rows.equalities) = J_.row(k);
    rows.b[rows.equalities++] = -per_gap * gap[k];
  }
}

void ContactFace::write_normals(VelocityRows& rows, const Eigen::VectorXd& v, const TimeStep& step) {
  for (int i = 0; i < spots(); ++i) {
    const auto& s = spots_[std::size_t(i)];
    const int row = first_row_ + i;
    row_along({0, 0, 1}, s.arm, rows.C, row);
    rows.u[row] = qp::unbounded;
    rows.weight[row] = 0;
    rows.l[row] = s.touches                                  ? std::min(-s.at.z * step.per_gap, recovery)
                  : step.catching && eligible_ && s.at.z > 0 ? -s.at.z / step.length
                                                             : -qp::unbounded;
    if (slides()) write_sliding(rows, i, v, step);
  }
}

// Friction against sliding, μ n v / (|v| + slow): implicit in v, so that it never drives; n and |v| are the last known.
void ContactFace::write_sliding(VelocityRows& rows, int spot, const Eigen::VectorXd& v, const TimeStep& step) {
  const auto& s = spots_[std::size_t(spot)];
  const int along = first_row_ + spots() + 2 * spot;
  row_along({1, 0, 0}, s.arm, rows.C, along);
  row_along({0, 1, 0}, s.arm, rows.C, along + 1);
  const double speed = std::hypot(rows.C.row(along).dot(v), rows.C.row(along + 1).dot(v));
  const double weight = s.touches ? step.length * friction_ * s.normal / (speed + sliding_regularization) : 0;
  for (const int k : {along, along + 1}) {
    rows.weight[k] = std::max(weight, 1e-12);
    rows.l[k] = weight > 0 ? 0 : -qp::unbounded;
    rows.u[k] = weight > 0 ? 0 : qp::unbounded;
  }
}

// The first positive root of  gap + t (w + a t),  with  a = (w⁺ - w) / length:  a step of length t moves q with the
// velocity at its end.
double ContactFace::arrival(const VelocityRows& rows, const Eigen::VectorXd& v, const Eigen::VectorXd& x,
                            double length) const {
  double first = std::numeric_limits<double>::infinity();
  for (int i = 0; i < spots() && eligible_; ++i) {
    const auto& s = spots_[std::size_t(i)];
    if (s.touches || s.at.z <= 0) continue;
    const double w = rows.C.row(first_row_ + i).dot(v), end = rows.C.row(first_row_ + i).dot(x);
    if (s.at.z + length * end >= 0) continue;
    // Under the plane at the end: one root lies in the step. (Written so that nothing cancels.)
    const double a = (end - w) / length, root = std::sqrt(std::max(0.0, w * w - 4 * a * s.at.z));
    first = std::min(first, w <= 0 ? 2 * s.at.z / (root - w) : -(w + root) / (2 * a));
  }
  return first;
}

void ContactFace::write_tangents(VelocityRows& rows, double per_gap) {
  choose_pair();
  const auto put = [&](const Spot& s, const Vec3<double>& direction) {
    row_along(direction, s.arm, rows.A, rows.equalities);
    rows.b[rows.equalities++] = -per_gap * dot(direction, s.at - s.anchor);
  };
  if (a_ < 0) return;
  put(spots_[std::size_t(a_)], {1, 0, 0});
  put(spots_[std::size_t(a_)], {0, 1, 0});
  if (b_ >= 0) put(spots_[std::size_t(b_)], across());
}

bool ContactFace::release_pulling(const VelocityRows& rows, const Eigen::VectorXd& x, const Eigen::VectorXd& z) {
  bool anew = false;
  for (int i = 0; i < spots(); ++i) {
    auto& s = spots_[std::size_t(i)];
    const int row = first_row_ + i;
    if (!s.stays || z[row] > 0 || rows.C.row(row).dot(x) - rows.l[row] < leaving) continue;
    s.stays = false;
    anew = anew || i == a_ || i == b_;
  }
  return anew;
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
  for (int i = 0; i < spots(); ++i) {
    auto& s = spots_[std::size_t(i)];
    // (What only stops a point on its way down in this step is an impact.)
    s.normal = s.touches ? std::max(0.0, rate * z[first_row_ + i]) : 0;
    add(s.arm, {0, 0, s.normal});
    if (!s.stays) continue;
    ++state_.points;
    moved = std::max(moved, std::hypot(s.at.x - s.anchor.x, s.at.y - s.anchor.y));
    if (!slides()) continue;
    const int along = first_row_ + spots() + 2 * i;
    add(s.arm, {rate * z[along], rate * z[along + 1], 0});
  }
  if (a_ >= 0) {
    add(spots_[std::size_t(a_)].arm, {rate * y[e], rate * y[e + 1], 0});
    if (b_ >= 0) add(spots_[std::size_t(b_)].arm, rate * y[e + 2] * across());
  }
  state_.force = axes_ * force;
  state_.torque = axes_ * torque;
  state_.normal = force.z;
  state_.slip = state_.points > 0 ? slid_ + moved : 0;
  if (kind_ == ContactKind::fixed) return;
  if (slides()) {
    const double limit = friction_ * force.z;
    state_.friction_use = limit > 0 ? std::hypot(force.x, force.y) / limit : 0;
  } else {
    const auto carried = load(force, y, rate);
    state_.friction_use = staying_.empty() ? 0 : use_.min_use(staying_, carried, friction_);
  }
}

// Moments in the plane alone: a face that stands on an edge is not quite parallel to it.
PlaneLoad ContactFace::load(const Vec3<double>& force, const Eigen::VectorXd& y, double rate) {
  PlaneLoad load{.normal = force.z, .tangent_x = force.x, .tangent_y = force.y};
  staying_.clear();
  for (const auto& s : spots_) {
    load.x += s.normal * s.arm.x, load.y += s.normal * s.arm.y;
    if (s.stays) staying_.push_back(s.arm);
  }
  const int e = first_equality_;
  if (a_ >= 0) {
    const auto& a = spots_[std::size_t(a_)].arm;
    load.spin = rate * (a.x * y[e + 1] - a.y * y[e]);
  }
  if (b_ >= 0) {
    const auto& b = spots_[std::size_t(b_)].arm;
    const auto d = across();
    load.spin += rate * y[e + 2] * (b.x * d.y - b.y * d.x);
  }
  return load;
}

}  // namespace lissom::sim
