// Robots of a scene file, with their postures and servos.
#include <algorithm>
#include <filesystem>
#include <limits>

#include "lissom/api/load.h"
#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/scenes/scene_reader.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::scenes {
namespace {

std::string beside(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

Base read_base(const Place& p) {
  const auto word = p.text();
  for (const auto& [name, base] : {std::pair{"file", Base::file}, {"fixed", Base::fixed}, {"free", Base::free}})
    if (word == name) return base;
  p.fail("found " + in_quotes(word) + ", expected file, fixed or free");
}

// The values of one joint: a number, or a list of them.
std::vector<double> joint_values(const Place& p, int count) {
  const auto x = p.value.is_array() ? p.numbers() : std::vector<double>{p.number()};
  if (int(x.size()) != count) p.fail("found " + counted(x.size(), "number") + ", expected " + std::to_string(count));
  return x;
}

template <class F>
void each_joint(const Place& p, const Model& model, F&& f) {
  if (!p.value.is_object()) p.fail("found " + in_short(p.value) + ", expected an object of joints and their values");
  for (const auto& item : p.value.items()) {
    const auto place = p[item.key()];
    const auto joint = place.judged([&] { return model.joint(item.key()); });
    if (joint.nv == 0)
      place.fail("joint " + in_quotes(joint.name) + (joint.follows ? " follows another one" : " is fixed") +
                 " and has no value of its own");
    f(place, joint);
  }
}

// Fixes the root of a robot at a pose.
Model placed(const Place& p, const Model& model, const Pose<double>& pose) {
  auto description = model.description();
  const BaseJoints bases(description, model.options().base);
  std::vector<std::string> roots;
  for (std::size_t i = 0; i < description.links.size(); ++i)
    if (bases.is_root(int(i))) roots.push_back(description.links[i].name);
  if (roots.size() != 1)
    p.fail("the robot has " + counted(roots.size(), "root link") + ", expected one; place them in its own file");
  description.roots = {{.link = roots[0], .base = Base::fixed, .placement = pose}};
  return build(description, {Base::file, model.options().mimic, model.options().axis_tolerance});
}

void read_place(const Place& p, SceneRobot& robot) {
  const auto pose = read_pose(p);
  const auto& joints = robot.model.joints();
  const auto base = std::ranges::find_if(
      joints, [&](const Joint& joint) { return joint.type == JointType::free && robot.model.is_root_joint(joint); });
  if (base == joints.end()) {
    robot.model = placed(p, robot.model, pose);
    return;
  }
  const auto rotation = quaternion(pose.R);
  robot.q.segment(base->q_index, 7) << pose.p.x, pose.p.y, pose.p.z, rotation.w, rotation.x, rotation.y, rotation.z;
}

RobotSettings read_settings(const Place& p) {
  RobotSettings s;
  const std::pair<const char*, bool*> all[] = {{"joint_limits", &s.joint_limits},
                                               {"dry_friction", &s.dry_friction},
                                               {"damping", &s.damping},
                                               {"springs", &s.springs},
                                               {"effort_limits", &s.effort_limits},
                                               {"loops", &s.loops},
                                               {"self_collision", &s.self_collision}};
  std::set<std::string> keys;
  for (const auto& [key, unused] : all) keys.insert(key);
  p.only(keys);
  for (const auto& [key, value] : all)
    if (p.has(key)) *value = boolean(p[key]);
  return s;
}

// Gains: one for all joints with motors, or an object of joints.
Eigen::VectorXd read_gains(const Place& p, const Model& model) {
  Eigen::VectorXd gains = Eigen::VectorXd::Zero(model.nv());
  if (!p.value.is_object()) {
    const double all = nonnegative(p, "");
    for (const auto& joint : model.joints())
      if (joint.type != JointType::free) gains.segment(joint.v_index, joint.nv).setConstant(all);
    return gains;
  }
  each_joint(p, model, [&](const Place& place, const Joint& joint) {
    if (joint.type == JointType::free) place.fail("joint " + in_quotes(joint.name) + " is free and has no motor");
    gains.segment(joint.v_index, joint.nv).setConstant(nonnegative(place, ""));
  });
  return gains;
}

SceneRobot read_robot(const Place& p, const Scene& scene) {
  p.only({"name", "file", "base", "pose", "posture", "velocity", "settings", "servos", "loops", "material"});
  const auto folder = std::filesystem::path(scene.file).parent_path().string();
  LoadOptions options;
  options.find_meshes = true;  // they touch by their hulls
  if (p.has("base")) options.base = read_base(p["base"]);
  if (p.has("loops")) options.loops_file = beside(folder, p["loops"].text());
  const auto file = beside(folder, p["file"].text());
  const auto model = p["file"].judged([&] { return load(file, options); }).with_gravity(scene.options.gravity);
  const auto start = initial_configuration(model);
  SceneRobot robot{.name = read_name(p["name"]),
                   .model = model,
                   .q = p.has("posture") ? read_posture(p["posture"], folder, model, start) : start,
                   .v = Eigen::VectorXd::Zero(model.nv())};
  if (p.has("pose"))
    read_place(p["pose"], robot);
  else if (scene.ground && base_is_neutral(model, robot.q))
    robot.raised = p.judged([&] { return put_on_ground(model, robot.q); });
  if (p.has("velocity")) robot.v = read_velocities(p["velocity"], model, robot.v);
  if (p.has("settings")) robot.settings = read_settings(p["settings"]);
  if (p.has("servos")) read_servos(p["servos"], folder, robot);
  return robot;
}

}  // namespace

Eigen::VectorXd read_posture(const Place& p, const std::string& folder, const Model& model,
                             const Eigen::VectorXd& otherwise) {
  Eigen::VectorXd q = otherwise;
  if (p.value.is_string()) {
    const auto text = p.text();
    const bool is_file = text.find('#') != std::string::npos || text.ends_with(".json");
    return p.judged(
        [&] { return is_file ? lissom::read_posture(model, beside(folder, text)) : posture_of_file(model, text); });
  }
  each_joint(p, model, [&](const Place& place, const Joint& joint) {
    const auto x = joint_values(place, joint.nq);
    for (int k = 0; k < joint.nq; ++k) q[joint.q_index + k] = x[std::size_t(k)];
  });
  return p.judged([&] { return normalize(model, q); });
}

Eigen::VectorXd read_velocities(const Place& p, const Model& model, Eigen::VectorXd otherwise) {
  each_joint(p, model, [&](const Place& place, const Joint& joint) {
    const auto x = joint_values(place, joint.nv);
    for (int k = 0; k < joint.nv; ++k) otherwise[joint.v_index + k] = x[std::size_t(k)];
  });
  return otherwise;
}

void read_servos(const Place& p, const std::string& folder, SceneRobot& robot) {
  p.only({"stiffness", "damping", "torques", "keyframes"});
  const auto& model = robot.model;
  auto& plan = robot.servos;
  if (p.has("stiffness") || p.has("damping")) {
    plan.stiffness = p.has("stiffness") ? read_gains(p["stiffness"], model) : Eigen::VectorXd::Zero(model.nv());
    plan.damping = p.has("damping") ? read_gains(p["damping"], model) : Eigen::VectorXd::Zero(model.nv());
  }
  ServoPlan::Keyframe frame{0, robot.q, Eigen::VectorXd::Zero(model.nv())};
  if (p.has("torques")) frame.tau = read_velocities(p["torques"], model, frame.tau);
  plan.keyframes.push_back(frame);
  if (!p.has("keyframes")) return;
  p["keyframes"].each([&](const Place& item) {
    item.only({"time", "posture", "torques"});
    const double time = positive(item["time"], "s");
    if (time <= frame.time)
      item["time"].fail("found " + to_text(time) + " s after " + to_text(frame.time) +
                        " s, expected times that increase");
    frame.time = time;
    if (item.has("posture")) frame.q = read_posture(item["posture"], folder, model, frame.q);
    if (item.has("torques")) frame.tau = read_velocities(item["torques"], model, frame.tau);
    plan.keyframes.push_back(frame);
  });
}

void read_robots(const Place& list, Scene& scene, SceneNames& names) {
  list.each([&](const Place& p) {
    auto robot = read_robot(p, scene);
    names.add_part(p, robot.name, p.has("material") ? read_name(p["material"]) : "");
    scene.robots.push_back(std::move(robot));
  });
}

}  // namespace lissom::scenes
