#pragma once
// The energy of a run and the work so far, as signals of recordings; and the signals that runs begin with.
#include <array>

#include "lissom/model/model.h"
#include "lissom/recording/recorder.h"
#include "lissom/world/energy_audit.h"

namespace lissom::sim {

/// energy: kinetic, potential and total; work: the members of Work by their names, and unexplained. J.
class RecordedEnergy {
 public:
  static std::vector<recording::Signal> signals();
  /// Appends the rows of these signals. They are valid until the next call.
  void append(double kinetic, double potential, const EnergyFigures& figures, std::vector<recording::Row>& rows);

 private:
  std::array<double, 3> energy_{};
  std::array<double, std::size(Work::members) + 1> work_{};
};

/// The signals that runs begin with: q, v and tau, those of RecordedEnergy, and the momentum.
std::vector<recording::Signal> state_signals(const Model& model);

}  // namespace lissom::sim
