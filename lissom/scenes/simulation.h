#pragma once
// Runs of a scene: steps with servos that follow their keyframes, and a report of what happened.
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lissom/scenes/scene.h"

namespace lissom::scenes {

/// What happened in a run.
struct Report {
  long steps = 0;
  double energy_before = 0, energy_after = 0, min_energy = 0, max_energy = 0;   ///< J, kinetic and of gravity
  Vector6 momentum_before = Vector6::Zero(), momentum_after = Vector6::Zero();  ///< about the world's origin
  int contacts = 0, max_contacts = 0;                                           ///< now, and at most
  long impacts = 0;                                                             ///< steps with an impact
  double max_residual = 0;                                                      ///< m/s
  double max_residual_time = 0;                                                 ///< s
  long not_converged = 0;                                                       ///< steps
  double max_overlap = 0;                                                       ///< m, of parts that press
  std::string overlap_a, overlap_b;                                             ///< which ones
  /// How two parts have slid on each other, where there is friction between them.
  struct Slip {
    std::string a, b;
    double distance = 0;   ///< m
    double max_speed = 0;  ///< m/s
  };
  std::vector<Slip> slips = {};  ///< the longest first
};

class Simulation {
 public:
  explicit Simulation(const Scene& scene);

  World& world() { return world_; }
  /// Called before each step, when the torques of servo plans and the forces of the scene are set, and may change them.
  void before_step(std::function<void(World&)> hook) { hook_ = std::move(hook); }
  /// Advances by h seconds.
  StepReport step(double h);
  /// The contacts of the last step.
  const std::vector<ContactReading>& contacts() const { return contacts_; }
  Report report();

 private:
  void command();

  Scene scene_;
  World world_;
  std::function<void(World&)> hook_;
  std::vector<ContactReading> contacts_;
  Report report_;
  std::map<std::pair<std::string, std::string>, Report::Slip> slips_;
};

}  // namespace lissom::scenes
