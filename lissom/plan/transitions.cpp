#include "lissom/plan/transitions.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/model/text.h"
#include "lissom/stance/collisions.h"

namespace lissom::plan {

namespace {

constexpr double in_the_air = .7;  // of the lift: how far free limbs are from everything

constexpr double step_up = .02;          // m: a limb that has to go up by more goes straight up first
constexpr double max_displacement = .9;  // rad: postures that are farther apart get others in between
constexpr int max_between = 6;
constexpr int max_halvings = 2;
constexpr double sample_distance = .12;          // rad, m
constexpr double deepest_beside_contacts = .04;  // m
// m, of the center of mass on balls alone, which have no faces of which a part could be kept; and the least of it.
constexpr double margin_on_balls = .04, min_margin_on_balls = .025;

std::vector<Placement> without(std::vector<Placement> contacts, int limb) {
  std::erase_if(contacts, [&](const Placement& p) { return p.limb == limb; });
  return contacts;
}

}  // namespace

Transitions::Transitions(const Model& model, const PlanProblem& problem)
    : model_(model), problem_(problem), geometry_(model), headroom_(model, problem) {
  for (const auto& limb : problem.limbs) {
    auto points = limb.points;
    if (points.empty() && limb.kind == ContactKind::surface) points = contact_polygon(model, model.frame(limb.frame));
    if (limb.kind == ContactKind::surface) scale_about_mean(points, problem.support_fraction);
    points_.push_back(points);
  }
  for (const auto& s : geometry_.shapes()) {
    Link link{s.link};
    for (int k = 0; k < int(problem.limbs.size()); ++k)
      if (stance::is_carried_by(model, s.body, model.frame_at(model.frame(problem.limbs[std::size_t(k)].frame)).body))
        link.limb = k;
    links_.push_back(link);
  }
}

Pose<double> Transitions::at(const Eigen::VectorXd& q, int limb) const {
  Workspace work(model_);
  forward_kinematics(model_, work, q);
  const auto& l = problem_.limbs[std::size_t(limb)];
  auto X = placement(model_, work, model_.frame(l.frame));
  // The frame of a ball may be turned anyhow: it heads where the base does.
  if (l.kind == ContactKind::point)
    X.R = heading(placement(model_, work, model_.frame(model_.joints().front().child)).R);
  return X;
}

Vec3<double> Transitions::up(int surface) const {
  return column_z(problem_.environment.surfaces[std::size_t(surface)].polygon.pose.R);
}

StanceContact Transitions::contact(int limb, const Pose<double>& pose, int surface) const {
  const auto& l = problem_.limbs[std::size_t(limb)];
  StanceContact c{.frame = l.frame, .placement = pose, .kind = l.kind, .points = points_[std::size_t(limb)]};
  if (l.kind == ContactKind::point) c.radius = l.radius;
  c.friction = problem_.friction_fraction * l.friction;
  if (surface < 0) return c;
  const auto& on = problem_.environment.surfaces[std::size_t(surface)];
  c.friction = problem_.friction_fraction * std::min(l.friction, on.friction);
  c.on = on.obstacle;
  return c;
}

Eigen::VectorXd Transitions::nominal(const Eigen::VectorXd& q) const {
  Eigen::VectorXd result = problem_.start;
  for (const auto& joint : model_.joints())
    if (joint.type == JointType::free) result.segment(joint.q_index, joint.nq) = q.segment(joint.q_index, joint.nq);
  return result;
}

// On its feet alone the robot keeps the joints of the first posture; with its hands it stays near to where it is, or to
// the posture in which it crawls.
Eigen::VectorXd Transitions::reference(const std::vector<Placement>& contacts, const Eigen::VectorXd& q) const {
  const bool hands = std::any_of(contacts.begin(), contacts.end(),
                                 [&](const Placement& p) { return !problem_.limbs[std::size_t(p.limb)].foot; });
  if (hands && crawl_) return crawl_at(contacts);
  return hands ? q : nominal(q);
}

std::optional<Eigen::VectorXd> Transitions::posture(const std::vector<Placement>& carrying,
                                                    const std::optional<Light>& light, const Eigen::VectorXd& reference,
                                                    const Eigen::VectorXd& start, Passage& passage) const {
  return posture_below(headroom_.ceiling(carrying), carrying, light, {reference, start}, passage);
}

std::optional<Eigen::VectorXd> Transitions::posture_below(const std::optional<StanceObstacle>& ceiling,
                                                          const std::vector<Placement>& carrying,
                                                          const std::optional<Light>& light, const PostureHints& hints,
                                                          Passage& passage) const {
  StanceProblem p;
  for (const auto& c : carrying) p.contacts.push_back(contact(c.limb, c.pose, c.surface));
  if (light) {
    p.contacts.push_back(contact(light->limb, light->pose, light->surface));
    p.contacts.back().carries = false;
  }
  p.from = hints.reference;
  p.start = hints.start;
  const bool balls = std::ranges::all_of(
      carrying, [&](const Placement& c) { return problem_.limbs[std::size_t(c.limb)].kind == ContactKind::point; });
  p.com_margin = balls ? std::max(margin_on_balls, problem_.com_margin) : problem_.com_margin;
  p.torque_fraction = problem_.torque_fraction;
  p.ground.reset();
  p.obstacles = problem_.environment.obstacles;
  if (ceiling) p.obstacles.push_back(*ceiling);
  p.self_collision = true;
  for (const auto& link : links_) {
    const bool named = (light && light->limb == link.limb) ||
                       std::ranges::any_of(carrying, [&](const Placement& c) { return c.limb == link.limb; });
    if (link.limb < 0)
      p.clearances.emplace_back(link.name, problem_.body_clearance);
    else if (!named)
      p.clearances.emplace_back(link.name, in_the_air * problem_.lift);
  }
  p.clearance = problem_.clearance;
  p.starts = hints.starts;
  ++passage.stances;
  auto stance = find_stance(model_, p);
  const bool narrow = balls && stance.balance_margin < min_margin_on_balls;
  if (stance.status == StanceStatus::found && !narrow) return std::move(stance.q);
  passage.why = narrow ? "the center of mass comes too near to the edge of what carries it" : stance.what;
  return {};
}

Passage Transitions::release(const Stand& from, int limb) const {
  Passage passage;
  const auto rest = without(from.contacts, limb);
  const auto leaving =
      *std::find_if(from.contacts.begin(), from.contacts.end(), [&](const Placement& p) { return p.limb == limb; });
  if (rest.empty()) {
    passage.why = "no contact would be left";
    return passage;
  }
  const bool on_feet = std::ranges::all_of(rest, [&](const Placement& p) { return is_foot(p.limb); });
  const auto near = reference(on_feet ? rest : from.contacts, from.q);
  const auto light = posture(rest, Light{limb, leaving.pose, leaving.surface}, near, from.q, passage);
  if (!light) return passage;
  Pose<double> raised = leaving.pose;
  raised.p += problem_.lift * up(leaving.surface);
  const auto in_air = posture(rest, Light{limb, raised}, *light, *light, passage);
  if (!in_air) return passage;
  passage.steps.push_back({Change::shift, limb, leaving.pose, from.contacts, *light});
  passage.steps.push_back({Change::release, limb, raised, rest, *in_air});
  connect(from.q, passage);
  return passage;
}

// The posture at the end is sought first: it is the one that fails most often.
Passage Transitions::touch(const Stand& from, const Placement& to) const {
  Passage passage;
  const auto now = at(from.q, to.limb);
  const Light arriving{to.limb, to.pose, to.surface};
  auto near = reference(from.contacts, from.q);
  if (crawl_) {
    auto contacts = from.contacts;
    contacts.push_back(to);
    near = reference(contacts, from.q);
  }
  auto touching = posture(from.contacts, arriving, near, from.q, passage);
  if (!touching && crawl_ && near != from.q) touching = posture(from.contacts, arriving, near, near, passage);
  if (!touching) return passage;
  Pose<double> above = to.pose, raised = now;
  above.p += problem_.lift * up(to.surface);
  if (problem_.limbs[std::size_t(to.limb)].foot) above.p.z = std::max(above.p.z, now.p.z);
  raised.p.z = above.p.z;
  auto q = from.q;
  if (above.p.z > now.p.z + step_up) {
    const auto higher = posture(from.contacts, Light{to.limb, raised}, q, q, passage);
    if (!higher) return passage;
    passage.steps.push_back({Change::raise, to.limb, raised, from.contacts, *higher});
    q = *higher;
  }
  const auto over = posture(from.contacts, Light{to.limb, above}, *touching, *touching, passage);
  if (!over) {
    passage.steps.clear();
    return passage;
  }
  passage.steps.push_back({Change::reach, to.limb, above, from.contacts, *over});
  auto contacts = from.contacts;
  contacts.push_back(to);
  std::sort(contacts.begin(), contacts.end(), [](const auto& a, const auto& b) { return a.limb < b.limb; });
  passage.steps.push_back({Change::touch, to.limb, to.pose, contacts, *touching});
  connect(from.q, passage);
  return passage;
}

Passage Transitions::settle(const Stand& from) const {
  Passage passage;
  const Eigen::VectorXd goal = problem_.goal.posture.value_or(nominal(from.q));
  const auto last = posture(from.contacts, {}, goal, from.q, passage);
  if (!last) return passage;
  const Eigen::VectorXd displacement = difference(model_, from.q, *last);
  const int parts = std::min(max_between + 1, 1 + int(displacement.lpNorm<Eigen::Infinity>() / max_displacement));
  Eigen::VectorXd q = from.q;
  for (int k = 1; k < parts; ++k) {
    const Eigen::VectorXd between = integrate(model_, from.q, displacement * k / parts);
    if (const auto found = posture(from.contacts, {}, between, q, passage)) {
      q = *found;
      passage.steps.push_back({Change::settle, -1, {}, from.contacts, q});
    }
  }
  passage.steps.push_back({Change::settle, -1, {}, from.contacts, *last});
  connect(from.q, passage);
  return passage;
}

void Transitions::connect(const Eigen::VectorXd& from, Passage& passage) const {
  std::vector<PlanStep> steps;
  const auto* q = &from;
  for (const auto& to : passage.steps) {
    if (!insert_between(*q, to, steps, passage, 0)) {
      passage.steps.clear();
      return;
    }
    steps.push_back(to);
    q = &to.q;
  }
  passage.steps = std::move(steps);
}

bool Transitions::insert_between(const Eigen::VectorXd& from, const PlanStep& to, std::vector<PlanStep>& steps,
                                 Passage& passage, int depth) const {
  if (is_clear(from, to)) return true;
  const bool moves = to.limb >= 0 && to.at && to.change != Change::shift;
  if (depth == max_halvings || to.change == Change::release || to.change == Change::touch) {
    passage.why = "the way between two postures hits an obstacle";
    return false;
  }
  const Eigen::VectorXd middle = integrate(model_, from, difference(model_, from, to.q), .5);
  PlanStep between = to;
  std::optional<Light> light;
  if (moves) {
    const auto begin = at(from, to.limb);
    between.at->p = .5 * (begin.p + to.at->p);
    light = Light{to.limb, *between.at};
  }
  const auto q = posture(to.contacts, light, middle, middle, passage);
  if (!q) return false;
  between.q = *q;
  if (!insert_between(from, between, steps, passage, depth + 1)) return false;
  steps.push_back(between);
  return insert_between(between.q, to, steps, passage, depth + 1);
}

// Samples the straight way in joint space. A controller keeps contacts in their places; here they stay near to them, so
// that fingers may go a little into what the hand touches.
bool Transitions::is_clear(const Eigen::VectorXd& from, const PlanStep& to) const {
  StanceProblem p;
  for (const auto& c : to.contacts) p.contacts.push_back(contact(c.limb, c.pose, c.surface));
  p.obstacles = problem_.environment.obstacles;
  p.clearance = 0;
  stance::Collisions collisions(model_, geometry_, p);
  Workspace work(model_);
  const Eigen::VectorXd displacement = difference(model_, from, to.q);
  const int samples = 1 + int(displacement.lpNorm<Eigen::Infinity>() / sample_distance);
  for (int k = 1; k < samples; ++k) {
    forward_kinematics(model_, work, integrate(model_, from, displacement, double(k) / samples));
    collisions.evaluate(model_, work);
    for (const auto& pair : collisions.near()) {
      const int body = model_.frame_at(collisions.frame(pair.a)).body;
      const bool beside = std::ranges::any_of(p.contacts, [&](const auto& c) {
        return p.obstacles[std::size_t(c.on)].name == collisions.name(pair.b) &&
               stance::is_carried_by(model_, body, model_.frame_at(model_.frame(c.frame)).body);
      });
      if (pair.distance < (beside ? -deepest_beside_contacts : 0)) return false;
    }
  }
  return true;
}

}  // namespace lissom::plan
