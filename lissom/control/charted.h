#pragma once
// The tick as Bouyarmane and Kheddar write it, in the coordinates q themselves, including the quaternions of the base
// and of ball joints. q̈ is the second derivative of q, element by element. With v = E q̇,
//   v̇ = E q̈ + Ė q̇
// turns every row on v̇ (of tasks, contacts and limits) into one on q̈. Not for users.
//
//   min  Σ ‖ÿ_i - ÿ_i*‖²   over q̈, u, f (and λ)   subject to
//     u ∈ U,  f ∈ K,  contacts that do not move,
//     the equation of motion,
//     qᵀSᵀS q̈ + q̇ᵀSᵀS q̇ = 0                         (30), for every quaternion
//
// The paper has two forms, here with its own equation numbers (other texts that cite it exchange them):
//   (37)  over (q̈, u, f),    with (35)   A [M q̈ + N q̇] = A [M g + u + Σ Jᵀ f]      Formulation::projected
//   (38)  over (q̈, u, f, λ), with (32)   M q̈ + N q̇ = M g + u + Σ Jᵀ f + SᵀS q λ    Formulation::multiplier
// A is the orthogonal projector, or with Formulation::oblique the paper's 1 - SᵀS q qᵀ (34); see gauss.h.
// Both forms have the same optimum as the reduced form. They share tasks, contacts (task_rows.h, contact_rows.h) and
// the QP solver with it; M, N, gravity, torques and the program are computed independently (gauss.h).
//
// This form allocates, and takes milliseconds where the reduced form takes microseconds.
#include <memory>

#include "lissom/control/program.h"
#include "lissom/control/reduced.h"
#include "lissom/control/row_labels.h"
#include "lissom/formulations/gauss.h"

namespace lissom::control {

class ChartedTick {
 public:
  explicit ChartedTick(const Model& model);

  // Computes M, N and the maps between q̇ and v at this state.
  void update(const TickData& data);
  // Builds the program of one priority; tasks of earlier ones keep their accelerations J `before`.
  void assemble(const TickData& data, int priority, const Eigen::VectorXd& before, Formulation form);
  const qp::Solution& solve() { return program_->solve(); }

  // Parts of a solution x.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& x) const;                  // v̇
  Eigen::VectorXd torques(const TickData& data, const Eigen::VectorXd& x) const;  // one per degree of freedom
  Eigen::VectorXd forces(const Eigen::VectorXd& x) const { return x.segment(f_, forces_); }
  // The cost with the constant terms of the reduced form.
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
  // The row on v̇ as a row on x, row E; the term row · Ė q̇ has to be added.
  Row over_q(const Row& row) const;
  // Adds ½ weight (row v̇ - target)² to the cost.
  void add_acceleration_square(double weight, const Row& row, double target);
  Row zero() const { return Row::Zero(size_); }

  formulations::Charted coordinates_;
  // At this state.
  Eigen::VectorXd q_, q_rate_;
  formulations::GaussEquations equations_;
  Eigen::MatrixXd E_, quaternion_rows_;      // the latter: qᵀSᵀS, one row per quaternion
  Eigen::VectorXd drift_, quaternion_bias_;  // Ė q̇;  q̇ᵀSᵀS q̇
  // Where the parts of x begin, and their sizes.
  int u_ = 0, f_ = 0, lambda_ = 0, size_ = 0, forces_ = 0;
  double constant_ = 0;  // constant terms that the reduced form omits from its objective
  std::unique_ptr<Program> program_;
  std::vector<NamedElement> elements_, dofs_;  // of q̃ and of v
};

}  // namespace lissom::control
