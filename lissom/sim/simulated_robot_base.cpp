#include "lissom/sim/simulated_robot_base.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/model/text.h"

namespace lissom::sim {

namespace {

constexpr double hit_depth = 0.01;  // m by which a link may enter the ground, since collision shapes are approximate

const Imperfections& checked(const Model& model, const RobotOptions& options) {
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error("step is " + to_text(options.step) + " s, expected a positive number");
  if (options.substeps < 1) throw Error("substeps is " + std::to_string(options.substeps) + ", expected at least 1");
  check(model, options.imperfections);
  return options.imperfections;
}

}  // namespace

SimulatedRobotBase::SimulatedRobotBase(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                       const RobotOptions& options, std::size_t contacts)
    : model_(with_mass_error(model, checked(model, options).mass_error, options.imperfections.seed,
                             options.imperfections.mass_scale)),
      work_(model_),
      options_(options),
      command_{.torques = Eigen::VectorXd::Zero(model.nv()),
               .accelerations = Eigen::VectorXd::Zero(model.nv()),
               .contacts = std::vector<ContactForce>(contacts)},
      q_(q),
      v_(v),
      zero_(Eigen::VectorXd::Zero(model.nv())),
      contacts_(contacts),
      geometry_(model_),
      sensors_(model_, options.imperfections),
      commands_(std::size_t(options.imperfections.delay) + 1, zero_),
      next_q_(q),
      sensed_q_(q),
      sensed_v_(v),
      controller_model_(model),
      controller_work_(controller_model_) {
  forward_kinematics(model_, work_, q, v);  // throws if (q, v) is not a state of this model
  external_.reserve(options.imperfections.pushes.size());
  if (options.forces) law_work_.emplace(model_);
  SimulatedRobotBase::read_energy();
}

void SimulatedRobotBase::read_energy() {
  energy_.kinetic = kinetic_energy(model_, work_, q_, v_);
  energy_.potential = potential_energy(model_, work_, q_);
}

bool SimulatedRobotBase::step(const Command& command) {
  command_ = command;
  return step_by_command();
}

bool SimulatedRobotBase::step(const Eigen::VectorXd& torques) {
  command_.torques = torques;
  command_.accelerations.resize(0);
  command_.contacts.clear();
  command_.failure.clear();
  return step_by_command();
}

bool SimulatedRobotBase::step(Controller& controller) {
  sense(sensed_q_, sensed_v_);
  controller.command({controller_model_, controller_work_, time_, sensed_q_, sensed_v_}, command_);
  return step_by_command();
}

bool SimulatedRobotBase::step_by_command() {
  if (!failure_.empty()) return false;
  const auto& now = delayed_part(command_);
  if (now.size() != delayed_size())
    throw Error(std::string("command.") + delayed_name() + "s has " + counted(std::size_t(now.size()), "element") +
                ", expected " + std::to_string(delayed_size()) + " (model " + in_quotes(model_.name()) + ")");
  if (!check_finite(now)) return false;
  // Until the first command has passed the delay, the first command is applied, as if it had been given before.
  if (ticks_ == 0) std::fill(commands_.begin(), commands_.end(), now);
  const auto size = long(commands_.size());
  commands_[std::size_t(ticks_ % size)] = now;
  energy_.work = {};
  const bool moved = move(commands_[std::size_t((ticks_ + 1) % size)]);
  read_energy();
  if (!moved) return false;
  ++ticks_;
  time_ = double(ticks_) * options_.step;
  return check_links();
}

bool SimulatedRobotBase::check_finite(const Eigen::VectorXd& delayed) {
  if (delayed.size() != model_.nv())
    return delayed.allFinite() || fail(std::string("a ") + delayed_name() + " is not finite");
  for (const auto& joint : model_.joints())
    for (int k = joint.v_index; k < joint.v_index + joint.nv; ++k)
      if (!std::isfinite(delayed[k]))
        return fail(std::string("the ") + delayed_name() + " of " + joint.name + " is not finite");
  return true;
}

bool SimulatedRobotBase::check_links() {
  const auto lowest = geometry_.lowest([&](FrameId frame) { return placement(model_, work_, frame); });
  if (lowest.shape && lowest.z < ground_ - hit_depth) return fail(lowest.shape->link + " hits the ground");
  return true;
}

bool SimulatedRobotBase::fail(const std::string& what) {
  failure_ = what + " at t = " + to_text(time_) + " s";
  return false;
}

bool SimulatedRobotBase::advance(const Eigen::VectorXd& v, double time) {
  if (!v.allFinite()) return fail("the velocity is not finite");
  integrate(model_, q_, v, time, next_q_);
  return adopt(next_q_, v, time);
}

bool SimulatedRobotBase::adopt(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double time) {
  if (!v.allFinite()) return fail("the velocity is not finite");
  if (!q.allFinite()) return fail("the position is not finite");
  q_ = q;
  v_ = v;
  time_ += time;
  forward_kinematics(model_, work_, q_, v_);
  return true;
}

std::span<const ExternalForce> SimulatedRobotBase::pushes() {
  external_.clear();
  for (const auto& push : options_.imperfections.pushes) {
    // (A push acts in a step if the middle of the step lies within its interval.)
    const double now = time_ + options_.step / (2 * options_.substeps);
    if (push.from <= now && now < push.until) external_.push_back(push.force);
  }
  if (options_.forces) options_.forces({model_, *law_work_, time_, q_, v_}, external_);
  return external_;
}

}  // namespace lissom::sim
