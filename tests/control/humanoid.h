#pragma once
// The humanoid standing, with a controller that keeps it so.
#include "lissom/api/postures.h"
#include "lissom/control/run.h"
#include "lissom/lissom.h"

namespace lissom::test {

inline Model humanoid() {
  return load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
}

inline Eigen::VectorXd posture(const Model& model, const std::string& name) {
  return read_posture(model, LISSOM_MODELS_DIR "/postures/humanoid.json#" + name);
}

inline std::vector<Contact> soles() {
  return {{.frame = "left_sole", .friction = .7}, {.frame = "right_sole", .friction = .7}};
}

// Keeps the center of mass where it is, or moves it.
struct Standing {
  control::WholeBody controller;
  control::TaskId<control::CenterOfMassTask> com;
  Vec3<double> start;

  Standing(const Model& model, const Eigen::VectorXd& q) : controller(model) {
    Workspace work(model);
    start = center_of_mass(model, work, q);
    for (const auto& c : soles()) controller.add(c);
    com = controller.add(control::CenterOfMassTask{.target = start, .stiffness = 50, .weight = 100});
    controller.add(control::MomentumTask{.weight = .1});
    controller.add(control::PostureTask{.target = q, .stiffness = 30, .weight = 1});
  }
};

}  // namespace lissom::test
