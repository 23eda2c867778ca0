#include "lissom/control/whole_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/api/eigen.h"
#include "lissom/constraints/actuation.h"
#include "lissom/control/whole_body_impl.h"
#include "lissom/model/text.h"

namespace lissom::control {

namespace {

std::vector<int> priorities_of(const std::vector<TaskEntry>& tasks) {
  std::vector<int> priorities;
  for (const auto& t : tasks) priorities.push_back(t.priority());
  std::sort(priorities.begin(), priorities.end());
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  if (priorities.empty()) priorities.push_back(0);
  return priorities;
}

TickStatus tick_status(qp::Status status) {
  switch (status) {
    case qp::Status::optimal:
      return TickStatus::optimal;
    case qp::Status::elastic:
      return TickStatus::elastic;
    case qp::Status::infeasible:
      return TickStatus::infeasible;
    case qp::Status::limit:
      return TickStatus::limit;
    case qp::Status::invalid:
      break;
  }
  return TickStatus::invalid;
}

}  // namespace

const char* to_string(TickStatus status) {
  constexpr const char* words[] = {"optimal", "elastic", "infeasible", "limit", "invalid"};
  return words[int(status)];
}
const char* to_string(Formulation formulation) {
  constexpr const char* words[] = {"reduced", "multiplier", "projected", "oblique"};
  return words[int(formulation)];
}

WholeBody::Impl::Impl(const Model& m, const WholeBodyOptions& o)
    : model(m),
      sensed(model),
      data(model, o),
      passive_forces(model, o.passive_forces),
      before(Eigen::VectorXd::Zero(m.nv())) {
  auto [motors, passive] = actuation(model, o.passive);
  data.motors = std::move(motors), data.passive = std::move(passive);
  data.torque_limit.resize(Eigen::Index(data.motors.size()));
  for (std::size_t k = 0; k < data.motors.size(); ++k)
    data.torque_limit[int(k)] = model.effort_limit()[std::size_t(data.motors[k])];
  data.lower.setZero(m.nv()), data.upper.setZero(m.nv());
  tick.torques.setZero(m.nv()), tick.unclamped_torques.setZero(m.nv()), tick.accelerations.setZero(m.nv());
  tick.loop_forces.setZero(data.loops ? data.loops->max_rows() : 0);
}

void WholeBody::Impl::prepare() {
  priorities = priorities_of(data.tasks);
  reduced.resize(data, priorities.size() > 1);
  solvers.clear();
  for (int level = 0; level < Reduced::levels; ++level) solvers.emplace_back(reduced.max_sizes());
  tick.tasks.resize(data.tasks.size());
  for (std::size_t k = 0; k < data.tasks.size(); ++k)
    tick.tasks[k].desired = tick.tasks[k].actual = Eigen::VectorXd::Zero(data.tasks[k].size());
  tick.contacts.resize(data.contacts.size());
  for (std::size_t k = 0; k < data.contacts.size(); ++k)
    tick.contacts[k].point_forces.resize(data.contacts[k].points.size(), {0, 0, 0});
  tick.clearances.assign(data.clearances.size(), std::numeric_limits<double>::infinity());
  tick.conflicts.clear();  // it points to names that were just replaced
  tick.conflicts.reserve(
      std::size_t(reduced.max_sizes().variables + reduced.max_sizes().equalities + reduced.max_sizes().rows));
  dirty = false;
}

// A program that was not solved in time leaves the torques, accelerations and forces of the tick before; in a state
// that is none, nothing is safe.
void WholeBody::Impl::refuse(TickStatus status, const char* reason) {
  tick.status = status;
  tick.reason = reason;
  tick.conflicts.clear();
  if (status != TickStatus::invalid) return;
  tick.torques.setZero();
  tick.unclamped_torques.setZero();
  tick.accelerations.setZero();
  for (auto& c : tick.contacts) {
    c.force = c.torque = {0, 0, 0};
    c.normal = c.friction_use = 0;
    std::fill(c.point_forces.begin(), c.point_forces.end(), Vec3<double>(0, 0, 0));
  }
}

// Whether there is nothing to solve: no state, or a target that does not fit the robot. `message` says why.
bool WholeBody::Impl::unfit(const RobotSnapshot& robot) {
  if (!robot.valid()) {
    message = robot.invalid_because();
    return true;
  }
  const auto g = robot.model.gravity(), own = model.gravity();
  if (robot.model.structure_id() != model.structure_id() || g.x != own.x || g.y != own.y || g.z != own.z) {
    message.clear();
    message += "the snapshot is of another model than the controller";
    return true;
  }
  return std::ranges::any_of(data.tasks,
                             [&](const TaskEntry& t) { return t.enabled && describe_wrong_size(message, t, model); });
}

const Tick& WholeBody::Impl::solve(const RobotSnapshot& robot) {
  if (dirty) prepare();
  if (unfit(robot)) {
    refuse(TickStatus::invalid, message.c_str());
    return tick;
  }
  data.robot = &robot;
  tick.com = robot.com;
  const double over = robot.mass > 0 ? 1 / robot.mass : 0;
  tick.com_velocity = over * Vec3<double>(robot.momentum[0], robot.momentum[1], robot.momentum[2]);
  for (auto& c : data.contacts) {
    advance_ramp(c, data.options.step);
    if (!c.active) continue;
    c.evaluate(robot);
    let_roll(c, robot);
    update_margins(c);
  }
  for (auto& t : data.tasks)
    if (t.enabled) evaluate(t, robot);
  for (std::size_t k = 0; k < data.clearances.size(); ++k) {
    evaluate(data.clearances[k], robot, data.options.joints.horizon, data.options.step);
    tick.clearances[k] = data.clearances[k].distance;
  }
  data.bias = robot.h;
  passive_forces.add(robot.q, robot.v, tick.accelerations, data.bias);
  if (data.loops) data.loops->evaluate(robot);
  acceleration_bounds(model, data.options.joints, robot.q, robot.v, data.lower, data.upper);
  if (data.options.formulation == Formulation::reduced)
    solve_reduced();
  else
    solve_charted();
  return tick;
}

// The first priority must have a solution. A later one without a solution is left out, if the one before had one: what
// the earlier ones leave free may be a single point, which rounding can miss.
bool WholeBody::Impl::take(const qp::Solution& s, bool first) {
  const auto status = tick_status(s.status);
  if (!first && status != TickStatus::optimal) {
    tick.reason = "later priorities were left out: they have no solution within what the earlier ones leave free";
    return false;
  }
  if (status != TickStatus::optimal && status != TickStatus::elastic) {
    refuse(status, s.status == qp::Status::infeasible ? "no solution within the limits" : s.reason);
    return false;
  }
  tick.status = status;
  tick.reason = "";
  tick.conflicts.clear();
  return true;
}

// Torques follow from the equation of motion; then forces by contact, and the actual accelerations of tasks.
void WholeBody::Impl::read(const Eigen::Ref<const Eigen::VectorXd>& a,
                           const Eigen::Ref<const Eigen::VectorXd>& forces) {
  tick.accelerations = a;
  tick.torques = data.bias;
  tick.torques.noalias() += data.robot->M * a;
  int at = 0;
  for (std::size_t k = 0; k < data.contacts.size(); ++k) {
    const auto& c = data.contacts[k];
    auto& reading = tick.contacts[k];
    reading.active = c.active, reading.ramp_fraction = c.ramp_fraction;
    if (!c.active) {
      reading.force = reading.torque = {0, 0, 0}, reading.normal = reading.friction_use = 0;
      std::fill(reading.point_forces.begin(), reading.point_forces.end(), Vec3<double>(0, 0, 0));
      continue;
    }
    const auto f = forces.segment(at, c.variables());
    at += c.variables();
    tick.torques.noalias() -= c.generalized_forces * f;
    read_contact(c, f, reading);
  }
  tick.loop_forces.setZero();
  for (int k = 0; k < data.loop_rows(); ++k) {
    tick.loop_forces[data.loops->row(k)] = forces[at + k];
    tick.torques -= forces[at + k] * data.loops->J().row(k).transpose();
  }
  for (int i : data.passive) tick.torques[i] = 0;
  clamp_torques();
  for (std::size_t k = 0; k < data.tasks.size(); ++k) read_task(data.tasks[k], a, tick.tasks[k]);
}

// Only relaxed solutions exceed the limits by more than the solver's tolerance.
void WholeBody::Impl::clamp_torques() {
  tick.unclamped_torques = tick.torques;
  if (!data.options.torque_limits) return;
  for (std::size_t k = 0; k < data.motors.size(); ++k) {
    auto& tau = tick.torques[data.motors[k]];
    tau = std::clamp(tau, -data.torque_limit[int(k)], data.torque_limit[int(k)]);
  }
}

void WholeBody::Impl::read_contact(const ContactEntry& c, const Eigen::Ref<const Eigen::VectorXd>& f,
                                   ContactReading& reading) const {
  const Vector6 w = c.G * f;
  const auto& R = c.axes.R;
  const auto force = R * Vec3<double>(w[0], w[1], w[2]);
  auto torque = R * Vec3<double>(w[3], w[4], w[5]);
  // The wrench w of a point contact is about its point.
  if (c.contact.kind == ContactKind::point)
    torque = torque + cross(data.robot->placement(c.frame).R * c.points[0], force);
  reading.force = force, reading.torque = torque, reading.normal = w[2], reading.friction_use = 0;
  const int per = c.per_point();
  for (std::size_t p = 0; p < c.points.size() && per > 0; ++p) {
    const int first = per * int(p);
    const double normal = f[first + per - 1];
    reading.point_forces[p] = per == 3 ? Vec3<double>(f[first], f[first + 1], normal)
                                       : Vec3<double>(c.G(0, first) * normal, c.G(1, first) * normal, normal);
    const auto& x = reading.point_forces[p];
    if (per == 3 && normal > 1e-3 && c.contact.friction > 0)
      reading.friction_use = std::max(reading.friction_use, std::hypot(x.x, x.y) / (c.contact.friction * normal));
  }
}

void WholeBody::Impl::read_task(const TaskEntry& t, const Eigen::Ref<const Eigen::VectorXd>& a, TaskReading& reading) {
  reading.desired = t.desired;
  if (const auto* force = std::get_if<ForceTask>(&t.task)) {
    reading.actual.setZero();
    for (std::size_t k = 0; k < data.contacts.size(); ++k)
      if (data.contacts[k].name == force->contact) reading.actual = to_eigen(tick.contacts[k].force);
  } else if (std::holds_alternative<TorqueTask>(t.task)) {
    reading.actual = tick.torques;
  } else if (!t.dofs.empty()) {
    for (std::size_t k = 0; k < t.dofs.size(); ++k) reading.actual[int(k)] = a[t.dofs[k]];
  } else {
    reading.actual = t.Jdot_v;
    reading.actual.noalias() += t.J * a;
  }
  reading.cost = .5 * t.row_weights.dot((reading.actual - reading.desired).cwiseAbs2());
}

WholeBody::WholeBody(const Model& model, const WholeBodyOptions& options)
    : impl_(std::make_unique<Impl>(model, options)) {
  if (!(options.step > 0))
    throw Error("WholeBodyOptions::step is " + to_text(options.step) + " s, expected a positive number");
}
WholeBody::~WholeBody() = default;
WholeBody::WholeBody(WholeBody&&) noexcept = default;
WholeBody& WholeBody::operator=(WholeBody&&) noexcept = default;

int WholeBody::add_task(AnyTask task) {
  auto& in = *impl_;
  if (const auto* force = std::get_if<ForceTask>(&task))
    if (std::none_of(in.data.contacts.begin(), in.data.contacts.end(),
                     [&](const auto& c) { return c.name == force->contact; }))
      throw Error("force task: no contact " + in_quotes(force->contact) + "; add the contact first");
  in.data.tasks.push_back(make_entry(in.model, std::move(task)));
  in.dirty = true;
  return int(in.data.tasks.size()) - 1;
}
ContactId WholeBody::add(Contact contact, const ContactMargins& margins) {
  auto& entry = impl_->data.contacts.emplace_back(impl_->model, std::move(contact));
  const auto expect = [&](bool good, const char* what, double found, const char* expected) {
    if (good) return;
    impl_->data.contacts.pop_back();
    throw Error(std::string("margins.") + what + " is " + to_text(found) + ", expected " + expected);
  };
  expect(margins.friction > 0 && margins.friction <= 1, "friction", margins.friction, "more than 0 and at most 1");
  expect(margins.support > 0 && margins.support <= 1, "support", margins.support, "more than 0 and at most 1");
  expect(margins.min_normal_force >= 0, "min_normal_force", margins.min_normal_force, "0 N or more");
  if (margins.friction < 1 || margins.support < 1 || margins.min_normal_force > 0)
    set_margins(entry, margins, impl_->data.weight());
  impl_->dirty = true;
  return {int(impl_->data.contacts.size()) - 1};
}
ClearanceId WholeBody::add(const Clearance& clearance) {
  impl_->data.clearances.push_back(make_entry(impl_->model, clearance));
  impl_->dirty = true;
  return {int(impl_->data.clearances.size()) - 1};
}
AnyTask& WholeBody::task(int index) {
  return impl_->data.tasks.at(std::size_t(index)).task;
}
void WholeBody::enable_task(int index, bool on) {
  impl_->data.tasks.at(std::size_t(index)).enabled = on;
}
Contact& WholeBody::operator[](ContactId id) {
  return impl_->data.contacts.at(std::size_t(id.index)).contact;
}
void WholeBody::enable(ContactId id, bool on) {
  impl_->data.contacts.at(std::size_t(id.index)).enabled = on;
}
void WholeBody::activate_without_ramp(ContactId id) {
  auto& entry = impl_->data.contacts.at(std::size_t(id.index));
  entry.enabled = true, entry.ramp_fraction = 1;
}
void WholeBody::set_placement(ContactId id, const Pose<double>& placement) {
  auto& entry = impl_->data.contacts.at(std::size_t(id.index));
  entry.placement = placement, entry.placed = true;
}
bool WholeBody::active(ContactId id) const {
  const auto& entry = impl_->data.contacts.at(std::size_t(id.index));
  return entry.enabled || entry.ramp_fraction > 0;
}
void WholeBody::set_formulation(Formulation formulation) {
  impl_->data.options.formulation = formulation;
}
const Model& WholeBody::model() const {
  return impl_->model;
}
const WholeBodyOptions& WholeBody::options() const {
  return impl_->data.options;
}
int WholeBody::contacts() const {
  return int(impl_->data.contacts.size());
}
int WholeBody::tasks() const {
  return int(impl_->data.tasks.size());
}
const std::string& WholeBody::contact_name(int index) const {
  return impl_->data.contacts.at(std::size_t(index)).name;
}
const std::string& WholeBody::task_name(int index) const {
  return impl_->data.tasks.at(std::size_t(index)).name;
}
const std::vector<int>& WholeBody::motors() const {
  return impl_->data.motors;
}
const Tick& WholeBody::solve(const VectorIn& q, const VectorIn& v) {
  impl_->sensed.update(q, v);
  return impl_->solve(impl_->sensed);
}
const Tick& WholeBody::solve(const RobotSnapshot& robot) {
  return impl_->solve(robot);
}
const Tick& WholeBody::tick() const {
  return impl_->tick;
}
void WholeBody::prepare() {
  if (impl_->dirty) impl_->prepare();
}
void WholeBody::forget() {
  for (auto& solver : impl_->solvers) solver.forget();
  for (auto& clearance : impl_->data.clearances) clearance.asleep = 0;
  impl_->relaxation = Reduced::Relaxation::none;
}

std::string WholeBody::explain() const {
  std::string text;
  for (const auto& c : impl_->tick.conflicts) text += *c.name + ": off by " + to_text(c.amount) + " " + c.unit + "\n";
  return text;
}

}  // namespace lissom::control
