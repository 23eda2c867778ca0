// A robot in a World: torques act, and contact forces are those of rigid bodies with Coulomb friction
// (docs/contact.md). Its contacts stick, slip, roll over edges and lift off as the forces are; slip is measured, and
// ends nothing.
#include <algorithm>

#include "lissom/model/text.h"
#include "lissom/sim/contact_load.h"
#include "lissom/sim/simulated_robot_base.h"

namespace lissom::sim {

namespace {

class ContactRobot final : public SimulatedRobotBase {
 public:
  ContactRobot(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
               const RobotOptions& options);

 private:
  bool move(const Eigen::VectorXd& delayed) override;
  bool has_servos() const { return options_.servo_stiffness.size() > 0; }
  const Eigen::VectorXd& delayed_part(const Command& command) const override {
    return has_servos() ? command.targets : command.torques;
  }
  const char* delayed_name() const override { return has_servos() ? "target" : "torque"; }
  int delayed_size() const override { return has_servos() ? model_.nq() + model_.nv() : model_.nv(); }
  bool check_links() override { return true; }  // links that touch are found by the world
  void read_energy() override;

  bool substep(const Eigen::VectorXd& torques);
  void apply(const Eigen::VectorXd& torques);
  bool read_contacts(double h);

  ContactWorld surroundings_;
  World& world_;
  Eigen::VectorXd &tau_, &external_;
  Servos servos_;
  std::vector<ContactLoad> loads_;
};

ContactRobot::ContactRobot(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& v, const RobotOptions& options)
    : SimulatedRobotBase(model, q, v, options, contacts.size()),
      surroundings_(model_, std::move(contacts), q, v, options.patches, options.surroundings, options.max_friction),
      world_(surroundings_.world()),
      tau_(world_.tau(ContactWorld::robot)),
      external_(world_.external(ContactWorld::robot)),
      servos_{options.servo_stiffness, options.servo_damping, q, v} {
  for (const auto& face : surroundings_.faces()) loads_.emplace_back(face, light_load * weight(model_));
  ContactRobot::read_energy();
}

// That of springs is included.
void ContactRobot::read_energy() {
  energy_.kinetic = world_.kinetic_energy();
  energy_.potential = world_.potential_energy();
}

bool ContactRobot::move(const Eigen::VectorXd& delayed) {
  if (has_servos()) {
    servos_.q_target = delayed.head(model_.nq()), servos_.v_target = delayed.tail(model_.nv());
    world_.set_servos(ContactWorld::robot, servos_);
  }
  const auto& torques = has_servos() ? zero_ : delayed;
  for (auto& load : loads_) load.begin_tick();
  for (int i = 0; i < options_.substeps; ++i)
    if (!substep(torques)) return false;
  for (std::size_t i = 0; i < loads_.size(); ++i) contacts_[i] = loads_[i].state();
  return true;
}

void ContactRobot::apply(const Eigen::VectorXd& torques) {
  tau_ = torques;
  const auto& limits = model_.effort_limit();
  for (long i = 0; i < tau_.size(); ++i) tau_[i] = std::clamp(tau_[i], -limits[std::size_t(i)], limits[std::size_t(i)]);
  external_.setZero();
  const auto acting = pushes();
  if (acting.empty()) return;
  // The generalized forces of a push are the difference of the torques without and with it.
  external_ = inverse_dynamics(model_, work_, q_, v_, zero_);
  external_ -= inverse_dynamics(model_, work_, q_, v_, zero_, acting);
}

bool ContactRobot::substep(const Eigen::VectorXd& torques) {
  const double h = options_.step / options_.substeps;
  apply(torques);
  try {
    energy_.work.add(1, world_.step(h).work);
  } catch (const Error& error) {
    return fail(error.what());
  }
  const bool upright = read_contacts(h);
  return adopt(world_.q(ContactWorld::robot), world_.v(ContactWorld::robot), h) && upright;
}

// Returns false after fail(), where a link touches that is no contact.
bool ContactRobot::read_contacts(double h) {
  const auto& touches = surroundings_.touches(model_, work_);
  const auto& faces = surroundings_.faces();
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const auto X = placement(model_, work_, faces[i].frame);
    const auto axes = ContactWorld::surface_axes(faces[i], X, placement(model_, work_, faces[i].against));
    loads_[i].add(touches, int(i), X.p, axes, h, h / options_.step);
  }
  for (const auto& touch : touches)
    if (touch.face < 0)
      return fail(*touch.link + " hits " +
                  (touch.other == "ground" || touch.other == "floor" ? "the ground" : touch.other));
  return true;
}

}  // namespace

std::unique_ptr<SimulatedRobot> contact_robot(const Model& model, std::vector<Contact> contacts,
                                              const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                              const RobotOptions& options) {
  return std::make_unique<ContactRobot>(model, std::move(contacts), q, v, options);
}

}  // namespace lissom::sim
