// Plant (a): the accelerations that the controller computed, integrated: v⁺ = v + h a, q⁺ = q ⊕ h v⁺. Contacts are held
// where the controller holds them, with the forces it says. A push f on a point with the Jacobian J_f adds
//
//   Δ = argmin ½ (Δ - M⁻¹ J_fᵀ f)ᵀ M (Δ - M⁻¹ J_fᵀ f)   s.t.   J Δ = 0 for the rows of contacts held,
//
// and its multipliers are what contacts carry more. The errors of masses matter for Δ alone.
#include <algorithm>
#include <cmath>

#include "lissom/constraints/basis.h"
#include "lissom/constraints/contact_rows.h"
#include "lissom/model/wording.h"
#include "lissom/sim/friction_use.h"
#include "lissom/sim/stepped_robot.h"

namespace lissom::plant {

namespace {

using control::ContactKind;

struct Hold {
  control::ContactEntry entry;
  FrictionUse use;
  bool held = false;
  Pose<double> came = {};  // of the frame in `against`, when it came
  Mat3<double> axes = {};  // of the contact, in `against`
  Vec3<double> origin = {0, 0,
                         0};  // where its wrench is about: the frame's origin, or a point contact's point; in the world
  int row = 0;                // first of six
  std::vector<Vec3<double>> points = {};  // along the contact's axes
};

class Integrated final : public Run {
 public:
  Integrated(const Model& model, std::vector<control::Contact> contacts, const Eigen::VectorXd& q,
             const Eigen::VectorXd& v, const Options& options);

 private:
  bool move(const control::Tick& tick, const Eigen::VectorXd& accelerations) override;
  const Eigen::VectorXd& command_of(const control::Tick& tick) const override { return tick.accelerations; }
  const char* command_name() const override { return "acceleration"; }

  bool check(const control::Tick& tick);
  void look(const control::Tick& tick);
  void add_push(std::span<const ExternalForce> pushes);
  void write_rows(Hold& hold);
  void read(const control::Tick& tick);
  void read_contact(const control::ContactReading& said, Hold& hold, TouchReading& reading);

