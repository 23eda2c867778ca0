#include "lissom/limbs/standing_robot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lissom/api/kinematics.h"
#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/io/loops_file.h"
#include "lissom/io/read.h"
#include "lissom/limbs/nominal_posture.h"
#include "lissom/limbs/usable.h"
#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"

namespace lissom {

namespace {

BuildOptions build_options(const LoadOptions& load) {
  return {.base = Base::free, .mimic = load.mimic, .axis_tolerance = load.axis_tolerance};
}

Description read_description(const std::string& file, const LoadOptions& load) {
  io::ReadOptions reading;
  reading.package_paths = load.package_paths;
  reading.check_meshes = true;  // soles may be meshes
  reading.xacro_arguments = load.xacro_arguments;
  reading.build = build_options(load);
  auto read = io::read(file, reading);
  if (!read.usable()) throw Error(std::move(read.diagnostics));
  if (!load.loops_file.empty()) io::read_loops(load.loops_file, read.description);
  return std::move(read.description);
}

const Joint* free_base(const Model& model) {
  const auto& joints = model.joints();
  const auto base = std::ranges::find_if(joints, [](const Joint& j) { return j.type == JointType::free; });
  return base == joints.end() ? nullptr : &*base;
}

}  // namespace

RobotWithContacts load_robot_with_contacts(const std::string& file, const StandingOptions& options) {
  return with_contacts(read_description(file, options.load), options);
}

RobotContacts contacts_of(const Description& robot, const StandingOptions& options) {
  if (!options.contacts_file.empty()) return read_contacts(robot, options.contacts_file);
  std::error_code ignored;
  if (const auto beside = contacts_file_of(robot.file);
      !options.propose && !robot.file.empty() && std::filesystem::exists(beside, ignored))
    return read_contacts(robot, beside);
  const auto released = without_mounts(robot, Base::free);
  return propose_contacts(released ? *released : robot);
}

RobotWithContacts with_contacts(Description robot, const StandingOptions& options) {
  if (auto released = without_mounts(robot, Base::free)) robot = std::move(*released);
  limbs::keep_only_robot(robot, build_options(options.load));
  auto contacts = contacts_of(robot, options);
  limbs::fix_useless_joints(robot, contacts);
  add_contact_frames(robot, contacts);
  return {build(robot, build_options(options.load)), std::move(contacts)};
}

std::vector<StanceContact> stance_contacts(const RobotContacts& contacts, ContactRole role) {
  std::vector<StanceContact> all;
  for (const auto* c : contacts.of_role(role))
    all.push_back(
        {.frame = c->name, .kind = c->kind, .friction = c->friction, .points = c->points, .radius = c->radius});
  return all;
}

std::vector<Contact> control_contacts(const RobotContacts& contacts, ContactRole role) {
  std::vector<Contact> all;
  for (const auto* c : contacts.of_role(role))
    all.push_back(
        {.frame = c->name, .kind = c->kind, .points = c->points, .friction = c->friction, .radius = c->radius});
  return all;
}

Eigen::VectorXd nominal_configuration(const Model& model, const RobotContacts& contacts) {
  const auto upright = limbs::upright_posture(model, contacts.base);
  Eigen::VectorXd q = limbs::standing_keyframe(model).size() == 0 ? neutral(model) : upright;
  const auto* base = free_base(model);
  if (base) q.segment(base->q_index, 7) = upright.segment(base->q_index, 7);
  for (const auto& [name, position] : contacts.posture) {
    if (!model.has_joint(name)) continue;
    const auto& joint = model.joint(name);
    for (int k = 0; k < joint.nq && k < int(position.size()); ++k) q[joint.q_index + k] = position[std::size_t(k)];
  }
  q = normalize(model, q);
  if (!base) return q;
  Workspace work(model);
  forward_kinematics(model, work, q);
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto* c : contacts.of_role(ContactRole::foot))
    lowest = std::min(lowest, placement(model, work, model.frame(c->name)).p.z - c->radius);
  if (std::isfinite(lowest)) q[base->q_index + 2] -= lowest;
  q[base->q_index] = q[base->q_index + 1] = 0;
  return q;
}

StandingRobot load_standing_robot(const std::string& file, const StandingOptions& options) {
  auto [model, contacts] = load_robot_with_contacts(file, options);
  expect_usable(model);
  if (const auto& g = model.gravity(); dot(g, g) == 0)
    throw Error(
        "robot " + in_quotes(model.name()) +
        " cannot stand: gravity is zero in its file; set it there, such as <option gravity=\"0 0 -9.81\"/> in MJCF");
  StanceProblem problem{.contacts = stance_contacts(contacts), .from = nominal_configuration(model, contacts)};
  if (problem.contacts.empty())
    throw Error("robot " + in_quotes(model.name()) + ": none of its contacts is a foot" +
                (contacts.source.empty() ? "" : " (" + contacts.source + ")"));
  problem.stop = options.stop;
  auto stance = find_stance(model, problem);
  if (stance.status != StanceStatus::found)
    throw Error("robot " + in_quotes(model.name()) + " does not stand on its feet: " + stance.what +
                "; look at its contacts (lissom contacts), and give a better posture in its contacts file");
  auto q = stance.q;
  return {std::move(model), std::move(contacts), std::move(q), std::move(stance)};
}

}  // namespace lissom
