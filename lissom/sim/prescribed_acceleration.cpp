// A robot that follows the accelerations of its controller: v⁺ = v + h a, q⁺ = q ⊕ h v⁺. The command determines which
// contacts are active, and their forces. A push f on a point with the Jacobian J_f adds
//
//   Δ = argmin ½ (Δ - M⁻¹ J_fᵀ f)ᵀ M (Δ - M⁻¹ J_fᵀ f)   s.t.   J Δ = 0 for the rows of active contacts,
//
// and its multipliers are added to the contact forces. Errors of masses affect Δ only.
#include <algorithm>
#include <cmath>

#include "lissom/constraints/basis.h"
#include "lissom/constraints/contact_rows.h"
#include "lissom/model/text.h"
#include "lissom/sim/friction_use.h"
#include "lissom/sim/simulated_robot_base.h"

namespace lissom::sim {

namespace {

struct PrescribedContact {
  PrescribedContact(const Model& model, Contact contact, int first_row)
      : rows(model, std::move(contact)),
        use(std::max(1, int(rows.points.size()))),
        row(first_row),
        points(rows.points.size(), {0, 0, 0}) {}

  ContactRows rows;
  FrictionUse use;
  int row;  // first of its six rows
  bool active = false;
  Pose<double> initial = {};  // pose of the frame in `against` when the contact became active
  Mat3<double> axes = {};     // of the contact, in `against`
  // Reference point of its wrench, in the world: the frame's origin, or the point of a point contact.
  Vec3<double> origin = {0, 0, 0};
  std::vector<Vec3<double>> points;  // along the contact's axes
};

class PrescribedAccelerationRobot final : public SimulatedRobotBase {
 public:
  PrescribedAccelerationRobot(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q,
                              const Eigen::VectorXd& v, const RobotOptions& options);
  bool follows_accelerations() const override { return true; }

 private:
  bool move(const Eigen::VectorXd& accelerations) override;
  const Eigen::VectorXd& delayed_part(const Command& command) const override { return command.accelerations; }
  const char* delayed_name() const override { return "acceleration"; }

  bool check_command();
  void update_contacts();
  void add_push(std::span<const ExternalForce> pushes);
  void write_rows(PrescribedContact& c);
  void read_contact(const ContactForce& given, PrescribedContact& c, ContactState& state);

