#pragma once
// Options and results of inverse kinematics.
#include <cstdint>
#include <functional>
#include <vector>

#include <Eigen/Core>

namespace lissom::ik {

/// How closely a target has to be met.
struct Tolerance {
  double position = 1e-6;  ///< meters
  double angle = 1e-6;     ///< radians
};

/// The outcome of a search.
enum class Status {
  solved,   ///< every target is met within its tolerance
  closest,  ///< no start met the targets; the result is the minimum with the smallest weighted error that was found
  stopped   ///< the same, but the iterations ended before the minimum was reached
};
const char* to_string(Status status);

/// Which of several solutions is returned. All but `first` try all starts.
enum class Prefer {
  first,    ///< the first one found, which is often the one nearest to the initial configuration
  nearest,  ///< the one nearest to Options::posture
  central   ///< the one farthest from joint limits
};

/// Options of a search.
struct Options {
  Tolerance tolerance = {};
  int starts = 100;      ///< at most; the first is the given configuration, the others are random
  int iterations = 100;  ///< of each start, at most
  std::uint64_t seed = 0;
  Prefer prefer = Prefer::first;
  Eigen::VectorXd posture = {};  ///< for Prefer::nearest; empty: the given configuration
  /// Asked before each further start, with the number of starts so far; if true, the search ends with what it has
  /// found. A batch asks from all of its threads.
  std::function<bool(int starts)> stop = {};
};

/// The remaining error of a target, unweighted, over the axes that are not left free.
struct Residual {
  double distance = 0, angle = 0;  ///< meters, radians
};

/// The result of a search.
struct Result {
  Status status = Status::stopped;
  Eigen::VectorXd q;
  std::vector<Residual> residuals;  ///< of each target
  double extra_residual = 0;        ///< norm of the residuals of the extra rows
  double error = 0;                 ///< the minimized cost: the root of the weighted sum of squares
  int iterations = 0, starts = 0;   ///< iterations of all starts together, starts that were tried
};

}  // namespace lissom::ik
