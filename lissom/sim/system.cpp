#include "lissom/sim/system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/api/eigen.h"
#include "lissom/api/external_forces.h"
#include "lissom/api/state.h"
#include "lissom/api/unchecked.h"
#include "lissom/constraints/relative_motion.h"
#include "lissom/model/text.h"
#include "lissom/sim/messages.h"

namespace lissom::sim {
namespace {

// Loops that stay open by more after a projection (m, or 1 for directions) cannot be closed there: otherwise
// projections reach 1e-15.
constexpr double max_opening = 1e-6;

}  // namespace

System::System(Model model, SystemOptions options)
    : model_(std::move(model)), options_(options), work_(model_), callers_work_(model_) {
  if (!(options_.friction_speed > 0))
    throw Error("friction_speed is " + to_text(options_.friction_speed) +
                ", expected a positive number (rad/s or m/s)");
  for (const auto& joint : model_.joints()) {
    if (joint.damping == 0 && joint.dry_friction == 0 && joint.spring_stiffness == 0) continue;
    const auto add = [&](int k, int q, int v, double ratio, double offset) {
      passive_forces_.push_back({q, v, ratio, offset, joint.spring_stiffness[k], joint.spring_rest[k], joint.damping[k],
                                 joint.dry_friction[k]});
    };
    for (int k = 0; k < joint.nv; ++k) add(k, joint.nq == joint.nv ? joint.q_index + k : -1, joint.v_index + k, 1, 0);
    if (joint.follows) {
      const auto& leader = model_.joints()[std::size_t(joint.follows->joint)];
      add(0, leader.q_index, leader.v_index, joint.follows->ratio, joint.follows->offset);
    }
  }
  q_ = neutral(model_);
  closed_q_ = q_;
  at_limit_.assign(std::size_t(model_.nv()), false);
  v_ = a_ = closed_v_ = force_ = stretch_ = motor_stiffness_ = motor_damping_ = Eigen::VectorXd::Zero(model_.nv());
  J_ = J_from_ = Columns6::Zero(6, model_.nv());
  applied_ = applied();
  if (auto c = closures(model_); !c.empty()) close(std::move(c));
  for (const auto& spring : model_.springs()) add(spring);
}

void System::add(const Push& push) {
  check(model_, push);
  pushes_.push_back(push);
  forces_.reserve(pushes_.size() + 16);
}

void System::add(const Spring& spring) {
  if (!std::isfinite(spring.stiffness + spring.damping + spring.rest) || spring.rest < 0)
    throw Error("spring '" + spring.name + "' has stiffness " + to_text(spring.stiffness) + " N/m, damping " +
                to_text(spring.damping) + " N s/m and rest length " + to_text(spring.rest) +
                " m, expected finite numbers and a rest length of at least 0");
  springs_.push_back(spring);
}

void System::close(Closures loops) {
  loops_.emplace(model_, std::move(loops));
}

Applied System::applied() const {
  Applied a;
  a.commanded = a.motors = a.tau = Eigen::VectorXd::Zero(model_.nv());
  a.external.assign(std::size_t(6 * (model_.body_count() + 1)), 0.0);
  return a;
}

void System::add_spring_forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  forward_kinematics(model_, work_, q, v);
  for (const auto& s : springs_) {
    const Point at_a{s.a.frame, s.a.placement.p}, at_b{s.b.frame, s.b.placement.p};
    const auto p_a = placement(model_, work_, s.a.frame) * s.a.placement.p;
    const auto p_b = placement(model_, work_, s.b.frame) * s.b.placement.p;
    const auto v_a = velocity(model_, work_, s.a.frame, at_a).linear,
               v_b = velocity(model_, work_, s.b.frame, at_b).linear;
    const double length = std::sqrt(dot(p_b - p_a, p_b - p_a));
    if (length == 0) continue;  // the direction of the force is undefined
    const auto along = (1 / length) * (p_b - p_a);
    const auto pull = (s.stiffness * (length - s.rest) + s.damping * dot(v_b - v_a, along)) * along;
    forces_.push_back({s.a.frame, pull, {0, 0, 0}, at_a, world_frame});
    forces_.push_back({s.b.frame, -pull, {0, 0, 0}, at_b, world_frame});
  }
}

