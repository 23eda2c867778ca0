// Explanations why there is no stance.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/model/text.h"
#include "lissom/stance/stance_search.h"

namespace lissom::stance {

namespace {

std::string rounded(double x, int digits) {
  const double unit = std::pow(10, digits);
  const auto text = to_text(std::round(x * unit) / unit);
  return text.size() > 2 && text.substr(text.size() - 2) == ".0" ? text.substr(0, text.size() - 2) : text;
}
std::string in_cm(double meters) {
  return std::abs(meters) < 10 ? rounded(100 * meters, 1) + " cm" : rounded(meters, 1) + " m";
}
std::string in_degrees(double angle) {
  return rounded(angle * 180 / std::numbers::pi, 1) + "°";
}
std::string format_position(const Vec3<double>& p, bool height = true) {
  return "(" + rounded(p.x, 3) + ", " + rounded(p.y, 3) + (height ? ", " + rounded(p.z, 3) : "") + ")";
}

std::string text_of(const ik::Residual& r) {
  std::string text;
  if (r.distance > 1e-4) text = in_cm(r.distance);
  if (r.angle > 1e-3) text += (text.empty() ? "" : " and ") + in_degrees(r.angle);
  return text.empty() ? "less than 0.1 mm" : text;
}

}  // namespace

// Least squares distribute the error over all targets. To attribute it to one, the others are given more weight.
std::string StanceSearch::explain_reach(const Eigen::VectorXd& q) {
  s_.evaluate(q);
  s_.set_targets(ik_);
  const auto all = s_.targets();
  const ik::Options options{.tolerance = {1e-6, 1e-6}, .starts = 1, .iterations = 300};
  auto residuals = ik_.solve(q, options).residuals;
  const auto size = [](const ik::Residual& r) { return r.distance + .3 * r.angle; };
  const auto worst = std::size_t(
      std::max_element(residuals.begin(), residuals.end(), [&](auto& a, auto& b) { return size(a) < size(b); }) -
      residuals.begin());
  if (all.size() > 1) {
    const bool floats = worst < s_.contacts.size() && s_.floating[worst];
    ik_.set_weights(worst, (floats ? 0 : .01) * Vec3<double>(1, 1, 0) + Vec3<double>(0, 0, .01),
                    .01 * Vec3<double>(1, 1, floats ? 0 : 1));
    residuals = ik_.solve(q, options).residuals;
    s_.set_targets(ik_);
  }
  const auto missing = text_of(residuals[worst]);
  const std::string hint = s_.passive.empty() ? "; the robot is fixed to the world (Base::free lets it stand)" : "";
  if (worst == s_.contacts.size())
    return "the center of mass does not reach " + format_position(*s_.problem.com, s_.problem.com_height) +
           " with the contacts at their placements: it stays " + missing + " away" + hint;
  const auto& c = s_.contacts[worst];
  if (s_.floating[worst])
    return "contact " + in_quotes(c.contact.frame) + " cannot be placed flat on the ground" +
           (all.size() > 1 ? " while the others are" : "") + ": it is off by " + missing + hint;
  return "contact " + in_quotes(c.contact.frame) + " does not reach its placement at " +
         format_position(c.placement.p) + (all.size() > 1 ? " while the others are at theirs" : "") + ": it stays " +
         missing + " away" + hint;
}

std::string StanceSearch::explain_balance(const Stance& stance, const SupportRegion& region) const {
  if (region.corners.empty())
    return "no forces within the friction cones of these contacts can carry the robot, wherever its center of mass is";
  std::string text = "not balanced: the center of mass at " + format_position(stance.com, false) + " is ";
  if (stance.balance_margin < 0) return text + in_cm(-stance.balance_margin) + " outside of the support region";
  return text + "inside the support region, but no forces were found that hold it";
}

std::string StanceSearch::explain_torques(const Stance& stance) const {
  double worst = 0;
  std::string text =
      "no torque exceeds its limit in the best posture found, but no forces keep all torques within their limits";
  for (std::size_t k = 0; k < s_.motors.size(); ++k) {
    const int i = s_.motors[k];
    const double limit = s_.limits[Eigen::Index(k)], tau = std::abs(stance.torques[i]), over = tau / limit;
    if (over <= 1 || over <= worst) continue;
    worst = over;
    for (const auto& joint : s_.model.joints())
      if (i >= joint.v_index && i < joint.v_index + joint.nv) {
        const auto& component = joint_traits(joint.type).v[std::size_t(i - joint.v_index)];
        const auto unit = std::string(" ") + effort_unit(component.quantity);
        text = "joint " + in_quotes(joint.name) + " needs " + rounded(tau, 1) + unit + ", " + rounded(tau - limit, 1) +
               unit + " more than " + rounded(s_.problem.torque_fraction, 3) + " of its limit of " +
               to_text(joint.effort_limit[i - joint.v_index]) + unit;
      }
  }
  return text;
}

std::string StanceSearch::explain_collision(double& deepest) const {
  std::string text;
  deepest = 0;
  for (const auto& p : s_.ground_points) {
    const double depth = *s_.problem.ground - ((s_.robot.placement(p.frame) * p.point).z - p.radius);
    if (depth <= deepest) continue;
    deepest = depth;
    text = "link " + in_quotes(s_.model.frames()[std::size_t(p.frame.index)].name) + " would be " + in_cm(depth) +
           " below the ground";
  }
  for (const auto& pair : s_.collisions.near()) {
    const double depth = pair.required - pair.distance;
    if (depth <= deepest) continue;
    deepest = depth;
    text = "link " + in_quotes(s_.collisions.name(pair.a)) + " would be " +
           (pair.distance < 0 ? in_cm(-pair.distance) + " inside " : in_cm(pair.distance) + " from ") +
           (s_.collisions.is_link(pair.b) ? "link " : "") + in_quotes(s_.collisions.name(pair.b));
  }
  return text;
}

// A contact anywhere on the ground, of whose own body a part is below it: its frame lies above the true sole.
std::string StanceSearch::explain_own_shapes(double& deepest) const {
  std::string text;
  deepest = 0;
  const auto& frames = s_.model.frames();
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) {
    const auto& c = s_.contacts[k];
    if (c.contact.placement || c.contact.kind == ContactKind::fixed) continue;
    for (const auto& p : s_.own_points) {
      if (frames[std::size_t(p.frame.index)].body != frames[std::size_t(c.frame.index)].body) continue;
      const double depth = *s_.problem.ground - ((s_.robot.placement(p.frame) * p.point).z - p.radius);
      if (depth <= deepest) continue;
      deepest = depth;
      text = "contact " + in_quotes(c.contact.frame) + " would be on the ground, but link " +
             in_quotes(frames[std::size_t(p.frame.index)].name) + ", which carries it, " + in_cm(depth) +
             " below it: the frame is not at the sole; give its true face or point (lissom contacts finds it)";
    }
  }
  return text;
}

}  // namespace lissom::stance
