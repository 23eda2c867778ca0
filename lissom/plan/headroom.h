#pragma once
// What is overhead: bars and lintels under which the robot has to pass. Not for users.
//
// A posture is found by descent, which does not get from one side of a bar to the other. So while the robot passes
// under one, all of it stays below; the contacts that carry it tell when that is.
#include "lissom/geometry/bounds.h"
#include "lissom/plan/plan.h"

namespace lissom::plan {

class Headroom {
 public:
  Headroom(const Model& model, const PlanProblem& problem);

  // A thing that is so high above the floor that the robot may go under it, and so low that it cannot stand there.
  struct Low {
    int obstacle = 0;
    Bounds bounds;
    double height = 0;         // m, of its underside above the floor
    bool needs_hands = false;  // on its feet alone the robot does not fit below
  };
  const std::vector<Low>& low() const { return low_; }
  // On its feet alone the robot does not fit below the k-th one: those say it who can find postures.
  void set_needs_hands(std::size_t k) { low_[k].needs_hands = true; }

  // Half a space, above the underside of the lowest thing over contacts that carry the robot.
  std::optional<StanceObstacle> ceiling(const std::vector<Placement>& carrying) const;
  // m: how far it is along the line from one place to another until nothing that needs hands is above; empty: there is
  // no such thing.
  std::optional<double> end_of_crawl(const Vec3<double>& from, const Vec3<double>& to) const;

 private:
  Bounds around(const std::vector<Placement>& contacts) const;

  const PlanProblem& problem_;
  std::vector<std::vector<Vec3<double>>> corners_;  // of the limbs' faces
  std::vector<Low> low_;
};

// Half a space above a height.
StanceObstacle half_space_above(double z, const std::string& name);

}  // namespace lissom::plan
