#pragma once
// What a controller does not know about its robot: wrong masses, late torques, noisy sensors, pushes.
#include <cstdint>
#include <random>
#include <vector>

#include "lissom/sim/push.h"

namespace lissom::sim {

struct Imperfections {
  double mass_error = 0;  // mass and inertia of every link are multiplied by a random factor within 1 ± this
  int delay = 0;          // ticks between the torques that were computed and those that are applied
  // Standard deviations of what is sensed: q (rad and m; a free joint's orientation rotates by as much about each axis)
  // and v.
  double position_noise = 0, velocity_noise = 0;
  std::vector<Push> pushes = {};
  std::uint64_t seed = 0;
};

/// Error where a number makes no sense.
void check(const Model& model, const Imperfections& imperfections);

/// The robot that is there: masses and inertias of all links scaled by factors within 1 ± error.
Model with_mass_error(const Model& model, double error, std::uint64_t seed);

/// Sensors with Gaussian noise; every reading has noise of its own.
class Sensors {
 public:
  Sensors(const Model& model, const Imperfections& imperfections);
  /// What is sensed of a true state. Allocates nothing where `sensed_…` have the right sizes.
  void read(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& sensed_q,
            Eigen::VectorXd& sensed_v);

 private:
  double normal();  // of standard deviation 1

  double position_noise_, velocity_noise_;
  std::mt19937_64 random_;
  Eigen::VectorXd noise_;
};

}  // namespace lissom::sim
