#include "lissom/control/task_rows.h"

#include <cmath>

#include "lissom/api/eigen.h"
#include "lissom/api/state.h"
#include "lissom/model/arguments.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/tree/manifold.h"

namespace lissom::control {

namespace {

double length(const Vec3<double>& x) {
  return std::sqrt(dot(x, x));
}
double damping_of(double stiffness, double damping) {
  return damping < 0 ? 2 * std::sqrt(stiffness) : damping;
}
Vec3<double> desired_acceleration(const Vec3<double>& acceleration, double stiffness, double damping,
                                  const Vec3<double>& error, const Vec3<double>& velocity_error) {
  return acceleration + stiffness * error + damping_of(stiffness, damping) * velocity_error;
}
// The rotation from R to R*, as a rotation vector along the axes in which both are expressed.
Vec3<double> rotation_error(const Mat3<double>& R, const Mat3<double>& R_desired) {
  return R * logarithm(quaternion(transpose(R) * R_desired));
}
void put(Eigen::VectorXd& to, int at, const Vec3<double>& x) {
  to[at] = x.x, to[at + 1] = x.y, to[at + 2] = x.z;
}

void evaluate(const PointTask& t, TaskEntry& e, const RobotSnapshot& robot) {
  const auto at = robot.placement(e.frame) * t.point;
  const auto r = robot.relative(e.frame, e.relative_to, at, identity3<double>(), e.J6);
  e.J = e.J6.topRows<3>();
  put(e.Jdot_v, 0, r.Jdot_v.linear);
  put(e.desired, 0,
      desired_acceleration(t.acceleration, t.stiffness, t.damping, t.target - r.X * t.point,
                           t.velocity - r.velocity.linear));
  put(e.row_weights, 0, t.weight * t.axes);
}

// All six rows are along the axes of the target, so that single ones of them can be left free.
void evaluate(const FrameTask& t, TaskEntry& e, const RobotSnapshot& robot) {
  const auto& R = t.target.R;
  const auto r = robot.relative(e.frame, e.relative_to, robot.placement(e.frame).p, R, e.J6);
  e.J = e.J6;
  const auto along = [&](const Vec3<double>& x) { return transpose_times(R, x); };
  put(e.Jdot_v, 0, r.Jdot_v.linear);
  put(e.Jdot_v, 3, r.Jdot_v.angular);
  put(e.desired, 0,
      desired_acceleration(along(t.acceleration.linear), t.stiffness, t.damping, along(t.target.p - r.X.p),
                           along(t.velocity.linear) - r.velocity.linear));
  put(e.desired, 3,
      desired_acceleration(along(t.acceleration.angular), t.stiffness, t.damping, along(rotation_error(r.X.R, R)),
                           along(t.velocity.angular) - r.velocity.angular));
  put(e.row_weights, 0, t.weight * t.linear);
  put(e.row_weights, 3, t.weight * t.angular);
}

void evaluate(const CenterOfMassTask& t, TaskEntry& e, const RobotSnapshot& robot) {
  const double over = robot.mass > 0 ? 1 / robot.mass : 0;
  e.J.noalias() = over * robot.A.topRows<3>();
  e.Jdot_v = over * robot.momentum_rate.head<3>();
  const auto velocity = over * Vec3<double>(robot.momentum[0], robot.momentum[1], robot.momentum[2]);
  put(e.desired, 0,
      desired_acceleration(t.acceleration, t.stiffness, t.damping, t.target - robot.com, t.velocity - velocity));
  put(e.row_weights, 0, t.weight * t.axes);
}

void evaluate(const MomentumTask& t, TaskEntry& e, const RobotSnapshot& robot) {
  e.J = robot.A;
  e.Jdot_v = robot.momentum_rate;
  put(e.desired, 0, t.rate.linear + t.damping * t.target.linear);
  put(e.desired, 3, t.rate.angular + t.damping * t.target.angular);
  e.desired.noalias() -= t.damping * robot.momentum;
  put(e.row_weights, 0, t.weight * t.linear);
  put(e.row_weights, 3, t.weight * t.angular);
}

void evaluate(const PostureTask& t, TaskEntry& e, const RobotSnapshot& robot) {
  // Not checked here: a NaN makes the QP invalid, which solve() reports.
  difference(robot.model.manifold(), robot.q.data(), t.target.data(), e.buffer.data());
  for (std::size_t k = 0; k < e.dofs.size(); ++k) {
    const int i = e.dofs[k];
    const double own = t.joint_stiffness.size() ? t.joint_stiffness[i] : 0, stiffness = own > 0 ? own : t.stiffness;
    const double damping = damping_of(stiffness, t.damping);
    const auto given = [&](const Eigen::VectorXd& x) { return x.size() ? x[i] : 0.0; };
    e.desired[int(k)] = given(t.acceleration) + stiffness * e.buffer[i] + damping * (given(t.velocity) - robot.v[i]);
    e.row_weights[int(k)] = t.weight * (t.joint_weights.size() ? t.joint_weights[i] : 1);
  }
}

// Two rows perpendicular to the axis: its angular velocity, compared with that of the line of sight.
void evaluate(const GazeTask& t, TaskEntry& e, const RobotSnapshot& robot) {
  const auto X = robot.placement(e.frame);
  const auto axis = X.R * ((1 / length(t.axis)) * t.axis);
  const auto displacement = t.target - X.p;
  const double distance = std::max(length(displacement), 1e-9);
  const auto u = (1 / distance) * displacement;
  robot.jacobian(e.frame, X.p, identity3<double>(), e.J6);
  const auto velocity = robot.velocity(e.frame, X.p), Jdot_v = robot.acceleration(e.frame, X.p);
  const auto sight_rate = (-1 / distance) * cross(u, velocity.linear);
  // The rotation from the axis to u is along axis × u, by the angle between them.
  const auto across = cross(axis, u);
  const double sine = length(across), angle = std::atan2(sine, dot(axis, u));
  const auto error = sine > 1e-9 ? (angle / sine) * across : across;
  const auto desired = t.stiffness * error + damping_of(t.stiffness, t.damping) * (sight_rate - velocity.angular);
  const auto aside = std::abs(axis.x) < .7 ? Vec3<double>(1, 0, 0) : Vec3<double>(0, 1, 0);
  auto first = cross(axis, aside);
  first = (1 / length(first)) * first;
  const Vec3<double> rows[2] = {first, cross(axis, first)};
  for (int k = 0; k < 2; ++k) {
    e.J.row(k).noalias() = to_eigen(rows[k]).transpose() * e.J6.bottomRows<3>();
    e.Jdot_v[k] = dot(rows[k], Jdot_v.angular);
    e.desired[k] = dot(rows[k], desired);
    e.row_weights[k] = t.weight;
  }
}

void evaluate(const TorqueTask& t, TaskEntry& e, const RobotSnapshot&) {
  if (t.target.size())
    e.desired = t.target;
  else
    e.desired.setZero();
  e.row_weights.setConstant(t.weight);
}
void evaluate(const ForceTask& t, TaskEntry& e, const RobotSnapshot&) {
  put(e.desired, 0, t.target);
  put(e.row_weights, 0, t.weight * t.axes);
}
void evaluate(const CustomTask& t, TaskEntry& e, const RobotSnapshot& robot) {
  t.evaluate(robot, {e.J, e.Jdot_v, e.desired});
  e.row_weights.setConstant(t.weight);
}

int rows_of(const Model& model, const AnyTask& task) {
  struct Count {
    const Model& model;
    int operator()(const PointTask&) const { return 3; }
    int operator()(const FrameTask&) const { return 6; }
    int operator()(const CenterOfMassTask&) const { return 3; }
    int operator()(const MomentumTask&) const { return 6; }
    int operator()(const PostureTask&) const { return 0; }
    int operator()(const TorqueTask&) const { return model.nv(); }
    int operator()(const ForceTask&) const { return 3; }
    int operator()(const GazeTask&) const { return 2; }
    int operator()(const CustomTask& t) const { return t.size; }
  };
  return std::visit(Count{model}, task);
}

const char* kind_of(const AnyTask& task) {
  constexpr const char* kinds[] = {"point",  "frame", "center of mass", "momentum", "posture",
                                   "torque", "force", "gaze",           "custom"};
  return kinds[task.index()];
}

// Degrees of freedom that a posture task moves.
std::vector<int> posture_dofs(const Model& model, bool base) {
  std::vector<int> dofs;
  for (const auto& joint : model.joints())
    if (base || joint.type != JointType::free)
      for (int i = 0; i < joint.nv; ++i) dofs.push_back(joint.v_index + i);
  return dofs;
}

void check_size(const std::string& name, const char* what, const Eigen::VectorXd& x, int size) {
  const std::string argument = name + ": " + what;
  if (x.size() != 0) expect_size(argument.c_str(), x.size(), size);
  expect_finite(argument.c_str(), x.data(), x.size());
}

}  // namespace

double TaskEntry::weight() const {
  return std::visit([](const auto& t) { return t.weight; }, task);
}
int TaskEntry::priority() const {
  return std::visit(
      [](const auto& t) {
        if constexpr (requires { t.priority; })
          return t.priority;
        else
          return 0;
      },
      task);
}

TaskEntry make_entry(const Model& model, AnyTask task) {
  TaskEntry e;
  e.name = std::visit([](const auto& t) { return t.name; }, task);
  std::visit(
      [&](const auto& t) {
        if constexpr (requires { t.frame; }) {
          e.frame = model.frame(t.frame);
          if (e.name.empty()) e.name = std::string(kind_of(task)) + " " + t.frame;
        }
        if constexpr (requires { t.relative_to; })
          e.relative_to = t.relative_to.empty() ? world_frame : model.frame(t.relative_to);
        if constexpr (requires { t.contact; })
          if (e.name.empty()) e.name = "force " + t.contact;
        if constexpr (requires { t.stiffness; })
          if (!(t.stiffness >= 0))
            throw Error(e.name + ": stiffness is " + to_text(t.stiffness) + ", expected 0 or more");
      },
      task);
  if (e.name.empty()) e.name = kind_of(task);
  int size = rows_of(model, task);
  if (auto* t = std::get_if<PostureTask>(&task)) {
    if (t->target.size() == 0) t->target = neutral(model);
    check_size(e.name, "target", t->target, model.nq());
    check_size(e.name, "velocity", t->velocity, model.nv());
    check_size(e.name, "acceleration", t->acceleration, model.nv());
    check_size(e.name, "joint_weights", t->joint_weights, model.nv());
    check_size(e.name, "joint_stiffness", t->joint_stiffness, model.nv());
    e.dofs = posture_dofs(model, t->base);
    size = int(e.dofs.size());
  }
  if (auto* t = std::get_if<TorqueTask>(&task)) check_size(e.name, "target", t->target, model.nv());
  if (auto* t = std::get_if<CustomTask>(&task)) {
    if (t->size <= 0) throw Error(e.name + ": size is " + std::to_string(t->size) + ", expected a positive number");
    if (!t->evaluate) throw Error(e.name + ": evaluate is empty, expected a function");
  }
  e.task = std::move(task);
  if (!(e.weight() >= 0 && std::isfinite(e.weight())))
    throw Error(e.name + ": weight is " + to_text(e.weight()) + ", expected 0 or more");
  const bool about_forces = std::holds_alternative<TorqueTask>(e.task) || std::holds_alternative<ForceTask>(e.task);
  e.J = Matrix::Zero(e.dofs.empty() && !about_forces ? size : 0, model.nv());
  e.Jdot_v = e.desired = e.row_weights = Eigen::VectorXd::Zero(size);
  e.J6 = Columns6::Zero(6, model.nv());
  e.buffer = Eigen::VectorXd::Zero(model.nv());
  return e;
}

bool describe_wrong_size(ShortMessage& message, const TaskEntry& entry, const Model& model) {
  const auto wrong = [&](const char* member, const Eigen::VectorXd& x, int size) {
    return lissom::describe_wrong_size(message, {entry.name.c_str(), -1, member}, x.size(), size);
  };
  const auto wrong_if_given = [&](const char* member, const Eigen::VectorXd& x) {
    return x.size() != 0 && wrong(member, x, model.nv());
  };
  if (const auto* t = std::get_if<PostureTask>(&entry.task))
    return wrong(": target", t->target, model.nq()) || wrong_if_given(": velocity", t->velocity) ||
           wrong_if_given(": acceleration", t->acceleration) || wrong_if_given(": joint_weights", t->joint_weights) ||
           wrong_if_given(": joint_stiffness", t->joint_stiffness);
  if (const auto* t = std::get_if<TorqueTask>(&entry.task)) return wrong_if_given(": target", t->target);
  return false;
}

void evaluate(TaskEntry& entry, const RobotSnapshot& robot) {
  std::visit([&](const auto& task) { evaluate(task, entry, robot); }, entry.task);
}

}  // namespace lissom::control
