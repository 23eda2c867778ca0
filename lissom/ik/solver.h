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
#include <memory>
#include <vector>

#include "lissom/ik/result.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

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
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::ik
