#include "lissom/control/base_estimator.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "lissom/api/eigen.h"
#include "lissom/api/kinematics.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::control {

namespace {

constexpr double pose_time = .1, velocity_time = .02;  // s, in which contacts correct what was predicted
constexpr double arm = .1;                             // m: an error of a face's orientation counts as one of its edge
constexpr double stiff_base = 1e-3;  // weight of no correction: what contacts leave open stays as predicted
constexpr double slip_scale = .1;    // m/s: a contact that moves so against the others counts half

Eigen::Matrix3d skew(const Vec3<double>& r) {
  Eigen::Matrix3d S;
  S << 0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0;
  return S;
}
Vec3<double> vec3(const Eigen::Vector3d& x) {
  return {x[0], x[1], x[2]};
}

}  // namespace

BaseEstimator::BaseEstimator(const Model& model, const Eigen::VectorXd& q, double step)
    : model_(model), work_(model), step_(step) {
  const auto& root = model.joints().front();
  if (root.type != JointType::free)
    throw Error("the base of model '" + model.name() + "' is not free, so there is nothing to estimate");
  base_ = model.frame(root.child);
  q_index_ = root.q_index, v_index_ = root.v_index;
  forward_kinematics(model_, work_, q);
  X_ = placement(model_, work_, base_);
  slips_.reserve(64);
}

void BaseEstimator::estimate(const ImuReading& imu, std::span<const MotionRunner::LimbTarget> limbs, Eigen::VectorXd& q,
                             Eigen::VectorXd& v) {
  predict(imu);
  write(q, v);
  forward_kinematics(model_, work_, q, v);
  correct(limbs);
  write(q, v);
}

void BaseEstimator::predict(const ImuReading& imu) {
  turning_ = X_.R * imu.angular_velocity;
  const auto acceleration = X_.R * imu.specific_force + model_.gravity();
  X_.p += step_ * velocity_ + (.5 * step_ * step_) * acceleration;
  velocity_ += step_ * acceleration;
  X_.R = matrix(exponential(step_ * turning_)) * X_.R;
}

// Least squares: the displacement and rotation of the base that brings its contacts to their places, and the velocity
// with which they do not slip.
void BaseEstimator::correct(std::span<const MotionRunner::LimbTarget> limbs) {
  slips_.clear();
  Vec3<double> mean(0, 0, 0);
  for (const auto& limb : limbs) {
    if (!limb.contact) continue;
    const auto u = lissom::velocity(model_, work_, limb.id);
    const auto& R = limb.placement.R;
    const auto rolling = cross(u.angular, limb.radius * Vec3<double>(R.xz, R.yz, R.zz));
    slips_.push_back(u.linear - rolling);
    mean += slips_.back();
  }
  if (slips_.empty()) return;
  mean = (1 / double(slips_.size())) * mean;
  Eigen::Matrix<double, 6, 6> A = stiff_base * Eigen::Matrix<double, 6, 6>::Identity();
  Eigen::Matrix<double, 6, 1> b = Eigen::Matrix<double, 6, 1>::Zero();
  Vec3<double> slip(0, 0, 0);
  double weights = 0;
  std::size_t k = 0;
  for (const auto& limb : limbs) {
    if (!limb.contact) continue;
    const auto off = slips_[k] - mean;
    const double weight = 1 / (1 + dot(off, off) / (slip_scale * slip_scale));
    slip += weight * slips_[k++];
    weights += weight;
    const auto X = placement(model_, work_, limb.id);
    Eigen::Matrix<double, 3, 6> J;
    J << Eigen::Matrix3d::Identity(), -skew(X.p - X_.p);
    A += weight * J.transpose() * J;
    b += weight * J.transpose() * to_eigen(limb.placement.p - X.p);
    if (limb.point) continue;
    const auto rotation = X.R * logarithm(quaternion(transpose(X.R) * limb.placement.R));
    A.bottomRightCorner<3, 3>().diagonal().array() += weight * arm * arm;
    b.tail<3>() += weight * arm * arm * to_eigen(rotation);
  }
  const Eigen::Matrix<double, 6, 1> x = std::min(1.0, step_ / pose_time) * A.partialPivLu().solve(b);
  X_.p += vec3(x.head<3>());
  X_.R = matrix(exponential(vec3(x.tail<3>()))) * X_.R;
  velocity_ -= (std::min(1.0, step_ / velocity_time) / weights) * slip;
}

void BaseEstimator::write(Eigen::VectorXd& q, Eigen::VectorXd& v) {
  const auto r = quaternion(X_.R);
  q.segment<7>(q_index_) << X_.p.x, X_.p.y, X_.p.z, r.w, r.x, r.y, r.z;
  q.segment<4>(q_index_ + 3).normalize();
  forward_kinematics(model_, work_, q);
  const auto& J = jacobian(model_, work_, base_);
  map_ = J.middleCols<6>(v_index_);
  Eigen::Matrix<double, 6, 1> u;
  u << to_eigen(velocity_), to_eigen(turning_);
  v.segment<6>(v_index_) = map_.partialPivLu().solve(u);
}

}  // namespace lissom::control
