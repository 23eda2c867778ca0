#pragma once
// Forces of contacts that hold a robot at rest. With forces counted in the robot's weight W,
//   minimize ½ Σ ε f² + ½ Σ (τ / limit)²,   τ = h - W Jᵀ f,
//   subject to τ = 0 where there is no motor, f in the cones, and |τ| ≤ limit.
// Not for users.
#include "lissom/qp/solver.h"
#include "lissom/stance/stance_setup.h"

namespace lissom::stance {

// Four rows for each point that sticks: an inner pyramid of its cone, |f_x|, |f_y| ≤ friction / √2 f_z.
int cone_rows(const StanceSetup& setup);
// Into C from (row, column) on, with bounds 0 ≤ C x; and lower bounds of normal forces into lx from column on.
void add_cones(const StanceSetup& setup, int row, int column, Matrix& C, Eigen::VectorXd& l, Eigen::VectorXd& u,
               Eigen::VectorXd& lx);

enum class TorqueRows { none, soft, hard };  // soft: limits are passed by as little as there is need to

// What a force variable costs: tangents more than normals, so that cones are not used up where there is no need.
Eigen::VectorXd force_costs(const StanceSetup& setup);

struct StaticForces {
  bool balanced = false;    // equations and cones are met, and torque limits where they are hard
  Eigen::VectorXd forces;   // variables, in weights; the best where not balanced
  Eigen::VectorXd torques;  // N m, one per degree of freedom; what is left over where there is no motor
};
// At the configuration at which the setup was evaluated.
StaticForces static_forces(const StanceSetup& setup, TorqueRows torque_rows);

}  // namespace lissom::stance
