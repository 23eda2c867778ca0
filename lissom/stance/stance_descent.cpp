#include "lissom/stance/stance_descent.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/eigen.h"
#include "lissom/api/state.h"

namespace lissom::stance {

namespace {

// Weights, relative to that of ½ (joint displacement from `from`)², in rad².
constexpr double base_weight = .05;         // m, rad: displacement of a free joint
constexpr double torque_weight = .02;       // torques relative to their limits
constexpr double balance_weight = 1e5;      // residual of equilibrium, in weights (and weights times m)
constexpr double limit_weight = 1e3;        // torques beyond their limits, relative to these
constexpr double margin_weight = 1e5;       // m
constexpr double wide_margin_factor = 3;    // times the margin: a wider one, which is kept if that costs little
constexpr double wide_margin_weight = 100;  // m
constexpr double ground_weight = 1e5;       // m
constexpr double collision_weight = 1e5;    // m
constexpr double edge_weight = 1e5;         // m
constexpr double limit_fraction = .97;      // of the torque limits, because soft rows are exceeded by a little
constexpr double near_ground = .4;          // m: points that are higher have no row
constexpr int max_sides = 100;              // of the region
constexpr int max_iterations = 120;
constexpr double difference_step = 1e-6;

int max_near_rows(const StanceSetup& s) {
  std::size_t edges = 0;
  for (const auto& c : s.problem.contacts) edges += c.polygon ? c.polygon->corners.size() : 0;
  return int(s.ground_points.size() + edges) + s.collisions.max_count();
}
int max_rows(const StanceSetup& s) {
  return cone_rows(s) + int(s.motors.size() + s.passive.size()) + max_near_rows(s) + 2 * max_sides;
}
int max_equalities(const StanceSetup& s) {
  return int(6 * s.contacts.size() + 3 + s.passive.size());
}

double half_square(double x) {
  return x * x / 2;
}

}  // namespace

StanceDescent::StanceDescent(StanceSetup& setup, ik::Solver& solver)
    : s_(setup),
      ik_(solver),
      work_(setup.model),
      qp_({.variables = setup.model.nv() + setup.variables,
           .equalities = max_equalities(setup),
           .rows = max_rows(setup)}),
      posture_weights_(Eigen::VectorXd::Ones(setup.model.nv())),
      force_costs_(force_costs(setup)),
      D_(Matrix::Zero(setup.model.nv(), setup.model.nv())) {
  for (const auto& joint : setup.model.joints())
    if (joint.type == JointType::free) posture_weights_.segment(joint.v_index, joint.nv).setConstant(base_weight);
}

// D_, the derivative of the torques at rest with the contact forces fixed: by central differences, 2 nv calls of
// inverse dynamics.
void StanceDescent::differentiate(const Eigen::VectorXd& q) {
  const int nv = s_.model.nv();
  const auto external = s_.external(forces_);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(nv);
  Eigen::VectorXd displacement = zero, moved(q.size());
  for (int i = 0; i < nv; ++i) {
    displacement[i] = difference_step;
    integrate(s_.model, q, displacement, 1, moved);
    D_.col(i) = inverse_dynamics(s_.model, work_, moved, zero, zero, external);
    integrate(s_.model, q, displacement, -1, moved);
    D_.col(i) -= inverse_dynamics(s_.model, work_, moved, zero, zero, external);
    displacement[i] = 0;
  }
  D_ /= 2 * difference_step;
}

void StanceDescent::resize_buffers() {
  const int n = s_.model.nv() + s_.variables, rows = rows_.all();
  H_.setZero(n, n), g_.setZero(n);
  C_.setZero(rows, n), l_.setConstant(rows, -qp::unbounded), u_.setConstant(rows, qp::unbounded), weight_.setZero(rows);
  lx_.setConstant(n, -qp::unbounded), ux_.setConstant(n, qp::unbounded);
}

void StanceDescent::add_cost(const Eigen::VectorXd& q) {
  const int nv = s_.model.nv(), nm = int(s_.motors.size());
  const Eigen::VectorXd displacement = difference(s_.model, q, s_.from);
  T_.setZero(nm, nv + s_.variables), t_.setZero(nm);
  for (int k = 0; k < nm; ++k) {
    const int i = s_.motors[std::size_t(k)];
    if (!std::isfinite(s_.limits[k])) continue;
    T_.row(k) << D_.row(i) / s_.limits[k], -s_.weight / s_.limits[k] * s_.generalized_forces.row(i);
    t_[k] = s_.robot.h[i] / s_.limits[k];
  }
  H_.noalias() = torque_weight * T_.transpose() * T_;
  g_.noalias() = torque_weight * T_.transpose() * t_;
  H_.diagonal().head(nv) += posture_weights_;
  H_.diagonal().tail(s_.variables) += force_costs_;
  g_.head(nv) -= posture_weights_.cwiseProduct(displacement);
}

void StanceDescent::add_equalities(bool exact) {
  const int nv = s_.model.nv(), n = nv + s_.variables;
  int rows = 0;
  for (const auto& c : s_.contacts) rows += int(c.rows.size());
  const int coms = !s_.problem.com ? 0 : s_.problem.com_height ? 3 : 2, balance = exact ? int(s_.passive.size()) : 0;
  A_.setZero(rows + coms + balance, n), b_.setZero(rows + coms + balance);
  int row = 0;
  for (const auto& c : s_.contacts)
    for (const int r : c.rows) {
      A_.row(row).head(nv) = c.J.row(r);
      b_[row++] = c.desired[r];
    }
  if (coms > 0) {
    A_.block(row, 0, coms, nv) = center_of_mass_jacobian(s_.model, work_, s_.robot.q).topRows(coms);
    b_.segment(row, coms) = to_eigen(*s_.problem.com - s_.robot.com).head(coms);
    row += coms;
  }
  for (int k = 0; k < balance; ++k, ++row) {
    const int i = s_.passive[std::size_t(k)];
    A_.row(row) << D_.row(i) / s_.weight, -s_.generalized_forces.row(i);
    b_[row] = -s_.robot.h[i] / s_.weight;
  }
}

void StanceDescent::add_torque_rows(int row) {
  const int nm = rows_.torques;
  C_.middleRows(row, nm) = T_;
  l_.segment(row, nm) = -t_.array() - limit_fraction;
  u_.segment(row, nm) = -t_.array() + limit_fraction;
  weight_.segment(row, nm).setConstant(limit_weight);
}

void StanceDescent::add_balance_rows(int row) {
  for (int k = 0; k < rows_.balance; ++k, ++row) {
    const int i = s_.passive[std::size_t(k)];
    C_.row(row) << D_.row(i) / s_.weight, -s_.generalized_forces.row(i);
    l_[row] = u_[row] = -s_.robot.h[i] / s_.weight;
    weight_[row] = balance_weight;
  }
}

void StanceDescent::add_side_rows(int row) {
  if (rows_.sides == 0) return;
  const auto& J = center_of_mass_jacobian(s_.model, work_, s_.robot.q);
  for (int k = 0; k < rows_.sides; ++k, ++row) {
    const auto& side = region_->sides[std::size_t(k)];
    C_.row(row).head(s_.model.nv()) = side.n.x * J.row(0) + side.n.y * J.row(1);
    u_[row] = side.d - s_.problem.com_margin - dot(side.n, s_.robot.com);
    weight_[row] = margin_weight;
    C_.row(row + rows_.sides) = C_.row(row);
    u_[row + rows_.sides] = u_[row] - (wide_margin_factor - 1) * s_.problem.com_margin;
    weight_[row + rows_.sides] = wide_margin_weight;
  }
}

int StanceDescent::add_ground_rows(int row) {
  Columns6 J(6, s_.model.nv());
  int used = 0;
  for (const auto& p : s_.ground_points) {
    const auto at = s_.robot.placement(p.frame) * p.point;
    const double above = at.z - p.radius - *s_.problem.ground;
    if (above > near_ground) continue;
    s_.robot.jacobian(p.frame, at, identity3<double>(), J);
    C_.row(row + used).head(s_.model.nv()) = J.row(2);
    l_[row + used] = -above;
    weight_[row + used] = ground_weight;
    ++used;
  }
  return row + used;
}

int StanceDescent::add_collision_rows(int row) {
  Columns6 J_a(6, s_.model.nv()), J_b(6, s_.model.nv());
  for (const auto& pair : s_.collisions.near()) {
    const auto n = to_eigen(pair.normal);
    s_.robot.jacobian(s_.collisions.frame(pair.a), pair.point_a, identity3<double>(), J_a);
    C_.row(row).head(s_.model.nv()).noalias() = n.transpose() * J_a.topRows<3>();
    if (s_.collisions.is_link(pair.b)) {
      s_.robot.jacobian(s_.collisions.frame(pair.b), pair.point_b, identity3<double>(), J_b);
      C_.row(row).head(s_.model.nv()).noalias() -= n.transpose() * J_b.topRows<3>();
    }
    l_[row] = pair.required - pair.distance;
    weight_[row++] = collision_weight;
  }
  return row;
}

// For each edge of a polygon, the corner of the face that is farthest out.
int StanceDescent::add_polygon_rows(int row) {
  Columns6 J(6, s_.model.nv());
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) {
    if (!s_.floating[k] || !s_.polygon(k)) continue;
    const auto& on = *s_.polygon(k);
    const auto X = s_.robot.placement(s_.contacts[k].frame);
    for (std::size_t i = 0; i < on.corners.size(); ++i) {
      const auto out = farthest_out(on, i, X, s_.corners[k]);
      s_.robot.jacobian(s_.contacts[k].frame, out.corner, identity3<double>(), J);
      C_.row(row).head(s_.model.nv()).noalias() = to_eigen(out.n).transpose() * J.topRows<3>();
      u_[row] = -out.beyond;
      weight_[row++] = edge_weight;
    }
  }
  return row;
}

