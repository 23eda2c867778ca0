#pragma once
// The humanoid standing, with a controller that keeps it so.
#include <fstream>

#include <nlohmann/json.hpp>

#include "lissom/control/whole_body.h"
#include "lissom/lissom.h"
#include "lissom/plant/plant.h"

namespace lissom::test {

inline Model humanoid() {
  return load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
}

inline Eigen::VectorXd posture(const Model& model, const std::string& name) {
  std::ifstream file(LISSOM_MODELS_DIR "/postures/humanoid.json");
  const auto json = nlohmann::json::parse(file).at(name);
  Eigen::VectorXd q = neutral(model);
  for (int i = 0; i < 3; ++i) q[i] = json.at("base_position").at(std::size_t(i));
  for (int i = 0; i < 4; ++i) q[3 + i] = json.at("base_quaternion").at(std::size_t(i));
  for (const auto& [joint, value] : json.at("joints").items()) q[model.joint(joint).q_index] = value;
  return normalise(model, q);
}

inline std::vector<control::Contact> soles() {
  return {{.frame = "left_sole", .friction = .7}, {.frame = "right_sole", .friction = .7}};
}

// Keeps the centre of mass where it is, or carries it about.
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
