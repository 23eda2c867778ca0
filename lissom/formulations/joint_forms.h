#pragma once
// The joint types as the classical derivations know them: the one catalogue beside that of tree/joint.h, with which it
// shares nothing (decision 6). A new joint type has a branch in joint_form, and one in joint_forms.cpp.
#include <vector>

#include "lissom/formulations/mechanism.h"
#include "lissom/formulations/turn.h"
#include "lissom/model/axes.h"

namespace lissom::formulations {

// Where the coordinates of a joint put its child, and how the child moves with their rates: both in the joint's frame.
template <class T>
struct JointForm {
  Pose<T> X;
  struct Column {
    Vec3<T> v, omega;  // velocity of the child's origin, angular velocity
  };
  std::vector<Column> columns;  // one for each coordinate
};

// Of a joint without a quaternion, with the coordinates x.
template <class T>
JointForm<T> joint_form(const MechanismLink& link, const T* x) {
  JointForm<T> j;
  const auto none = zero_vec3<T>();
  const auto a = cast<T>(link.axis), a2 = cast<T>(link.axis2);
  switch (link.type) {
    case JointType::revolute:
    case JointType::continuous:
      j.X.R = turn(link.axis, x[0]);
      j.columns = {{none, a}};
      break;
    case JointType::prismatic:
      j.X.p = x[0] * a;
      j.columns = {{a, none}};
      break;
    case JointType::helical:
      j.X.R = turn(link.axis, x[0]);
      j.X.p = T(link.pitch) * x[0] * a;
      j.columns = {{T(link.pitch) * a, a}};
      break;
    case JointType::cylindrical:
      j.X.R = turn(link.axis, x[1]);
      j.X.p = x[0] * a;
      j.columns = {{a, none}, {none, a}};
      break;
    case JointType::universal: {
      const auto first = turn(link.axis, x[0]);  // which carries the second axis
      j.X.R = first * turn(link.axis2, x[1]);
      j.columns = {{none, a}, {none, first * a2}};
      break;
    }
    case JointType::planar: {
      const auto E = rotation_from_z_to(link.axis);
      const auto along_x = cast<T>(column_x(E)), along_y = cast<T>(column_y(E));
      j.X.R = turn(link.axis, x[2]);
      j.X.p = x[0] * along_x + x[1] * along_y;
      j.columns = {{along_x, none}, {along_y, none}, {none, a}};
      break;
    }
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      break;
  }
  return j;
}

// Where a joint puts its child, and how it moves it, in the model's own velocities v: the motion of the child's origin
// relative to the parent link, linear above angular, along the child's axes, is S v; its rate in those axes S v̇ +
// S_dot_v.
struct JointMotion {
  Pose<double> X;  // child in the joint's frame
  Matrix6X S;      // 6 × nv; of a follower: its ratio included
  Matrix6X axes;   // the same without the ratio
  Vector6 S_dot_v = Vector6::Zero();
};
JointMotion joint_motion(const MechanismLink& link, const VectorIn& q, const VectorIn& v);

// The coordinates with which a joint comes nearest to putting its child at X; of several, those nearest to the joint's
// own in `near`, where given.
Eigen::VectorXd joint_coordinates(const MechanismLink& link, const Pose<double>& X, const Eigen::VectorXd* near);

// The joint that has X_J(q)⁻¹, from `parent` to `child`, at its parent's origin.
JointDescription reversed_joint(const JointDescription& joint, const std::string& parent, const std::string& child);
// Its coordinates for those of a joint without a quaternion; for a planar joint, its angle only.
Eigen::VectorXd reversed_coordinates(JointType type, const VectorIn& q);

}  // namespace lissom::formulations
