#pragma once
// A reference for tests: the Newton–Euler equations of one rigid body, along the world's axes (Liu & Jain, 24).
//   m v̇ = f,   I_c ω̇ + ω × I_c ω = τ,   I_c = R I₀ Rᵀ
// v is the velocity of the center of mass; f acts there.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace lissom::test {

struct RigidBody {
  double mass = 1;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();  // I₀, about the center of mass, along the body's axes
};
struct Wrench {
  Eigen::Vector3d force, torque;
};
struct BodyAcceleration {
  Eigen::Vector3d linear, angular;
};

inline Wrench newton_euler(const RigidBody& body, const Eigen::Matrix3d& R, const Eigen::Vector3d& omega,
                           const BodyAcceleration& a) {
  const Eigen::Matrix3d I = R * body.inertia * R.transpose();
  return {body.mass * a.linear, I * a.angular + omega.cross(I * omega)};
}
inline BodyAcceleration newton_euler(const RigidBody& body, const Eigen::Matrix3d& R, const Eigen::Vector3d& omega,
                                     const Wrench& w) {
  const Eigen::Matrix3d I = R * body.inertia * R.transpose();
  return {w.force / body.mass, I.inverse() * (w.torque - omega.cross(I * omega))};
}

}  // namespace lissom::test
