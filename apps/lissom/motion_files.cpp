#include "motion_files.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control_walk.h"
#include "lissom/control/generated_motions.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/model/text.h"
#include "output.h"

namespace {

namespace control = lissom::control;
using lissom::Error;
using lissom::Model;

struct MotionFile {
  std::string name, description;
};

std::filesystem::path motions_beside(const std::string& robot) {
  return std::filesystem::path(robot).parent_path() / "motions";
}

lissom::StandingOptions standing_options(const ModelArguments& robot) {
  lissom::StandingOptions options;
  options.load = robot.options;
  return options;
}

// Other robots may have motions in the same folder, which name frames, joints or postures that this one does not have.
std::vector<MotionFile> motions_in_files(const Model& model, const std::string& robot) {
  std::vector<MotionFile> motions;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(motions_beside(robot), none)) {
    if (entry.path().extension() != ".json") continue;
    try {
      const auto plan = control::read_motion_plan(model, entry.path().string());
      motions.push_back({entry.path().stem().string(), plan.description});
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it does not fit this robot
    }
  }
  return motions;
}

// Why no motion can be generated: the robot has no feet; empty if one can.
std::string no_feet(const ModelArguments& robot) {
  try {
    lissom::load_robot_with_contacts(robot.file, standing_options(robot));
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

std::vector<MotionFile> motions_of(const ModelArguments& robot) {
  auto motions = motions_in_files(robot.load(), robot.file);
  if (no_feet(robot).empty()) {
    for (const auto& m : control::generated_motions())
      if (std::ranges::find(motions, m.name, &MotionFile::name) == motions.end())
        motions.push_back({m.name, std::string(m.description) + " (generated)"});
    const auto loaded = lissom::load_robot_with_contacts(robot.file, standing_options(robot));
    for (const auto& gait : verb::control::gaits_of(lissom::control_contacts(loaded.contacts).size()))
      motions.push_back({gait.name, std::string(gait.description) + " (gait)"});
  }
  std::ranges::sort(motions, {}, &MotionFile::name);
  return motions;
}

std::string no_motions(const ModelArguments& robot) {
  return fmt::format(
      "no motion in {} fits {}, and none can be generated: {}; give --motion FILE.json (docs/control.md describes such "
      "files)",
      lissom::in_quotes(motions_beside(robot.file).string() + "/"), lissom::in_quotes(robot.file), no_feet(robot));
}

// Those of feet, hands and pads; none if the robot has no feet.
std::vector<lissom::Contact> contacts_of(const lissom::RobotWithContacts& robot) {
  using lissom::ContactRole;
  std::vector<lissom::Contact> all;
  for (const auto role : {ContactRole::foot, ContactRole::hand, ContactRole::pad})
    for (const auto& c : lissom::control_contacts(robot.contacts, role)) all.push_back(c);
  return all;
}

// A motion may use the frames of the file alone, or those that are added for the robot's contacts; either may be
// contacts of the robot, with a face, a kind and friction. A robot that cannot move is refused, as for generated
// motions.
ChosenMotion motion_of_file(const ModelArguments& robot, const std::string& file) {
  std::optional<lissom::RobotWithContacts> limbs;
  try {
    limbs = lissom::load_robot_with_contacts(robot.file, standing_options(robot));
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): motions of robots without feet name all that they need
  }
  const auto known = limbs ? contacts_of(*limbs) : std::vector<lissom::Contact>();
  const auto read = [&](Model model) {
    auto plan = control::read_motion_plan(model, file, known);
    lissom::expect_usable(model);
    return ChosenMotion{std::move(model), std::move(plan), file};
  };
  try {
    return read(robot.load());
  } catch (const Error&) {
    if (limbs) try {
        return read(std::move(limbs->model));
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the first reason is the one that counts
      }
    throw;
  }
}

ChosenMotion generated(const ModelArguments& robot, const std::string& motion) {
  auto standing = lissom::load_standing_robot(robot.file, standing_options(robot));
  auto plan = control::generate_motion(standing.model, lissom::control_contacts(standing.contacts), standing.q, motion);
  return {std::move(standing.model), std::move(plan), "generated"};
}

}  // namespace

ChosenMotion choose_motion(const ModelArguments& robot, const std::string& motion) {
  if (motion.ends_with(".json")) return motion_of_file(robot, motion);
  const auto file = motions_beside(robot.file) / (motion + ".json");
  const bool can_generate = control::is_generated_motion(motion);
  if (std::error_code none; std::filesystem::exists(file, none)) try {
      return motion_of_file(robot, file.string());
    } catch (const Error&) {
      if (!can_generate) throw;  // otherwise it is another robot's
    }
  if (can_generate) return generated(robot, motion);
  if (std::error_code none; std::filesystem::is_directory(motion, none))
    throw Error(fmt::format("--motion {}: this is a directory; expected the name of a motion, or a file (.json)",
                            lissom::in_quotes(motion)));
  const auto motions = motions_of(robot);
  if (motions.empty()) throw Error(fmt::format("--motion {}: {}", lissom::in_quotes(motion), no_motions(robot)));
  std::vector<std::string_view> names;
  for (const auto& one : motions) names.push_back(one.name);
  const auto hint = lissom::did_you_mean(motion, names);
  throw Error(fmt::format("--motion {}: no file {}; {}motions: {}; or give a file (.json)", lissom::in_quotes(motion),
                          file.string(), hint + (hint.empty() ? "" : " "), fmt::join(names, ", ")));
}

int list_motions(const ModelArguments& robot, bool as_json) {
  const auto motions = motions_of(robot);
  nlohmann::json names = nlohmann::json::array();
  for (const auto& one : motions) {
    names.push_back(one.name);
    if (!as_json) std::cout << fmt::format("{:14} {}\n", one.name, one.description);
  }
  if (as_json) print_json(names);
  if (motions.empty()) complain(no_motions(robot));
  return motions.empty() ? 1 : 0;
}
