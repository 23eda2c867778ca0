#pragma once
// The kinematics of the joint types for the classical formulations. It shares nothing with the joints of the fast
// algorithms (tree/joint.h), so that each can test the other (decision 6). A new joint type needs a branch in
// joint_form, and one in joint_forms.cpp. Not for users.
#include <vector>

#include "lissom/formulations/mechanism.h"
#include "lissom/formulations/rotation_about.h"
#include "lissom/model/axes.h"

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

// The form of a joint without a quaternion, at the coordinates x.
template <class T>
JointForm<T> joint_form(const MechanismLink& link, const T* x) {
  JointForm<T> j;
  const auto zero_vector = zero_vec3<T>();
  const auto a = cast<T>(link.axis), a2 = cast<T>(link.axis2);
  switch (link.type) {
    case JointType::revolute:
    case JointType::continuous:
      j.X.R = rotation_about(link.axis, x[0]);
      j.columns = {{zero_vector, a}};
      break;
    case JointType::prismatic:
      j.X.p = x[0] * a;
      j.columns = {{a, zero_vector}};
      break;
    case JointType::helical:
      j.X.R = rotation_about(link.axis, x[0]);
      j.X.p = T(link.pitch) * x[0] * a;
      j.columns = {{T(link.pitch) * a, a}};
      break;
    case JointType::cylindrical:
      j.X.R = rotation_about(link.axis, x[1]);
      j.X.p = x[0] * a;
      j.columns = {{a, zero_vector}, {zero_vector, a}};
      break;
    case JointType::universal: {
      const auto first = rotation_about(link.axis, x[0]);  // the second axis rotates with it
      j.X.R = first * rotation_about(link.axis2, x[1]);
      j.columns = {{zero_vector, a}, {zero_vector, first * a2}};
      break;
    }
    case JointType::planar: {
      const auto E = rotation_from_z_to(link.axis);
      const auto along_x = cast<T>(column_x(E)), along_y = cast<T>(column_y(E));
      j.X.R = rotation_about(link.axis, x[2]);
      j.X.p = x[0] * along_x + x[1] * along_y;
      j.columns = {{along_x, zero_vector}, {along_y, zero_vector}, {zero_vector, a}};
      break;
    }
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      break;
  }
  return j;
}

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
