#pragma once
// Places at which a limb may touch next, and how far a set of contacts is from the goal. Not for users.
#include <random>

#include "lissom/plan/reach.h"
#include "lissom/plan/transitions.h"

namespace lissom::plan {

// What the goal means for each limb.
struct Target {
  bool touches = false;              // it touches in the end
  std::optional<Pose<double>> pose;  // near this place
  double tolerance = 0;              // m
  bool anywhere_level = false;       // only the horizontal place counts
};

class Candidates {
 public:
  Candidates(const Model& model, const PlanProblem& problem, const Transitions& transitions);

  // Places for a limb that does not touch, the most promising first. Counts those that are out of reach.
  std::vector<Placement> places(const Stand& from, int limb, long& filtered);
  // Estimated number of changes to the goal. Limbs that do not touch are at `free`.
  double cost(const std::vector<Placement>& contacts, const std::vector<Pose<double>>& free) const;
  // m, by which the hands of a robot that crawls are too near to its feet, or too far away.
  double cramped(const std::vector<Placement>& contacts) const;
  bool is_goal(const std::vector<Placement>& contacts) const;
  // m, mean distance of limbs with a target.
  double distance(const std::vector<Placement>& contacts, const std::vector<Pose<double>>& free) const;
  const std::vector<Target>& targets() const { return targets_; }
  // A limb whose place in the end is on no surface; empty: all of them have one.
  std::optional<int> without_surface() const;
  // On which surface a face or ball lies in a pose; -1: on none.
  int surface_at(int limb, const Pose<double>& pose) const;

 private:
  void set_base_targets(const Vec3<double>& base);
  void set_contact_targets();
  // Changes of a hand that the robot needs in order to crawl under what is between it and the goal.
  double crawl_cost(const std::vector<Placement>& contacts, const std::vector<Pose<double>>& free) const;
  double off(int limb, const Pose<double>& pose) const;
  std::optional<Placement> on_surface(int limb, int surface, const Pose<double>& desired, double max_shift) const;
  // Whether another solid is where the limb would be: the ground goes on below stairs.
  bool is_covered(const Placement& place) const;
  void add(const Stand& from, int limb, const Pose<double>& desired, std::vector<Placement>& all, long& filtered) const;
  double direction(const Stand& from) const;

  const Model& model_;
  const PlanProblem& problem_;
  const Transitions& transitions_;
  Reach reach_;
  std::vector<std::vector<Vec3<double>>> corners_;  // of the limbs' faces
  std::vector<Pose<double>> home_;                  // of limbs in the first posture
  std::vector<Target> targets_;
  std::mt19937_64 random_;
};

}  // namespace lissom::plan
