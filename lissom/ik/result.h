#pragma once
// What is asked of a search besides its targets, and what it answers.
#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace lissom::ik {

struct Tolerance {
  double position = 1e-6;  // meters
  double angle = 1e-6;     // radians
};

enum class Status {
  solved,   // every target is met within its tolerance
  closest,  // not met from any start; the configuration with the least weighted error that was found, a minimum
  stopped   // the same, but the iterations were spent before it was at a minimum
};
const char* to_string(Status status);

// Which solution is taken where there are several. All but `first` go through all starts.
enum class Prefer {
  first,    // the first one found, which is often the one nearest to where the search began
  nearest,  // the one nearest to a posture
  central   // the one farthest from joint limits
};

struct Options {
  Tolerance tolerance = {};
  int starts = 100;      // at most; the first is the configuration that is given
  int iterations = 100;  // of each start, at most
  std::uint64_t seed = 0;
  Prefer prefer = Prefer::first;
  Eigen::VectorXd posture = {};  // of Prefer::nearest; empty: the configuration that is given
};

// What is left of a target, unweighted, over the axes that are not left free.
struct Residual {
  double distance = 0, angle = 0;  // meters, radians
};

struct Result {
  Status status = Status::stopped;
  Eigen::VectorXd q;
  std::vector<Residual> residuals;  // of each target
  double extra_residual = 0;        // length of the extra rows
  double error = 0;                 // what was minimized: the root of the weighted sum of squares
  int iterations = 0, starts = 0;   // of all starts together
};

}  // namespace lissom::ik