void System::add_passive_forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) const {
  for (const auto& f : passive_forces_) {
    const double stretch = f.q >= 0 ? f.ratio * q[f.q] + f.offset - f.rest : 0, rate = f.ratio * v[f.v];
    const double friction = f.friction != 0 ? f.friction * std::tanh(rate / options_.friction_speed) : 0;
    tau[f.v] -= f.ratio * (f.stiffness * stretch + f.damping * rate + friction);
  }
}

void System::passive_gains(const Eigen::VectorXd& v, Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const {
  stiffness.setZero(model_.nv());
  damping.setZero(model_.nv());
  if (options_.passive_forces)
    for (const auto& f : passive_forces_) {
      const double x = f.ratio * v[f.v] / options_.friction_speed;
      const double friction = f.friction / options_.friction_speed * (std::abs(x) < 1e-6 ? 1 : std::tanh(x) / x);
      if (f.q >= 0) stiffness[f.v] += f.ratio * f.ratio * f.stiffness;
      damping[f.v] += f.ratio * f.ratio * (f.damping + friction);
    }
}

void System::add_passive_slopes(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::MatrixXd& dq,
                                Eigen::VectorXd& dv, Eigen::VectorXd* damping_change) const {
  if (!options_.passive_forces) return;
  Eigen::VectorXd one = Eigen::VectorXd::Zero(model_.nv()), rate = Eigen::VectorXd::Zero(model_.nq());
  // How an element of q moves along the tangent space.
  const auto add_spring = [&](const PassiveForce& f) {
    for (int j = 0; j < model_.nv(); ++j) {
      one[j] = 1;
      single_kernels().coordinate_rate(ModelView<double>(model_), q.data(), one.data(), rate.data());
      dq(f.v, j) -= f.ratio * f.ratio * f.stiffness * rate[f.q];
      one[j] = 0;
    }
  };
  for (const auto& f : passive_forces_) {
    if (f.q >= 0 && f.stiffness != 0) add_spring(f);
    const double x = f.ratio * v[f.v] / options_.friction_speed, sech = 1 / std::cosh(std::min(std::abs(x), 300.0));
    const double steepest = f.ratio * f.ratio * f.friction / options_.friction_speed;
    dv[f.v] -= f.ratio * f.ratio * f.damping + steepest * sech * sech;
    if (!damping_change) continue;
    // d/dx (tanh(x) / x)
    const double bend = std::abs(x) < 1e-3 ? -2 * x / 3 : (x * sech * sech - std::tanh(x)) / (x * x);
    (*damping_change)[f.v] += steepest * bend * f.ratio / options_.friction_speed;
  }
}

void System::gains(const Eigen::VectorXd& v, Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) {
  passive_gains(v, stiffness, damping);
  if (!controller_) return;
  motor_gains(motor_stiffness_, motor_damping_);
  for (int i = 0; i < model_.nv(); ++i) {
    if (at_limit_[std::size_t(i)]) continue;
    stiffness[i] += motor_stiffness_[i];
    damping[i] += motor_damping_[i];
  }
}

void System::motor_gains(Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const {
  stiffness.setZero(model_.nv());
  damping.setZero(model_.nv());
  if (controller_) controller_->gains(stiffness, damping);
}

bool System::has_motor_gains() const {
  Eigen::VectorXd stiffness, damping;
  motor_gains(stiffness, damping);
  return (stiffness.array() != 0).any() || (damping.array() != 0).any();
}

double System::max_torque(int dof) const {
  return options_.effort_limits ? model_.effort_limit()[std::size_t(dof)] : std::numeric_limits<double>::infinity();
}

Work System::power(const Applied& applied, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   const Eigen::VectorXd& damper_v) {
  Work power{.motors = applied.motors.dot(v)};
  if (options_.passive_forces)
    for (const auto& f : passive_forces_) {
      const double rate = f.ratio * damper_v[f.v];
      const double friction = f.friction != 0 ? f.friction * std::tanh(rate / options_.friction_speed) : 0;
      power.damping -= (f.damping * rate + friction) * f.ratio * v[f.v];
    }
  if (forces_.empty()) return power;
  power.damping += spring_power(q, v);
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    if (i >= push_count_ && i < first_of_laws_) continue;  // springs
    const auto& f = forces_[i];
    const auto R = placement(model_, work_, f.in).R;
    const auto velocity = lissom::velocity(model_, work_, f.on, f.at);
    (i < push_count_ ? power.pushes : power.forces) +=
        dot(R * f.force, velocity.linear) + dot(R * f.torque, velocity.angular);
  }
  return power;
}

// The power of the dampers of springs between points. Computes velocities at q and v.
double System::spring_power(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Unchecked(model_, work_).velocities(q.data(), v.data());
  double power = 0;
  for (const auto& s : springs_) {
    const auto p_a = placement(model_, work_, s.a.frame) * s.a.placement.p;
    const auto p_b = placement(model_, work_, s.b.frame) * s.b.placement.p;
    const double squared_length = dot(p_b - p_a, p_b - p_a);
    if (squared_length == 0) continue;
    const auto v_a = velocity(model_, work_, s.a.frame, {s.a.frame, s.a.placement.p}).linear,
               v_b = velocity(model_, work_, s.b.frame, {s.b.frame, s.b.placement.p}).linear;
    const double rate = dot(v_b - v_a, p_b - p_a);
    power -= s.damping * rate * rate / squared_length;
  }
  return power;
}

void System::add_spring_gains(const Eigen::VectorXd& q, double h, Eigen::Ref<Eigen::MatrixXd> matrix) {
  if (springs_.empty()) return;
  forward_kinematics(model_, work_, q);
  const auto body = [&](FrameId frame) { return model_.frames()[std::size_t(frame.index)].body; };
  for (const auto& s : springs_) {
    const auto p_a = placement(model_, work_, s.a.frame) * s.a.placement.p;
    const auto p_b = placement(model_, work_, s.b.frame) * s.b.placement.p;
    const double length = std::sqrt(dot(p_b - p_a, p_b - p_a));
    if (length == 0) continue;
    const auto along = (1 / length) * (p_b - p_a);
    // The component of a's velocity along the line between the ends is the same at both of them.
    relative_jacobian(model_, work_, body(s.b.frame), body(s.a.frame), p_b, identity3<double>(), J_, J_from_);
    stretch_.noalias() = J_.topRows<3>().transpose() * to_eigen(along);
    matrix.noalias() += (s.damping + h * s.stiffness) * stretch_ * stretch_.transpose();
  }
}

void System::evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Applied& applied) {
  const Instant at{model_, callers_work_, t, q, v};
  applied.commanded.setZero();
  if (controller_) {
    controller_->torques(at, applied.commanded);
    if (!applied.commanded.allFinite())
      not_finite(model_, std::string(controller_->name()) + ":", "tau", applied.commanded, t,
                 "check the controller, or take a smaller step if the motion has diverged");
  }
  applied.motors = applied.commanded;
  if (controller_)
    for (int i = 0; i < model_.nv(); ++i) {
      const double limit = max_torque(i);
      at_limit_[std::size_t(i)] = std::abs(applied.motors[i]) > limit;
      applied.motors[i] = std::clamp(applied.motors[i], -limit, limit);
    }
  applied.tau = applied.motors;
  if (options_.passive_forces) add_passive_forces(q, v, applied.tau);

  forces_.clear();
  for (const auto& push : pushes_)
    if (t >= push.from && t < push.until) forces_.push_back(push.force);
  push_count_ = forces_.size();
  if (!springs_.empty()) add_spring_forces(q, v);
  first_of_laws_ = forces_.size();
  for (const auto& law : laws_) law(at, forces_);
  applied.any_external = !forces_.empty();
  if (!applied.any_external) return;
  try {
    const double* const f = body_forces(model_, work_, q, forces_);
    std::copy(f, f + applied.external.size(), applied.external.begin());
  } catch (const Error& e) {
    throw Error(std::string(e.what()) + ", at t = " + std::to_string(t) + " s");
  }
}

