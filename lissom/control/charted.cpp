#include "lissom/control/charted.h"

#include <algorithm>
#include <cmath>

#include "lissom/control/whole_body_impl.h"

namespace lissom::control {

namespace {

// The cost of (37) and (38) does not depend on u, on λ, or on q̈ along a quaternion. H becomes positive definite by
// adding squares that vanish wherever the equalities hold, and so do not change the solution: ½ penalty ‖residual‖² of
// the equation of motion and of the quaternions' rows.
constexpr double penalty = 1e-3;

bool about_forces(const TaskEntry& task) {
  return std::holds_alternative<ForceTask>(task.task) || std::holds_alternative<TorqueTask>(task.task);
}
// Row r of a task, as a row on v̇.
Program::Row task_row(const TaskEntry& task, int r, int nv) {
  if (task.dofs.empty()) return task.J.row(r);
  return Program::Row::Unit(nv, task.dofs[std::size_t(r)]);
}

}  // namespace

ChartedTick::ChartedTick(const Model& model) : coordinates_(model) {
  for (const auto& slot : coordinates_.slots()) {
    append_elements(elements_, slot.joint, joint_traits(slot.type).q);
    append_elements(dofs_, slot.joint, joint_traits(slot.type).v);
  }
}

void ChartedTick::update(const TickData& data) {
  q_ = coordinates_.from_model(data.robot->q);
  q_rate_ = coordinates_.rates_map(q_) * data.robot->v;
  equations_ = formulations::gauss(coordinates_, q_, q_rate_);
  E_ = coordinates_.velocity_map(q_);
  drift_ = coordinates_.velocity_map_rate(q_, q_rate_) * q_rate_;
  // C = qᵀSᵀS q - 1 (28): half of C̈ = 0 is (30).
  quaternion_rows_ = coordinates_.constraint_jacobian(q_) / 2;
  quaternion_bias_ = coordinates_.constraint_bias(q_, q_rate_) / 2;
}

void ChartedTick::assemble(const TickData& data, int priority, const Eigen::VectorXd& before, Formulation form) {
  u_ = coordinates_.size();
  f_ = u_ + int(data.motors.size());
  forces_ = 0;
  for (const auto& c : data.contacts)
    if (c.active) forces_ += c.variables();
  forces_ += data.loop_rows();
  lambda_ = f_ + forces_;
  size_ = lambda_ + (form == Formulation::multiplier ? coordinates_.constraints() : 0);
  program_ = std::make_unique<Program>(size_);
  constant_ = 0;
  add_costs(data, priority);
  add_equation_of_motion(data, form);
  add_quaternion_rows();
  add_contact_rows(data);
  add_earlier_priorities(data, priority, before);
  add_clearances(data);
  add_bounds(data);
}

ChartedTick::Row ChartedTick::over_q(const Row& row) const {
  Row x = zero();
  x.head(u_) = row * E_;
  return x;
}
void ChartedTick::add_acceleration_square(double weight, const Row& row, double target) {
  program_->add_square(weight, over_q(row), target - row.dot(drift_));
}

void ChartedTick::add_costs(const TickData& data, int priority) {
  const int nv = int(E_.rows());
  for (int i = 0; i < nv; ++i) add_acceleration_square(data.options.acceleration_regularization, Row::Unit(nv, i), 0);
  for (int i = 0; i < forces_; ++i)
    program_->add_square(data.options.force_regularization, Row::Unit(size_, f_ + i), 0);
  for (const auto& task : data.tasks) {
    if (!task.enabled) continue;
    if (std::holds_alternative<TorqueTask>(task.task)) {
      for (std::size_t k = 0; k < data.motors.size(); ++k) {
        const int i = data.motors[k];
        const double w = task.row_weights[i], miss = data.bias[i] - task.desired[i];
        program_->add_square(w, Row::Unit(size_, u_ + int(k)), task.desired[i]);
        constant_ += .5 * w * miss * miss;
      }
    } else if (std::holds_alternative<ForceTask>(task.task)) {
      add_force_cost(data, task);
    } else if (task.priority() == priority) {
      for (int r = 0; r < task.size(); ++r) {
        const double target = task.desired[r] - task.Jdot_v[r];
        add_acceleration_square(task.row_weights[r], task_row(task, r, nv), target);
        constant_ += .5 * task.row_weights[r] * target * target;
      }
    }
  }
}

void ChartedTick::add_force_cost(const TickData& data, const TaskEntry& task) {
  int at = f_;
  for (const auto& c : data.contacts) {
    if (!c.active) continue;
    if (c.name == std::get<ForceTask>(task.task).contact) {
      const Eigen::Matrix3Xd force = to_eigen(c.axes.R) * c.G.topRows<3>();  // along the world's axes
      for (int k = 0; k < 3; ++k) {
        Row row = zero();
        row.segment(at, c.variables()) = force.row(k);
        program_->add_square(task.row_weights[k], row, task.desired[k]);
        constant_ += .5 * task.row_weights[k] * task.desired[k] * task.desired[k];
      }
    }
    at += c.variables();
  }
}

// (32) as K x = k, with forces on coordinates Eᵀ τ and Jᵀ f = Eᵀ (∂v)ᵀ f; or (35), which is A K x = A k.
void ChartedTick::add_equation_of_motion(const TickData& data, Formulation form) {
  const int n = u_;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, size_);
  K.leftCols(n) = equations_.M;
  for (std::size_t k = 0; k < data.motors.size(); ++k) K.col(u_ + int(k)) = -E_.row(data.motors[k]).transpose();
  int at = f_;
  for (const auto& c : data.contacts) {
    if (!c.active) continue;
    K.middleCols(at, c.variables()) = -E_.transpose() * c.generalized_forces;
    at += c.variables();
  }
  for (int i = 0; i < data.loop_rows(); ++i) K.col(at++) = -E_.transpose() * data.loops->J().row(i).transpose();
  if (form == Formulation::multiplier) K.rightCols(coordinates_.constraints()) = -quaternion_rows_.transpose();
  Eigen::VectorXd k = equations_.gravity - equations_.N * q_rate_ - E_.transpose() * (data.bias - data.robot->h);
  std::vector<bool> redundant(std::size_t(n), false);
  if (form != Formulation::multiplier) {
    using formulations::Projector;
    const Eigen::MatrixXd A = formulations::projector(
        coordinates_, q_, form == Formulation::oblique ? Projector::oblique : Projector::orthogonal);
    K = A * K;
    k = A * k;
    // One row of A is redundant per quaternion θ: θᵀ (its four rows) = 0, for the oblique projector qᵀ (all rows) = 0.
    // The row of the largest element of each θ is left out.
    for (int i = 0; i < quaternion_rows_.rows(); ++i) {
      Eigen::Index largest = 0;
      quaternion_rows_.row(i).cwiseAbs().maxCoeff(&largest);
      redundant[std::size_t(largest)] = true;
    }
  }
  for (int i = 0; i < n; ++i) {
    program_->add_square(penalty, K.row(i), k[i]);
    if (!redundant[std::size_t(i)]) program_->add_equality(K.row(i), k[i], equation_label(elements_[std::size_t(i)]));
  }
}

