#include "lissom/control/motion_check.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/dynamics.h"
#include "lissom/api/kinematics.h"
#include "lissom/control/support.h"
#include "lissom/ik/solver.h"
#include "lissom/model/text.h"
#include "lissom/stance/stance.h"

namespace lissom::control {

namespace {

constexpr double reach_tolerance = .01;  // m
constexpr double limb_share = .1;        // weight of a limb against contacts: what cannot be reached is the limb's

std::string rounded(double x, double unit, const char* name) {
  return to_text(std::round(x / unit * 10) / 10) + " " + name;
}
std::string millimeters(double x) {
  return rounded(x, 1e-3, "mm");
}
std::string names_of(const MotionPlan& plan, const std::vector<int>& contacts) {
  std::string names;
  for (const int i : contacts) names += (names.empty() ? "" : ", ") + name_of(plan.contacts[std::size_t(i)]);
  return names;
}

class MotionCheck {
 public:
  MotionCheck(const Model& model, const MotionPlan& plan) : model_(model), plan_(plan) {}

  std::vector<MotionFinding> run(const MotionCheckOptions& options) {
    q_ = plan_.posture(plan_.start);
    stop_ = options.stop;
    for (const auto& s : course_of(model_, plan_)) {
      if (stop_ && stop_()) break;
      s_ = &s;
      const auto count = findings_.size();
      check_contacts();
      if (findings_.size() == count) check_balance();
      if (findings_.size() == count && options.postures) check_posture();
    }
    return std::move(findings_);
  }

 private:
  MotionFinding& find(const std::string& what) {
    findings_.push_back({s_->stage->name, what});
    return findings_.back();
  }

  void check_contacts() {
    for (const auto& m : s_->moves)
      if (m.contact >= 0 && std::ranges::find(s_->standing, m.contact) != s_->standing.end())
        find("it moves " + m.move->frame + ", on which the robot stands; name it in \"release\"").wrong = true;
    if (s_->standing.empty()) find("no contact is left to stand on").wrong = true;
  }

  // Static balance at both ends, then the zero-moment point in between.
  void check_balance() {
    const Support all(model_, plan_, s_->standing, s_->placements);
    const auto names = names_of(plan_, s_->standing);
    const double from = all.outside(s_->com_from), to = all.outside(s_->com_to);
    if (from > 0 && !s_->stage->release.empty())
      return void(find("when " + s_->stage->release.front() + " is released, the center of mass is " +
                       millimeters(from) + " outside of what " + names + " can carry; shift it first"));
    if (to > 0)
      return void(find("the center of mass shall go to " + to_text(s_->com_to.x) + " " + to_text(s_->com_to.y) + " " +
                       to_text(s_->com_to.z) + ", " + millimeters(to) + " outside of what " + names + " can carry"));
    const auto shift = s_->com_to - s_->com_from;
    const double distance = std::sqrt(dot(shift, shift)), seconds = s_->stage->seconds;
    if (from > 0 || distance < 1e-3) return;
    const Support margins(model_, plan_, s_->standing, s_->placements, plan_.gains.support_scale,
                          plan_.gains.friction_factor);
    const double outside = all.outside(s_->com_from, s_->com_to, seconds);
    const double beyond = margins.outside(s_->com_from, s_->com_to, seconds);
    if (outside == 0 && beyond == 0) return;
    const double enough = margins.seconds_for(s_->com_from, s_->com_to, seconds);
    const auto text = "a shift of " + millimeters(distance) + " in " + to_text(seconds) +
                      " s needs a zero-moment point " + millimeters(outside > 0 ? outside : beyond) + " outside of " +
                      names + (outside > 0 ? "" : ", scaled by support_scale") +
                      (enough > 0 ? "; " + rounded(enough + .05, 1, "s would do") : "");
    find(text).serious = outside > 0;
  }

  std::vector<StanceContact> stance_contacts() const {
    std::vector<StanceContact> contacts;
    for (const int i : s_->standing) {
      const auto& c = plan_.contacts[std::size_t(i)];
      contacts.push_back({.frame = c.frame,
                          .placement = s_->placements[std::size_t(i)],
                          .kind = c.kind == ContactKind::sliding ? ContactKind::surface : c.kind,
                          .friction = c.friction,
                          .points = c.points,
                          .radius = c.radius});
    }
    return contacts;
  }

  // A static posture on the contacts, with the center of mass at its target; then the limbs.
  void check_posture() {
    StanceProblem problem;
    problem.contacts = stance_contacts();
    problem.from = s_->stage->posture ? s_->posture : q_;
    problem.com = s_->com_to;
    problem.com_margin = 0;
    problem.torque_fraction = 1;
    problem.ground.reset();
    problem.starts = 3;
    problem.stop = stop_;
    const auto stance = find_stance(model_, problem);
    if (stance.status != StanceStatus::found)
      return void(find("no posture at rest on " + names_of(plan_, s_->standing) +
                       " was found with the center of mass at " + to_text(s_->com_to.x) + " " + to_text(s_->com_to.y) +
                       " " + to_text(s_->com_to.z) + ": " + stance.what));
    q_ = stance.q;
    if (!s_->moves.empty()) check_reach();
  }

  void check_reach() {
    std::vector<ik::Target> targets;
    for (const int i : s_->standing) {
      const auto& c = plan_.contacts[std::size_t(i)];
      const auto& X = s_->placements[std::size_t(i)];
      const auto frame = model_.frame(c.frame);
      targets.push_back(c.kind == ContactKind::point ? ik::position(frame, X.p) : ik::pose(frame, X));
    }
    targets.push_back(ik::center_of_mass(s_->com_to));
    const auto first = targets.size();
    for (const auto& m : s_->moves) {
      auto target = ik::position(model_.frame(m.move->frame), m.to.p);
      target.linear_weight = {limb_share, limb_share, limb_share};
      targets.push_back(target);
    }
    ik::Solver solver(model_, targets);
    ik::Options options;
    options.tolerance = {reach_tolerance * limb_share, reach_tolerance};
    options.starts = 4;
    if (stop_) options.stop = [this](int) { return stop_(); };
    const auto& result = solver.solve(q_, options);
    if (result.status == ik::Status::solved) {
      q_ = result.q;
      return;
    }
    for (std::size_t k = 0; k < s_->moves.size(); ++k)
      if (result.residuals[first + k].distance > reach_tolerance)
        find(s_->moves[k].move->frame + " does not reach its target: the nearest posture is " +
             millimeters(result.residuals[first + k].distance) + " away");
  }

  const Model& model_;
  const MotionPlan& plan_;
  const CourseStage* s_ = nullptr;
  Eigen::VectorXd q_;  // a posture at the end of the stage before
  std::function<bool()> stop_;
  std::vector<MotionFinding> findings_;
};

}  // namespace

std::vector<MotionFinding> check_motion(const Model& model, const MotionPlan& plan, const MotionCheckOptions& options) {
  return MotionCheck(model, plan).run(options);
}

}  // namespace lissom::control