  std::vector<PrescribedContact> prescribed_;
  Matrix J_;
  MassMatrixFactor factor_;
  ConstraintBasis basis_;
  Eigen::VectorXd push_acceleration_, target_, rounding_, lambda_, next_v_;
  Columns6 J_against_;
};

PrescribedAccelerationRobot::PrescribedAccelerationRobot(const Model& model, std::vector<Contact> contacts,
                                                         const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                         const RobotOptions& options)
    : SimulatedRobotBase(model, q, v, options, contacts.size()),
      J_(Matrix::Zero(6 * Eigen::Index(contacts.size()), model.nv())),
      factor_(model_),
      basis_(int(J_.rows()), model.nv()),
      push_acceleration_(zero_),
      target_(Eigen::VectorXd::Zero(J_.rows())),
      rounding_(Eigen::VectorXd::Constant(J_.rows(), 1e-16)),
      lambda_(target_),
      next_v_(zero_),
      J_against_(Columns6::Zero(6, model.nv())) {
  prescribed_.reserve(contacts.size());
  for (auto& contact : contacts) {
    prescribed_.emplace_back(model_, std::move(contact), 6 * int(prescribed_.size()));
    const auto& rows = prescribed_.back().rows;
    if (rows.contact.placement)
      ground_ = std::min(ground_, (placement(model_, work_, rows.against) * rows.placement).p.z);
  }
}

bool PrescribedAccelerationRobot::check_command() {
  if (!command_.failure.empty()) return fail("the controller found no solution: " + command_.failure);
  if (command_.contacts.size() != prescribed_.size())
    throw Error("command.contacts has " + counted(command_.contacts.size(), "element") + ", expected " +
                std::to_string(prescribed_.size()) + ": one per contact of the robot, in the same order");
  return true;
}

bool PrescribedAccelerationRobot::move(const Eigen::VectorXd& accelerations) {
  if (!check_command()) return false;
  const double h = options_.step / options_.substeps;
  for (int i = 0; i < options_.substeps; ++i) {
    update_contacts();
    lambda_.setZero();
    next_v_ = v_ + h * accelerations;
    if (const auto acting = pushes(); !acting.empty()) {
      add_push(acting);
      next_v_ += h * push_acceleration_;
    }
    for (std::size_t k = 0; k < prescribed_.size(); ++k)
      read_contact(command_.contacts[k], prescribed_[k], contacts_[k]);
    if (!advance(next_v_, h)) return false;
  }
  return true;
}

// Determines which contacts are active, and the positions of their points.
void PrescribedAccelerationRobot::update_contacts() {
  for (std::size_t i = 0; i < prescribed_.size(); ++i) {
    auto& c = prescribed_[i];
    const auto X_F = placement(model_, work_, c.rows.frame), X_A = placement(model_, work_, c.rows.against);
    const auto X = inverse(X_A) * X_F;
    if (command_.contacts[i].active && !c.active) {
      c.initial = X;
      c.axes = c.rows.contact.placement ? c.rows.contact.placement->R : X.R;
    }
    c.active = command_.contacts[i].active;
    if (!c.active) continue;
    c.origin = c.rows.contact.kind == ContactKind::point ? X_F * c.rows.points[0] : X_F.p;
    for (std::size_t k = 0; k < c.points.size(); ++k)
      c.points[k] = transpose_times(X_A.R * c.axes, X_F * c.rows.points[k] - c.origin);
  }
}

void PrescribedAccelerationRobot::write_rows(PrescribedContact& c) {
  auto& J = c.rows.J;
  const auto axes = placement(model_, work_, c.rows.against).R * c.axes;
  const auto body = [&](FrameId frame) { return model_.frames()[std::size_t(frame.index)].body; };
  relative_jacobian(model_, work_, body(c.rows.frame), body(c.rows.against), c.origin, axes, J, J_against_);
  for (const int k : c.rows.rows) J_.row(c.row + k) = J.row(k);
}

void PrescribedAccelerationRobot::add_push(std::span<const ExternalForce> pushes) {
  J_.setZero();  // zero rows constrain nothing
  for (auto& c : prescribed_)
    if (c.active) write_rows(c);
  // The generalized forces of a push are the difference of the torques without and with it.
  push_acceleration_ = inverse_dynamics(model_, work_, q_, v_, zero_);
  push_acceleration_ -= inverse_dynamics(model_, work_, q_, v_, zero_, pushes);
  factor_.factorize(model_, work_, q_);
  push_acceleration_ = factor_.solve(push_acceleration_);
  basis_.set(factor_, J_, rounding_);
  basis_.satisfy(push_acceleration_, target_);
  lambda_ = basis_.multipliers();
}

void PrescribedAccelerationRobot::read_contact(const ContactForce& given, PrescribedContact& c, ContactState& state) {
  state = {};
  if (!c.active) return;
  const auto X_A = placement(model_, work_, c.rows.against), X_F = placement(model_, work_, c.rows.frame);
  const auto axes = X_A.R * c.axes;
  const auto* added = lambda_.data() + c.row;
  const auto arm = c.origin - X_F.p;
  const auto torque = given.torque - cross(arm, given.force) + axes * Vec3<double>(added[3], added[4], added[5]);
  state.force = given.force + axes * Vec3<double>(added[0], added[1], added[2]);
  state.torque = torque + cross(arm, state.force);
  const auto f = transpose_times(axes, state.force), t = transpose_times(axes, torque);
  state.normal = f.z;
  state.points = std::max(1, int(c.points.size()));
  const auto X = inverse(X_A) * X_F;
  for (const auto& p : c.rows.points) {
    const auto moved = transpose_times(c.axes, X * p - c.initial * p);
    state.slip = std::max(state.slip, std::hypot(moved.x, moved.y));
    state.loaded_slip = state.slip;
  }
  if (c.rows.per_point() == 0 || c.points.empty()) return;
  if (c.rows.contact.kind == ContactKind::sliding) {
    const double limit = c.rows.contact.friction * f.z;
    state.friction_use = limit > 0 ? std::hypot(f.x, f.y) / limit : 0;
    return;
  }
  state.friction_use =
      c.use.min_use(c.points, {.normal = f.z, .x = -t.y, .y = t.x, .tangent_x = f.x, .tangent_y = f.y, .spin = t.z},
                    c.rows.contact.friction);
}

}  // namespace

std::unique_ptr<SimulatedRobot> prescribed_acceleration_robot(const Model& model, std::vector<Contact> contacts,
                                                              const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                              const RobotOptions& options) {
  if (!options.surroundings.empty())
    throw Error("surroundings: '" + options.surroundings.front().name +
                "' is given, but the simulator prescribed_acceleration knows nothing but the ground; use contact");
  return std::make_unique<PrescribedAccelerationRobot>(model, std::move(contacts), q, v, options);
}

}  // namespace lissom::sim
