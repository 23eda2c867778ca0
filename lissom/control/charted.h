#pragma once
// The tick as Bouyarmane and Kheddar write it, in the coordinates q themselves, with the quaternions of the base and of
// ball joints among them. q̈ is the second derivative of q, number by number; with v = E q̇
//   v̇ = E q̈ + Ė q̇
// takes everything that tasks, contacts and limits say about v̇ over to q̈.
//
//   min  Σ ‖ÿ_i - ÿ_i*‖²   over q̈, u, f (and λ)   subject to
//     u ∈ U,  f ∈ K,  contacts that do not move,
//     the equation of motion,
//     qᵀSᵀS q̈ + q̇ᵀSᵀS q̇ = 0                         (30), for every quaternion
//
// The paper has two forms; in its own numbers (other texts that cite it exchange them):
//   (37)  over (q̈, u, f),    with (35)   A [M q̈ + N q̇] = A [M g + u + Σ Jᵀ f]      Formulation::projected
//   (38)  over (q̈, u, f, λ), with (32)   M q̈ + N q̇ = M g + u + Σ Jᵀ f + SᵀS q λ    Formulation::multiplier
// A is the orthogonal projector, or with Formulation::oblique the paper's 1 - SᵀS q qᵀ (34); see gauss.h.
// Both forms have the optimum of the reduced form. They share with it what tasks and contacts are (task_rows.h,
// contact_rows.h) and the QP solver; M, N, gravity, torques and the program are found in another way (gauss.h).
//
// Allocates, and takes milliseconds where the reduced form takes microseconds.
#include <memory>

#include "lissom/control/program.h"
#include "lissom/control/reduced.h"
#include "lissom/formulations/gauss.h"

namespace lissom::control {

class ChartedTick {
 public:
  explicit ChartedTick(const Model& model);

  // M, N and the maps of this state.
  void update(const TickData& data);
  // The program of one level; levels below keep what they got at the accelerations `before`.
  void assemble(const TickData& data, int priority, const Eigen::VectorXd& before, Formulation form);
  const qp::Solution& solve() { return program_->solve(); }

  // Parts of a solution x.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& x) const;                  // v̇
  Eigen::VectorXd torques(const TickData& data, const Eigen::VectorXd& x) const;  // one per degree of freedom
  Eigen::VectorXd forces(const Eigen::VectorXd& x) const { return x.segment(f_, forces_); }
  // The cost as the reduced form counts it, which leaves other constants out.
  double objective(const qp::Solution& solution) const { return solution.objective + program_->constant() - constant_; }
  const Program& program() const { return *program_; }

 private:
  using Row = Program::Row;
  void add_costs(const TickData& data, int priority);
  void add_force_cost(const TickData& data, const TaskEntry& task);
  void add_equation_of_motion(const TickData& data, Formulation form);
  void add_quaternion_rows();
  void add_contact_rows(const TickData& data);
  void add_force_rows(const ContactEntry& contact, int at, double weight);
  void add_earlier_priorities(const TickData& data, int priority, const Eigen::VectorXd& before);
  void add_clearances(const TickData& data);
  void add_bounds(const TickData& data);
  // row v̇ as a row of x: row E q̈; what it lacks is row · Ė q̇.
  Row over_q(const Row& row) const;
  // A square or a row about v̇.
  void desired(double weight, const Row& row, double target);
  Row zero() const { return Row::Zero(size_); }

  formulations::Charted coordinates_;
  // Of this state.
  Eigen::VectorXd q_, q_rate_;
  formulations::GaussEquations equations_;
  Eigen::MatrixXd E_, quaternion_rows_;      // the latter: qᵀSᵀS, a row for each quaternion
  Eigen::VectorXd drift_, quaternion_rest_;  // Ė q̇;  q̇ᵀSᵀS q̇
  // Of this program: where parts of x begin, and how many they are.
  int u_ = 0, f_ = 0, lambda_ = 0, size_ = 0, forces_ = 0;
  double constant_ = 0;  // what the reduced form leaves out of its objective
  std::unique_ptr<Program> program_;
  std::vector<std::string> coordinate_names_, dof_names_;
};

}  // namespace lissom::control
