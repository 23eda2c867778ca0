#pragma once
// What a robot of a world works with. Not installed.
#include <map>
#include <optional>

#include "lissom/api/mass_matrix_factor.h"
#include "lissom/api/unchecked.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/tree/array.h"
#include "lissom/world/robot_unit.h"

namespace lissom::worlds {

/// A joint whose q moves on a manifold: free, spherical or planar.
struct CurvedJoint {
  JointType type;
  int first, count;  // degrees of freedom
};

struct RobotUnit::Memory {
  Memory(const Model& model, const RobotSettings& settings);

  mutable Workspace work, other_work;
  MassMatrixFactor factor;
  std::vector<int> parent;            // of each degree of freedom
  std::vector<int> last_dof_of_body;  // the end of the chain that moves it; -1: none
  bool has_followers;                 // mimic joints: columns of Jacobians depend on the body
  int free_base = -1;                 // first degree of freedom of the free joint that carries the robot; -1: none
  Eigen::VectorXd q_kept, v_kept;     // the state for which the kinematics are valid
  Columns6 axes;                      // of the joints, at the world's origin
  mutable Columns6 columns, other_columns;  // of a point of one body and of another, where there are followers
  Columns6 centroidal_map;
  Vec3<double> com{0, 0, 0};           // of everything that moves; the momentum is about it
  Vec3<double> fixed_moment{0, 0, 0};  // Σ m c of links that are fixed to the world
  bool has_centroidal_map = false, carries_momentum = false;
  Vector6 momentum = Vector6::Zero();  // about the center of mass, carried from step to step so that rounding is not
  double mass = 0;
  Eigen::VectorXd M_diagonal, implicit;  // of M, and what is added to it
  Matrix L;
  Eigen::VectorXd D, scale;
  Eigen::VectorXd q_middle, v_middle, force, bias;
  std::vector<double> z_of_a, z_start;  // D^½ L a, and z after impacts
  double potential = 0;
  double projection_work = 0;  // of closed loops in the last step, where somebody asks

  // By degree of freedom.
  Eigen::VectorXd damping, stiffness, rest, dry_friction, effort_limit;
  std::vector<int> q_of_dof;      // -1: it has no coordinate of its own
  std::vector<int> group_of_dof;  // the first degree of freedom of those whose axes turn with it, of one joint
  std::vector<CurvedJoint> curved;
  struct Limit {
    int q, dof;
    double lower, upper;
  };
  std::vector<Limit> limits;

  std::optional<ClosedLoops> loops;
  bool is_held = false;  // by loops to the world
  std::optional<LoopRows> loop_rows;
  std::vector<int> first_rows_of_loops;
  Matrix loop_J;
};

/// What derivatives of its steps need.
struct RobotUnit::Derivatives {
  // A robot with a link twice as heavy: the force that its masses need is linear in them.
  struct Heavier {
    explicit Heavier(const Model& of)
        : model(of), weightless(of.with_gravity({0, 0, 0})), work(of), weightless_work(weightless) {}
    Model model, weightless;
    Workspace work, weightless_work;
  };

  explicit Derivatives(const Model& model)
      : weightless(model.with_gravity({0, 0, 0})), work(model), weightless_work(weightless) {
    scratch = Unchecked(model, work).derivative_scratch();
    weightless_scratch = Unchecked(weightless, weightless_work).derivative_scratch();
    for (auto* const matrix : {&start_q, &start_v, &middle_q, &middle_v, &M})
      *matrix = Array<double>(padded_square(model.nv()));
    zero = change = v_before = force = other_force = Eigen::VectorXd::Zero(model.nv());
    stride = row_stride(model.nv());
  }
  Model weightless;
  Workspace work, weightless_work;
  std::unique_ptr<KernelScratch> scratch, weightless_scratch;
  Array<double> start_q, start_v, middle_q, middle_v, M;
  int stride;
  Eigen::VectorXd zero, change, v_before, force, other_force;
  std::map<std::string, Heavier> heavier;  // by link; "": all
};

}  // namespace lissom::worlds
