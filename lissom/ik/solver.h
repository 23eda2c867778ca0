#pragma once
// Inverse kinematics of positions: finds a configuration within the joint limits that meets one or several targets at
// once; if there is none, the one with the smallest error.
//
//   ik::Solver solver(model, {ik::pose(model.frame("hand"), X)});
//   const auto& result = solver.solve(q);
//   if (result.status == ik::Status::solved) use(result.q);
//
// It descends (descent.h) from the given configuration, then from random ones, until one meets the targets. The same
// seed gives the same result. A solver belongs to one caller at a time; solve() allocates nothing.
#include <memory>
#include <string>
#include <vector>

#include "lissom/ik/result.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

/// Inverse kinematics of positions, for one robot at a time.
class Solver {
 public:
  /// The joints in `locked` keep their positions. Throws an Error if a target, `extra` or the name of a joint is
  /// invalid.
  Solver(const Model& model, std::vector<Target> targets, ExtraRows extra = {},
         const std::vector<std::string>& locked = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  const std::vector<Target>& targets() const;
  /// Change the pose or the weights of a target, without allocation. They throw an Error if the arguments are invalid,
  /// and then change nothing.
  void set_target_pose(std::size_t target, const Pose<double>& pose);
  void set_weights(std::size_t target, const Vec3<double>& linear, const Vec3<double>& angular);

  /// Searches from the configuration `from`. Joints that move no target keep their positions. The result stays in the
  /// solver until the next call. Throws an Error if `from` or an option is invalid.
  const Result& solve(const VectorIn& from, const Options& options = {});
  /// All distinct solutions that the starts find, the preferred one first; solutions that differ by whole revolutions
  /// are not distinct. If none is found, only the closest configuration is returned. (A redundant robot has infinitely
  /// many solutions, and every start finds another.)
  std::vector<Result> solve_all(const VectorIn& from, const Options& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::ik
