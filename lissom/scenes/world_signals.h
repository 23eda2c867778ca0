#pragma once
// What recordings of worlds contain, and the viewer shows of them (docs/recordings.md).
#include <map>
#include <string>
#include <vector>

#include "lissom/scenes/contact_slots.h"
#include "lissom/scenes/simulation.h"
#include "lissom/scenes/world_model.h"
#include "lissom/sim/recorded_energy.h"

namespace lissom::scenes {

/// The signals of a run of a scene: q, v and tau of the world as one model, energy, work, momentum, step, forces and
/// contacts.
class WorldSignals {
 public:
  /// The model must outlive this.
  WorldSignals(const Scene& scene, const WorldModel& model);

  const std::vector<recording::Signal>& signals() const { return signals_; }
  /// The names to which columns a and b of contacts refer; the setting "contact_names" of recordings has them.
  const std::vector<std::string>& contact_names() const { return names_; }
  /// The rows of these signals after a step. They are valid until the next call; others may be appended.
  std::vector<recording::Row>& rows(Simulation& simulation, const StepReport& step);
  /// The configuration of the last rows, as that of the model.
  const Eigen::VectorXd& q() const { return q_; }

 private:
  void sum_forces(const std::vector<ContactReading>& contacts);

  const WorldModel& model_;
  std::vector<std::string> names_;       // of everything that touches
  std::map<std::string, int> force_of_;  // of each link that moves, the index of its force
  ContactSlots slots_;
  sim::RecordedEnergy energy_;
  std::vector<recording::Signal> signals_;
  std::vector<double> forces_, numbers_;
  Eigen::VectorXd q_, v_, tau_;
  Vector6 momentum_;
  std::vector<recording::Row> rows_;
};

}  // namespace lissom::scenes
