#pragma once
// Where the energy of a run comes from and goes to. With kinetic energy T, potential energy V of gravity and springs,
// and the work W of all forces,
//   T + V - (T + V at the beginning) = Σ W + unexplained,
// and what is unexplained is the error of the integrator. Energy appears from nowhere if the unexplained part rises, if
// the constraint forces of closed loops give some, or if damping, friction, impacts and joint limits, which can only
// take energy, give some. A good run has a small part of the energies that are involved from there; more of it means
// that the motion is not to be trusted.
#include <optional>
#include <string>
#include <vector>

#include "lissom/world/work.h"

namespace lissom {

/// The energy of a run, J. The same figures are in the reports of all runs.
struct EnergyFigures {
  double energy_before = 0, energy_after = 0, min_energy = 0, max_energy = 0;  ///< kinetic and potential
  Work work;                      ///< of everything that acts, up to the last reading
  double unexplained_energy = 0;  ///< energy_after - energy_before - work.sum(): the error of the integrator
  /// The largest rise, between two readings, of the unexplained energy, of the work of closed loops and of what can
  /// only take energy but gave some: energy from nowhere.
  double appeared_energy = 0;
  double appeared_from = 0, appeared_until = 0;  ///< s, the times of these readings
  /// Whether more appeared than the method may leave: one of the warnings says so, and the motion is not to be trusted.
  bool energy_from_nowhere = false;
  /// What casts doubt on the run: energy that appears from nowhere, a step that is too long for the gains of a joint.
  std::vector<std::string> warnings;
};

/// What a method of integration may let appear: fractions of the largest kinetic energy and of the work that was done,
/// and J.
struct EnergyTolerance {
  double of_kinetic = .1, of_work = .05, energy = 0;
};

/// What an earlier run says of energy at its end, where another one goes on.
struct EarlierEnergy {
  double energy_before = 0, energy_after = 0;  ///< at the beginning of the earlier run and where it ends, J
  Work work;                                   ///< in between
};

/// Compares what the energy of a world is with what the work so far explains.
class EnergyAudit {
 public:
  /// Before the first reading: counts from the beginning of an earlier run, so that a run and its restart have the same
  /// figures. What appeared before is not judged again; nor is what another robot or another gravity changes here.
  void resume(const EarlierEnergy& earlier);
  /// Takes the work of one step into account.
  void add(const Work& work);
  /// A reading of the energies in J at time t, after the steps so far; the first one is the beginning.
  void read(double t, double kinetic, double potential);
  /// Without warnings.
  const EnergyFigures& figures() const { return figures_; }
  /// The figures with `warning`, unless that is empty (the next function, or a method's own words).
  EnergyFigures judged(const std::string& warning) const;
  /// How much may appear, J.
  double allowed(const EnergyTolerance& tolerance) const;
  /// A warning with figures if more energy appeared than is allowed; otherwise empty. `method`: what is not accurate
  /// enough then; `remedy`: what to take instead.
  std::string warning(const EnergyTolerance& tolerance, const std::string& method, const std::string& remedy) const;

 private:
  EnergyFigures figures_;
  Work work_;
  bool first_ = true;
  std::optional<double> energy_before_resuming_;
  double given_ = 0, dissipated_ = 0;  // by what can only take energy, in all readings; its work at the last one
  double lowest_ = 0, lowest_time_ = 0, loops_at_lowest_ = 0, from_loops_ = 0;
  double turnover_ = 0, max_kinetic_ = 0, max_energy_ = 0;
};

/// What the steps of a world may let appear: `weight` is that of all that moves, N. Contacts that stick are returned
/// from their drift by much less than a millimeter.
EnergyTolerance tolerance_of_worlds(double weight);

}  // namespace lissom
