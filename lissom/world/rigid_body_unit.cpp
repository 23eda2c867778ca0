#include "lissom/world/rigid_body_unit.h"

#include <cmath>

#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::worlds {
namespace {

// The three coordinates of position are not coupled with anything, those of rotation with each other.
constexpr int parents[6] = {-1, -1, -1, -1, 3, 4};

Vec3<double> linear(const Eigen::VectorXd& v) {
  return {v[0], v[1], v[2]};
}
Vec3<double> angular(const Eigen::VectorXd& v) {
  return {v[3], v[4], v[5]};
}

}  // namespace

RigidBodyUnit::RigidBodyUnit(std::string name, double mass, const Sym3<double>& inertia, const Pose<double>& pose,
                             const Vec3<double>& gravity)
    : Unit(std::move(name), 7, 6), gravity_(gravity), pose_(pose) {
  const auto turned = quaternion(pose.R);
  q << pose.p.x, pose.p.y, pose.p.z, turned.w, turned.x, turned.y, turned.z;
  set_mass(mass, inertia);
}

std::unique_ptr<Unit> RigidBodyUnit::copy() const {
  auto made = std::make_unique<RigidBodyUnit>(name(), mass_, inertia_, pose_, gravity_);
  made->copy_state(*this);
  return made;
}

void RigidBodyUnit::set_mass(double mass, const Sym3<double>& inertia) {
  const auto& I = inertia;
  // I = Lᵀ D L, from the last axis to the first.
  const double d2 = I.zz, l20 = I.xz / d2, l21 = I.yz / d2, d1 = I.yy - l21 * I.yz, l10 = (I.xy - l20 * I.yz) / d1,
               d0 = I.xx - l20 * I.xz - l10 * l10 * d1;
  if (!(d0 > 0 && d1 > 0 && d2 > 0))
    throw Error("the inertia of " + in_quotes(this->name()) +
                " is not positive definite; expected moments about its center of mass");
  mass_ = mass;
  inertia_ = inertia;
  inverse_inertia_ = inverse(inertia);
  is_round_ = I.xy == 0 && I.xz == 0 && I.yz == 0 && I.xx == I.yy && I.yy == I.zz;
  L_[6 * 4 + 3] = l10, L_[6 * 5 + 3] = l20, L_[6 * 5 + 4] = l21;
  for (std::size_t i = 0; i < 6; ++i) L_[7 * i] = 1;
  const double D[6] = {mass, mass, mass, d0, d1, d2};
  for (std::size_t i = 0; i < 6; ++i) scale_[i] = 1 / std::sqrt(D[i]);
  set_factor(parents, L_.data(), 6, scale_.data());
}

// Euler's equations: I ω̇ + ω × I ω = τ.
Vec3<double> RigidBodyUnit::angular_acceleration(const Vec3<double>& omega) const {
  const auto rest = is_round_ ? angular(tau) : angular(tau) - cross(omega, inertia_ * omega);
  return inverse_inertia_ * rest;
}

void RigidBodyUnit::begin(double) {
  update_poses();
  v_start = v;
  to_whitened(v, z);
}

void RigidBodyUnit::accelerate(double h) {
  // The angular velocity at mid-step makes the rotation of second order.
  const auto omega = angular(v_start);
  const auto alpha = angular_acceleration(euler ? omega : omega + .5 * h * angular_acceleration(omega));
  const auto force = mass_ * gravity_ + linear(tau), torque = inertia_ * alpha;
  double b[6] = {h * force.x, h * force.y, h * force.z, h * torque.x, h * torque.y, h * torque.z};
  add_whitened_impulse(b, z);
}

void RigidBodyUnit::move(const Vec3<double>& displacement, const Vec3<double>& rotation) {
  q[0] += displacement.x, q[1] += displacement.y, q[2] += displacement.z;
  const auto turned = normalized(Quaternion<double>{q[3], q[4], q[5], q[6]} * exponential(rotation));
  q[3] = turned.w, q[4] = turned.x, q[5] = turned.y, q[6] = turned.z;
  update_poses();
}

void RigidBodyUnit::finish(double h, bool) {
  move(h * linear(v_mean), h * angular(v_mean));
  v = v_end;
}

void RigidBodyUnit::displace(const Eigen::VectorXd& delta) {
  move(linear(delta), angular(delta));
}

void RigidBodyUnit::update_poses() {
  pose_ = {matrix(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
}

void RigidBodyUnit::write_point_rows(int, const Vec3<double>& point, const Mat3<double>& axes, int count, double sign,
                                     int column) {
  const auto arm = point - pose_.p;
  // n · (v + R ω × r) = n · v + Rᵀ(r × n) · ω
  const Vec3<double> directions[3] = {column_x(axes), column_y(axes), column_z(axes)};
  for (int r = 0; r < count; ++r) {
    const auto n = sign * directions[r], about = transpose_times(pose_.R, cross(arm, n));
    const double row[6] = {n.x, n.y, n.z, about.x, about.y, about.z};
    for (int i = 0; i < 6; ++i) element(i, column + r) += row[i];
  }
  for (int i = 0; i < 6; ++i) widen(i, column, count);
}

void RigidBodyUnit::write_angular_rows(int, std::span<const Vec3<double>> directions, double sign, int column) {
  for (std::size_t r = 0; r < directions.size(); ++r) {
    const auto about = transpose_times(pose_.R, sign * directions[r]);
    const double row[3] = {about.x, about.y, about.z};
    for (int i = 0; i < 3; ++i) element(3 + i, column + int(r)) += row[i];
  }
  for (int i = 3; i < 6; ++i) widen(i, column, int(directions.size()));
}

double RigidBodyUnit::kinetic_energy() const {
  const auto omega = angular(v);
  return .5 * (mass_ * dot(linear(v), linear(v)) + dot(omega, inertia_ * omega));
}

SpatialVector RigidBodyUnit::velocity(int) const {
  return {linear(v), pose_.R * angular(v)};
}

SpatialVector RigidBodyUnit::twist(int, const Eigen::VectorXd& w) const {
  const auto omega = pose_.R * angular(w);
  return {linear(w) - cross(omega, pose_.p), omega};
}

double RigidBodyUnit::potential_energy(const Vec3<double>& gravity) const {
  return -mass_ * dot(gravity, Vec3<double>{q[0], q[1], q[2]});
}

Vector6 RigidBodyUnit::momentum() const {
  const auto p = mass_ * linear(v);
  const auto R = matrix(q[3], q[4], q[5], q[6]);
  const auto L = R * (inertia_ * angular(v)) + cross(Vec3<double>{q[0], q[1], q[2]}, p);
  Vector6 all;
  all << p.x, p.y, p.z, L.x, L.y, L.z;
  return all;
}

}  // namespace lissom::worlds
