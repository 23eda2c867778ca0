// Plans as motion files.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "lissom/api/kinematics.h"
#include "lissom/api/state.h"
#include "lissom/files/replace_file.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"
#include "lissom/plan/plan.h"
#include "lissom/plan/reach.h"
#include "lissom/stance/collisions.h"

namespace lissom::plan {

namespace {

using nlohmann::ordered_json;

constexpr double pressure_shift = .015;  // m, by which the motion of the center of mass may move that of pressure
constexpr double joint_speed = 1.1;      // rad/s
constexpr double limb_speed = .35;       // m/s
constexpr double min_time = .5;          // s
constexpr double gravity = 9.81;
constexpr double stiff_joint = 4000;
constexpr double ramp = .6;  // s: a palm that comes down tilted by a degree is laid flat slowly

ordered_json list(const Eigen::VectorXd& q) {
  return std::vector<double>(q.begin(), q.end());
}
ordered_json list(const Pose<double>& X) {
  const double pitch = std::atan2(-X.R.zx, std::hypot(X.R.xx, X.R.yx));
  return {X.p.x, X.p.y, X.p.z, std::atan2(X.R.zy, X.R.zz), pitch, std::atan2(X.R.yx, X.R.xx)};
}

// Long enough for joints, the limb, and the center of mass, whose acceleration moves the center of pressure: the
// largest one of a minimum-jerk motion over d in T seconds is 5.77 d / T².
double seconds(const Model& model, const PlanStep& from, const PlanStep& to, int limb_frame) {
  Workspace work(model);
  const auto com_from = center_of_mass(model, work, from.q), com_to = center_of_mass(model, work, to.q);
  const auto moved = com_to - com_from;
  const double d = std::hypot(moved.x, moved.y);
  double lowest = com_to.z;
  for (const auto& c : to.contacts) lowest = std::min(lowest, c.pose.p.z);
  const double height = std::max(.2, com_to.z - lowest);
  double time = std::max(min_time, std::sqrt(5.77 * d * height / (gravity * pressure_shift)));
  const Eigen::VectorXd displacement = difference(model, from.q, to.q);
  time = std::max(time, 1.5 * displacement.tail(displacement.size() - 6).lpNorm<Eigen::Infinity>() / joint_speed);
  if (limb_frame < 0 || !to.at) return time;
  forward_kinematics(model, work, from.q);
  return std::max(time, 1.5 * norm(to.at->p - placement(model, work, FrameId{limb_frame}).p) / limb_speed);
}

std::string words(const PlanStep& step, const std::string& limb) {
  switch (step.change) {
    case Change::shift:
      return "weight off " + limb;
    case Change::release:
      return limb + " leaves";
    case Change::raise:
      return limb + " goes up";
    case Change::reach:
      return limb + " comes over its place";
    case Change::touch:
      return limb + " touches";
    default:
      return "settle";
  }
}

ordered_json stage(const Model& model, const PlanProblem& problem, const PlanStep& from, const PlanStep& to,
                   const std::string& posture, bool last) {
  const auto limb = to.limb < 0 ? std::string() : problem.limbs[std::size_t(to.limb)].frame;
  ordered_json s{{"name", words(to, limb)}, {"posture", posture}};
  const double time = seconds(model, from, to, to.limb < 0 ? -1 : model.frame(limb).index);
  s["seconds"] = std::round(100 * time) / 100;
  if (last) s["hold"] = 1;
  if (to.change == Change::release) s["release"] = {limb};
  const bool moves = to.at && to.change != Change::shift && to.change != Change::settle;
  if (moves)
    s["move"].push_back({{"frame", limb}, {"to", list(*to.at)}, {"lift", 0}, {"touch", to.change == Change::touch}});
  if (to.change == Change::settle) return s;
  // Feet in the air go straight to where the next posture has them, so that they do not drag along the ground; so do
  // hands while others touch.
  const auto on_hands = [&](const PlanStep& step) {
    return std::ranges::any_of(step.contacts,
                               [&](const Placement& p) { return !problem.limbs[std::size_t(p.limb)].foot; });
  };
  const bool low = on_hands(from) || on_hands(to);
  Workspace work(model);
  forward_kinematics(model, work, to.q);
  for (int k = 0; k < int(problem.limbs.size()); ++k) {
    const auto& other = problem.limbs[std::size_t(k)];
    const bool touches = std::ranges::any_of(to.contacts, [&](const Placement& p) { return p.limb == k; });
    if ((!other.foot && !low) || touches || (moves && k == to.limb)) continue;
    s["move"].push_back({{"frame", other.frame},
                         {"to", list(placement(model, work, model.frame(other.frame)))},
                         {"lift", 0},
                         {"touch", false}});
  }
  return s;
}

bool is_used(const Plan& plan, int limb) {
  return std::ranges::any_of(plan.steps, [&](const PlanStep& s) {
    return std::ranges::any_of(s.contacts, [&](const Placement& p) { return p.limb == limb; });
  });
}

// The smallest of the limb's own and of the faces that it touches.
double friction(const PlanProblem& problem, const Plan& plan, int limb) {
  double least = problem.limbs[std::size_t(limb)].friction;
  for (const auto& step : plan.steps)
    for (const auto& p : step.contacts)
      if (p.limb == limb) least = std::min(least, problem.environment.surfaces[std::size_t(p.surface)].friction);
  return least;
}

// Fingers must not give way: they are near to what the hand touches.
ordered_json stiff_joints(const Model& model, const PlanProblem& problem) {
  ordered_json stiff = ordered_json::object();
  for (const auto& limb : problem.limbs) {
    const int carrier = model.frame_at(model.frame(limb.frame)).body;
    for (const auto& joint : model.joints()) {
      const int body = model.frame_at(model.frame(joint.child)).body;
      if (body != carrier && joint.nv > 0 && stance::is_carried_by(model, body, carrier))
        stiff[joint.name] = stiff_joint;
    }
  }
  return stiff;
}

}  // namespace

void expect_writable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path file(path), folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const auto fail = [&](const std::string& why) { throw Error(in_quotes(path) + " cannot be written: " + why); };
  if (fs::is_directory(file, ignored)) fail("it is a folder");
  if (!fs::is_directory(folder, ignored)) fail("there is no folder " + in_quotes(folder.string()));
  if (access(folder.c_str(), W_OK) != 0) fail("its folder may not be written to");
}

