#include "lissom/ik/pins.h"

#include <algorithm>
#include <cmath>

#include "lissom/spatial/quaternion.h"

namespace lissom::ik {

Pins::Pins(const Model& model, std::vector<FrameId> frames)
    : frames_(std::move(frames)), places_(frames_.size()), last_(Eigen::VectorXd::Zero(model.nq())) {
  for (const auto frame : frames_) static_cast<void>(model.frame_at(frame, "pinned"));
}

void Pins::place(const Model& model, const Workspace& work, const VectorIn& q) {
  // (A page sends q back as it got it, but for the last digit of quaternions.)
  if (followed_ && (q - last_).norm() < 1e-9) return;
  for (std::size_t i = 0; i < frames_.size(); ++i) places_[i] = placement(model, work, frames_[i]);
}

std::vector<Target> Pins::targets() const {
  constexpr double firm = 100;
  std::vector<Target> all;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    all.push_back(pose(frames_[i], places_[i]));
    all.back().linear_weight = all.back().angular_weight = {firm, firm, firm};
  }
  return all;
}

Pins::Slip Pins::slip(const Model& model, const Workspace& work) const {
  Slip slip;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const auto moved = inverse(places_[i]) * placement(model, work, frames_[i]);
    const auto turned = logarithm(quaternion(moved.R));
    slip.distance = std::max(slip.distance, std::sqrt(dot(moved.p, moved.p)));
    slip.angle = std::max(slip.angle, std::sqrt(dot(turned, turned)));
  }
  return slip;
}

}  // namespace lissom::ik
