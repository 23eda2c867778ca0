#pragma once
// Where the energy of a run comes from and goes to. Kinetic and potential energy change by the work of motors, dampers,
// pushes and force laws; what these do not explain is the error of the integrator. A good run leaves a small part of
// the energies that are involved unexplained; energy that appears from nowhere means that the motion is not to be
// trusted.
#include "lissom/sim/integrator.h"

namespace lissom::sim {

class EnergyAudit {
 public:
  /// Takes the work of one step into account.
  void add(const Work& work);
  /// Energy in J that may appear without a warning, besides tolerance().
  void allow(double energy) { allowed_ = energy; }
  /// A reading of the energies in J, after the steps so far; the first one is the beginning.
  void read(double kinetic, double potential);

  const Work& work() const { return work_; }
  /// Change of energy that the work does not explain, so far.
  double unexplained() const { return unexplained_; }
  /// The largest rise of it from any reading to a later one: energy that appeared from nowhere.
  double appeared() const { return appeared_; }
  /// What a method of this order may leave unexplained: a fraction of the largest kinetic energy, of the work that was
  /// done, and rounding.
  double tolerance(int order) const;
  /// A warning with figures and what to do if more energy appeared than the method's accuracy explains; otherwise
  /// empty.
  std::string warning(const IntegratorInfo& method, double step) const;

 private:
  Work work_;
  bool first_ = true;
  double begin_ = 0, unexplained_ = 0, lowest_ = 0, appeared_ = 0;
  double turnover_ = 0, max_kinetic_ = 0, max_energy_ = 0, allowed_ = 0;
};

}  // namespace lissom::sim
