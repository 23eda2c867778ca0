#pragma once
// How other programs write the state of a robot that they read from the same file. Two things differ: the order of the
// joints, and the elements of some of them. Joints that are not named here have the same elements everywhere.
//
// - lissom: joints depth first, children in the order of the file.
//   Free joint: q = (x y z, qw qx qy qz), v = (linear, angular) along the axes of the child.
//   Spherical joint: q = (qw qx qy qz), v = ω along the axes of the child.
//   Planar joint: q = (x, y, angle), v = (linear, rate) along the axes of the child.
// - pinocchio: joints depth first, children in the alphabetical order of the joints' names (which is urdfdom's).
//   Quaternions are (qx qy qz qw), a continuous joint has q = (cos, sin), a planar one (x, y, cos, sin). v is ours.
// - ros: the base, then the joints in the order of the file, as joint_state_publisher lists them. A message of
//   sensor_msgs/JointState names its joints, in any order: give its list. Quaternions are (qx qy qz qw), v is ours.
// - mujoco: joints depth first, children in the order of the file.
//   Free joint: the pose is relative to the world; v is linear along the world's axes, angular along the child's.
//   Planar joint: two sliding joints and a hinge, so v = (ẋ, ẏ, rate).
// - world: lissom's, but v of a free joint is along the world's axes, at the child's origin; so is ω of a spherical
//   joint. Here the world's axes are those of the joint's own frame, which are the world's for a base.
//
// A follower (mimic joint) has coordinates of its own in Pinocchio, ROS and MuJoCo. blocks.h has the convention of
// bMSd, which takes the velocity of the base's center of mass.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

enum class Convention { lissom, pinocchio, ros, mujoco, world };
/// The convention of this name; throws an Error that lists the names if there is none.
Convention convention(std::string_view name);
const char* to_string(Convention convention);

/// The joints that have coordinates in that program's model of the same robot, in the order of its q and v.
std::vector<std::string> joint_order(const Model& model, Convention convention);
/// The joints that are not in the robot's file: those of a free or planar base.
std::vector<std::string> base_joints(const Model& model);

/// A configuration and a velocity.
struct State {
  Eigen::VectorXd q, v;
};
using MatrixIn = Eigen::Ref<const Eigen::MatrixXd>;

/// Converts between the vectors and matrices of a model and those of another program's model of the same robot. `to_…`
/// takes the model's and gives the other program's, `from_…` the reverse; q and v are always the model's, except in
/// from_state(). All throw an Error if a size is wrong or an element is not finite.
class Conversion {
 public:
  /// With the joints in joint_order(). Throws an Error if the program has no such joint (MuJoCo: a free joint whose
  /// parent moves).
  Conversion(const Model& model, Convention other);
  /// With the other program's own list of joints that have coordinates, in the order of its q and v: all moving joints
  /// of the model, and those followers that have coordinates there. Pinocchio's model.names may begin with "universe".
  /// A base that the model calls "base" may have another name there ("root_joint"). Throws an Error that names joints
  /// that are missing, unknown or listed twice.
  Conversion(const Model& model, Convention other, std::span<const std::string> joints);

  /// A joint in the other program's vectors.
  struct Entry {
    std::string name;  ///< of the model's joint
    int joint;         ///< index in Model::joints()
    int q_index, nq, v_index, nv;
    bool follows = false;  ///< it has no coordinates in the model, because it mimics another joint there
    Pose<double> frame{};  ///< the coordinates are relative to a frame in which the joint's frame has this pose
  };
  /// In the order of the other program's q and v.
  const std::vector<Entry>& entries() const { return entries_; }
  Convention other() const { return other_; }
  int nq() const { return nq_; }  ///< of the other program
  int nv() const { return nv_; }
  /// Whether followers have coordinates in the other program, but none in the model.
  bool has_followers() const;

  State to_state(const VectorIn& q, const VectorIn& v) const;
  /// Throws an Error if a quaternion or (cos, sin) is not normalized (within 1e-6), or a follower is not where its
  /// leader puts it (within 1e-6).
  State from_state(const VectorIn& q_there, const VectorIn& v_there) const;

  /// The matrix T with v_there = T v.
  Eigen::MatrixXd velocity_map(const VectorIn& q) const;
  /// a_there = T a + Ṫ v, because a is the derivative of v.
  Eigen::VectorXd to_acceleration(const VectorIn& q, const VectorIn& v, const VectorIn& a) const;
  Eigen::VectorXd from_acceleration(const VectorIn& q, const VectorIn& v, const VectorIn& a_there) const;
  /// Generalized forces: tau = Tᵀ tau_there. In to_forces(), followers get none.
  Eigen::VectorXd to_forces(const VectorIn& q, const VectorIn& tau) const;
  Eigen::VectorXd from_forces(const VectorIn& q, const VectorIn& tau_there) const;
  /// Bias forces: the generalized forces that a_there = 0 needs.
  Eigen::VectorXd to_bias_forces(const VectorIn& q, const VectorIn& v, const MatrixIn& M, const VectorIn& h) const;
  /// Mass matrices: M = Tᵀ M_there T. to_mass_matrix() and to_jacobian() throw an Error if has_followers(): the
  /// other program has columns for them, which the model does not.
  Eigen::MatrixXd to_mass_matrix(const VectorIn& q, const MatrixIn& M) const;
  Eigen::MatrixXd from_mass_matrix(const VectorIn& q, const MatrixIn& M_there) const;
  /// Jacobians, or anything with one column for each element of v: J = J_there T.
  Eigen::MatrixXd to_jacobian(const VectorIn& q, const MatrixIn& J) const;
  Eigen::MatrixXd from_jacobian(const VectorIn& q, const MatrixIn& J_there) const;

 private:
  void set_joints(std::span<const std::string> joints);
  const Joint& joint(const Entry& entry) const { return model_.joints()[std::size_t(entry.joint)]; }
  // The rotation from the axes of v to those of v_there, of the linear and of the angular part.
  struct Axes {
    Eigen::Matrix3d linear, angular;
  };
  Axes axes(const Entry& entry, const Eigen::VectorXd& q) const;
  // The orthogonal block of T that belongs to a joint with coordinates in the model.
  Eigen::MatrixXd block(const Entry& entry, const Eigen::VectorXd& q) const;
  // All these blocks, times x, or transposed; followers have zeros.
  Eigen::VectorXd rotated_to(const Eigen::VectorXd& q, const Eigen::VectorXd& x) const;
  Eigen::VectorXd rotated_from(const Eigen::VectorXd& q, const Eigen::VectorXd& x_there) const;
  Eigen::VectorXd velocity_to(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;  // T v
  const Joint& leader(const Entry& follower) const;
  Eigen::VectorXd velocity_map_rate(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;  // Ṫ v
  Eigen::VectorXd checked(const VectorIn& q) const;
  void check_followers(const State& here, const VectorIn& q_there, const VectorIn& v_there) const;
  void refuse_followers(const char* what) const;

  Model model_;
  Convention other_;
  std::vector<Entry> entries_;
  int nq_ = 0, nv_ = 0;
};

/// The same state in another convention, with the joints in joint_order(). Throws the Errors of Conversion.
State convert(const Model& model, const State& state, Convention from, Convention to);

}  // namespace lissom::formulations
