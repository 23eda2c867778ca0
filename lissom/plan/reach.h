#pragma once
// A cheap test whether limbs can be at places at the same time: no two of them are farther apart than the links between
// them are long. Not for users.
#include <cmath>

#include "lissom/plan/plan.h"

namespace lissom::plan {

inline double norm(const Vec3<double>& x) {
  return std::sqrt(dot(x, x));
}

class Reach {
 public:
  Reach(const Model& model, const PlanProblem& problem);
  // Feet are not put farther apart than a part of that, horizontally, or not much farther than they are at the start:
  // long strides are hard to carry out.
  bool allows(const std::vector<Placement>& contacts) const;

 private:
  const std::vector<Limb>& limbs_;
  std::vector<std::vector<double>> max_distance_, max_stride_;  // stride: horizontally, between two feet
};

}  // namespace lissom::plan
