#pragma once
// Central differences of the steps of a world, against which its derivatives are checked. Not installed.
#include <functional>

#include "lissom/world/world.h"

namespace lissom::benchmarks {

class StepDifferences {
 public:
  /// From the state of a world, which stays as it is: ± width in q and v, a thousand times that in tau. Steps of h.
  StepDifferences(const World& world, double h, double width);

  /// The change of (q, v) with element k of (q, v, tau), in the tangent space.
  Eigen::VectorXd column(int k);
  /// The same with something that `alter` changes in a world by an amount.
  Eigen::VectorXd parameter(const std::function<void(World&, double)>& alter);
  /// The largest difference from A and B, relative to the largest element of the column (but at least to 1e-3).
  double error(const StepDerivatives& d);
  bool all_converged() const { return all_converged_; }

 private:
  World::State after(World& world, const World::State& state);
  Eigen::VectorXd change(const World::State& to, const World::State& from) const;

  World world_;
  World::State start_;
  double h_, width_;
  std::vector<const Model*> robots_;  // of the states, nullptr for rigid bodies
  int total_ = 0;
  bool all_converged_ = true;
};

}  // namespace lissom::benchmarks
