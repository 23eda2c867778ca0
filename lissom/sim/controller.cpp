#include "lissom/sim/controller.h"

#include <cmath>

#include "lissom/api/dynamics.h"
#include "lissom/api/state.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/model/text.h"

namespace lissom::sim {
namespace {

class Law final : public Controller {
 public:
  explicit Law(ControlLaw law) : law_(std::move(law)) {}
  void torques(const Instant& at, Eigen::VectorXd& tau) override { law_(at, tau); }

 private:
  ControlLaw law_;
};

// 1 for degrees of freedom with a motor, 0 for the six of a free joint.
Eigen::VectorXd driven(const Model& model) {
  Eigen::VectorXd mask = Eigen::VectorXd::Ones(model.nv());
  for (const auto& joint : model.joints())
    if (joint.type == JointType::free) mask.segment(joint.v_index, joint.nv).setZero();
  return mask;
}

// Follows a trajectory: the common part of pd and computed_torque.
class Follower : public Controller {
 public:
  Follower(const Model& model, Trajectory trajectory, Gains gains)
      : trajectory_(std::move(trajectory)), gains_(gains), driven_(driven(model)) {
    reference_.q = neutral(model);
    reference_.v = reference_.a = error_ = Eigen::VectorXd::Zero(model.nv());
  }

 protected:
  // stiffness (q_ref - q) + damping (v_ref - v)
  const Eigen::VectorXd& correction(const Instant& at) {
    reference_.v.setZero();
    reference_.a.setZero();
    trajectory_(at.t, reference_);
    difference(at.model, at.q, reference_.q, error_);
    // (Eigen begins with as many single elements as alignment asks for, which round otherwise than whole registers do
    // where products are added: the same state would have other bits at another address.)
    for (Eigen::Index i = 0; i < error_.size(); ++i)
      error_[i] = gains_.stiffness * error_[i] + gains_.damping * (reference_.v[i] - at.v[i]);
    return error_;
  }
  Trajectory trajectory_;
  Gains gains_;
  Eigen::VectorXd driven_, error_;
  Reference reference_;
};

class Pd final : public Follower {
 public:
  Pd(const Model& model, Trajectory trajectory, Gains gains, bool gravity)
      : Follower(model, std::move(trajectory), gains), gravity_(gravity) {}
  const char* name() const override { return "pd"; }
  void torques(const Instant& at, Eigen::VectorXd& tau) override {
    tau += driven_.cwiseProduct(correction(at));
    if (gravity_) tau += driven_.cwiseProduct(gravity_forces(at.model, at.work, at.q));
  }
  void gains(Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const override {
    stiffness += gains_.stiffness * driven_;
    damping += gains_.damping * driven_;
  }

 private:
  bool gravity_;
};

class ComputedTorque final : public Follower {
 public:
  using Follower::Follower;
  const char* name() const override { return "computed_torque"; }
  void torques(const Instant& at, Eigen::VectorXd& tau) override {
    error_ = correction(at) + reference_.a;
    tau += driven_.cwiseProduct(inverse_dynamics(at.model, at.work, at.q, at.v, error_));
  }
};

class GravityCompensation final : public Controller {
 public:
  explicit GravityCompensation(const Model& model) : driven_(driven(model)) {}
  const char* name() const override { return "gravity_compensation"; }
  void torques(const Instant& at, Eigen::VectorXd& tau) override {
    tau += driven_.cwiseProduct(gravity_forces(at.model, at.work, at.q));
  }

 private:
  Eigen::VectorXd driven_;
};

}  // namespace

void Controller::command(const Instant& at, Command& command) {
  command.torques.setZero(at.model.nv());
  command.accelerations.resize(0);
  command.contacts.clear();
  command.failure.clear();
  torques(at, command.torques);
}
void Controller::gains(Eigen::VectorXd&, Eigen::VectorXd&) const {}

std::unique_ptr<Controller> controller(ControlLaw law) {
  return std::make_unique<Law>(std::move(law));
}
Trajectory hold(Eigen::VectorXd q) {
  return [q = std::move(q)](double, Reference& reference) { reference.q = q; };
}

Trajectory reach(const Model& model, const Eigen::VectorXd& from, const Eigen::VectorXd& to, double start,
                 double seconds) {
  if (!(seconds >= 0) || !std::isfinite(seconds) || !std::isfinite(start))
    throw Error("seconds is " + to_text(seconds) + " and start is " + to_text(start) +
                ", expected finite numbers, and seconds of at least 0");
  const Eigen::VectorXd displacement = difference(model, from, to);
  return [=](double t, Reference& reference) {
    const auto rise = minimum_jerk(t - start, seconds);
    integrate(model, from, displacement, rise.s, reference.q);
    reference.v = rise.rate * displacement;
    reference.a = rise.acceleration * displacement;
  };
}
std::unique_ptr<Controller> pd(const Model& model, Trajectory trajectory, Gains gains, bool gravity_compensation) {
  return std::make_unique<Pd>(model, std::move(trajectory), gains, gravity_compensation);
}
std::unique_ptr<Controller> computed_torque(const Model& model, Trajectory trajectory, Gains gains) {
  return std::make_unique<ComputedTorque>(model, std::move(trajectory), gains);
}
std::unique_ptr<Controller> gravity_compensation(const Model& model) {
  return std::make_unique<GravityCompensation>(model);
}

}  // namespace lissom::sim