void System::acceleration(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Applied& applied,
                          Eigen::VectorXd& a) {
  Unchecked kernels(model_, work_);
  const double* const external = applied.any_external ? applied.external.data() : nullptr;
  if (loops_) {
    // The inner stages of a step are not exactly closed states, and near a singular configuration the constraint forces
    // are not smooth there: they are evaluated at the nearest closed state.
    closed_q_ = q;
    closed_v_ = v;
    loops_->project(model_, work_, closed_q_, closed_v_);
    kernels.rnea(closed_q_.data(), closed_v_.data(), kernels.zero(), external, force_.data());
    force_ = applied.tau - force_;
    Unchecked::solve(loops_->factor(), force_.data(), a.data());
    loops_->constrain_projected(model_, work_, closed_q_, closed_v_, a);
  } else {
    kernels.aba(q.data(), v.data(), applied.tau.data(), external, a.data());
  }
  if (!kernels.finite(a.data(), a.size())) {
    const std::string fault = q.allFinite() ? indefinite_mass(model_, work_, q) : "";
    not_finite(model_, "acceleration:", "a", a, t, fault.empty() ? divergence_remedy("") : fault);
  }
}

void System::acceleration(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& a) {
  evaluate(t, q, v, applied_);
  acceleration(t, q, v, applied_, a);
}

