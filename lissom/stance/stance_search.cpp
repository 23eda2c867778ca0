#include "lissom/stance/stance_search.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/eigen.h"
#include "lissom/api/state.h"
#include "lissom/model/text.h"

namespace lissom::stance {

namespace {

constexpr double ground_tolerance = 4e-3;  // m
constexpr double own_tolerance = 5e-3;     // m, of shapes of a body with a contact
constexpr double unreached = 100;  // added to missed(): attempts that reach their contacts are better than others

}  // namespace

StanceSearch::StanceSearch(StanceSetup& setup) : s_(setup), ik_(s_.model, s_.targets()), descent_(s_, ik_) {}

// Every second start rotates the robot at random; joints move by a part of the displacement from `from` to a random
// posture. The robot is then translated so that the mean position of its contacts is right.
Eigen::VectorXd StanceSearch::start(int k) const {
  if (k == 0) return s_.problem.start.size() > 0 ? normalize(s_.model, s_.problem.start) : s_.from;
  const auto& model = s_.model;
  const Eigen::VectorXd random = random_configuration(model, s_.problem.seed * 1000003 + std::uint64_t(k));
  Eigen::VectorXd displacement = difference(model, s_.from, random);
  const double part = k % 4 < 2 ? .2 : .6;
  for (const auto& joint : model.joints()) {
    auto own = displacement.segment(joint.v_index, joint.nv);
    if (joint.type != JointType::free)
      own *= part;
    else if (k % 2 == 0)
      own.setZero();
  }
  Eigen::VectorXd q = integrate(model, s_.from, displacement);
  Workspace work(model);
  forward_kinematics(model, work, q);
  Vec3<double> off(0, 0, 0);
  for (const auto& c : s_.contacts)
    off += (1 / double(s_.contacts.size())) * (c.placement.p - placement(model, work, c.frame).p);
  for (const auto& joint : model.joints())
    if (joint.type == JointType::free) q.segment<3>(joint.q_index) += to_eigen(off);
  return q;
}

Eigen::VectorXd StanceSearch::reach(const Eigen::VectorXd& start, bool& reached) {
  s_.evaluate(start);
  s_.set_targets(ik_);
  const auto& result = ik_.solve(start, {.tolerance = {1e-10, 1e-10}, .starts = 1, .iterations = 200});
  reached = result.status == ik::Status::solved;
  missed_ = unreached + result.error;
  return result.q;
}

bool StanceSearch::certainly_unbalanced(Stance& stance) {
  const bool placed = std::none_of(s_.floating.begin(), s_.floating.end(), [](bool f) { return f; });
  if (!placed) return false;
  s_.evaluate(s_.from);
  const auto region = support_region(s_);
  if (!region.everywhere && (region.corners.empty() || (s_.problem.com && region.margin(*s_.problem.com) < -1e-6))) {
    stance.status = StanceStatus::not_balanced;
    read_posture(stance, s_.from, region);
    if (s_.problem.com) stance.com = *s_.problem.com, stance.balance_margin = region.margin(stance.com);
    stance.what = explain_balance(stance, region);
    return true;
  }
  return false;
}

Stance StanceSearch::attempt(const Eigen::VectorXd& start) {
  Stance stance;
  s_.free_placements();
  bool reached = false;
  const int before = descent_.iterations();
  Eigen::VectorXd q = reach(start, reached);
  s_.evaluate(q);
  if (!reached) {
    stance.status = StanceStatus::no_posture;
    read_posture(stance, q, {});
    stance.what = explain_reach(q);
    return stance;
  }
  if (std::find(s_.floating.begin(), s_.floating.end(), true) != s_.floating.end()) q = descent_.run(q, nullptr);
  s_.fix_placements();
  auto region = support_region(s_);
  q = descent_.run(q, &region);
  if (!static_forces(s_, TorqueRows::none).balanced) q = descent_.settle(q, &region);
  read_posture(stance, q, region);
  assess(stance);
  stance.iterations = descent_.iterations() - before;
  return stance;
}

// Decides the status of the posture that was read.
void StanceSearch::assess(Stance& stance) {
  const auto within = static_forces(s_, TorqueRows::hard);
  double deepest = 0;
  const auto below = explain_collision(deepest);
  double sunk = 0;
  const auto own = explain_own_shapes(sunk);
  if (sunk > std::max(deepest, own_tolerance)) {
    stance.status = StanceStatus::no_posture, stance.what = own, missed_ = sunk;
    read_forces(stance, static_forces(s_, TorqueRows::soft));
    return;
  }
  if (within.balanced && deepest <= ground_tolerance) {
    stance.status = StanceStatus::found;
    read_forces(stance, within);
    return;
  }
  const auto best = static_forces(s_, TorqueRows::soft);
  read_forces(stance, best);
  SupportRegion region;
  region.corners = stance.support;
  if (deepest > ground_tolerance)
    stance.status = StanceStatus::no_posture, stance.what = below, missed_ = deepest;
  else if (!best.balanced)
    stance.status = StanceStatus::not_balanced, stance.what = explain_balance(stance, region);
  else
    stance.status = StanceStatus::torque_limits, stance.what = explain_torques(stance);
}

void StanceSearch::read_posture(Stance& stance, const Eigen::VectorXd& q, const SupportRegion& region) {
  s_.evaluate(q);
  stance.q = q;
  stance.torques.setZero(s_.model.nv());
  stance.com = s_.robot.com;
  stance.support = region.corners;
  stance.balance_margin = region.margin(stance.com);
  const Eigen::VectorXd displacement = difference(s_.model, s_.from, q);
  double square = 0;
  for (const auto& joint : s_.model.joints())
    if (joint.type != JointType::free) square += displacement.segment(joint.v_index, joint.nv).squaredNorm();
  stance.posture_distance = std::sqrt(square);
  stance.contacts.clear();
  for (const auto& c : s_.contacts) {
    StanceForces f{.frame = c.contact.frame, .kind = c.contact.kind, .placement = s_.robot.placement(c.frame)};
    const auto below = c.contact.radius * column_z(c.placement.R);  // a ball touches below its center
    for (const auto& p : c.points) f.points.push_back(f.placement * p - below);
    f.point_forces.resize(f.points.size(), Vec3<double>(0, 0, 0));
    stance.contacts.push_back(f);
  }
}

void StanceSearch::read_forces(Stance& stance, const StaticForces& found) {
  for (std::size_t k = 0; k < s_.motors.size(); ++k) {
    const int i = s_.motors[k];
    stance.torques[i] = found.torques[i];
    const double use = std::abs(found.torques[i]) / s_.model.effort_limit()[std::size_t(i)];
    if (use <= stance.max_torque_use) continue;
    stance.max_torque_use = use;
    for (const auto& joint : s_.model.joints())
      if (i >= joint.v_index && i < joint.v_index + joint.nv) stance.max_torque_joint = joint.name;
  }
  const auto external = s_.external(found.forces);
  std::size_t at = 0;
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) {
    auto& f = stance.contacts[k];
    const auto& c = s_.contacts[k];
    if (s_.variables_of(k) == 0) continue;
    const auto normal = column_z(c.placement.R);
    for (std::size_t i = 0; i < std::max<std::size_t>(1, f.points.size()); ++i, ++at) {
      const auto force = external[at].force;
      f.force += force;
      f.torque += external[at].torque;
      if (f.points.empty()) break;
      f.point_forces[i] = force;
      f.torque += cross(f.points[i] - f.placement.p, force);
      const double n = dot(normal, force);
      const auto tangent = force - n * normal;
      if (n > 1e-6 * s_.weight && c.contact.friction > 0)
        f.friction_use = std::max(f.friction_use, std::sqrt(dot(tangent, tangent)) / (c.contact.friction * n));
    }
    if (f.points.empty()) ++at;
    f.normal = dot(normal, f.force);
    stance.max_friction_use = std::max(stance.max_friction_use, f.friction_use);
  }
}

}  // namespace lissom::stance
