#pragma once
// A cheap test whether limbs can be at places at the same time: no two of them are farther apart than the links between
// them are long. Not for users.
#include "lissom/plan/plan.h"

namespace lissom::plan {

class Reach {
 public:
  Reach(const Model& model, const std::vector<Limb>& limbs);
  bool allows(const std::vector<Placement>& contacts) const;
  /// m, length of the links from the limb's frame to where its chain joins that of another one.
  double between(int a, int b) const { return most_[std::size_t(a)][std::size_t(b)]; }

 private:
  std::vector<std::vector<double>> most_;
};

}  // namespace lissom::plan