  std::vector<Hold> holds_;
  Matrix J_;
  ClosureSpan span_;
  Eigen::VectorXd extra_, target_, rounding_, lambda_, next_v_;
  Columns6 J_against_;
};

Integrated::Integrated(const Model& model, std::vector<control::Contact> contacts, const Eigen::VectorXd& q,
                       const Eigen::VectorXd& v, const Options& options)
    : Run(model, q, v, options, contacts.size()),
      J_(Matrix::Zero(6 * Eigen::Index(contacts.size()), model.nv())),
      span_(int(J_.rows()), model.nv()),
      extra_(zero_),
      target_(Eigen::VectorXd::Zero(J_.rows())),
      rounding_(Eigen::VectorXd::Constant(J_.rows(), 1e-16)),
      lambda_(target_),
      next_v_(zero_),
      J_against_(Columns6::Zero(6, model.nv())) {
  for (auto& c : contacts) {
    auto entry = control::make_entry(model_, std::move(c));
    const auto points = entry.points.size();
    holds_.push_back({.entry = std::move(entry), .use = FrictionUse(std::max(1, int(points)))});
    auto& hold = holds_.back();
    hold.row = 6 * int(holds_.size() - 1);
    hold.points.assign(points, {0, 0, 0});
    if (hold.entry.contact.place)
      ground_ = std::min(ground_, (placement(model_, work_, hold.entry.against) * hold.entry.place).p.z);
  }
}

bool Integrated::check(const control::Tick& tick) {
  if (tick.contacts.size() != holds_.size())
    throw Error("plant: the tick has " + counted(tick.contacts.size(), "contact") + ", the plant " +
                std::to_string(holds_.size()) + "; expected the controller's contacts, in its order");
  using control::TickStatus;
  if (tick.status == TickStatus::optimal || tick.status == TickStatus::elastic) return true;
  return fail(std::string("the controller has no answer: ") + to_string(tick.status) + ", " + tick.reason);
}

bool Integrated::move(const control::Tick& tick, const Eigen::VectorXd& accelerations) {
  if (!check(tick)) return false;
  const double h = options_.step / options_.substeps;
  for (int i = 0; i < options_.substeps; ++i) {
    look(tick);
    lambda_.setZero();
    next_v_ = v_ + h * accelerations;
    if (const auto acting = pushes(); !acting.empty()) {
      add_push(acting);
      next_v_ += h * extra_;
    }
    read(tick);
    if (!advance(next_v_, h)) return false;
  }
  return true;
}

// Which contacts are held, and where they came.
void Integrated::look(const control::Tick& tick) {
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    auto& hold = holds_[i];
    const auto X_F = placement(model_, work_, hold.entry.frame), X_A = placement(model_, work_, hold.entry.against);
    const auto X = inverse(X_A) * X_F;
    if (tick.contacts[i].held && !hold.held) {
      hold.came = X;
      hold.axes = hold.entry.contact.place ? hold.entry.contact.place->R : X.R;
    }
    hold.held = tick.contacts[i].held;
    if (!hold.held) continue;
    hold.origin = hold.entry.contact.kind == ContactKind::point ? X_F * hold.entry.points[0] : X_F.p;
    for (std::size_t k = 0; k < hold.points.size(); ++k)
      hold.points[k] = transpose_times(X_A.R * hold.axes, X_F * hold.entry.points[k] - hold.origin);
  }
}

void Integrated::write_rows(Hold& hold) {
  auto& J = hold.entry.J;
  const auto axes = placement(model_, work_, hold.entry.against).R * hold.axes;
  const auto jacobian_of = [&](FrameId frame) -> const Columns6& {
    return jacobian(model_, work_, q_, frame, Point{world_frame, hold.origin});
  };
  J = jacobian_of(hold.entry.frame);
  if (model_.frames()[std::size_t(hold.entry.against.index)].body != 0) J -= jacobian_of(hold.entry.against);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(&axes.xx);
  for (const int k : hold.entry.rows)
    J_.row(hold.row + k).noalias() = R.col(k % 3).transpose() * J.middleRows<3>(k < 3 ? 0 : 3);
}

void Integrated::add_push(std::span<const ExternalForce> pushes) {
  J_.setZero();  // rows without numbers hold nothing
  for (auto& hold : holds_)
    if (hold.held) write_rows(hold);
  // The joint forces of a push are what it saves the motors.
  extra_ = inverse_dynamics(model_, work_, q_, v_, zero_);
  extra_ -= inverse_dynamics(model_, work_, q_, v_, zero_, pushes);
  factorize_mass_matrix(model_, work_, q_);
  extra_ = solve(model_, work_, extra_);
  span_.set(model_, work_, J_, rounding_);
  span_.satisfy(extra_, target_);
  lambda_ = span_.multipliers();
}

void Integrated::read(const control::Tick& tick) {
  for (std::size_t i = 0; i < holds_.size(); ++i) read_contact(tick.contacts[i], holds_[i], touches_[i]);
}

void Integrated::read_contact(const control::ContactReading& said, Hold& hold, TouchReading& reading) {
  reading = {};
  if (!hold.held) return;
  const auto X_A = placement(model_, work_, hold.entry.against), X_F = placement(model_, work_, hold.entry.frame);
  const auto axes = X_A.R * hold.axes;
  const auto* more = lambda_.data() + hold.row;
  const auto torque = said.torque + axes * Vec3<double>(more[3], more[4], more[5]);  // about hold.origin, as is said
  reading.force = said.force + axes * Vec3<double>(more[0], more[1], more[2]);
  reading.torque = torque + cross(hold.origin - X_F.p, reading.force);
  const auto f = transpose_times(axes, reading.force), t = transpose_times(axes, torque);
  reading.normal = f.z;
  reading.points = std::max(1, int(hold.points.size()));
  const auto X = inverse(X_A) * X_F;
  for (const auto& p : hold.entry.points) {
    const auto moved = transpose_times(hold.axes, X * p - hold.came * p);
    reading.slip = std::max(reading.slip, std::hypot(moved.x, moved.y));
  }
  if (hold.entry.per_point() == 0 || hold.points.empty()) return;
  if (hold.entry.contact.kind == ContactKind::sliding) {
    const double limit = hold.entry.contact.friction * f.z;
    reading.friction_use = limit > 0 ? std::hypot(f.x, f.y) / limit : 0;
    return;
  }
  reading.friction_use = hold.use.smallest(
      hold.points, {.normal = f.z, .x = -t.y, .y = t.x, .tangent_x = f.x, .tangent_y = f.y, .spin = t.z},
      hold.entry.contact.friction);
}

}  // namespace

std::unique_ptr<Plant> integrated(const Model& model, std::vector<control::Contact> contacts, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v, const Options& options) {
  return std::make_unique<Integrated>(model, std::move(contacts), q, v, options);
}

}  // namespace lissom::plant
