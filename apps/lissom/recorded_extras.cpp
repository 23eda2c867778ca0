#include "recorded_extras.h"

#include <algorithm>
#include <sstream>

#include "lissom/api/kinematics.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "output.h"

namespace {

void add_axes(const std::string& name, const char* unit, std::vector<lissom::recording::Column>& columns) {
  for (const char* axis : {".x", ".y", ".z"}) columns.push_back({name + axis, unit});
}

}  // namespace

RecordedExtras::RecordedExtras(const lissom::Model& model, const std::string& frames,
                               std::vector<lissom::sim::Push> pushes, bool references)
    : model_(model), work_(model), pushes_(std::move(pushes)), references_(references) {
  std::vector<lissom::recording::Column> positions, forces;
  std::vector<std::string> named, pushed;
  std::istringstream names(frames);
  for (std::string name; std::getline(names, name, ',');) {
    if (std::ranges::find(named, name) != named.end())
      throw lissom::Error("--record-frames: " + lissom::in_quotes(name) + " is given twice");
    try {
      frames_.push_back(model.frame(name));
    } catch (const lissom::Error& error) {
      throw lissom::Error(std::string("--record-frames: ") + error.what());
    }
    named.push_back(name);
    add_axes(name, "m", positions);
  }
  for (const auto& push : pushes_) {
    const auto& name = model.frame_at(push.force.on, "push").name;
    const auto known = std::ranges::find(pushed, name);
    pushed_.push_back(std::size_t(known - pushed.begin()));
    if (known != pushed.end()) continue;
    pushed.push_back(name);
    add_axes(name, "N", forces);
  }
  positions_.resize(positions.size());
  forces_.resize(forces.size());
  if (!positions.empty()) signals_.push_back({"frames", std::move(positions)});
  if (!forces.empty()) signals_.push_back({"pushes", std::move(forces)});
  if (!references) return;
  signals_.push_back({"desired_q", lissom::recording::configuration_columns(model)});
  signals_.push_back({"desired_v", lissom::recording::velocity_columns(model)});
}

std::vector<lissom::recording::Row> RecordedExtras::rows(double t, const Eigen::VectorXd& q,
                                                         const Eigen::VectorXd& desired_q,
                                                         const Eigen::VectorXd& desired_v) {
  std::vector<lissom::recording::Row> rows;
  if (!frames_.empty()) {
    forward_kinematics(model_, work_, q);
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      const auto p = placement(model_, work_, frames_[k]).p;
      positions_[3 * k] = p.x, positions_[3 * k + 1] = p.y, positions_[3 * k + 2] = p.z;
    }
    rows.emplace_back(positions_);
  }
  std::ranges::fill(forces_, 0.);
  for (std::size_t k = 0; k < pushes_.size(); ++k) {
    if (t < pushes_[k].from || t >= pushes_[k].until) continue;
    const auto& f = pushes_[k].force.force;
    double* const sum = forces_.data() + 3 * pushed_[k];
    sum[0] += f.x, sum[1] += f.y, sum[2] += f.z;
  }
  if (!forces_.empty()) rows.emplace_back(forces_);
  if (references_) rows.emplace_back(desired_q), rows.emplace_back(desired_v);
  return rows;
}

lissom::recording::RecorderOptions RecordedRos::options(const lissom::Model& model) const {
  lissom::recording::RecorderOptions options;
  if (text == "none") return options;
  options.robot = model;
  auto& ros = options.ros;
  ros.package_paths = package_paths;
  if (text == "all") return options;
  const std::pair<std::string_view, bool*> switches[] = {
      {"description", &ros.description}, {"joint_states", &ros.joint_states}, {"tf", &ros.tf}, {"meshes", &ros.meshes}};
  for (const auto& [name, on] : switches) *on = false;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto* const found = std::ranges::find(switches, word, &std::pair<std::string_view, bool*>::first);
    if (found == std::end(switches))
      throw lissom::Error("--record-ros: found " + lissom::in_quotes(word) +
                          ", expected all, none, or some of description, joint_states, tf, meshes");
    *found->second = true;
  }
  return options;
}

void print_notes(const lissom::recording::Recorder& recorder) {
  for (const auto& note : recorder.notes()) complain("note: " + note);
}
