// Derivatives of a rigid body's step.
#include <cmath>

#include "lissom/spatial/quaternion.h"
#include "lissom/world/rigid_body_unit.h"

namespace lissom::worlds {
namespace {

Vec3<double> rotation_part(const Eigen::VectorXd& v) {
  return {v[3], v[4], v[5]};
}

void write(const Mat3<double>& m, double* to, int stride) {
  const Vec3<double> rows[3] = {row_x(m), row_y(m), row_z(m)};
  for (int i = 0; i < 3; ++i)
    to[i * stride] = rows[i].x, to[i * stride + 1] = rows[i].y, to[i * stride + 2] = rows[i].z;
}

Mat3<double> scaled(double s, const Mat3<double>& m) {
  return {s * m.xx, s * m.xy, s * m.xz, s * m.yx, s * m.yy, s * m.yz, s * m.zx, s * m.zy, s * m.zz};
}

// The derivative of log(exp(-φ) exp(φ + δ)) with respect to δ.
Mat3<double> right_jacobian(const Vec3<double>& phi) {
  const double square = dot(phi, phi), angle = std::sqrt(square);
  const double a = square < 1e-6 ? .5 - square / 24 : (1 - std::cos(angle)) / square;
  const double b = square < 1e-6 ? 1. / 6 - square / 120 : (angle - std::sin(angle)) / (square * angle);
  const auto K = skew(phi);
  return identity3<double>() + scaled(-a, K) + scaled(b, K * K);
}

}  // namespace

// The derivative of angular_acceleration: ∂/∂ω of -I⁻¹ (ω × I ω).
Mat3<double> RigidBodyUnit::angular_acceleration_rate(const Vec3<double>& omega) const {
  if (is_round_) return scaled(0, identity3<double>());
  const auto I = full(inertia_);
  return full(inverse_inertia_) * (skew(inertia_ * omega) + scaled(-1, skew(omega) * I));
}

void RigidBodyUnit::differentiate(double h, const MotionColumns& to) {
  for (int i = 0; i < 6; ++i)
    for (const int first : {to.q, to.v})
      for (int j = 0; j < 8; ++j) to.W[i * to.stride + first + j] = 0;
  for (int i = 0; i < 3; ++i) to.W[i * to.stride + to.tau + i] = h;
  const auto omega = rotation_part(v_start);
  const double before = euler ? 0 : .5 * h;  // of the middle
  const auto middle = omega + before * angular_acceleration(omega);
  const auto at_middle = angular_acceleration_rate(middle), I = full(inertia_);
  const auto of_omega = at_middle * (identity3<double>() + scaled(before, angular_acceleration_rate(omega)));
  write(scaled(h, I * of_omega), to.W + 3 * to.stride + to.v + 3, to.stride);
  const auto of_tau = I * (identity3<double>() + scaled(before, at_middle)) * full(inverse_inertia_);
  write(scaled(h, of_tau), to.W + 3 * to.stride + to.tau + 3, to.stride);
}

// M (v⁺ - v*) grows with the mass, and so do weight and gyroscopic torque; forces do not.
void RigidBodyUnit::differentiate_mass(double h, const std::string&, double* to, int stride) {
  const auto omega = rotation_part(v_start);
  const double before = euler ? 0 : .5 * h;  // of the middle
  const auto middle = omega + before * angular_acceleration(omega);
  // I α = τ - ω' × I ω', and ω' = ω + h/2 I⁻¹ τ - … depends on τ/m alone.
  const auto turned = rotation_part(v_end) - omega;
  const auto gyroscopic = -1. * cross(middle, inertia_ * middle);
  const auto push = is_round_ ? Vec3<double>{0, 0, 0} : -before * (inverse_inertia_ * rotation_part(tau));
  const auto of_push = inertia_ * (angular_acceleration_rate(middle) * push);
  const auto torque = h * ((is_round_ ? Vec3<double>{0, 0, 0} : gyroscopic) + of_push) - inertia_ * turned;
  const double rows[6] = {mass_ * (h * gravity_.x - (v_end[0] - v_start[0])),
                          mass_ * (h * gravity_.y - (v_end[1] - v_start[1])),
                          mass_ * (h * gravity_.z - (v_end[2] - v_start[2])),
                          torque.x,
                          torque.y,
                          torque.z};
  for (int i = 0; i < 6; ++i) to[i * stride] += rows[i];
}

// Positions move along the world's axes, then the body turns about its own.
void RigidBodyUnit::chain(int, std::vector<ChainEntry>& to) const {
  const Vec3<double> units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) to.push_back({i, 0, {units[i], {0, 0, 0}}});
  for (int i = 0; i < 3; ++i) {
    const auto axis = pose_.R * units[i];
    to.push_back({3 + i, 1, {cross(pose_.p, axis), axis}});
  }
}

void RigidBodyUnit::differentiate_motion(double h, std::vector<CurvedBlock>& to) const {
  CurvedBlock block;
  block.first = 3, block.count = 3;
  const auto rotation = h * rotation_part(v_mean);
  const auto e = exponential(rotation);
  const auto dq = transpose(matrix(e.w, e.x, e.y, e.z)), dv = scaled(h, right_jacobian(rotation));
  double numbers[9];
  const auto copy = [&](const Mat3<double>& from, Eigen::Matrix<double, 6, 6>& m) {
    write(from, numbers, 3);
    for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = numbers[i];
  };
  copy(dq, block.dq), copy(dv, block.dv);
  to.push_back(block);
}

}  // namespace lissom::worlds
