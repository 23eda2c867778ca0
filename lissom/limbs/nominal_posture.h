#pragma once
// A posture to stand in: feet below the hips, knees bent. Not for users.
#include "lissom/limbs/body_tree.h"
#include "lissom/limbs/touch.h"

namespace lissom::limbs {

// The posture that the file has for standing, "home" or "stand", within the joint limits; empty if there is none.
Eigen::VectorXd standing_keyframe(const Model& model);
// In which limbs are found: the keyframe, or where the robot is at the beginning, within the joint limits; its base is
// turned by R.
Eigen::VectorXd upright_posture(const Model& model, const Mat3<double>& R);

// The same without the keyframe.
Eigen::VectorXd initial_posture(const Model& model, const Mat3<double>& R);
// The upright posture with all joints in the middle of their limits: some robots have legs that reach down only there.
Eigen::VectorXd middle_posture(const Model& model, const Mat3<double>& R);

struct Foot {
  Limb leg;
  Touch touch;
};
// Bends the knees of the legs and puts the feet below the hips, level; `upright` if the joint limits do not allow that.
Eigen::VectorXd bend_legs(BodyTree& tree, const Eigen::VectorXd& upright, const std::vector<Foot>& feet);
// Lets arms hang that are stretched out: zero positions of many robots are such.
Eigen::VectorXd relax_arms(BodyTree& tree, const Eigen::VectorXd& upright, const Limbs& limbs);

}  // namespace lissom::limbs
