#include <cmath>

#include "lissom/spatial/quaternion.h"
#include "lissom/world/unit.h"

namespace lissom::worlds {
namespace {

Vec3<double> linear(const Eigen::VectorXd& v) {
  return {v[0], v[1], v[2]};
}
Vec3<double> angular(const Eigen::VectorXd& v) {
  return {v[3], v[4], v[5]};
}

}  // namespace

Unit::Unit(std::string name, int nq, int nv) : name_(std::move(name)) {
  q = Eigen::VectorXd::Zero(nq);
  v = tau = dv = Eigen::VectorXd::Zero(nv);
}

RigidBodyUnit::RigidBodyUnit(std::string name, double mass, const Sym3<double>& inertia, const Pose<double>& pose)
    : Unit(std::move(name), 7, 6), mass_(mass), inertia_(inertia), inverse_inertia_(inverse(inertia)), pose_(pose) {
  const auto turn = quaternion(pose.R);
  q << pose.p.x, pose.p.y, pose.p.z, turn.w, turn.x, turn.y, turn.z;
}

// Euler's equations: I ω̇ + ω × I ω = τ.
Vec3<double> RigidBodyUnit::angular_acceleration(const Vec3<double>& omega) const {
  return inverse_inertia_ * (angular(tau) - cross(omega, inertia_ * omega));
}

void RigidBodyUnit::begin(double h, const Vec3<double>& gravity) {
  update_poses();
  const auto a = gravity + (1 / mass_) * linear(tau);
  // The angular velocity at mid-step makes the rotation of second order.
  const auto omega = angular(v);
  const auto alpha = angular_acceleration(omega + .5 * h * angular_acceleration(omega));
  dv << h * a.x, h * a.y, h * a.z, h * alpha.x, h * alpha.y, h * alpha.z;
}

Pose<double> RigidBodyUnit::pose(int) const {
  return pose_;
}

void RigidBodyUnit::update_poses() {
  pose_ = {matrix(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
}

void RigidBodyUnit::jacobian(int, const Vec3<double>& point, const Mat3<double>& axes, double* J) const {
  const auto arm = point - pose_.p;
  // n · (v + R ω × r) = n · v + Rᵀ(r × n) · ω
  for (const auto& n : {column_x(axes), column_y(axes), column_z(axes)}) {
    const auto turn = transpose_times(pose_.R, cross(arm, n));
    for (const double x : {n.x, n.y, n.z, turn.x, turn.y, turn.z}) *J++ = x;
  }
}

void RigidBodyUnit::solve(const double* b, double* x) const {
  const auto turn = inverse_inertia_ * Vec3<double>{b[3], b[4], b[5]};
  for (int i = 0; i < 3; ++i) x[i] = b[i] / mass_;
  x[3] = turn.x, x[4] = turn.y, x[5] = turn.z;
}

void RigidBodyUnit::move(const Eigen::VectorXd& mean_v, double h) {
  q.head<3>() += h * mean_v.head<3>();
  const auto turned = normalized(Quaternion<double>{q[3], q[4], q[5], q[6]} * exponential(h * angular(mean_v)));
  q.tail<4>() << turned.w, turned.x, turned.y, turned.z;
}

double RigidBodyUnit::kinetic_energy(const Eigen::VectorXd& w) const {
  const auto omega = angular(w);
  return .5 * (mass_ * dot(linear(w), linear(w)) + dot(omega, inertia_ * omega));
}

SpatialVector RigidBodyUnit::velocity(int) const {
  return {linear(v), pose_.R * angular(v)};
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