void write_motion(const Model& model, const PlanProblem& problem, const Plan& plan, const std::string& path) {
  const std::filesystem::path file(path);
  auto beside = file;
  beside.replace_extension(".postures.json");
  ordered_json postures, motion, contacts = ordered_json::array(), stages = ordered_json::array();
  motion["description"] = "Planned: " + std::to_string(plan.steps.size()) + " postures.";
  motion["postures"] = beside.filename().string();
  motion["start"] = "start";
  postures["start"]["q"] = list(plan.steps.front().q);
  for (std::size_t k = 0; k < problem.limbs.size(); ++k) {
    if (!is_used(plan, int(k))) continue;
    const auto& limb = problem.limbs[k];
    ordered_json c{
        {"frame", limb.frame}, {"kind", to_string(limb.kind)}, {"friction", friction(problem, plan, int(k))}};
    if (limb.radius > 0) c["radius"] = limb.radius;
    for (const auto& p : limb.points) c["points"].push_back({p.x, p.y, p.z});
    contacts.push_back(c);
  }
  motion["contacts"] = contacts;
  motion["standing"] = problem.standing;
  for (std::size_t k = 1; k < plan.steps.size(); ++k) {
    const auto name = "posture" + std::to_string(k);
    postures[name]["q"] = list(plan.steps[k].q);
    stages.push_back(stage(model, problem, plan.steps[k - 1], plan.steps[k], name, k + 1 == plan.steps.size()));
  }
  motion["gains"]["ramp"] = ramp;
  if (const auto stiff = stiff_joints(model, problem); !stiff.empty()) motion["gains"]["joint_stiffness"] = stiff;
  motion["stages"] = stages;
  for (const auto& [to, text] : {std::pair{beside, postures.dump(1)}, std::pair{file, motion.dump(1)}})
    if (const auto why = replace_file(to.string(), text + "\n"); !why.empty())
      throw Error(in_quotes(to.string()) + " cannot be written: " + why);
}

}  // namespace lissom::plan
