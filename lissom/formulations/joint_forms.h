#pragma once
// The kinematics of the joint types for the classical formulations. It shares nothing with the joints of the fast
// algorithms (tree/joint.h), so that each can test the other (decision 6). Not for users.
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

// The pose of a joint's child for given coordinates, and the Jacobian of its motion; both in the joint's frame.
template <class T>
struct JointForm {
  Pose<T> X;
  struct Column {
    Vec3<T> v, omega;  // velocity of the child's origin, angular velocity
  };
  std::vector<Column> columns;  // one for each coordinate
};

// The form of a joint without a quaternion, at the coordinates x. T is double or Dual<double>.
template <class T>
JointForm<T> joint_form(const MechanismLink& link, const T* x);

// The pose of a joint's child, and its motion in the model's own velocities v. The velocity of the child relative to
// the parent link, at the child's origin, linear above angular, along the child's axes, is S v; its derivative in those
// axes is S v̇ + S_dot_v.
struct JointMotion {
  Pose<double> X;  // child in the joint's frame
  Matrix6X S;      // 6 × nv; includes the ratio of a mimic joint
  Matrix6X axes;   // S without the ratio
  Vector6 S_dot_v = Vector6::Zero();
};
JointMotion joint_motion(const MechanismLink& link, const VectorIn& q, const VectorIn& v);

// The coordinates for which the child's pose comes nearest to X. If there are several, those nearest to the joint's
// coordinates in the configuration `near`; without `near`, those nearest to 0.
Eigen::VectorXd joint_coordinates(const MechanismLink& link, const Pose<double>& X, const Eigen::VectorXd* near);

// The joint with the inverse pose X_J(q)⁻¹, from `parent` to `child`, at its parent's origin.
JointDescription reversed_joint(const JointDescription& joint, const std::string& parent, const std::string& child);
// The coordinates of the reversed joint for those of a joint without a quaternion. For a planar joint only the angle is
// right.
Eigen::VectorXd reversed_coordinates(JointType type, const VectorIn& q);

}  // namespace lissom::formulations
