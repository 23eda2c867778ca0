#include "lissom/plan/candidates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/geometry/collide.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/math/random.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"
#include "lissom/stance/collisions.h"

namespace lissom::plan {

namespace {

constexpr double stride = .45;                   // m, by which a foot can advance in one step, about
constexpr double hand_stride = .35;              // m, the same of a hand
constexpr double max_lead = .65;                 // m: farther away they are of no use
constexpr double near_lead = .4, far_lead = .8;  // m: less than this, or more, is hard to hold
constexpr double hand_lead = .4;                 // m, from the feet to the hands of a robot that crawls
constexpr double level_enough = .9;              // z of the normal of faces for feet
constexpr double farthest_shift = .13;  // m: a place is moved by at most this, so that the face is on the surface
constexpr double just_above = .02;      // m: what is there covers a place
constexpr double same_place = .03;      // m
constexpr double scatter = .03;         // m, at most, along the way
constexpr double max_yaw_change = .4;   // rad, of a foot beside another one
constexpr double on_surface_tolerance = 5e-3;  // m

double wrapped(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}
double yaw_of(const Mat3<double>& R) {
  return std::atan2(R.yx, R.xx);
}
double apart(const Vec3<double>& a, const Vec3<double>& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace

Candidates::Candidates(const Model& model, const PlanProblem& problem, const Transitions& transitions)
    : model_(model), problem_(problem), transitions_(transitions), reach_(model, problem), random_(problem.seed) {
  for (std::size_t k = 0; k < problem.limbs.size(); ++k) {
    const auto& limb = problem.limbs[k];
    auto points = limb.points;
    if (points.empty())
      points = limb.kind == ContactKind::surface ? contact_polygon(model, model.frame(limb.frame))
                                                 : std::vector<Vec3<double>>{{0, 0, 0}};
    corners_.push_back(points);
    home_.push_back(transitions.at(problem.start, int(k)));
  }
  targets_.resize(problem.limbs.size());
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const auto& goal = problem.goal;
    targets_[k].touches =
        goal.contacts.empty() ? problem.limbs[k].foot : std::ranges::count(goal.contacts, problem.limbs[k].frame) > 0;
  }
  if (problem.goal.base) set_base_targets(*problem.goal.base);
  set_contact_targets();
}

// Feet stand around the base as they do in the first posture.
void Candidates::set_base_targets(const Vec3<double>& base) {
  Vec3<double> middle(0, 0, 0);
  int feet = 0;
  for (std::size_t k = 0; k < home_.size(); ++k)
    if (problem_.limbs[k].foot) middle += home_[k].p, ++feet;
  if (feet == 0) return;
  middle = (1. / feet) * middle;
  for (std::size_t k = 0; k < home_.size(); ++k) {
    if (!problem_.limbs[k].foot || !targets_[k].touches) continue;
    const double yaw_change = problem_.goal.heading ? *problem_.goal.heading - yaw_of(home_[k].R) : 0;
    const auto R = rotation_rpy(0., 0., yaw_change);
    Pose<double> X{R * home_[k].R, R * (home_[k].p - middle) + base};
    targets_[k].pose = X;
    targets_[k].tolerance = problem_.goal.tolerance;
    targets_[k].anywhere_level = true;
  }
}

void Candidates::set_contact_targets() {
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const auto place = problem_.goal.places.find(problem_.limbs[k].frame);
    if (!targets_[k].touches || place == problem_.goal.places.end()) continue;
    targets_[k].pose = place->second;
    targets_[k].tolerance = .02;
    targets_[k].anywhere_level = false;
  }
}

int Candidates::surface_at(int limb, const Pose<double>& pose) const {
  for (std::size_t s = 0; s < problem_.environment.surfaces.size(); ++s) {
    const auto& on = problem_.environment.surfaces[s].polygon;
    const auto X = inverse(on.pose) * pose;
    const bool ball = problem_.limbs[std::size_t(limb)].kind == ContactKind::point;
    bool lies = ball || (std::hypot(X.R.xz, X.R.yz) < .05 && X.R.zz > 0);
    for (const auto& p : corners_[std::size_t(limb)]) {
      const auto at = X * p;
      lies = lies && std::abs(at.z - problem_.limbs[std::size_t(limb)].radius) < on_surface_tolerance;
      for (std::size_t i = 0; i < on.corners.size(); ++i) {
        const auto edge = stance::edge_of(on, i);
        lies = lies && dot(edge.n, at) < edge.d + on_surface_tolerance;
      }
    }
    if (lies) return int(s);
  }
  return -1;
}

double Candidates::off(int limb, const Pose<double>& pose) const {
  const auto& t = targets_[std::size_t(limb)];
  if (!t.pose) return 0;
  const double flat = apart(pose.p, t.pose->p);
  return t.anywhere_level ? flat : std::hypot(flat, pose.p.z - t.pose->p.z);
}

double Candidates::crawl_cost(const std::vector<Placement>& contacts, const std::vector<Pose<double>>& free) const {
  Vec3<double> now(0, 0, 0), then(0, 0, 0);
  const auto place = [&](std::size_t k) {
    const auto found = std::ranges::find_if(contacts, [&](const Placement& p) { return p.limb == int(k); });
    return found != contacts.end() ? found->pose.p : free[k].p;
  };
  int count = 0;
  for (std::size_t k = 0; k < targets_.size(); ++k)
    if (targets_[k].anywhere_level) now += place(k), then += targets_[k].pose->p, ++count;
  if (count == 0) return 0;
  now = (1. / count) * now, then = (1. / count) * then;
  // The hindmost foot has to be out.
  double behind = 0;
  const auto along = (1 / std::max(1e-9, apart(now, then))) * (then - now);
  const auto ahead = [&](const Vec3<double>& p) { return along.x * (p.x - now.x) + along.y * (p.y - now.y); };
  for (std::size_t k = 0; k < targets_.size(); ++k)
    if (targets_[k].anywhere_level) behind = std::min(behind, ahead(place(k)));
  const auto end = transitions_.headroom().end_of_crawl(now + behind * along, then);
  if (!end) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    if (problem_.limbs[k].foot) continue;
    const bool touches = std::ranges::any_of(contacts, [&](const Placement& p) { return p.limb == int(k); });
    const double at = touches ? std::min(ahead(place(k)), behind + max_lead) : behind + hand_lead;
    sum += (touches ? 0 : 1) + 2 * std::max(0., *end + behind + hand_lead - at) / hand_stride;
  }
  return sum;
}

