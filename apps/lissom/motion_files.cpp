#include "motion_files.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/control/motion_plan.h"
#include "lissom/model/text.h"
#include "output.h"

namespace {

using lissom::Error;
using lissom::Model;

struct MotionFile {
  std::string name, description;
};

std::filesystem::path motions_beside(const std::string& robot) {
  return std::filesystem::path(robot).parent_path() / "motions";
}

// Other robots may have motions in the same folder, which name frames, joints or postures that this one does not have.
std::vector<MotionFile> motions_of(const Model& model, const std::string& robot) {
  std::vector<MotionFile> motions;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(motions_beside(robot), none)) {
    if (entry.path().extension() != ".json") continue;
    try {
      const auto plan = lissom::control::read_motion_plan(model, entry.path().string());
      motions.push_back({entry.path().stem().string(), plan.description});
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it does not fit this robot
    }
  }
  std::ranges::sort(motions, {}, &MotionFile::name);
  return motions;
}

std::string no_motions(const std::string& robot) {
  return fmt::format("no motion in {} fits {}; give --motion FILE.json (docs/control.md describes such files)",
                     lissom::in_quotes(motions_beside(robot).string() + "/"), lissom::in_quotes(robot));
}

}  // namespace

std::string motion_file(const Model& model, const std::string& robot, const std::string& motion) {
  if (motion.ends_with(".json")) return motion;
  const auto file = motions_beside(robot) / (motion + ".json");
  if (std::error_code none; std::filesystem::exists(file, none)) return file.string();
  const auto motions = motions_of(model, robot);
  if (motions.empty()) throw Error(fmt::format("--motion {}: {}", lissom::in_quotes(motion), no_motions(robot)));
  std::vector<std::string_view> names;
  for (const auto& one : motions) names.push_back(one.name);
  const auto hint = lissom::did_you_mean(motion, names);
  throw Error(fmt::format("--motion {}: no file {}; {}motions: {}; or give a file (.json)", lissom::in_quotes(motion),
                          file.string(), hint + (hint.empty() ? "" : " "), fmt::join(names, ", ")));
}

int list_motions(const Model& model, const std::string& robot, bool as_json) {
  const auto motions = motions_of(model, robot);
  nlohmann::json names = nlohmann::json::array();
  for (const auto& one : motions) {
    names.push_back(one.name);
    if (!as_json) std::cout << fmt::format("{:14} {}\n", one.name, one.description);
  }
  if (as_json) print_json(names);
  if (motions.empty()) complain(no_motions(robot));
  return motions.empty() ? 1 : 0;
}
