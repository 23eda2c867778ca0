#pragma once
// Runs of a scene: steps with servos that follow their keyframes, and a report of what happened.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lissom/scenes/scene.h"
#include "lissom/world/energy_audit.h"

namespace lissom::scenes {

/// What happened in a run. Its energy is that of all robots and bodies.
struct Report : EnergyFigures {
  long steps = 0;
  Vector6 momentum_before = Vector6::Zero(), momentum_after = Vector6::Zero();  ///< about the world's origin
  int contacts = 0, max_contacts = 0;                                           ///< now, and at most
  long impacts = 0;                                                             ///< steps with an impact
  double max_residual = 0;                                                      ///< m/s
  double max_residual_time = 0;                                                 ///< s
  long not_converged = 0;                                                       ///< steps
  /// The row with the largest residual of these steps, and when. A warning tells it.
  RowReading worst_row = {};
  double worst_row_time = 0;         ///< s
  double max_overlap = 0;            ///< m, of parts that press
  std::string overlap_a, overlap_b;  ///< which ones
  /// How two parts have slid on each other, where there is friction between them.
  struct Slip {
    std::string a, b;
    double distance = 0;   ///< m
    double max_speed = 0;  ///< m/s
  };
  std::vector<Slip> slips = {};  ///< the longest first
};

/// A run of a scene: its world, with the servo plans and forces of the file, and a report.
class Simulation {
 public:
  explicit Simulation(const Scene& scene);
  /// Goes on with a world that was made of the scene, and must outlive this. Forces and servos that a program has set
  /// stay: only robots with a servo plan and bodies with a force of the scene get theirs. The work of forces is known
  /// if the scene's options, with which the world was made, ask for an audit; otherwise it is 0.
  Simulation(const Scene& scene, World& world);

  World& world() { return *world_; }
  /// Called before each step, when the torques of servo plans and the forces of the scene are set, and may change them.
  void before_step(std::function<void(World&)> hook) { hook_ = std::move(hook); }
  /// Advances by h seconds.
  StepReport step(double h);
  /// The contacts of the last step.
  const std::vector<ContactReading>& contacts() const { return contacts_; }
  /// The energy of the world up to now, without warnings.
  const EnergyFigures& energy() const { return figures_; }
  Report report();

 private:
  void begin();
  void command();
  void read_energy();
  void note_unsolved();
  std::string warning_of_unsolved() const;

  Scene scene_;
  std::unique_ptr<World> own_;  // empty where the program has it
  World* world_;
  EnergyAudit audit_;
  EnergyFigures figures_;
  double max_step_ = 0, weight_ = 0;
  std::function<void(World&)> hook_;
  std::vector<ContactReading> contacts_;
  Report report_;
  std::map<std::pair<std::string, std::string>, Report::Slip> slips_;
};

}  // namespace lissom::scenes
