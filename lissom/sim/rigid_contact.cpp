// A robot with rigid contacts: Gauss' principle with points that may not enter the ground. With the velocity v at the
// beginning and v⁺ at the end of a step of length h, and the forces f except those of contacts (torques, gravity, bias,
// pushes),
//
//   min ½ (v⁺ - v°)ᵀ M (v⁺ - v°),   M v° = M v + h f,
//   s.t.  J_t v⁺ = -gap_t / h   tangential, points that stay,
//         J_n v⁺ ≥ -gap_n / h   normal, points that touch,
//
// and q⁺ = q ⊕ h v⁺. The multipliers are the impulses h · force: those of the normals are never negative, and zero
// where a point separates (complementarity is the release). The right-hand sides correct the error of a step due to
// curvature (h²), so that nothing drifts. A step is divided where a point lands, so that impacts and forces are not
// mixed.
//
// A point that separates must not be constrained tangentially: if one of the points with tangential rows separates, the
// rows are written for those that stay and the program is solved again; each time fewer stay, so this terminates.
//
// Points that have just landed first take an inelastic impact, the same program with f = 0 and a zero right-hand side:
// a projection onto a cone in the metric of M, which creates no energy. Its impulse is not part of the forces, and it
// is not checked whether friction could have stopped the tangential motion.
#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/sim/contact_face.h"
#include "lissom/sim/simulated_robot_base.h"

namespace lissom::sim {

namespace {

// Faces that have landed within settling_time, or carry almost no load, may slip until they stick, by max_slip at most.
constexpr double settling_time = 0.01;  // s
constexpr double max_slip = 1e-3;       // m
// A step has at most so many parts, in which points land one after the other; the last prevents penetration by the
// remaining points.
constexpr int max_parts = 8;
// Friction is neither judged nor reported in parts shorter than this fraction of a step: the forces that end a motion
// within it are as large as it is short, and act as the impulse of an impact does.
constexpr double min_judged_part = .2;
constexpr qp::Options accurate{.equality_tolerance = 1e-10, .row_tolerance = 1e-9};

class RigidContactRobot final : public SimulatedRobotBase {
 public:
  RigidContactRobot(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& v, const RobotOptions& options);

 private:
  bool move(const Eigen::VectorXd& torques) override;
  const Eigen::VectorXd& delayed_part(const Command& command) const override { return command.torques; }
  const char* delayed_name() const override { return "torque"; }

  bool substep(const Eigen::VectorXd& torques);
  // Updates all faces; returns true if a point has landed.
  bool update_faces();
  bool eligible(std::size_t face) const;
  bool take_impact();
  // Computes v⁺ under force_; returns false after fail().
  bool solve(const TimeStep& step);
  bool solve_once(const TimeStep& step);
  bool check_friction(const TimeStep& step, bool judged);
  void add_contact_states(double part, bool judged);