void StanceDescent::add_bounds(const Eigen::VectorXd& q, double radius) {
  lx_.head(s_.model.nv()).setConstant(-radius);
  ux_.head(s_.model.nv()).setConstant(radius);
  for (const auto& joint : s_.model.joints()) {
    if (!joint_traits(joint.type).is_flat()) continue;
    for (int i = 0; i < joint.nv; ++i) {
      const double x = q[joint.q_index + i];
      auto &low = lx_[joint.v_index + i], &high = ux_[joint.v_index + i];
      low = std::max(low, std::min(0.0, s_.model.lower()[std::size_t(joint.q_index + i)] - x));
      high = std::min(high, std::max(0.0, s_.model.upper()[std::size_t(joint.q_index + i)] - x));
    }
  }
}

// Solves one program; returns false if the solver found no solution.
bool StanceDescent::step(const Eigen::VectorXd& q, double radius, bool exact) {
  const int nv = s_.model.nv();
  rows_.cones = cone_rows(s_);
  rows_.torques = int(s_.motors.size());
  rows_.balance = exact ? 0 : int(s_.passive.size());
  rows_.sides = region_ && !s_.problem.com ? std::min(max_sides, int(region_->sides.size())) : 0;
  rows_.near = max_near_rows(s_);
  resize_buffers();
  add_cost(q);
  add_equalities(exact);
  add_cones(s_, 0, nv, C_, l_, u_, lx_);
  add_torque_rows(rows_.cones);
  add_balance_rows(rows_.cones + rows_.torques);
  add_side_rows(rows_.cones + rows_.torques + rows_.balance);
  const int rows = add_polygon_rows(add_collision_rows(add_ground_rows(rows_.all() - rows_.near)));
  add_bounds(q, radius);
  const auto& found = qp_.solve({.H = H_,
                                 .g = g_,
                                 .A = A_,
                                 .b = b_,
                                 .C = C_.topRows(rows),
                                 .l = l_.head(rows),
                                 .u = u_.head(rows),
                                 .lx = lx_,
                                 .ux = ux_,
                                 .weight = weight_.head(rows)});
  ++iterations_;
  if (found.status != qp::Status::optimal && found.status != qp::Status::elastic) return false;
  step_ = found.x.head(nv);
  trial_forces_ = found.x.tail(s_.variables);
  return true;
}

