#pragma once
// One start of a search for a stance, and what came of it. Not for users.
#include "lissom/stance/stance_descent.h"

namespace lissom::stance {

class StanceSearch {
 public:
  explicit StanceSearch(StanceSetup& setup);
  // Where start k begins; 0: `from`.
  Eigen::VectorXd start(int k) const;
  Stance attempt(const Eigen::VectorXd& start);
  // How far the last attempt was from a posture, where it found none; for comparison.
  double missed() const { return missed_; }
  // A wanted center of mass that contacts with given places cannot balance: known before any posture is.
  bool refused(Stance& stance);

 private:
  Eigen::VectorXd reach(const Eigen::VectorXd& start, bool& reached);
  void assess(Stance& stance);
  void read_posture(Stance& stance, const Eigen::VectorXd& q, const SupportRegion& region);
  void read_forces(Stance& stance, const StaticForces& forces);
  // Why there is none.
  std::string explain_reach(const Eigen::VectorXd& q);
  std::string explain_balance(const Stance& stance, const SupportRegion& region) const;
  std::string explain_torques(const Stance& stance) const;
  std::string explain_ground(double& deepest) const;

  StanceSetup& s_;
  ik::Solver ik_;
  StanceDescent descent_;
  double missed_ = 0;
};

}  // namespace lissom::stance
