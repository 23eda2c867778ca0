#include "lissom/control/reduced.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/eigen.h"
#include "lissom/control/row_labels.h"
#include "lissom/math/dense.h"
#include "lissom/qp/kernels.h"

namespace lissom::control {

TickData::TickData(const Model& of, const WholeBodyOptions& o)
    : model(of), bias(Eigen::VectorXd::Zero(of.nv())), options(o) {
  if (!closures(of).empty()) loops.emplace(of);
}

double TickData::weight() const {
  return lissom::weight(model);
}

void Reduced::resize(const TickData& data, bool priorities) {
  const auto& model = data.model;
  nv_ = model.nv();
  max_sizes_ = {nv_, int(data.passive.size()), int(data.motors.size() + data.clearances.size())};
  if (data.loops) max_sizes_.variables += data.loops->max_rows(), max_sizes_.equalities += data.loops->max_rows();
  contact_labels_.clear();
  for (const auto& c : data.contacts) {
    max_sizes_.variables += c.variables();
    max_sizes_.equalities += int(c.rows.size());
    max_sizes_.rows += c.friction_rows() + 1 + int(c.soft.rows.rows());
    contact_labels_.push_back({.translation = {"motion at contact " + c.name, "m/s²"},
                               .rotation = {"motion at contact " + c.name, "rad/s²"},
                               .cone = {"friction of contact " + c.name, "N"},
                               .normal_force = {"normal force of contact " + c.name, "N"}});
  }
  if (priorities)
    for (const auto& t : data.tasks) max_sizes_.equalities += int(t.J.rows() + Eigen::Index(t.dofs.size()));
  const int n = max_sizes_.variables;
  Eigen::Index task_rows = 0;
  for (const auto& t : data.tasks) task_rows += t.J.rows();
  J_.setZero(task_rows, qp::padded(nv_)), JtW_.setZero(nv_, task_rows);
  H_.setZero(n, qp::padded(n)), g_.setZero(n);
  A_.setZero(max_sizes_.equalities, n), b_.setZero(max_sizes_.equalities);
  C_.setZero(max_sizes_.rows, n), l_.setZero(max_sizes_.rows), u_.setZero(max_sizes_.rows),
      weight_.setZero(max_sizes_.rows);
  lx_.setZero(n), ux_.setZero(n);
  blocks_.assign(std::size_t(n), 1);
  equality_labels_.resize(std::size_t(max_sizes_.equalities));
  row_labels_.resize(std::size_t(max_sizes_.rows));
  limit_row_.assign(std::size_t(max_sizes_.rows), 0);
  variable_labels_.resize(std::size_t(n));
  const auto dofs = degrees_of_freedom(model);
  motor_labels_.clear(), passive_labels_.clear(), joint_labels_.clear(), task_labels_.clear(),
      clearance_labels_.clear();
  for (int i : data.motors) motor_labels_.push_back(torque_label(dofs[std::size_t(i)]));
  for (int i : data.passive) passive_labels_.push_back(equation_label(dofs[std::size_t(i)]));
  for (const auto& dof : dofs) joint_labels_.push_back(acceleration_label(dof));
  for (const auto& t : data.tasks) {
    auto& labels = task_labels_.emplace_back();
    for (int row = 0; row < t.size(); ++row) labels.push_back(task_label(t, row, dofs));
  }
  for (const auto& c : data.clearances) clearance_labels_.push_back({"clearance of " + c.name, "m/s²"});
}

void Reduced::assemble(const TickData& data, int priority, const Eigen::VectorXd& before) {
  sizes_ = {nv_, 0, 0};
  for (const auto& c : data.contacts)
    if (c.active) sizes_.variables += c.variables();
  sizes_.variables += data.loop_rows();
  add_torque_rows(data);  // first: costs of torques read these rows
  add_contact_rows(data);
  add_clearance_rows(data);
  add_costs(data, priority);
  add_equalities(data, priority, before);
  add_bounds(data);
}

qp::Problem Reduced::problem() const {
  const int n = sizes_.variables, e = sizes_.equalities, r = sizes_.rows;
  return {.H = H_.topLeftCorner(n, n),
          .g = g_.head(n),
          .A = A_.topLeftCorner(e, n),
          .b = b_.head(e),
          .C = C_.topLeftCorner(r, n),
          .l = l_.head(r),
          .u = u_.head(r),
          .lx = lx_.head(n),
          .ux = ux_.head(n),
          .weight = weight_.head(r),
          .blocks = {blocks_.data(), std::size_t(blocks_used_)}};
}

const RowLabel& Reduced::label(const qp::Conflict& conflict) const {
  const auto& labels = conflict.part == qp::Part::equality ? equality_labels_
                       : conflict.part == qp::Part::row    ? row_labels_
                                                           : variable_labels_;
  return *labels[std::size_t(conflict.index)];
}

void Reduced::add_costs(const TickData& data, int priority) {
  const int n = sizes_.variables;
  H_.topLeftCorner(n, n).setZero();
  g_.head(n).setZero();
  H_.diagonal().head(nv_).setConstant(data.options.acceleration_regularization);
  H_.diagonal().segment(nv_, n - nv_).setConstant(data.options.force_regularization);
  bool about_forces = false;
  coupled_ = false;
  stacked_ = 0;
  for (const auto& task : data.tasks) {
    if (!task.enabled) continue;
    if (std::holds_alternative<TorqueTask>(task.task)) {
      add_torque_cost(data, task);
      coupled_ = true;
    } else if (std::holds_alternative<ForceTask>(task.task)) {
      add_force_cost(data, task);
      about_forces = true;
    } else if (task.priority() == priority) {
      add_task(task);
    }
  }
  add_task_products();
  // The diagonal blocks of H: accelerations; forces one by one, or contact by contact if a force task couples them.
  blocks_used_ = 0;
  blocks_[std::size_t(blocks_used_++)] = coupled_ ? n : nv_;
  if (coupled_) return;
  for (const auto& c : data.contacts) {
    if (!c.active) continue;
    if (about_forces) blocks_[std::size_t(blocks_used_++)] = c.variables();
    for (int i = 0; !about_forces && i < c.variables(); ++i) blocks_[std::size_t(blocks_used_++)] = 1;
  }
  for (int i = 0; i < data.loop_rows(); ++i) blocks_[std::size_t(blocks_used_++)] = 1;
}

void Reduced::add_task(const TaskEntry& task) {
  if (!task.dofs.empty()) {
    for (std::size_t k = 0; k < task.dofs.size(); ++k) {
      const int i = task.dofs[k];
      H_(i, i) += task.row_weights[int(k)];
      g_[i] -= task.row_weights[int(k)] * task.desired[int(k)];
    }
    return;
  }
  for (int r = 0; r < task.J.rows(); ++r) {
    const double w = task.row_weights[r];
    if (w == 0) continue;
    const int k = stacked_++;
    J_.row(k).head(nv_) = task.J.row(r);
    JtW_.col(k) = w * task.J.row(r).transpose();
    g_.head(nv_) -= (task.desired[r] - task.Jdot_v[r]) * JtW_.col(k);
  }
}

// Jᵀ W J of all tasks at once: the upper triangle, in whole blocks of columns; then the lower one. (Columns of J after
// the last one are zero, and so change nothing.)
void Reduced::add_task_products() {
  const auto& k = qp::kernels();
  const int stride = int(J_.outerStride());
  for (int i = 0; i < nv_; ++i)
    k.add_rows(J_.data(), stride, stacked_, 1, JtW_.row(i).data(), H_.row(i).data(), qp::block_start(i), stride);
  dense::mirror_upper(H_.data(), nv_, int(H_.outerStride()));
}

// ½ w ‖T x + h - target‖², with the torque rows T of C.
void Reduced::add_torque_cost(const TickData& data, const TaskEntry& task) {
  const int n = sizes_.variables, m = int(data.motors.size());
  const auto T = C_.topLeftCorner(m, n);
  H_.topLeftCorner(n, n).noalias() += task.weight() * T.transpose().lazyProduct(T);
  for (int k = 0; k < m; ++k) {
    const int i = data.motors[std::size_t(k)];
    g_.head(n) += (task.row_weights[i] * (data.bias[i] - task.desired[i])) * T.row(k).transpose();
  }
}

void Reduced::add_force_cost(const TickData& data, const TaskEntry& task) {
  const auto& spec = std::get<ForceTask>(task.task);
  int at = nv_;
  for (const auto& c : data.contacts) {
    if (!c.active) continue;
    if (c.name == spec.contact)
      for (int k = 0; k < 3; ++k) {  // along the world's axes
        const double w = task.row_weights[k];
        const auto& R = c.axes.R;
        const Vec3<double> axis = k == 0 ? row_x(R) : k == 1 ? row_y(R) : row_z(R);
        for (int i = 0; i < c.variables(); ++i) {
          const double along = to_eigen(axis).dot(c.G.col(i).head<3>());
          g_[at + i] -= w * along * task.desired[k];
          for (int j = 0; j < c.variables(); ++j)
            H_(at + i, at + j) += w * along * to_eigen(axis).dot(c.G.col(j).head<3>());
        }
      }
    at += c.variables();
  }
}

void Reduced::put_forces(const TickData& data, int i, Eigen::Ref<Eigen::RowVectorXd> row) const {
  int at = 0;
  for (const auto& c : data.contacts) {
    if (!c.active) continue;
    row.segment(at, c.variables()) = -c.generalized_forces.row(i);
    at += c.variables();
  }
  for (int k = 0; k < data.loop_rows(); ++k) row[at + k] = -data.loops->J()(k, i);
}

void Reduced::add_equalities(const TickData& data, int priority, const Eigen::VectorXd& before) {
  const int n = sizes_.variables;
  int row = 0;
  for (std::size_t k = 0; k < data.passive.size(); ++k, ++row) {
    const int i = data.passive[k];
    A_.row(row).head(nv_) = data.robot->M.row(i);
    put_forces(data, i, A_.row(row).segment(nv_, n - nv_));
    b_[row] = -data.bias[i];
    equality_labels_[std::size_t(row)] = &passive_labels_[k];
  }
  for (int k = 0; k < data.loop_rows(); ++k, ++row) {
    A_.row(row).head(nv_) = data.loops->J().row(k);
    A_.row(row).segment(nv_, n - nv_).setZero();
    b_[row] = data.loops->desired(k);
    equality_labels_[std::size_t(row)] = &data.loops->label(data.loops->row(k));
  }
  hard_equalities_ = row;
  for (std::size_t k = 0; k < data.contacts.size(); ++k) {
    const auto& c = data.contacts[k];
    if (!c.active) continue;
    for (int r : c.rows) {
      A_.row(row).head(nv_) = c.J.row(r);
      A_.row(row).segment(nv_, n - nv_).setZero();
      b_[row] = c.desired[r] - c.Jdot_v[r];
      equality_labels_[std::size_t(row++)] = r < 3 ? &contact_labels_[k].translation : &contact_labels_[k].rotation;
    }
  }
  // Tasks of earlier priorities keep their accelerations.
  for (std::size_t k = 0; k < data.tasks.size(); ++k) {
    const auto& t = data.tasks[k];
    if (!t.enabled || t.priority() >= priority) continue;
    for (int r = 0; r < t.size(); ++r) {
      if (t.row_weights[r] == 0 || (t.J.rows() == 0 && t.dofs.empty())) continue;
      A_.row(row).head(n).setZero();
      if (t.dofs.empty())
        A_.row(row).head(nv_) = t.J.row(r);
      else
        A_(row, t.dofs[std::size_t(r)]) = 1;
      b_[row] = A_.row(row).head(nv_).dot(before);
      equality_labels_[std::size_t(row++)] = &task_labels_[k][std::size_t(r)];
    }
  }
  sizes_.equalities = all_equalities_ = row;
}

// These are the first rows of C in every tick.
void Reduced::add_torque_rows(const TickData& data) {
  for (std::size_t k = 0; k < data.motors.size(); ++k) {
    const int i = data.motors[k], row = int(k);
    C_.row(row).head(nv_) = data.robot->M.row(i);
    put_forces(data, i, C_.row(row).segment(nv_, sizes_.variables - nv_));
    const double limit = data.torque_limit[row];
    const bool limited = data.options.torque_limits && limit < qp::unbounded;
    l_[row] = limited ? -limit - data.bias[i] : -qp::unbounded;
    u_[row] = limited ? limit - data.bias[i] : qp::unbounded;
    weight_[row] = 0, limit_row_[k] = 1;
    row_labels_[k] = &motor_labels_[k];
  }
  sizes_.rows = int(data.motors.size());
}

void Reduced::add_contact_rows(const TickData& data) {
  const int n = sizes_.variables;
  int row = sizes_.rows, at = nv_;
  const auto next = [&](const RowLabel& label, double lower, double upper) {
    C_.row(row).head(n).setZero();
    l_[row] = lower, u_[row] = upper, weight_[row] = 0;
    row_labels_[std::size_t(row)] = &label;
    limit_row_[std::size_t(row)] = 0;
    return row++;
  };
  for (std::size_t k = 0; k < data.contacts.size(); ++k) {
    const auto& c = data.contacts[k];
    if (!c.active) continue;
    const int per = c.per_point(), points = c.unilateral() ? int(c.points.size()) : 0;
    // A pyramid inside the cone: |tangent| ≤ friction / √2 · normal for each of the two tangents.
    const double slope = pyramid_slope(c);
    if (per == 3)
      for (int p = 0; p < points; ++p)
        for (int side = 0; side < 4; ++side) {
          const int r = next(contact_labels_[k].cone, 0, qp::unbounded), first = at + 3 * p;
          C_(r, first + side / 2) = side % 2 ? 1 : -1;
          C_(r, first + 2) = slope;
        }
    // The sum of the normal forces.
    const auto [min_force, max_force] = force_range(c, data.weight());
    if (points > 0 && (max_force < qp::unbounded || min_force > 0)) {
      const int r = next(contact_labels_[k].normal_force, min_force, std::min(max_force, qp::unbounded));
      for (int p = 0; p < points; ++p) C_(r, at + per * p + per - 1) = 1;
      limit_row_[std::size_t(r)] = 1;
    }
    for (int k_soft = 0; k_soft < int(c.soft.rows.rows()); ++k_soft) {
      const int r = next(contact_labels_[k].normal_force, c.soft.lower[k_soft], qp::unbounded);
      C_.row(r).segment(at, c.variables()) = c.soft.rows.row(k_soft);
      weight_[r] = c.soft.weight[k_soft];
    }
    at += c.variables();
  }
  sizes_.rows = row;
}

void Reduced::add_clearance_rows(const TickData& data) {
  int row = sizes_.rows;
  for (std::size_t k = 0; k < data.clearances.size(); ++k) {
    const auto& c = data.clearances[k];
    if (!c.near) continue;
    C_.row(row).head(sizes_.variables).setZero();
    C_.row(row).head(nv_) = c.J;
    l_[row] = c.lower, u_[row] = qp::unbounded, weight_[row] = c.clearance.weight;
    limit_row_[std::size_t(row)] = 0;
    row_labels_[std::size_t(row++)] = &clearance_labels_[k];
  }
  sizes_.rows = row;
}

void Reduced::add_bounds(const TickData& data) {
  lx_.head(nv_) = data.lower;
  ux_.head(nv_) = data.upper;
  for (int i = 0; i < nv_; ++i) variable_labels_[std::size_t(i)] = &joint_labels_[std::size_t(i)];
  int at = nv_;
  for (std::size_t k = 0; k < data.contacts.size(); ++k) {
    const auto& c = data.contacts[k];
    if (!c.active) continue;
    const int per = c.per_point();
    const double grip = c.unilateral() ? qp::unbounded : std::min(force_range(c, data.weight()).max, qp::unbounded);
    for (int i = 0; i < c.variables(); ++i, ++at) {
      lx_[at] = c.unilateral() && i % per == per - 1 ? 0 : -grip;
      ux_[at] = grip;
      variable_labels_[std::size_t(at)] = &contact_labels_[k].normal_force;
    }
  }
  for (int k = 0; k < data.loop_rows(); ++k, ++at) {
    lx_[at] = -qp::unbounded, ux_[at] = qp::unbounded;
    variable_labels_[std::size_t(at)] = &data.loops->label(data.loops->row(k));
  }
}

}  // namespace lissom::control
