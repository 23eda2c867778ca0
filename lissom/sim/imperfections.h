#pragma once
// What a controller does not know about its robot: wrong masses, delayed torques, noisy sensors, pushes.
#include <cstdint>
#include <random>
#include <vector>

#include "lissom/sim/push.h"

namespace lissom::sim {

/// How a simulated robot differs from the model that its controller knows.
struct Imperfections {
  /// Mass and inertia of every link are multiplied by a random factor within 1 ± mass_error.
  double mass_error = 0;
  double mass_scale = 1;  ///< and by this factor, the same for all
  int delay = 0;          ///< ticks between the computation of torques and their application
  /// Standard deviations of the measured q (rad and m; the orientation of a free joint is rotated by as much about each
  /// axis) and v.
  double position_noise = 0, velocity_noise = 0;
  std::vector<Push> pushes = {};
  std::uint64_t seed = 0;
};

/// Throws an Error if a value is out of range or a push is invalid.
void check(const Model& model, const Imperfections& imperfections);

/// The model with the masses and inertias of all links scaled by `scale` and by random factors within 1 ± error.
Model with_mass_error(const Model& model, double error, std::uint64_t seed, double scale = 1);

/// Sensors with Gaussian noise, which is independent in every reading.
class Sensors {
 public:
  Sensors(const Model& model, const Imperfections& imperfections);
  /// Measures the true state (q, v). Allocates nothing if `sensed_…` have the right sizes.
  void read(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& sensed_q,
            Eigen::VectorXd& sensed_v);

 private:
  double normal();  // a random number with standard deviation 1

  double position_noise_, velocity_noise_;
  std::mt19937_64 random_;
  Eigen::VectorXd noise_;
};

}  // namespace lissom::sim