double Candidates::cost(const std::vector<Placement>& contacts, const std::vector<Pose<double>>& free) const {
  double sum = crawl_cost(contacts, free);
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const auto now = std::ranges::find_if(contacts, [&](const Placement& p) { return p.limb == int(k); });
    const bool touches = now != contacts.end();
    if (!targets_[k].touches) {
      sum += touches ? 1 : 0;
      continue;
    }
    const double far = off(int(k), touches ? now->pose : free[k]);
    if (!touches)
      sum += 1 + 2 * std::max(0., far - stride) / stride;
    else if (far > targets_[k].tolerance)
      sum += 2 * std::max(1., far / stride);
  }
  return sum;
}

double Candidates::cramped(const std::vector<Placement>& contacts) const {
  if (!transitions_.crawls()) return 0;
  Vec3<double> feet(0, 0, 0), hands(0, 0, 0);
  double yaw = 0;
  int feet_count = 0, hand_count = 0;
  for (const auto& c : contacts)
    if (problem_.limbs[std::size_t(c.limb)].foot)
      feet += c.pose.p, ++feet_count, yaw = yaw_of(c.pose.R);
    else
      hands += c.pose.p, ++hand_count;
  if (feet_count == 0 || hand_count == 0) return 0;
  const auto apart = (1. / hand_count) * hands - (1. / feet_count) * feet;
  const double lead = std::cos(yaw) * apart.x + std::sin(yaw) * apart.y;
  return std::max({0., near_lead - lead, lead - far_lead});
}

