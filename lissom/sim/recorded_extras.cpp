#include "lissom/sim/recorded_extras.h"

#include <algorithm>

#include "lissom/api/kinematics.h"
#include "lissom/recording/header.h"

namespace lissom::sim {

namespace {

void add_axes(const std::string& name, const char* unit, std::vector<recording::Column>& columns) {
  for (const char* axis : {".x", ".y", ".z"}) columns.push_back({name + axis, unit});
}

// The index of the link that a frame is on. Frames are the world, then the links, then others.
std::size_t link_of(const Model& model, FrameId frame) {
  const auto& links = model.links();
  const auto index = std::size_t(frame.index - 1);
  if (index < links.size()) return index;
  return std::size_t(std::ranges::find(links, model.frame_at(frame).body, &Link::body) - links.begin());
}

}  // namespace

RecordedExtras::RecordedExtras(const Model& model, std::vector<FrameId> frames, std::vector<Push> pushes,
                               bool references, const PullLaw* pull)
    : model_(model),
      work_(model),
      frames_(std::move(frames)),
      pushes_(std::move(pushes)),
      references_(references),
      pull_(pull) {
  std::vector<recording::Column> positions, forces;
  std::vector<std::string> pushed;
  for (const auto frame : frames_) add_axes(model.frame_at(frame, "frame").name, "m", positions);
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
  if (pull_) {
    std::vector<recording::Column> columns{{"link", "1"}};
    add_axes("at", "m", columns);
    add_axes("force", "N", columns);
    signals_.push_back({"pull", std::move(columns)});
  }
  if (!references) return;
  signals_.push_back({"desired_q", recording::configuration_columns(model)});
  signals_.push_back({"desired_v", recording::velocity_columns(model)});
}

void RecordedExtras::append(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& desired_q,
                            const Eigen::VectorXd& desired_v, std::vector<recording::Row>& rows) {
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
  if (pull_) {
    pulled_ = {-1};
    if (const auto& p = pull_->applied())
      pulled_ = {double(link_of(model_, p->on)), p->at.x, p->at.y, p->at.z, p->force.x, p->force.y, p->force.z};
    rows.emplace_back(std::span<const double>(pulled_));
  }
  if (references_) rows.emplace_back(desired_q), rows.emplace_back(desired_v);
}

}  // namespace lissom::sim