void ChartedTick::add_quaternion_rows() {
  for (int i = 0; i < quaternion_rows_.rows(); ++i) {
    Row row = zero();
    row.head(u_) = quaternion_rows_.row(i);
    program_->add_square(penalty, row, -quaternion_bias_[i]);
    program_->add_equality(row, -quaternion_bias_[i], {"length of a quaternion", "1/s²"});
  }
}

void ChartedTick::add_contact_rows(const TickData& data) {
  for (int i = 0; i < data.loop_rows(); ++i) {
    const Row row = data.loops->J().row(i);
    const auto& label = data.loops->label(data.loops->row(i));
    program_->add_equality(over_q(row), data.loops->desired(i) - row.dot(drift_), label);
  }
  int at = f_;
  for (const auto& c : data.contacts) {
    if (!c.active) continue;
    for (int r : c.rows)
      program_->add_equality(over_q(c.J.row(r)), c.desired[r] - c.Jdot_v[r] - c.J.row(r).dot(drift_),
                             {"motion at contact " + c.name, r < 3 ? "m/s²" : "rad/s²"});
    add_force_rows(c, at, data.weight());
    at += c.variables();
  }
}

// f ∈ K: the pyramid |f_x|, |f_y| ≤ slope f_z inside the cone for every point, and the range of the sum of the normal
// forces.
void ChartedTick::add_force_rows(const ContactEntry& c, int at, double weight) {
  const RowLabel normal_force{"normal force of contact " + c.name, "N"};
  const auto [min_force, max_force] = force_range(c, weight);
  const int per = c.per_point();
  if (!c.unilateral()) {
    for (int i = 0; i < c.variables(); ++i) program_->bound(at + i, min_force, max_force, normal_force);
    return;
  }
  Row sum = zero();
  for (int p = 0; p < int(c.points.size()); ++p) {
    const int normal = at + per * p + per - 1;
    program_->bound(normal, 0, qp::unbounded, normal_force);
    sum[normal] = 1;
    for (int tangent = at + per * p; tangent < normal; ++tangent)
      for (const double sign : {-1.0, 1.0}) {
        Row side = zero();
        side[normal] = pyramid_slope(c);
        side[tangent] = sign;
        program_->add_row(side, 0, qp::unbounded, {"friction of contact " + c.name, "N"});
      }
  }
  if (min_force > 0 || max_force < qp::unbounded) program_->add_row(sum, min_force, max_force, normal_force);
  for (Eigen::Index i = 0; i < c.soft.rows.rows(); ++i) {
    Row margin = zero();
    margin.segment(at, c.variables()) = c.soft.rows.row(i);
    program_->add_row(margin, c.soft.lower[i], qp::unbounded, normal_force, c.soft.weight[i]);
  }
}