bool Candidates::is_goal(const std::vector<Placement>& contacts) const {
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const auto now = std::ranges::find_if(contacts, [&](const Placement& p) { return p.limb == int(k); });
    if ((now != contacts.end()) != targets_[k].touches) return false;
    if (targets_[k].touches && off(int(k), now->pose) > targets_[k].tolerance) return false;
  }
  return true;
}

double Candidates::distance(const std::vector<Placement>& contacts, const std::vector<Pose<double>>& free) const {
  double sum = 0;
  int count = 0;
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    if (!targets_[k].touches || !targets_[k].pose) continue;
    const auto now = std::ranges::find_if(contacts, [&](const Placement& p) { return p.limb == int(k); });
    sum += off(int(k), now != contacts.end() ? now->pose : free[k]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

std::optional<int> Candidates::without_surface() const {
  for (int k = 0; k < int(targets_.size()); ++k) {
    const auto& t = targets_[std::size_t(k)];
    bool has_one = !t.touches || !t.pose;
    for (int s = 0; s < int(problem_.environment.surfaces.size()) && !has_one; ++s) {
      const auto placed = on_surface(k, s, *t.pose, t.tolerance);
      has_one = placed && !is_covered(*placed) && off(k, placed->pose) <= t.tolerance;
    }
    if (!has_one) return k;
  }
  return {};
}

// The place on a surface that is nearest to the wish, flat on it and wholly on it.
std::optional<Placement> Candidates::on_surface(int limb, int surface, const Pose<double>& desired,
                                                double max_shift) const {
  const auto& l = problem_.limbs[std::size_t(limb)];
  auto polygon = problem_.environment.surfaces[std::size_t(surface)].polygon;
  const auto normal = column_z(polygon.pose.R);
  if (l.foot && normal.z < level_enough) return {};
  polygon.margin = problem_.edge_margin;
  Pose<double> X{identity3<double>(), {0, 0, 0}};
  if (normal.z > .5) {
    X = inverse(polygon.pose) * desired;
    X.R = rotation_rpy(0., 0., yaw_of(X.R));
  } else {  // a wall: fingers up
    const Vec3<double> y = cross(normal, Vec3<double>(0, 0, 1)), x = cross(y, normal);
    const Mat3<double> R(x.x, y.x, normal.x, x.y, y.y, normal.y, x.z, y.z, normal.z);
    X = inverse(polygon.pose) * Pose<double>{R, desired.p};
  }
  X.p.z = l.radius - (l.kind == ContactKind::surface ? corners_[std::size_t(limb)][0].z : 0);
  const auto shift = stance::shift_inside(polygon, X, corners_[std::size_t(limb)]);
  if (std::sqrt(dot(shift, shift)) > max_shift) return {};
  X.p += shift;
  const auto placed = polygon.pose * X;
  if (apart(placed.p, desired.p) > max_shift) return {};
  for (std::size_t i = 0; i < polygon.corners.size(); ++i)
    for (const auto& p : corners_[std::size_t(limb)]) {
      const auto edge = stance::edge_of(polygon, i);
      if (dot(edge.n, X * p) > edge.d + 1e-6) return {};  // it is too large for the face
    }
  return Placement{limb, surface, placed};
}

bool Candidates::is_covered(const Placement& place) const {
  const auto& on = problem_.environment.surfaces[std::size_t(place.surface)];
  const auto raise = just_above * column_z(on.polygon.pose.R);
  auto points = corners_[std::size_t(place.limb)];
  points.emplace_back(0, 0, 0);
  for (int k = 0; k < int(problem_.environment.obstacles.size()); ++k) {
    const auto& other = problem_.environment.obstacles[std::size_t(k)];
    const bool unknown = other.shape.kind == Shape::Kind::mesh || other.shape.kind == Shape::Kind::height_field;
    if (k == on.obstacle || unknown) continue;
    const Collider solid(other.shape);
    for (const auto& p : points)
      if (lissom::distance(Collider(), {identity3<double>(), place.pose * p + raise}, solid, other.pose).distance <
          -1e-3)
        return true;
  }
  return false;
}

void Candidates::add(const Stand& from, int limb, const Pose<double>& desired, std::vector<Placement>& all,
                     long& filtered) const {
  for (int s = 0; s < int(problem_.environment.surfaces.size()); ++s) {
    const auto placed = on_surface(limb, s, desired, farthest_shift);
    if (!placed || is_covered(*placed)) continue;
    auto contacts = from.contacts;
    contacts.push_back(*placed);
    if (!reach_.allows(contacts)) {
      ++filtered;
      continue;
    }
    const bool known = std::ranges::any_of(all, [&](const Placement& p) {
      const auto d = p.pose.p - placed->pose.p;
      return p.surface == s && dot(d, d) < same_place * same_place;
    });
    if (!known) all.push_back(*placed);
  }
}

// Heading in which to go on, rad: towards the place of the base if it is far.
double Candidates::direction(const Stand& from) const {
  Vec3<double> now(0, 0, 0), then(0, 0, 0);
  double heading = 0;
  int count = 0;
  for (std::size_t k = 0; k < targets_.size(); ++k)
    if (targets_[k].anywhere_level) now += transitions_.at(from.q, int(k)).p, then += targets_[k].pose->p, ++count;
  for (const auto& c : from.contacts)
    if (problem_.limbs[std::size_t(c.limb)].foot) heading = yaw_of(c.pose.R);
  if (count == 0 || apart(now, then) < .25 * count) return problem_.goal.heading.value_or(heading);
  return std::atan2(then.y - now.y, then.x - now.x);
}

std::vector<Placement> Candidates::places(const Stand& from, int limb, long& filtered) {
  std::vector<Placement> all;
  const auto& target = targets_[std::size_t(limb)];
  if (target.touches && target.pose) add(from, limb, *target.pose, all, filtered);
  const bool foot = problem_.limbs[std::size_t(limb)].foot;
  // Places are beside or in front of the feet that touch.
  Vec3<double> middle(0, 0, 0), home(0, 0, 0);
  Mat3<double> home_heading = identity3<double>();
  double heading = 0;
  int feet = 0;
  for (const auto& c : from.contacts)
    if (problem_.limbs[std::size_t(c.limb)].foot) {
      middle += c.pose.p, home += home_[std::size_t(c.limb)].p, heading = yaw_of(c.pose.R), ++feet;
      home_heading = rotation_rpy(0., 0., yaw_of(home_[std::size_t(c.limb)].R));
    }
  if (feet == 0) return all;
  middle = (1. / feet) * middle, home = (1. / feet) * home;
  const double wanted = direction(from);
  const double yaw = heading + std::clamp(wrapped(wanted - heading), -max_yaw_change, max_yaw_change);
  const auto R = rotation_rpy(0., 0., yaw);
  const auto offset = home_[std::size_t(limb)].p - home;
  const double beside = dot(offset, column_y(home_heading)), ahead = foot ? dot(offset, column_x(home_heading)) : 0;
  const std::vector<double> forward =
      foot ? std::vector<double>{.3, .22, .14, .06, 0, .38, -.08} : std::vector<double>{.3, .45, .6, .75, .9, .15};
  for (const double wide : {foot ? 1. : .8, foot ? 1.3 : 1.1})
    for (const double f : forward) {
      const double off = problem_.seed == 0 ? 0 : scatter * (2 * uniform01(random_()) - 1);
      const auto p = middle + (ahead + f + off) * column_x(R) + wide * beside * column_y(R);
      add(from, limb, {R, {p.x, p.y, middle.z}}, all, filtered);
    }
  return all;
}

}  // namespace lissom::plan
