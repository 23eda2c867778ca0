// A robot that follows the accelerations of its controller: v⁺ = v + h a, q⁺ = q ⊕ h v⁺. Contacts are held where the
// command holds them, with the forces that it says. A push f on a point with the Jacobian J_f adds
//
//   Δ = argmin ½ (Δ - M⁻¹ J_fᵀ f)ᵀ M (Δ - M⁻¹ J_fᵀ f)   s.t.   J Δ = 0 for the rows of active contacts,
//
// and its multipliers are what contacts carry more. Errors of masses matter for Δ alone.
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
  int row;  // the first of six
  bool active = false;
  Pose<double> came = {};  // of the frame in `against`, when it came
  Mat3<double> axes = {};  // of the contact, in `against`
  // What its wrench is about, in the world: the frame's origin, or the point of a point contact.
  Vec3<double> origin = {0, 0, 0};
  std::vector<Vec3<double>> points;  // along the contact's axes
};

class PrescribedAccelerationRobot final : public SimulatedRobotBase {
 public:
  PrescribedAccelerationRobot(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q,
                              const Eigen::VectorXd& v, const RobotOptions& options);

 private:
  bool move(const Eigen::VectorXd& accelerations) override;
  const Eigen::VectorXd& delayed_part(const Command& command) const override { return command.accelerations; }
  const char* delayed_name() const override { return "acceleration"; }

  bool check_command();
  void look();
  void add_push(std::span<const ExternalForce> pushes);
  void write_rows(PrescribedContact& c);
  void read_contact(const ContactForce& said, PrescribedContact& c, ContactState& state);

  std::vector<PrescribedContact> prescribed_;
  Matrix J_;
  MassMatrixFactor factor_;
  ConstraintBasis basis_;
  Eigen::VectorXd extra_, target_, rounding_, lambda_, next_v_;
  Columns6 J_against_;
};

PrescribedAccelerationRobot::PrescribedAccelerationRobot(const Model& model, std::vector<Contact> contacts,
                                                         const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                         const RobotOptions& options)
    : SimulatedRobotBase(model, q, v, options, contacts.size()),
      J_(Matrix::Zero(6 * Eigen::Index(contacts.size()), model.nv())),
      factor_(model_),
      basis_(int(J_.rows()), model.nv()),
      extra_(zero_),
      target_(Eigen::VectorXd::Zero(J_.rows())),
      rounding_(Eigen::VectorXd::Constant(J_.rows(), 1e-16)),
      lambda_(target_),
      next_v_(zero_),
      J_against_(Columns6::Zero(6, model.nv())) {
  prescribed_.reserve(contacts.size());
  for (auto& contact : contacts) {
    prescribed_.emplace_back(model_, std::move(contact), 6 * int(prescribed_.size()));
    const auto& rows = prescribed_.back().rows;
    if (rows.contact.place) ground_ = std::min(ground_, (placement(model_, work_, rows.against) * rows.place).p.z);
  }
}

bool PrescribedAccelerationRobot::check_command() {
  if (!command_.failure.empty()) return fail("the controller has no answer: " + command_.failure);
  if (command_.contacts.size() != prescribed_.size())
    throw Error("the command has " + counted(command_.contacts.size(), "contact") + ", expected " +
                std::to_string(prescribed_.size()) + ": those that the robot was made with, in their order");
  return true;
}

bool PrescribedAccelerationRobot::move(const Eigen::VectorXd& accelerations) {
  if (!check_command()) return false;
  const double h = options_.step / options_.substeps;
  for (int i = 0; i < options_.substeps; ++i) {
    look();
    lambda_.setZero();
    next_v_ = v_ + h * accelerations;
    if (const auto acting = pushes(); !acting.empty()) {
      add_push(acting);
      next_v_ += h * extra_;
    }
    for (std::size_t k = 0; k < prescribed_.size(); ++k)
      read_contact(command_.contacts[k], prescribed_[k], contacts_[k]);
    if (!advance(next_v_, h)) return false;
  }
  return true;
}

// Which contacts are active, and where they came.
void PrescribedAccelerationRobot::look() {
  for (std::size_t i = 0; i < prescribed_.size(); ++i) {
    auto& c = prescribed_[i];
    const auto X_F = placement(model_, work_, c.rows.frame), X_A = placement(model_, work_, c.rows.against);
    const auto X = inverse(X_A) * X_F;
    if (command_.contacts[i].active && !c.active) {
      c.came = X;
      c.axes = c.rows.contact.place ? c.rows.contact.place->R : X.R;
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
  J_.setZero();  // zero rows hold nothing
  for (auto& c : prescribed_)
    if (c.active) write_rows(c);
  // The joint forces of a push are what it saves the motors.
  extra_ = inverse_dynamics(model_, work_, q_, v_, zero_);
  extra_ -= inverse_dynamics(model_, work_, q_, v_, zero_, pushes);
  factor_.factorize(model_, work_, q_);
  extra_ = factor_.solve(extra_);
  basis_.set(factor_, J_, rounding_);
  basis_.satisfy(extra_, target_);
  lambda_ = basis_.multipliers();
}

void PrescribedAccelerationRobot::read_contact(const ContactForce& said, PrescribedContact& c, ContactState& state) {
  state = {};
  if (!c.active) return;
  const auto X_A = placement(model_, work_, c.rows.against), X_F = placement(model_, work_, c.rows.frame);
  const auto axes = X_A.R * c.axes;
  const auto* more = lambda_.data() + c.row;
  const auto arm = c.origin - X_F.p;
  const auto torque = said.torque - cross(arm, said.force) + axes * Vec3<double>(more[3], more[4], more[5]);
  state.force = said.force + axes * Vec3<double>(more[0], more[1], more[2]);
  state.torque = torque + cross(arm, state.force);
  const auto f = transpose_times(axes, state.force), t = transpose_times(axes, torque);
  state.normal = f.z;
  state.points = std::max(1, int(c.points.size()));
  const auto X = inverse(X_A) * X_F;
  for (const auto& p : c.rows.points) {
    const auto moved = transpose_times(c.axes, X * p - c.came * p);
    state.slip = std::max(state.slip, std::hypot(moved.x, moved.y));
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
  return std::make_unique<PrescribedAccelerationRobot>(model, std::move(contacts), q, v, options);
}

}  // namespace lissom::sim
