#pragma once
// Inverse kinematics at the level of positions: the configuration that meets one or several targets at once, within the
// joint limits; where there is none, the one that misses them least.
//
//   ik::Solver solver(model, {ik::pose(model.frame("hand"), X)});
//   const auto& result = solver.solve(q);
//   if (result.status == ik::Status::solved) use(result.q);
//
// A descent (descent.h) from the given configuration, then from random ones, until one meets the targets. The same
// seed, the same answer. A solver belongs to one caller at a time; solve() allocates nothing.
#include <cstdint>
#include <memory>
#include <vector>

#include "lissom/ik/descent.h"

namespace lissom::ik {

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

struct Result {
  Status status = Status::stopped;
  Eigen::VectorXd q;
  std::vector<Descent::Left> residuals;  // of each target: metres and radians, unweighted
  double extra_residual = 0;             // length of the extra rows
  double error = 0;                      // what was minimised: the root of the weighted sum of squares
  int iterations = 0, starts = 0;        // of all starts together
};

class Solver {
 public:
  Solver(const Model& model, std::vector<Target> targets, ExtraRows extra = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  const std::vector<Target>& targets() const;
  // Moves a target, or weighs it anew; the solver keeps its memory.
  void set_place(std::size_t target, const Pose<double>& place);
  void set_weights(std::size_t target, const Vec3<double>& linear, const Vec3<double>& angular);

  // The result stays in the solver until the next call. Joints that move no target stay where they are.
  const Result& solve(const VectorIn& from, const Options& options = {});
  // All distinct solutions that the starts find, the preferred first; whole turns apart is not distinct. Where none is
  // found, the closest configuration alone. (A robot with more joints than the targets bind has solutions without end,
  // and every start finds another.)
  std::vector<Result> solve_all(const VectorIn& from, const Options& options = {});

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace lissom::ik
