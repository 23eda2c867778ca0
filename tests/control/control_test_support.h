#pragma once
// Robots, postures and states for the tests of whole-body control.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "close.h"
#include "largest.h"
#include "lissom/control/whole_body.h"
#include "lissom/lissom.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"
#include "random_tree.h"

namespace lissom::control::test {

using Eigen::VectorXd;
using lissom::test::close;
using lissom::test::larger;
using lissom::test::largest;
using lissom::test::Random;

inline Model robot(const std::string& file) {
  return load(std::string(LISSOM_MODELS_DIR) + "/" + file, {.base = Base::free});
}
inline double& joint(const Model& model, VectorXd& q, const std::string& name) {
  return q[model.joint(name).q_index];
}
// An empty name is the world, as in tasks and contacts.
inline Pose<double> placement_at(const Model& model, const VectorXd& q, const std::string& frame) {
  Workspace work(model);
  forward_kinematics(model, work, q);
  return placement(model, work, frame.empty() ? world_frame : model.frame(frame));
}

struct State {
  VectorXd q, v;
};

// Knees bent, soles flat on the ground z = 0.
inline VectorXd crouched_humanoid(const Model& model) {
  VectorXd q = neutral(model);
  for (const std::string side : {"left", "right"}) {
    joint(model, q, side + "_hip_pitch") = -.5;
    joint(model, q, side + "_knee") = 1;
    joint(model, q, side + "_ankle_pitch") = -.5;
    joint(model, q, side + "_shoulder_pitch") = -.3;
    joint(model, q, side + "_elbow") = -.8;
  }
  q[2] -= placement_at(model, q, "left_sole").p.z;
  return q;
}
inline VectorXd standing_quadruped(const Model& model) {
  VectorXd q = neutral(model);
  for (const std::string leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    joint(model, q, leg + "_flexion") = -.6;
    joint(model, q, leg + "_knee") = 1.2;
  }
  q[2] -= placement_at(model, q, "front_left_foot").p.z;
  return q;
}
inline const std::vector<std::string>& quadruped_feet() {
  static const std::vector<std::string> feet{"front_left_foot", "front_right_foot", "rear_left_foot",
                                             "rear_right_foot"};
  return feet;
}

// A random state: up to `reach` rad from a posture in each joint, the base at a random position, rotated by any angle
// about the vertical and a little tilted; velocities up to `speed`.
inline State random_state(const Model& model, const VectorXd& posture, Random& random, double reach, double speed) {
  VectorXd step = random.vector(model.nv(), reach);
  step.segment<3>(0).setZero();
  step.segment<3>(3) *= .3;
  VectorXd q = integrate(model, posture, step);
  const double yaw = random.uniform(-3, 3);
  const auto rotation =
      Quaternion<double>{std::cos(yaw / 2), 0, 0, std::sin(yaw / 2)} * Quaternion<double>{q[3], q[4], q[5], q[6]};
  q.segment<4>(3) << rotation.w, rotation.x, rotation.y, rotation.z;
  q.head<2>() += random.vector(2, 2);
  for (int i = 0; i < model.nq(); ++i) {
    const double low = model.lower()[std::size_t(i)], high = model.upper()[std::size_t(i)];
    q[i] = std::clamp(q[i], low, high);
  }
  return {q, random.vector(model.nv(), speed)};
}

// Forces of the tick's contacts on the robot, and their reactions on what it touches.
inline std::vector<ExternalForce> contact_forces(const WholeBody& controller, const std::vector<Contact>& contacts) {
  std::vector<ExternalForce> forces;
  const auto& model = controller.model();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto& r = controller.tick().contacts[k];
    const FrameId frame = model.frame(contacts[k].frame);
    const FrameId against = contacts[k].against.empty() ? world_frame : model.frame(contacts[k].against);
    forces.push_back({frame, r.force, r.torque, {frame, {0, 0, 0}}, world_frame});
    forces.push_back({against, -r.force, -r.torque, {frame, {0, 0, 0}}, world_frame});
  }
  return forces;
}

}  // namespace lissom::control::test
