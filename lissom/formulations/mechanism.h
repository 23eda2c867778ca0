#pragma once
// A robot for the classical formulations: its links, each with its joint to the parent, in the frames of the
// description. No links are merged and no frames rotated. It shares with the tree of the fast algorithms the
// description, the indices in q and v, the mimic joints, sines and cosines (math/sincos.h), quaternions
// (spatial/quaternion.h) and the rotation that takes z to an axis (model/axes.h), which tests/kinematics compares with
// Eigen; and nothing else, so that the two can test each other.
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "lissom/api/eigen.h"
#include "lissom/model/model.h"

namespace lissom::formulations {

using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// A link and its joint to the parent.
struct MechanismLink {
  std::string name;
  int parent = -1;  ///< index in Mechanism::links; -1: the world
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< in the link's frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the center of mass, along the link's axes
  std::string joint;                                  ///< its name
  JointType type = JointType::fixed;
  Pose<double> origin;                         ///< of the joint's frame in the parent link's
  Vec3<double> axis{0, 0, 1}, axis2{0, 1, 0};  ///< unit vectors in the joint's frame
  double pitch = 0;                            ///< of a helical joint, m/rad
  double armature = 0;                         ///< rotor inertia, kg m² (kg for a prismatic joint)
  int q_index = 0, v_index = 0, nv = 0;        ///< its coordinates, or its leader's, in the model's q and v
  int joint_index = -1;                        ///< in Model::joints(); -1: a root fixed to the world
  bool follows = false;  ///< whether it mimics another joint, with the coordinate ratio * q + offset
  double ratio = 1, offset = 0;
};

/// All links of a robot.
struct Mechanism {
  std::vector<MechanismLink> links;  ///< parents before children
  Eigen::Vector3d gravity;
  int nq = 0, nv = 0;
  bool coupled = false;  ///< whether there are mimic joints

  explicit Mechanism(const Model& model);
  /// Index of a link; throws an Error if there is none of this name.
  int link(const std::string& name) const;
};

/// Throws an Error that names the argument `what` unless x has `size` elements and all are finite.
void check_vector(const VectorIn& x, int size, const char* what);
/// The same for q, whose quaternions must be normalized.
void check_configuration(const Mechanism& mechanism, const VectorIn& q);

/// The matrix [a] with [a] b = a × b.
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a);

}  // namespace lissom::formulations