bool StanceDescent::restore(Eigen::VectorXd& q) {
  // A step that ends at a limit may exceed it by rounding.
  using Limits = Eigen::Map<const Eigen::VectorXd>;
  q = q.cwiseMax(Limits(s_.model.lower().data(), q.size())).cwiseMin(Limits(s_.model.upper().data(), q.size()));
  s_.evaluate(q);
  s_.set_targets(ik_);
  const auto& result = ik_.solve(q, {.tolerance = {1e-10, 1e-10}, .starts = 1, .iterations = 25});
  if (result.status != ik::Status::solved) return false;
  q = result.q;
  return true;
}

double StanceDescent::balance_error(const Eigen::VectorXd& forces) const {
  double square = 0;
  for (const int i : s_.passive) {
    const double x = s_.robot.h[i] / s_.weight - s_.generalized_forces.row(i).dot(forces);
    square += x * x;
  }
  return std::sqrt(square);
}

// The cost that the programs approximate, at a configuration. Evaluates the setup there.
double StanceDescent::merit(const Eigen::VectorXd& q, const Eigen::VectorXd& forces) {
  s_.evaluate(q);
  const Eigen::VectorXd displacement = difference(s_.model, q, s_.from),
                        tau = s_.robot.h - s_.weight * (s_.generalized_forces * forces);
  double sum = posture_weights_.dot(displacement.cwiseAbs2()) / 2 + force_costs_.dot(forces.cwiseAbs2()) / 2 +
               balance_weight * half_square(balance_error(forces));
  for (std::size_t k = 0; k < s_.motors.size(); ++k) {
    const double use = std::abs(tau[s_.motors[k]]) / s_.limits[Eigen::Index(k)];
    sum += torque_weight * half_square(use) + limit_weight * half_square(std::max(0.0, use - limit_fraction));
  }
  for (int k = 0; k < rows_.sides; ++k) {
    const auto& side = region_->sides[std::size_t(k)];
    const double beyond = dot(side.n, s_.robot.com) - side.d;
    sum += margin_weight * half_square(std::max(0.0, beyond + s_.problem.com_margin)) +
           wide_margin_weight * half_square(std::max(0.0, beyond + wide_margin_factor * s_.problem.com_margin));
  }
  for (const auto& p : s_.ground_points) {
    const double z = (s_.robot.placement(p.frame) * p.point).z - p.radius - *s_.problem.ground;
    sum += ground_weight * half_square(std::min(0.0, z));
  }
  for (const auto& pair : s_.collisions.near())
    sum += collision_weight * half_square(std::min(0.0, pair.distance - pair.required));
  for (std::size_t k = 0; k < s_.contacts.size(); ++k)
    for (std::size_t i = 0; s_.floating[k] && s_.polygon(k) && i < s_.polygon(k)->corners.size(); ++i) {
      const auto X = s_.robot.placement(s_.contacts[k].frame);
      sum += edge_weight * half_square(std::max(0.0, farthest_out(*s_.polygon(k), i, X, s_.corners[k]).beyond));
    }
  return sum;
}

