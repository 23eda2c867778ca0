#pragma once
// A robot as the classical derivations see it: links, each with its joint to the parent, in the frames of the
// description; nothing merged, nothing turned. With the tree of the fast algorithms it shares the description, the
// numbering of q and v and who follows whom, and no more, so that the two can examine each other.
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "lissom/api/eigen.h"
#include "lissom/model/model.h"

namespace lissom::formulations {

using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// A link and the joint above it.
struct MechanismLink {
  std::string name;
  int parent = -1;  // in Mechanism::links; -1: the world
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      // in the link's frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the center of mass, along the link's axes
  std::string joint;                                  // its name
  JointType type = JointType::fixed;
  Pose<double> origin;                         // of the joint's frame in the parent link's
  Vec3<double> axis{0, 0, 1}, axis2{0, 1, 0};  // of length 1, in the joint's frame
  double pitch = 0;                            // helical: meters per radian
  double armature = 0;
  int q = 0, v = 0, nv = 0;  // where its coordinates, or its leader's, begin in the model
  int joint_index = -1;      // in Model::joints(); -1: a root welded to the world
  // A follower moves as ratio * q + offset.
  bool follows = false;
  double ratio = 1, offset = 0;
};

struct Mechanism {
  std::vector<MechanismLink> links;  // parents before children
  Eigen::Vector3d gravity;
  int nq = 0, nv = 0;
  bool coupled = false;  // some joint follows another

  explicit Mechanism(const Model& model);
  // Index of a link; Error that names it where there is none.
  int link(const std::string& name) const;
};

// Error that names the argument, unless x has this many numbers and all are finite.
void check_numbers(const VectorIn& x, int size, const char* what);
// The same for q, whose quaternions must have length 1.
void check_configuration(const Mechanism& mechanism, const VectorIn& q);

// [a] with [a] b = a × b.
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a);

}  // namespace lissom::formulations
