#pragma once
// One start of the search for a stance, and its result. Not for users.
#include "lissom/stance/stance_descent.h"

namespace lissom::stance {

class StanceSearch {
 public:
  explicit StanceSearch(StanceSetup& setup);
  // The configuration at which start k begins; k = 0: `from`.
  Eigen::VectorXd start(int k) const;
  Stance attempt(const Eigen::VectorXd& start);
  // How far the last attempt was from its targets if it found no posture; to compare attempts.
  double missed() const { return missed_; }
  // True if contacts with given placements cannot balance the robot, or not with the given center of mass. This does
  // not depend on the posture. Then fills in `stance`.
  bool certainly_unbalanced(Stance& stance);

 private:
  Eigen::VectorXd reach(const Eigen::VectorXd& start, bool& reached);
  void assess(Stance& stance);
  void read_posture(Stance& stance, const Eigen::VectorXd& q, const SupportRegion& region);
  void read_forces(Stance& stance, const StaticForces& forces);
  // Why there is no stance.
  std::string explain_reach(const Eigen::VectorXd& q);
  std::string explain_balance(const Stance& stance, const SupportRegion& region) const;
  std::string explain_own_shapes(double& deepest) const;
  std::string explain_torques(const Stance& stance) const;
  // The link that is farthest below the ground, in an obstacle or in another link, and how far.
  std::string explain_collision(double& deepest) const;

  StanceSetup& s_;
  ik::Solver ik_;
  StanceDescent descent_;
  double missed_ = 0;
};

}  // namespace lissom::stance
