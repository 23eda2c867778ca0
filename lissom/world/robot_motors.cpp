// Forces that a robot's joints have by themselves: springs, damping, servos and their limits, and the rows of joint
// limits, dry friction and loops.
#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/world/robot_memory.h"

namespace lissom::worlds {

namespace {

// Which row of a robot it is, the same in each step.
enum class RowKind : std::uint32_t { lower_limit, upper_limit, dry_friction, servo, loop };
constexpr int bits_of_kind = 3;

std::uint32_t row_id(int index, RowKind kind) {
  return std::uint32_t(index) << bits_of_kind | std::uint32_t(kind);
}

RowKind kind_of_row(std::uint32_t id) {
  return RowKind(id & ((1u << bits_of_kind) - 1));
}

int index_of_row(std::uint32_t id) {
  return int(id >> bits_of_kind);
}

}  // namespace

void RobotUnit::set_servos(const Servos& servos) {
  const auto fits = [&](const Eigen::VectorXd& x, int n, const char* what) {
    if (x.size() != n || !x.allFinite())
      throw Error("the servos of " + in_quotes(name()) + ": " + what + " has " + std::to_string(x.size()) +
                  " elements, expected " + std::to_string(n) + " finite ones");
  };
  if (servos.stiffness.size() > 0 || servos.damping.size() > 0) {
    fits(servos.stiffness, nv(), "stiffness"), fits(servos.damping, nv(), "damping");
    fits(servos.q_target, nq(), "q_target"), fits(servos.v_target, nv(), "v_target");
    for (int i = 0; i < nv(); ++i) {
      if (servos.stiffness[i] < 0 || servos.damping[i] < 0)
        throw Error("the servos of " + in_quotes(name()) + ": a gain is negative, expected 0 or more");
      if (servos.stiffness[i] > 0 && memory_->q_of_dof[std::size_t(i)] < 0)
        throw Error("the servos of " + in_quotes(name()) + ": degree of freedom " + std::to_string(i) +
                    " belongs to a spherical or free joint, which has no position of its own; expected stiffness 0");
    }
  }
  servos_ = servos;
}

// M (v⁺ - v) = h (…) - h d v⁺ for damping; with the position at mid-step, q + h (v + v⁺)/4, for springs, which then
// keep their energy; with the position at its end, q + h v⁺, for servos, which then stay stable however stiff they are.
void RobotUnit::implicit_terms(double h) {
  auto& m = *memory_;
  m.implicit = h * m.damping + .25 * h * h * m.stiffness;
  if (servos_.stiffness.size() == 0) return;
  for (int i = 0; i < nv(); ++i)
    if (!limited_[std::size_t(i)]) m.implicit[i] += h * servos_.damping[i] + h * h * servos_.stiffness[i];
}

bool RobotUnit::has_servo(int dof) const {
  return servos_.stiffness.size() > 0 && (servos_.stiffness[dof] > 0 || servos_.damping[dof] > 0);
}

// Returns the torque of a servo whose joint moves with velocity at_v until the end of the step.
double RobotUnit::servo_torque(int dof, double h, double at_v) const {
  const double k = servos_.stiffness[dof], d = servos_.damping[dof];
  double torque = d * (servos_.v_target[dof] - at_v);
  if (k > 0) {
    const int i = memory_->q_of_dof[std::size_t(dof)];
    torque += k * (servos_.q_target[i] - q[i] - h * at_v);
  }
  return torque;
}

// All forces of motors, springs and dampers, with at_v in place of v⁺.
void RobotUnit::explicit_forces(double h, const Eigen::VectorXd& at_v, Eigen::VectorXd& force) const {
  const auto& m = *memory_;
  for (int i = 0; i < nv(); ++i) {
    const double limit = m.effort_limit[i];
    double sum = limited_[std::size_t(i)] ? 0
                 : has_servo(i)           ? tau[i] + servo_torque(i, h, at_v[i])
                                          : std::clamp(tau[i], -limit, limit);
    sum += external[i] - m.damping[i] * at_v[i];
    if (m.stiffness[i] > 0) sum -= m.stiffness[i] * (q[m.q_of_dof[std::size_t(i)]] - m.rest[i] + .5 * h * at_v[i]);
    force[i] = sum;
  }
}

// A servo that would exceed its limit becomes a row: whether it stays at the limit is decided together with all other
// rows, since a torque that is cut elsewhere may make its own smaller, or turn its sign. More of them may be found: in
// the end all are rows.
bool RobotUnit::motors_agree(double h) {
  const auto& m = *memory_;
  constexpr int max_searches = 2;
  if (motor_torques.size() != nv()) motor_torques = Eigen::VectorXd::Zero(nv());
  bool agree = true;
  for (int i = 0; i < nv(); ++i) {
    const double limit = m.effort_limit[i];
    const bool has = has_servo(i);
    const double torque = tau[i] + (has ? servo_torque(i, h, v_end[i]) : 0);
    motor_torques[i] = std::clamp(torque, -limit, limit);
    if (!has || limited_[std::size_t(i)] || std::abs(torque) <= limit * (1 + 1e-9)) continue;
    limited_[std::size_t(i)] = true;
    agree = false;
  }
  if (!agree && ++attempts_ == max_searches)
    for (int i = 0; i < nv(); ++i) limited_[std::size_t(i)] = has_servo(i) && std::isfinite(m.effort_limit[i]);
  return agree;
}

// With R = 1/(h d + h² k), the impulse h τ of a servo is that of a spring and a damper: v⁺ + R p = v_0, the velocity at
// which it gives no torque.
void RobotUnit::add_servo_rows(double h, std::vector<OwnRows>& rows) const {
  for (int i = 0; i < nv(); ++i) {
    if (!limited_[std::size_t(i)]) continue;
    const double R = 1 / (h * servos_.damping[i] + h * h * servos_.stiffness[i]);
    const double largest = h * memory_->effort_limit[i];
    rows.push_back({.lower = -largest,
                    .upper = largest,
                    .in_impacts = false,
                    .compliance = R,
                    .target = h * R * (tau[i] + servo_torque(i, h, 0)),
                    .stiffness = servos_.stiffness[i],
                    .dof = i,
                    .id = row_id(i, RowKind::servo)});
  }
}

// As the step has it: motors at the end of the step, dampers at v⁺.
void RobotUnit::add_work(double h, Work& work) const {
  const auto& m = *memory_;
  for (int i = 0; i < nv(); ++i) {
    const double displacement = .5 * h * (v_start[i] + v_end[i]);
    work.motors += motor_torques[i] * displacement;
    work.pushes += external[i] * displacement;
    work.damping -= m.damping[i] * v_end[i] * displacement;
  }
  work.impacts -= excess_energy;
  work.loops += m.projection_work;
}

double RobotUnit::implicit_energy(const Eigen::VectorXd& at_v) const {
  return .5 * memory_->implicit.dot(at_v.cwiseAbs2());
}

std::string RobotUnit::name_of(const OwnRows& rows) const {
  static constexpr const char* names[] = {"lower limit of ", "upper limit of ", "dry friction of ", "servo of "};
  const auto kind = std::size_t(kind_of_row(rows.id));
  if (kind == std::size_t(RowKind::loop)) return "loop " + memory_->loop_rows->label(index_of_row(rows.id)).name;
  return names[kind] + joint_of(rows.dof)->name;
}

bool RobotUnit::turns(const OwnRows& rows) const {
  if (rows.dof < 0) return false;
  const auto& joint = *joint_of(rows.dof);
  return joint_traits(joint.type).v[std::size_t(rows.dof - joint.v_index)].quantity == Quantity::angle;
}

void RobotUnit::keep_forces(const OwnRows& rows, const double* impulses, double h) {
  if (rows.compliance > 0) motor_torques[rows.dof] = impulses[0] / h;
  if (rows.kind != contact::Kind::free) return;
  loop_forces.resize(memory_->loop_rows->count());
  const int first = index_of_row(rows.id);
  for (int r = 0; r < rows.size; ++r) loop_forces[first + r] = impulses[r] / h;
}

void RobotUnit::own_rows(double h, std::vector<OwnRows>& rows) {
  auto& m = *memory_;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto& limit : m.limits) {
    // Near enough to be reached within this step, twice as fast as now.
    const double reach = 1e-2 + 2 * h * std::abs(v[limit.dof]);
    const auto id = [&](RowKind kind) { return row_id(limit.dof, kind); };
    if (const double gap = q[limit.q] - limit.lower; gap < reach)
      rows.push_back({.upper = infinity, .gap = gap, .dof = limit.dof, .sign = 1, .id = id(RowKind::lower_limit)});
    if (const double gap = limit.upper - q[limit.q]; gap < reach)
      rows.push_back({.upper = infinity, .gap = gap, .dof = limit.dof, .sign = -1, .id = id(RowKind::upper_limit)});
  }
  for (int i = 0; i < nv(); ++i)
    if (const double f = h * m.dry_friction[i]; f > 0)
      rows.push_back({.lower = -f, .upper = f, .in_impacts = false, .dof = i, .id = row_id(i, RowKind::dry_friction)});
  add_servo_rows(h, rows);
  if (!m.loops) return;
  m.loop_rows->evaluate(model_, m.other_work, q);
  m.loop_J = m.loop_rows->J();
  for (std::size_t i = 0; i + 1 < m.first_rows_of_loops.size(); ++i)
    for (int first = m.first_rows_of_loops[i]; first < m.first_rows_of_loops[i + 1]; first += contact::max_free_rows) {
      const int size = std::min(m.first_rows_of_loops[i + 1] - first, contact::max_free_rows);
      rows.push_back({.kind = contact::Kind::free,
                      .size = size,
                      .rows = m.loop_J.row(first).data(),
                      .id = row_id(first, RowKind::loop)});
    }
}

}  // namespace lissom::worlds
