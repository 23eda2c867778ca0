#pragma once
// Functions that the tests of inverse kinematics share.
#include <gtest/gtest.h>

#include "lissom/lissom.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::test {

inline Model own_model(const std::string& name, const LoadOptions& options = {}) {
  return load(std::string(LISSOM_MODELS_DIR) + "/" + name + ".urdf", options);
}

inline ::testing::AssertionResult within_limits(const Model& model, const Eigen::VectorXd& q) {
  for (int i = 0; i < model.nq(); ++i)
    if (!(q[i] >= model.lower()[std::size_t(i)] && q[i] <= model.upper()[std::size_t(i)]))
      return ::testing::AssertionFailure() << "q[" << i << "] = " << q[i] << " is outside "
                                           << model.lower()[std::size_t(i)] << " … " << model.upper()[std::size_t(i)];
  for (const int at : model.quaternions())
    if (!(std::abs(q.segment<4>(at).norm() - 1) < 1e-12))
      return ::testing::AssertionFailure() << "the quaternion at " << at << " does not have norm 1";
  return ::testing::AssertionSuccess();
}

inline double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}
inline double angle_between(const Mat3<double>& a, const Mat3<double>& b) {
  return length(logarithm(quaternion(transpose(a) * b)));
}
inline Pose<double> pose_at(const Model& model, Workspace& work, const Eigen::VectorXd& q, FrameId frame) {
  forward_kinematics(model, work, q);
  return placement(model, work, frame);
}

// The message of the Error that a call throws; empty if it does not throw.
template <class F>
std::string complaint_of(const F& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
#define EXPECT_REFUSED(call, naming) \
  EXPECT_NE(complaint_of([&] { call; }).find(naming), std::string::npos) << complaint_of([&] { call; })

}  // namespace lissom::test