// Tasks of earlier priorities keep their accelerations.
void ChartedTick::add_earlier_priorities(const TickData& data, int priority, const Eigen::VectorXd& before) {
  for (const auto& t : data.tasks) {
    if (!t.enabled || about_forces(t) || t.priority() >= priority) continue;
    for (int r = 0; r < t.size(); ++r) {
      if (t.row_weights[r] == 0) continue;
      const Row row = task_row(t, r, int(E_.rows()));
      program_->add_equality(over_q(row), row.dot(before - drift_), task_label(t, r, dofs_));
    }
  }
}

void ChartedTick::add_clearances(const TickData& data) {
  for (const auto& c : data.clearances)
    if (c.near)
      program_->add_row(over_q(c.J), c.lower - c.J.dot(drift_), qp::unbounded, {"clearance of " + c.name, "m/s²"},
                        c.clearance.weight);
}

// u ∈ U, and joints within their limits. An element of q̈ that has limits is also an element of v̇.
void ChartedTick::add_bounds(const TickData& data) {
  for (const auto& s : coordinates_.slots())
    for (int i = 0; i < s.size; ++i) {
      const bool same = joint_traits(s.type).is_flat();
      program_->bound(s.at + i, same ? data.lower[s.v_index + i] : -qp::unbounded,
                      same ? data.upper[s.v_index + i] : qp::unbounded,
                      acceleration_label(elements_[std::size_t(s.at + i)]));
    }
  for (std::size_t k = 0; k < data.motors.size(); ++k) {
    const double limit = data.options.torque_limits ? data.torque_limit[int(k)] : qp::unbounded;
    program_->bound(u_ + int(k), -limit, limit, torque_label(dofs_[std::size_t(data.motors[k])]));
  }
}

Eigen::VectorXd ChartedTick::accelerations(const Eigen::VectorXd& x) const {
  return E_ * x.head(u_) + drift_;
}
Eigen::VectorXd ChartedTick::torques(const TickData& data, const Eigen::VectorXd& x) const {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(E_.rows());
  for (std::size_t k = 0; k < data.motors.size(); ++k) tau[data.motors[k]] = x[u_ + int(k)];
  return tau;
}

void WholeBody::Impl::solve_charted() {
  if (!charted) charted = std::make_unique<ChartedTick>(model);
  charted->update(data);
  tick.iterations = 0;
  for (int priority : priorities) {
    charted->assemble(data, priority, before, data.options.formulation);
    const auto& s = charted->solve();
    tick.iterations += s.iterations;
    if (!take(s, priority == priorities.front())) return;
    before = charted->accelerations(s.x);
    const auto& program = charted->program();
    read(before, charted->forces(s.x));
    tick.torques = charted->torques(data, s.x);  // its own, not those from the reduced equation of motion
    clamp_torques();
    tick.objective = charted->objective(s);
    tick.variables = program.variables(), tick.equalities = program.equalities(), tick.rows = program.rows();
    for (const auto& c : s.conflicts) tick.conflicts.push_back({&program.name(c), c.amount, program.unit(c)});
  }
}

}  // namespace lissom::control
