#include "lissom/world/robot_unit.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/dynamics.h"
#include "lissom/api/state.h"
#include "lissom/model/text.h"
#include "lissom/world/robot_memory.h"

namespace lissom::worlds {

namespace {

// Σ m c of links that are fixed to the world.
Vec3<double> fixed_moment_of(const Model& model) {
  Vec3<double> sum{0, 0, 0};
  for (const auto& link : model.links())
    if (link.body == 0) sum += link.mass * (link.placement * model.link_description(link.name).com);
  return sum;
}

// Whether a loop holds a link to the world.
bool is_held_by_loops(const Model& model) {
  const auto is_world = [&](const LoopEnd& end) { return model.frames()[std::size_t(end.frame.index)].body == 0; };
  return std::ranges::any_of(model.loops(), [&](const Loop& loop) { return is_world(loop.a) || is_world(loop.b); });
}

}  // namespace

RobotUnit::Memory::Memory(const Model& model, const RobotSettings& settings)
    : work(model), other_work(model), factor(model), has_followers(!ModelView<double>(model).coupling.trivial()) {
  const int nv = model.nv();
  const auto zero = Eigen::VectorXd::Zero(nv).eval();
  q_kept = q_middle = Eigen::VectorXd::Zero(model.nq());
  v_kept = M_diagonal = implicit = scale = v_middle = force = bias = damping = stiffness = rest = dry_friction = zero;
  effort_limit = Eigen::VectorXd::Constant(nv, std::numeric_limits<double>::infinity());
  D = zero;
  L = Matrix::Zero(nv, row_stride(nv));
  axes = columns = other_columns = centroidal_map = Columns6::Zero(6, nv);
  z_of_a.resize(std::size_t(nv)), z_start.resize(std::size_t(nv));
  mass = model.moving_mass(), fixed_moment = fixed_moment_of(model);
  for (int i = 0; i < nv; ++i) parent.push_back(model.sparsity().parent(i));
  q_of_dof.assign(std::size_t(nv), -1);
  for (int i = 0; i < nv; ++i) group_of_dof.push_back(i);
  last_dof_of_body.assign(std::size_t(model.body_count()) + 1, -1);
  int roots = 0;
  for (const auto& joint : model.joints()) {
    // (A fixed joint has the index of the next degree of freedom, which may be one of another body.)
    if (joint.nv > 0) last_dof_of_body[std::size_t(joint.body)] = joint.v_index + joint.nv - 1;
    if (!joint_traits(joint.type).is_flat()) {
      curved.push_back({joint.type, joint.v_index, joint.nv});
      for (int k = 0; k < joint.nv; ++k) group_of_dof[std::size_t(joint.v_index + k)] = joint.v_index;
    }
    const double ratio = joint.follows ? joint.follows->ratio : 1, offset = joint.follows ? joint.follows->offset : 0;
    const auto& leader = joint.follows ? model.joints()[std::size_t(joint.follows->joint)] : joint;
    for (int k = 0; k < leader.nv; ++k) {
      const int i = leader.v_index + k;
      if (leader.nq == leader.nv) q_of_dof[std::size_t(i)] = leader.q_index + k;
      if (settings.damping) damping[i] += ratio * ratio * joint.damping[k];
      if (settings.dry_friction) dry_friction[i] += std::abs(ratio) * joint.dry_friction[k];
      if (settings.springs && joint.spring_stiffness[k] > 0 && leader.nq == leader.nv && ratio != 0) {
        // Two springs on one degree of freedom act as one.
        const double k_new = ratio * ratio * joint.spring_stiffness[k], r_new = (joint.spring_rest[k] - offset) / ratio;
        rest[i] = (stiffness[i] * rest[i] + k_new * r_new) / (stiffness[i] + k_new);
        stiffness[i] += k_new;
      }
    }
    if (model.is_root_joint(joint)) {
      ++roots;
      if (joint.type == JointType::free) free_base = joint.v_index;
    }
    if (settings.effort_limits) {
      for (int k = 0; k < joint.nv; ++k)
        effort_limit[joint.v_index + k] = model.effort_limit()[std::size_t(joint.v_index + k)];
    }
    if (!settings.joint_limits || joint.lower.empty() || joint.nq != joint.nv) continue;
    for (int k = 0; k < joint.nq; ++k)
      if (const auto c = std::size_t(k); std::isfinite(joint.lower[c]) || std::isfinite(joint.upper[c]))
        limits.push_back({joint.q_index + k, joint.v_index + k, joint.lower[c], joint.upper[c]});
  }
  if (roots != 1) free_base = -1;  // several trees have no common momentum to keep
  if (settings.loops && !closures(model).empty()) {
    loops.emplace(model);
    loop_rows.emplace(model, closures(model));
    first_rows_of_loops = loop_rows->first_rows();
    loop_J = Matrix::Zero(loop_rows->count(), nv);
    is_held = is_held_by_loops(model);
  }
}

RobotUnit::RobotUnit(std::string name, const Model& model, const RobotSettings& settings, const World::Options& options)
    : Unit(std::move(name), model.nq(), model.nv()),
      model_(model.with_gravity(options.gravity)),
      settings_(settings),
      conserves_(options.conserve),
      limited_(std::size_t(model.nv())),
      memory_(std::make_unique<Memory>(model_, settings)) {
  q = neutral(model_);
  external = Eigen::VectorXd::Zero(nv());
  audits = options.audit;
  connect();
  update_poses();
}

void RobotUnit::connect() {
  auto& m = *memory_;
  set_factor(m.parent.data(), m.L.data(), int(m.L.cols()), m.scale.data());
  m.q_kept.setConstant(std::numeric_limits<double>::quiet_NaN());
}

std::unique_ptr<Unit> RobotUnit::copy() const {
  World::Options options;
  options.gravity = model_.gravity(), options.conserve = conserves_;
  auto made = std::make_unique<RobotUnit>(name(), model_, settings_, options);
  made->copy_state(*this);
  made->servos_ = servos_;
  made->motor_torques = motor_torques, made->loop_forces = loop_forces;
  made->update_poses();
  const auto& m = *memory_;
  if (m.q_kept == q && m.v_kept == v) {
    // What the last step left belongs to this state. (Otherwise somebody has set the state since then.)
    made->a = a;
    made->carry_momentum(carried_momentum());
  }
  return made;
}

Eigen::VectorXd RobotUnit::carried_momentum() const {
  return memory_->carries_momentum ? Eigen::VectorXd(memory_->momentum) : Eigen::VectorXd();
}

void RobotUnit::carry_momentum(const Eigen::VectorXd& momentum) {
  memory_->carries_momentum = momentum.size() == 6;
  if (memory_->carries_momentum) memory_->momentum = momentum;
}

void RobotUnit::set_model(const Model& model) {
  model_ = model.with_gravity(model_.gravity());
  memory_ = std::make_unique<Memory>(model_, settings_);
  derivatives_.reset();
  connect();
  update_poses();
}

RobotUnit::~RobotUnit() = default;

void RobotUnit::compute_positions() {
  auto& m = *memory_;
  Unchecked kernels(model_, m.work);
  kernels.joint_jacobians(q.data(), m.axes.data());
  kernels.crba(q.data());
  for (int i = 0; i < nv(); ++i) m.M_diagonal[i] = kernels.M(i, i);
  m.has_centroidal_map = false;
  m.potential = kernels.potential_energy();
  m.q_kept = q;
}

// Momentum is about the center of mass of what moves: Σ m c - Σ_fixed m c, over its mass.
Vec3<double> RobotUnit::moving_com(const Vec3<double>& of_all) const {
  const auto& m = *memory_;
  const double all = model_.mass();
  return m.mass > 0 && m.mass < all ? (1 / m.mass) * (all * of_all - m.fixed_moment) : of_all;
}

// Only robots that fly need it.
void RobotUnit::compute_centroidal_map() const {
  auto& m = *memory_;
  if (m.has_centroidal_map) return;
  Unchecked kernels(model_, m.work);
  kernels.centroidal_map(m.centroidal_map.data());
  m.com = moving_com(kernels.center_of_mass());
  m.has_centroidal_map = true;
}

void RobotUnit::compute_velocities() {
  Unchecked(model_, memory_->work).velocities(q.data(), v.data());
  memory_->v_kept = v;
}

void RobotUnit::forget_attempts() {
  limited_.assign(limited_.size(), false);
  attempts_ = 0;
}

void RobotUnit::begin(double h) {
  auto& m = *memory_;
  update_poses();
  implicit_terms(h);
  Unchecked kernels(model_, m.work);
  for (int i = 0; i < nv(); ++i) kernels.M(i, i) = m.M_diagonal[i] + m.implicit[i];
  kernels.factorize(m.factor);
  Unchecked::write_out(m.factor, m.L.data(), m.D.data(), int(m.L.cols()));
  for (int i = 0; i < nv(); ++i) {
    if (!(m.D[i] > 0)) throw Error(singular(i));
    m.scale[i] = 1 / std::sqrt(m.D[i]);
  }
  v_start = v;
  to_whitened(v, z);
  if (euler)
    a.setZero();
  else if (nv() > 0 && std::isnan(a[0]))
    predict_anew(h);
}

const Joint* RobotUnit::joint_of(int dof) const {
  const auto moves = [&](const Joint& j) { return j.nv > 0 && dof >= j.v_index && dof < j.v_index + j.nv; };
  const auto found = std::ranges::find_if(model_.joints(), moves);
  return found == model_.joints().end() ? nullptr : &*found;
}

// What is wrong with a degree of freedom whose pivot is not positive.
std::string RobotUnit::singular(int dof) const {
  const auto* const joint = joint_of(dof);
  return in_quotes(name()) + " cannot be simulated: its mass matrix is singular at joint " +
         in_quotes(joint ? joint->name : "") +
         ", which moves no mass; give a link beyond it mass and inertia, or the joint armature";
}

void RobotUnit::predict_anew(double h) {
  auto& m = *memory_;
  Unchecked(model_, m.other_work).bias(q.data(), v.data(), m.bias.data());
  explicit_forces(h, v, m.force);
  m.force -= m.bias;
  std::ranges::fill(m.z_of_a, 0);
  add_whitened_impulse(m.force.data(), m.z_of_a);
  from_whitened(m.z_of_a, a);
}

// Linearizes about the acceleration of the last step, at the middle of this one: M a + (τ - rnea(q', v', a)) differs
// from the force that accelerates the robot by O(h²) only, with one evaluation.
void RobotUnit::accelerate(double h) {
  auto& m = *memory_;
  Unchecked middle(model_, m.other_work);
  if (euler) {
    m.q_middle = q;
  } else {
    m.v_middle = v_start + .25 * h * a;
    middle.integrate(q.data(), m.v_middle.data(), .5 * h, m.q_middle.data());
  }
  m.v_middle = v_start + .5 * h * a;
  middle.rnea(m.q_middle.data(), m.v_middle.data(), a.data(), nullptr, m.bias.data());
  explicit_forces(h, v_start, m.force);
  for (int i = 0; i < nv(); ++i) m.force[i] = h * (m.force[i] - m.bias[i] - m.implicit[i] * a[i]);
  to_whitened(a, m.z_of_a);
  m.z_start = z;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * m.z_of_a[i];
  add_whitened_impulse(m.force.data(), z);
}

void RobotUnit::finish(double h, bool grounded) {
  auto& m = *memory_;
  const bool conserves = conserves_ && !euler && nv() > 0;
  const bool flies = m.free_base >= 0 && !grounded && !m.is_held;
  const auto expected = conserves ? balance(h, flies) : Balance{};
  a = (1 / h) * (v_end - v_start);
  Unchecked(model_, m.work).integrate(q.data(), v_mean.data(), h, m.q_middle.data());
  q = m.q_middle;
  v = v_end;
  if (m.loops) close_loops();
  compute_positions();
  if (conserves && conserve(expected, flies))
    m.projection_work = 0;
  else
    excess_energy = 0;
  m.carries_momentum = conserves && flies;
  compute_velocities();
}

void RobotUnit::close_loops() {
  auto& m = *memory_;
  const auto energy = [&] { return audits ? kinetic_energy() + potential_energy(model_.gravity()) : 0; };
  const double before = energy();
  m.loops->project(model_, m.other_work, q, v);
  m.projection_work = energy() - before;
}

Pose<double> RobotUnit::pose(int body) const {
  return Unchecked(model_, memory_->work).pose(body);
}

void RobotUnit::update_poses() {
  const auto& m = *memory_;
  const bool same_q = m.q_kept == q;
  if (same_q && m.v_kept == v) return;
  if (!same_q) compute_positions();
  compute_velocities();
  memory_->carries_momentum = false;
  a.setConstant(std::numeric_limits<double>::quiet_NaN());  // what was known of it is of another state
}

SpatialVector RobotUnit::twist(int body, const Eigen::VectorXd& w) const {
  auto& m = *memory_;
  if (m.has_followers) {
    Unchecked(model_, m.work).jacobian(body, {0, 0, 0}, identity3<double>(), m.columns.data());
    const Vector6 u = m.columns * w;
    return {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};
  }
  Vec3<double> linear{0, 0, 0}, angular{0, 0, 0};
  for (int i = m.last_dof_of_body[std::size_t(body)]; i >= 0; i = m.parent[std::size_t(i)]) {
    const double* const s = m.axes.col(i).data();
    linear = linear + w[i] * Vec3<double>{s[0], s[1], s[2]};
    angular = angular + w[i] * Vec3<double>{s[3], s[4], s[5]};
  }
  return {linear, angular};
}

SpatialVector RobotUnit::velocity(int body) const {
  Unchecked start(model_, memory_->work);
  const auto& R = start.pose(body).R;
  const auto& V = start.velocity(body);
  return {R * V.linear, R * V.angular};
}

double RobotUnit::kinetic_energy() const {
  return lissom::kinetic_energy(model_, memory_->other_work, q, v);
}

double RobotUnit::potential_energy(const Vec3<double>& gravity) const {
  const auto& m = *memory_;
  double energy = -model_.mass() * dot(gravity, center_of_mass(model_, m.other_work, q));
  for (int i = 0; i < nv(); ++i)
    if (m.stiffness[i] > 0) energy += .5 * m.stiffness[i] * std::pow(q[m.q_of_dof[std::size_t(i)]] - m.rest[i], 2);
  return energy;
}

Vector6 RobotUnit::momentum() const {
  // Centroidal momentum, shifted to the world's origin.
  auto h = centroidal_momentum(model_, memory_->other_work, q, v);
  const auto c = moving_com(center_of_mass(model_, memory_->other_work, q));
  const auto L = cross(c, Vec3<double>{h[0], h[1], h[2]});
  h[3] += L.x, h[4] += L.y, h[5] += L.z;
  return h;
}

Vec3<double> RobotUnit::com() const {
  compute_centroidal_map();
  return memory_->com;
}

void RobotUnit::displace(const Eigen::VectorXd& delta) {
  auto& m = *memory_;
  const double energy = conserves_ ? kinetic_energy() + m.potential : 0;
  Unchecked(model_, m.work).integrate(q.data(), delta.data(), 1, m.q_middle.data());
  q = m.q_middle;
  if (m.loops) m.loops->project(model_, m.other_work, q, v);
  compute_positions();
  if (conserves_) {
    m.v_middle.setZero();
    scale_motion(m.v_middle, energy - m.potential, false);
  }
  m.carries_momentum = false;
  compute_velocities();
}

}  // namespace lissom::worlds
