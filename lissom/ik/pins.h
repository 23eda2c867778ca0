#pragma once
// Frames that stay where they were while a robot is pulled or reaches for something, question after question. Not for
// users.
#include <vector>

#include "lissom/api/kinematics.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

class Pins {
 public:
  // Throws an Error if a frame does not exist.
  Pins(const Model& model, std::vector<FrameId> frames);

  // The places are those at q, after forward_kinematics; but if q is what the last search has found (follow()), they
  // stay, so that frames do not creep from search to search.
  void place(const Model& model, const Workspace& work, const VectorIn& q);
  void follow(const VectorIn& found) { last_ = found, followed_ = true; }

  std::size_t count() const { return frames_.size(); }
  const Pose<double>& place(std::size_t pin) const { return places_[pin]; }
  // A target for each, with a hundred times the weight of others: what is pulled may be out of reach.
  std::vector<Target> targets() const;

  // How far the frames are from their places, after forward_kinematics.
  struct Slip {
    double distance = 0, angle = 0;  // the largest, m and rad
  };
  Slip slip(const Model& model, const Workspace& work) const;

 private:
  std::vector<FrameId> frames_;
  std::vector<Pose<double>> places_;
  Eigen::VectorXd last_;
  bool followed_ = false;
};

}  // namespace lissom::ik
