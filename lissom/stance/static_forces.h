#pragma once
// Contact forces that keep a robot at rest. With forces in units of the robot's weight W,
//   minimize ½ Σ ε f² + ½ Σ (τ / limit)²,   τ = h - W Jᵀ f,
//   subject to τ = 0 without a motor, f in the cones, and |τ| ≤ limit.
// Not for users.
#include "lissom/qp/solver.h"
#include "lissom/stance/stance_setup.h"

namespace lissom::stance {

// Number of rows of the cones. Each point that sticks has four, for a pyramid inside its cone:
// |f_x|, |f_y| ≤ friction / √2 f_z.
int cone_rows(const StanceSetup& setup);
// Writes them into C from (row, column) on, with bounds 0 ≤ C x, and lower bounds of normal forces into lx from column
// on.
void add_cones(const StanceSetup& setup, int row, int column, Matrix& C, Eigen::VectorXd& l, Eigen::VectorXd& u,
               Eigen::VectorXd& lx);

enum class TorqueRows { none, soft, hard };  // soft: limits may be exceeded, by as little as possible

// Costs of the force variables. Tangents cost more than normals, so that friction is used only as far as needed.
Eigen::VectorXd force_costs(const StanceSetup& setup);

struct StaticForces {
  bool balanced = false;    // equilibrium, cones, and torque limits if they are hard, hold
  Eigen::VectorXd forces;   // variables, in weights; the best found if not balanced
  Eigen::VectorXd torques;  // N m, one per degree of freedom; without a motor, the residual of equilibrium
};
// Solves for the forces at the configuration at which the setup was evaluated last.
StaticForces static_forces(const StanceSetup& setup, TorqueRows torque_rows);

}  // namespace lissom::stance