void System::project(Eigen::VectorXd& q, Eigen::VectorXd& v) {
  if (!loops_ || loops_->project(model_, work_, q, v) <= max_opening) return;
  if (!q.allFinite() || !v.allFinite()) return;  // the caller tells which joint diverged
  loops_->gap(model_, work_, q);
  throw Error("the loops cannot be closed after the step: " + loops_->widest_gap() + ", expected at most " +
              to_text(max_opening) +
              ". Either the step is too long for the motion (take a smaller one, or the integrator dopri5), or the "
              "mechanism is rigid here because its configuration is singular (its loops close only where they are "
              "stretched): check the lengths of its links");
}

void System::project(Eigen::VectorXd& q, Eigen::VectorXd& v, Work& work) {
  if (!loops_ || !q.allFinite() || !v.allFinite()) return project(q, v);
  const double before = kinetic_energy(q, v) + potential_energy(q);
  project(q, v);
  if (q.allFinite() && v.allFinite()) work.loops += kinetic_energy(q, v) + potential_energy(q) - before;
}

void System::derivative(double t, const double* x, double* x_dot) {
  q_ = Eigen::Map<const Eigen::VectorXd>(x, model_.nq());
  for (const int at : model_.quaternions()) q_.segment<4>(at).normalize();
  v_ = Eigen::Map<const Eigen::VectorXd>(x + model_.nq(), model_.nv());
  acceleration(t, q_, v_, a_);
  Unchecked(model_, work_).coordinate_rate(x, v_.data(), x_dot);
  std::copy(a_.data(), a_.data() + a_.size(), x_dot + model_.nq());
}

double System::kinetic_energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  return lissom::kinetic_energy(model_, work_, q, v);
}
double System::potential_energy(const Eigen::VectorXd& q) {
  double energy = lissom::potential_energy(model_, work_, q);
  if (!springs_.empty()) forward_kinematics(model_, work_, q);
  for (const auto& s : springs_) {
    const auto p_a = placement(model_, work_, s.a.frame) * s.a.placement.p;
    const auto p_b = placement(model_, work_, s.b.frame) * s.b.placement.p;
    energy += 0.5 * s.stiffness * std::pow(std::sqrt(dot(p_b - p_a, p_b - p_a)) - s.rest, 2);
  }
  if (options_.passive_forces)
    for (const auto& f : passive_forces_)
      if (f.q >= 0) energy += 0.5 * f.stiffness * std::pow(f.ratio * q[f.q] + f.offset - f.rest, 2);
  return energy;
}

}  // namespace lissom::sim
