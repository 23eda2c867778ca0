#include "lissom/plan/search.h"

#include <algorithm>
#include <cmath>

#include "lissom/model/text.h"

namespace lissom::plan {

namespace {

constexpr double greed = 1.6;                         // weight of the estimate against the cost so far
constexpr double hand_cost = .4;                      // more than a foot
constexpr double lonely_cost = .5;                    // of standing on one limb
constexpr double shaky_cost = 3;                      // of putting a hand down while on one limb
constexpr double narrow_cost = 1;                     // of standing on a hand and another limb
constexpr double cramped_cost = 6;                    // per m by which hands are too near to feet, or too far away
constexpr double long_stride = .42, stride_cost = 6;  // m; per m beyond that
constexpr double cell = .06;                          // m; sets of contacts in the same cells count as the same
constexpr double yaw_cell = .35;                      // rad
constexpr int edges_at_a_time = 8;                    // whatever the number of threads
constexpr int min_balls = 3;                          // that hold a robot which touches with nothing else
constexpr int max_failures = 3;                       // of the same set, from different stances

// The same robot with narrower limits of joints: a controller slows down before them.
Model with_narrow_limits(const Model& model, double margin) {
  auto description = model.description();
  for (auto& joint : description.joints) {
    if (joint.mimic) continue;
    for (std::size_t i = 0; i < std::min(joint.lower.size(), joint.upper.size()); ++i) {
      const double by = std::min(margin, .1 * (joint.upper[i] - joint.lower[i]));
      joint.lower[i] += by, joint.upper[i] -= by;
    }
  }
  return build(description, model.options());
}

// The goal is a posture alone: what lies on a face in it touches in the end.
Goal contacts_of_posture(const Model& model, const PlanProblem& problem) {
  auto goal = problem.goal;
  const Transitions transitions(model, problem);
  const Candidates candidates(model, problem, transitions);
  for (int k = 0; k < int(problem.limbs.size()); ++k) {
    const auto at = transitions.at(*goal.posture, k);
    if (candidates.surface_at(k, at) < 0) continue;
    goal.contacts.push_back(problem.limbs[std::size_t(k)].frame);
    goal.places[goal.contacts.back()] = at;
  }
  if (goal.contacts.empty())
    for (const auto& limb : problem.limbs)
      if (limb.foot) goal.contacts.push_back(limb.frame);
  return goal;
}

}  // namespace

const char* to_string(Change change) {
  constexpr const char* words[] = {"start", "shift", "release", "raise", "reach", "touch", "settle"};
  return words[int(change)];
}

Search::Search(const Model& model, const PlanProblem& problem)
    : problem_(problem),
      transitions_(model, problem),
      candidates_(model, problem, transitions_),
      pool_(problem.threads),
      began_(std::chrono::steady_clock::now()) {}

double Search::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

Search::Key Search::key(const std::vector<Placement>& contacts) const {
  Key k;
  for (const auto& c : contacts) {
    const auto& p = c.pose;
    k.insert(k.end(), {c.limb, c.surface, std::lround(p.p.x / cell), std::lround(p.p.y / cell),
                       std::lround(p.p.z / cell), std::lround(std::atan2(p.R.yx, p.R.xx) / yaw_cell)});
  }
  return k;
}

Stand Search::first_stand() const {
  Stand s{{}, problem_.start};
  for (std::size_t k = 0; k < problem_.limbs.size(); ++k) {
    const auto& frame = problem_.limbs[k].frame;
    if (std::ranges::count(problem_.standing, frame) == 0) continue;
    auto at = transitions_.at(problem_.start, int(k));
    const int surface = candidates_.surface_at(int(k), at);
    if (surface < 0)
      throw Error("the start is no stance: " + in_quotes(frame) + " at x, y, z = " + to_text(at.p.x) + ", " +
                  to_text(at.p.y) + ", " + to_text(at.p.z) +
                  " m lies flat on no face of the scene; give a start posture in which it does");
    if (problem_.limbs[k].kind == ContactKind::point) {  // the normal is that of the surface
      const auto& on = problem_.environment.surfaces[std::size_t(surface)].polygon.pose.R;
      at.R = on * heading(transpose(on) * at.R);
    }
    s.contacts.push_back({int(k), surface, at});
  }
  return s;
}

void Search::add_node(Node node) {
  node.limbs.clear();
  for (std::size_t k = 0; k < problem_.limbs.size(); ++k) node.limbs.push_back(transitions_.at(node.stand.q, int(k)));
  const int index = int(nodes_.size());
  reached_[key(node.stand.contacts)] = index;
  const double far = candidates_.cost(node.stand.contacts, node.limbs);
  nodes_.push_back(std::move(node));
  if (index == 0 || far < best_distance_) best_ = index, best_distance_ = far, reasons_.clear();
  const auto& contacts = nodes_[std::size_t(index)].stand.contacts;
  for (int k = 0; k < int(problem_.limbs.size()); ++k) {
    const bool touches = std::ranges::any_of(contacts, [&](const Placement& p) { return p.limb == k; });
    if (touches && may_leave(contacts, k)) push(index, k, {});
    if (touches) continue;
    for (const auto& to : candidates_.places(nodes_[std::size_t(index)].stand, k, filtered_)) push(index, k, to);
  }
}

// Hands may also leave a robot that stands on all its feet. Fewer balls than three hold nothing.
bool Search::may_leave(const std::vector<Placement>& contacts, int limb) const {
  const auto is_foot = [&](int k) { return problem_.limbs[std::size_t(k)].foot; };
  const auto feet = std::ranges::count_if(problem_.limbs, [](const Limb& l) { return l.foot; });
  const bool stands = std::ranges::count_if(contacts, [&](const Placement& p) { return is_foot(p.limb); }) == feet;
  const auto is_face = [&](const Placement& p) {
    return p.limb != limb && problem_.limbs[std::size_t(p.limb)].kind != ContactKind::point;
  };
  const int least = std::ranges::any_of(contacts, is_face) ? 1 : min_balls;
  return int(contacts.size()) - 1 >= std::max(least, stands && !is_foot(limb) ? 1 : problem_.support);
}

void Search::push(int from, int limb, std::optional<Placement> to) {
  const auto& node = nodes_[std::size_t(from)];
  Edge e{.order = order_++, .from = from, .limb = limb, .to = std::move(to), .contacts = node.stand.contacts};
  if (e.to) {
    e.contacts.push_back(*e.to);
    std::ranges::sort(e.contacts, [](const auto& a, const auto& b) { return a.limb < b.limb; });
  } else {
    std::erase_if(e.contacts, [&](const Placement& p) { return p.limb == limb; });
  }
  e.cost = node.cost + 1 + (problem_.limbs[std::size_t(limb)].foot ? 0 : hand_cost) +
           (e.contacts.size() == 1 ? lonely_cost : 0);
  const bool crawls =
      std::ranges::any_of(e.contacts, [&](const auto& c) { return !problem_.limbs[std::size_t(c.limb)].foot; });
  if (crawls && e.contacts.size() == 2) e.cost += narrow_cost;
  if (e.to) e.cost += cramped_cost * candidates_.cramped(e.contacts);
  if (e.to && node.stand.contacts.size() == 1 && !problem_.limbs[std::size_t(limb)].foot) e.cost += shaky_cost;
  for (const auto& c : node.stand.contacts) {
    if (!e.to || !problem_.limbs[std::size_t(c.limb)].foot || !problem_.limbs[std::size_t(limb)].foot) continue;
    const auto apart = c.pose.p - e.to->pose.p;
    e.cost += stride_cost * std::max(0., std::hypot(apart.x, apart.y) - long_stride);
  }
  e.estimate = e.cost + greed * candidates_.cost(e.contacts, node.limbs);
  if (reached_.contains(key(e.contacts))) return;
  queue_.insert(std::move(e));
}

// The best edges to sets that were not reached yet; each set once.
std::vector<Search::Edge> Search::next_edges() {
  std::vector<Edge> all;
  std::set<Key> seen;
  std::vector<Edge> later;
  while (!queue_.empty() && int(all.size()) < edges_at_a_time) {
    auto edge = queue_.extract(queue_.begin()).value();
    const auto k = key(edge.contacts);
    if (reached_.contains(k)) continue;
    if (const auto failed = failed_.find(k); failed != failed_.end() && failed->second >= max_failures) continue;
    if (seen.insert(k).second)
      all.push_back(std::move(edge));
    else
      later.push_back(std::move(edge));
  }
  for (auto& edge : later) queue_.insert(std::move(edge));
  return all;
}

void Search::take(const Edge& edge, Passage passage) {
  stances_ += passage.stances;
  if (passage.steps.empty()) {
    ++failed_[key(edge.contacts)];
    if (edge.from == best_) ++reasons_[passage.why];
    return;
  }
  ++found_;
  const auto q = passage.steps.back().q;
  add_node({.stand = {edge.contacts, q}, .parent = edge.from, .cost = edge.cost, .steps = std::move(passage.steps)});
}

std::vector<PlanStep> Search::steps_to(int node) const {
  std::vector<int> path;
  for (int k = node; k >= 0; k = nodes_[std::size_t(k)].parent) path.push_back(k);
  std::vector<PlanStep> steps;
  for (auto k = path.rbegin(); k != path.rend(); ++k)
    steps.insert(steps.end(), nodes_[std::size_t(*k)].steps.begin(), nodes_[std::size_t(*k)].steps.end());
  return steps;
}

// Adds the way to the last posture; false if there is none.
bool Search::finish(int node, Plan& plan) {
  auto last = transitions_.settle(nodes_[std::size_t(node)].stand);
  stances_ += last.stances;
  if (last.steps.empty()) {
    ++reasons_[last.why];
    return false;
  }
  plan.steps = steps_to(node);
  plan.steps.insert(plan.steps.end(), last.steps.begin(), last.steps.end());
  return plan.reached = true;
}

std::string Search::reason() const {
  std::string most;
  long count = 0;
  for (const auto& [why, times] : reasons_)
    if (times > count && !why.empty()) most = why, count = times;
  return most;
}

std::string Search::missing_surface() const {
  const auto limb = candidates_.without_surface();
  if (!limb) return {};
  const auto& target = candidates_.targets()[std::size_t(*limb)];
  return in_quotes(problem_.limbs[std::size_t(*limb)].frame) +
         " has no place there: no face of the scene that it fits on is within " + to_text(target.tolerance) +
         " m of x, y = " + to_text(target.pose->p.x) + ", " + to_text(target.pose->p.y) + " m";
}

Plan Search::run(const Progress& progress) {
  Plan plan;
  auto first = first_stand();
  transitions_.judge_headroom(first);
  add_node({.stand = first, .steps = {{Change::start, -1, {}, first.contacts, first.q}}});
  std::size_t judged = 0;
  std::string end = missing_surface();
  while (end.empty() && !plan.reached) {
    for (; judged < nodes_.size() && !plan.reached; ++judged)
      if (candidates_.is_goal(nodes_[judged].stand.contacts)) finish(int(judged), plan);
    if (plan.reached) break;
    const auto edges = next_edges();
    std::vector<Passage> passages(edges.size());
    std::atomic<std::size_t> next{0};
    pool_.run([&](int) {
      for (std::size_t k = next++; k < edges.size(); k = next++) {
        const auto& e = edges[k];
        const auto& from = nodes_[std::size_t(e.from)].stand;
        passages[k] = e.to ? transitions_.touch(from, *e.to) : transitions_.release(from, e.limb);
      }
    });
    for (std::size_t k = 0; k < edges.size(); ++k) take(edges[k], std::move(passages[k]));
    const auto& best = nodes_[std::size_t(best_)];
    const double far = candidates_.distance(best.stand.contacts, best.limbs);
    if (edges.empty())
      end = "all places within reach were tried";
    else if (elapsed() > problem_.seconds)
      end = "the time of " + to_text(problem_.seconds) + " s is up";
    else if (stances_ > problem_.max_stances)
      end = std::to_string(problem_.max_stances) + " postures were tried";
    else if (progress && !progress(elapsed() / problem_.seconds, long(nodes_.size()), far))
      end = "it was ended";
  }
  const auto& best = nodes_[std::size_t(best_)];
  if (!plan.reached) {
    plan.steps = steps_to(best_);
    plan.distance = candidates_.distance(best.stand.contacts, best.limbs);
    plan.what = "the goal was not reached: " + end + "; the best stance is " +
                to_text(std::round(1e3 * plan.distance) / 1e3) + " m away from it";
    if (const auto why = reason(); !why.empty()) plan.what += ", and from there most often: " + why;
  }
  plan.nodes = long(nodes_.size()), plan.stances = stances_, plan.found = found_, plan.filtered = filtered_;
  plan.seconds = elapsed();
  return plan;
}

Plan find_plan(const Model& model, const PlanProblem& problem, const Progress& progress) {
  if (problem.limbs.empty()) throw Error("plan: the robot has no limbs to stand on");
  if (problem.standing.empty()) throw Error("plan: no limb stands at the start");
  auto whole = problem;
  if (!problem.goal.base && problem.goal.contacts.empty()) {
    if (!problem.goal.posture) throw Error("plan: the goal has no base, contacts or posture");
    whole.goal = contacts_of_posture(model, problem);
  }
  const Model careful = with_narrow_limits(model, problem.joint_margin);
  return Search(careful, whole).run(progress);
}

}  // namespace lissom::plan