  std::vector<ContactFace> faces_;
  VelocityRows rows_;
  qp::Solver solver_;
  Matrix M_;
  Eigen::VectorXd force_, momentum_, next_v_, y_, z_, lx_, ux_;
  double weight_;
};

qp::Sizes sizes(const Model& model, const std::vector<ContactFace>& faces) {
  qp::Sizes s{.variables = model.nv()};
  for (const auto& f : faces) s.equalities += f.max_equalities(), s.rows += f.max_rows();
  return s;
}
std::vector<ContactFace> make_faces(const Model& model, std::vector<Contact>& contacts) {
  std::vector<ContactFace> faces;
  for (auto& c : contacts) faces.emplace_back(model, std::move(c));
  return faces;
}

RigidContactRobot::RigidContactRobot(const Model& model, std::vector<Contact> contacts, const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& v, const RobotOptions& options)
    : SimulatedRobotBase(model, q, v, options, contacts.size()),
      faces_(make_faces(model_, contacts)),
      solver_(sizes(model_, faces_)),
      M_(Matrix::Zero(model.nv(), model.nv())),
      force_(zero_),
      momentum_(zero_),
      next_v_(zero_),
      lx_(Eigen::VectorXd::Constant(model.nv(), -qp::unbounded)),
      ux_(-lx_) {
  const auto s = sizes(model_, faces_);
  rows_.A = Matrix::Zero(s.equalities, s.variables);
  rows_.b = y_ = Eigen::VectorXd::Zero(s.equalities);
  rows_.C = Matrix::Zero(s.rows, s.variables);
  rows_.l = rows_.u = rows_.weight = z_ = Eigen::VectorXd::Zero(s.rows);
  weight_ = weight(model_);
  for (auto& f : faces_) ground_ = std::min(ground_, f.ground(model_, work_));
  update_faces();  // fixed contacts without a placement are fixed at the initial pose
}

// Of several contacts of one frame, the one that touches is eligible, or else the one whose placement is nearest.
bool RigidContactRobot::eligible(std::size_t face) const {
  const auto& f = faces_[face];
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto& other = faces_[i];
    if (i == face || other.frame() != f.frame()) continue;
    if (other.touching()) return false;
    if (!f.touching() && (other.distance() < f.distance() || (other.distance() == f.distance() && i < face)))
      return false;
  }
  return true;
}

bool RigidContactRobot::update_faces() {
  bool landed = false;
  for (auto& f : faces_) f.update(model_, work_);
  for (std::size_t i = 0; i < faces_.size(); ++i) landed = faces_[i].update_contact(eligible(i), time()) || landed;
  return landed;
}

bool RigidContactRobot::move(const Eigen::VectorXd& torques) {
  std::fill(contacts_.begin(), contacts_.end(), ContactState{});
  for (int i = 0; i < options_.substeps; ++i)
    if (!substep(torques)) return false;
  return true;
}

// One simulation step, in parts that end where a point lands.
bool RigidContactRobot::substep(const Eigen::VectorXd& torques) {
  const double h = options_.step / options_.substeps;
  double remaining = h;
  for (int part = 1; remaining > 0; ++part) {
    const bool landed = update_faces();
    M_ = mass_matrix(model_, work_, q_);
    if (landed && !take_impact()) return false;
    const bool last = part == max_parts;
    const auto& needed = inverse_dynamics(model_, work_, q_, v_, zero_, pushes());
    force_ = torques - needed;
    if (!solve({remaining, 1 / h, last})) return false;
    double length = remaining;
    for (const auto& f : faces_) length = std::min(length, f.time_to_landing(rows_, v_, next_v_, remaining));
    if (!last && length < remaining && !solve({length, 1 / h, false})) return false;
    if (last) length = remaining;
    const bool judged = length > min_judged_part * h;
    if (!check_friction({length, 1 / h, last}, judged)) return false;
    add_contact_states(length / options_.step, judged);
    if (!advance(next_v_, length)) return false;
    remaining = length < remaining ? remaining - length : 0;
  }
  return true;
}

bool RigidContactRobot::take_impact() {
  force_.setZero();
  if (!solve({0, 0, false})) return false;
  v_ = next_v_;
  return true;
}

bool RigidContactRobot::solve(const TimeStep& step) {
  momentum_.noalias() = M_ * v_;
  momentum_ += step.length * force_;
  for (auto& f : faces_) f.begin_solve();
  for (bool again = true; again;) {
    if (!solve_once(step)) return false;
    again = false;
    for (auto& f : faces_) again = f.release_pulling(rows_, next_v_, z_) || again;
  }
  return true;
}

bool RigidContactRobot::solve_once(const TimeStep& step) {
  rows_.equalities = 0;
  int row = 0;
  for (auto& f : faces_) {
    f.write(rows_, row, v_, step);
    row += f.row_count();
  }
  next_v_ = -momentum_;  // g; overwritten by the solution
  const int nv = model_.nv();
  const auto& s = solver_.solve({.H = M_,
                                 .g = next_v_,
                                 .A = rows_.A.topRows(rows_.equalities),
                                 .b = rows_.b.head(rows_.equalities),
                                 .C = rows_.C.topRows(row),
                                 .l = rows_.l.head(row),
                                 .u = rows_.u.head(row),
                                 .lx = lx_,
                                 .ux = ux_,
                                 .weight = rows_.weight.head(row),
                                 .blocks = {&nv, 1}},
                                accurate);
  // (Dependent rows, as those of straight legs, may contradict each other by rounding.)
  const bool found = s.status == qp::Status::optimal ||
                     (s.status == qp::Status::elastic && s.equality_error < 1e-6 && s.row_error < 1e-6);
  if (!found) return fail(std::string("no contact forces found (") + qp::to_string(s.status) + ' ' + s.reason + ")");
  next_v_ = s.x;
  y_.head(rows_.equalities) = s.equality_multipliers;
  z_.head(row) = s.row_multipliers;
  return true;
}

bool RigidContactRobot::check_friction(const TimeStep& step, bool judged) {
  for (bool settled = false; !settled;) {
    settled = true;
    for (auto& f : faces_) {
      f.read(y_, z_, 1 / step.length);
      const auto& r = f.state();
      if (r.friction_use <= 1 || f.slipping() || !judged) continue;
      const bool unsettled = r.normal < light_load * weight_ || time() - f.contact_time() < settling_time;
      const bool may_slip = r.slip < max_slip && (unsettled || f.slipped_before());
      if (!may_slip) return fail(f.name() + " slips: friction use " + to_text(std::round(1e3 * r.friction_use) / 1e3));
      f.allow_slip();
      settled = false;
    }
    if (!settled && !solve(step)) return false;
  }
  return true;
}

void RigidContactRobot::add_contact_states(double part, bool judged) {
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto& r = faces_[i].state();
    auto& sum = contacts_[i];
    sum.force += part * r.force;
    sum.torque += part * r.torque;
    sum.normal += part * r.normal;
    if (judged) sum.friction_use = std::max(sum.friction_use, r.friction_use);
    sum.slip = r.slip;
    sum.points = r.points;
  }
}

}  // namespace

std::unique_ptr<SimulatedRobot> rigid_contact_robot(const Model& model, std::vector<Contact> contacts,
                                                    const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                                    const RobotOptions& options) {
  return std::make_unique<RigidContactRobot>(model, std::move(contacts), q, v, options);
}

}  // namespace lissom::sim