Eigen::VectorXd StanceDescent::run(const Eigen::VectorXd& start, const SupportRegion* region) {
  region_ = region;
  Eigen::VectorXd q = start;
  s_.evaluate(q);
  forces_ = static_forces(s_, TorqueRows::none).forces;
  double radius = .2, best = -1;
  for (int i = 0; i < max_iterations && radius > 1e-6 && !stopped(); ++i) {
    s_.evaluate(q);
    differentiate(q);
    if (!step(q, radius, false)) break;
    if (best < 0) best = merit(q, forces_);
    Eigen::VectorXd trial = integrate(s_.model, q, step_);
    const bool back = restore(trial);
    const double now = back ? merit(trial, trial_forces_) : 0;
    if (!back || !(now < best)) {
      radius = std::min(radius, step_.lpNorm<Eigen::Infinity>()) / 4;
      continue;
    }
    const bool done = best - now < 1e-9 * (1 + now);
    q = trial, forces_ = trial_forces_, best = now;
    if (done) break;
    radius = std::min(.4, 1.6 * radius);
  }
  s_.evaluate(q);
  return q;
}

Eigen::VectorXd StanceDescent::settle(const Eigen::VectorXd& start, const SupportRegion* region) {
  region_ = region;
  Eigen::VectorXd q = start;
  s_.evaluate(q);
  for (int i = 0; i < 12 && !stopped(); ++i) {
    differentiate(q);
    if (!step(q, .1, true)) break;
    Eigen::VectorXd trial = integrate(s_.model, q, step_);
    if (!restore(trial)) break;
    q = trial, forces_ = trial_forces_;
    s_.evaluate(q);
    if (balance_error(forces_) < 1e-9) break;
  }
  s_.evaluate(q);
  return q;
}

}  // namespace lissom::stance
