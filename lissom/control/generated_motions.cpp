#include "lissom/control/generated_motions.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/dynamics.h"
#include "lissom/api/kinematics.h"
#include "lissom/constraints/contact_rows.h"
#include "lissom/control/support.h"
#include "lissom/model/text.h"
#include "lissom/stance/stance.h"

namespace lissom::control {

namespace {

// Lengths are fractions of the height of the center of mass, times multiples of √(height / g), in which it falls.
constexpr double squat_depths[] = {.15, .1, .05};
constexpr double sway_share = .4;    // of the way from the center of mass to the edge of the support
constexpr double max_sway = .15;     // of the height
constexpr double lift_height = .1;   // of the height
constexpr double step_length = .15;  // of the height
constexpr double step_height = .08;  // of the height
constexpr double inward = .1;        // of the way from a foot to the middle of all
constexpr double shift_time = 4.5, limb_time = 4, squat_time = 8;
constexpr double hold = 1;               // s
constexpr double zmp_scale = .7;         // of the faces: less than the controller's margin
constexpr double torque_fraction = .75;  // of the effort limits, at rest: moving and balancing need the rest
constexpr int stance_starts = 3;
// Where no posture is found at the height of its own, lower ones are tried, because straight legs reach little.
constexpr double lower_heights[] = {.03, .06, .1, .15};

class Generator {
 public:
  Generator(const Model& model, const std::vector<Contact>& feet, const Eigen::VectorXd& q,
            const std::function<bool()>& stop)
      : model_(model), q_(q), stop_(stop) {
    Workspace work(model);
    com_ = center_of_mass(model, work, q);
    forward_kinematics(model, work, q);
    plan_.contacts = feet;
    double ground = 0;
    for (std::size_t i = 0; i < feet.size(); ++i) {
      all_.push_back(int(i));
      plan_.standing.push_back(name_of(feet[i]));
      placements_.push_back(standing_placement(model, work, feet[i]));
      ground += (placements_.back().p.z - feet[i].radius) / double(feet.size());
    }
    height_ = com_.z - ground;
    const auto& g = model.gravity();
    unit_ = std::sqrt(height_ / std::sqrt(dot(g, g)));
    plan_.postures["start"] = q;
    plan_.start = "start";
    plan_.stages.push_back({.name = "stand", .seconds = 0, .hold = .5});
  }

  void expect_support_margin() const;
  void stand() { plan_.stages.back().hold = 4; }
  void squat();
  void sway();
  void lift();
  void steps();
  MotionPlan take(const std::string& name) {
    plan_.name = name;
    return std::move(plan_);
  }

 private:
  const std::string& name(int foot) const { return plan_.standing[std::size_t(foot)]; }
  std::string names(const std::vector<int>& feet) const {
    std::string text;
    for (const int i : feet) text += (text.empty() ? "" : ", ") + name(i);
    return text;
  }
  std::vector<int> others(int foot) const {
    auto rest = all_;
    std::erase(rest, foot);
    return rest;
  }
  Vec3<double> middle(const std::vector<int>& feet) const;
  Stance stance(const std::vector<int>& feet, const std::optional<Vec3<double>>& com, bool height) const;
  // A posture with the center of mass above a place, at the height of its own or lower.
  Stance above(const std::vector<int>& feet, const Vec3<double>& com) const;
  std::string few_joints() const;
  // Shifts the center of mass, on all feet; `what` it is for.
  void go(const std::string& stage, const Vec3<double>& com, bool height, double least, const std::string& what);
  void shift_off(int foot);
  void move_foot(int foot, const Vec3<double>& by, double raise);
  std::vector<int> order_of_steps() const;

  const Model& model_;
  Eigen::VectorXd q_;  // the posture so far
  std::function<bool()> stop_;
  MotionPlan plan_;
  std::vector<int> all_;
  std::vector<Pose<double>> placements_;
  Vec3<double> com_{0, 0, 0};
  double height_ = 0, unit_ = 0;
};

// Between the middles of the feet: of their faces, or their points.
Vec3<double> Generator::middle(const std::vector<int>& feet) const {
  Vec3<double> sum(0, 0, 0);
  for (const int i : feet) {
    const auto points = ContactRows(model_, plan_.contacts[std::size_t(i)]).points;
    for (const auto& p : points) sum += (1 / double(points.size() * feet.size())) * (placements_[std::size_t(i)] * p);
  }
  return sum;
}

Stance Generator::stance(const std::vector<int>& feet, const std::optional<Vec3<double>>& com, bool height) const {
  StanceProblem problem;
  for (const int i : feet) {
    const auto& c = plan_.contacts[std::size_t(i)];
    problem.contacts.push_back({.frame = c.frame,
                                .placement = placements_[std::size_t(i)],
                                .kind = c.kind,
                                .friction = c.friction,
                                .points = c.points,
                                .radius = c.radius});
  }
  problem.from = q_;
  problem.com = com;
  problem.com_height = height;
  problem.com_margin = com ? 0 : .02 * height_;
  problem.starts = stance_starts;
  problem.torque_fraction = torque_fraction;
  problem.stop = stop_;
  return find_stance(model_, problem);
}

Stance Generator::above(const std::vector<int>& feet, const Vec3<double>& com) const {
  auto found = stance(feet, com, false);
  for (const double part : lower_heights) {
    if (found.status == StanceStatus::found) break;
    auto next = stance(feet, Vec3<double>(com.x, com.y, com_.z - part * height_), true);
    if (next.status == StanceStatus::found) found = std::move(next);
  }
  return found;
}

// A robot that stands on a line or a point is balanced on paper only.
void Generator::expect_support_margin() const {
  const Support support(model_, plan_, all_, placements_);
  const double least = .02 * height_;
  for (const auto& direction :
       {Vec3<double>(1, 0, 0), Vec3<double>(-1, 0, 0), Vec3<double>(0, 1, 0), Vec3<double>(0, -1, 0)})
    if (support.outside(com_ + least * direction) > 0)
      throw ImpossibleMotion("the robot cannot stand still: on " + names(all_) + ", its center of mass has less than " +
                             to_text(std::round(1e3 * least)) + " mm of room " +
                             (direction.x != 0 ? "along x" : "along y"));
}

// An explanation that often fits: soles whose legs have too few joints to keep them level.
std::string Generator::few_joints() const {
  Workspace work(model_);
  forward_kinematics(model_, work, q_);
  for (const int foot : all_) {
    const auto& c = plan_.contacts[std::size_t(foot)];
    if (c.kind == ContactKind::point) continue;
    if (const int ways = mobility(model_, work, model_.frame(c.frame)); ways < 6)
      return " (the leg of " + name(foot) + " can move its sole in " + std::to_string(ways) +
             " of six ways only, and cannot keep it flat wherever the body goes)";
  }
  return {};
}

void Generator::go(const std::string& stage, const Vec3<double>& com, bool height, double least,
                   const std::string& what) {
  const auto found = height ? stance(all_, com, true) : above(all_, com);
  if (found.status != StanceStatus::found)
    throw ImpossibleMotion(what + ": on " + names(all_) + ", no posture was found with the center of mass at " +
                           to_text(com.x) + " " + to_text(com.y) + (height ? " " + to_text(com.z) : "") +
                           " m: " + found.what + few_joints());
  const Support support(model_, plan_, all_, placements_, zmp_scale, plan_.gains.friction_factor);
  const double seconds = support.seconds_for(com_, found.com, least * unit_);
  if (seconds == 0)
    throw ImpossibleMotion(what + ": the center of mass at " + to_text(com.x) + " " + to_text(com.y) +
                           " m is too near to the edge of what " + names(all_) + " carry");
  q_ = found.q;
  com_ = found.com;
  plan_.postures[stage] = q_;
  plan_.stages.push_back({.name = stage, .seconds = seconds, .hold = .2, .posture = stage, .com = com_});
}

void Generator::squat() {
  const auto up = com_;
  const auto start = q_;
  std::string why;
  for (const double depth : squat_depths) try {
      go("down", up - Vec3<double>(0, 0, depth * height_), true, squat_time, "squat");
      plan_.stages.back().hold = hold;
      q_ = start;
      go("up", up, true, squat_time, "squat");
      plan_.stages.back().hold = hold;
      return;
    } catch (const ImpossibleMotion& error) {
      why = error.what();
    }
  throw ImpossibleMotion(why);
}

void Generator::sway() {
  const auto start = com_;
  const Support support(model_, plan_, all_, placements_, zmp_scale, plan_.gains.friction_factor);
  const struct {
    const char* name;
    Vec3<double> along;
  } ways[] = {{"left", {0, 1, 0}}, {"right", {0, -1, 0}}, {"forward", {1, 0, 0}}, {"backward", {-1, 0, 0}}};
  for (const auto& [name, along] : ways) {
    double edge = 0;
    for (double d = .01; d < 1 && support.outside(start + (d * height_) * along) == 0; d += .01) edge = d;
    const double far = std::min(max_sway, sway_share * edge) * height_;
    if (far < .005 * height_)
      throw ImpossibleMotion(std::string("sway: on ") + names(all_) + ", the center of mass has no room to move " +
                             name);
    go(name, start + far * along, false, shift_time, std::string("sway ") + name);
    plan_.stages.back().hold = .5;
  }
  go("back to the middle", start, false, shift_time, "sway");
  plan_.stages.back().hold = hold;
}

// The center of mass goes over the other feet, and there must be a posture on these alone.
void Generator::shift_off(int foot) {
  const auto rest = others(foot);
  const auto what = name(foot) + " cannot be lifted";
  auto over = middle(rest);
  if (rest.size() == 1) over += inward * (middle(all_) - over);
  // On the middle of the others; if that is too much for a motor, where its torque suffices.
  auto alone = above(rest, over);
  if (alone.status != StanceStatus::found) {
    const auto anywhere = stance(rest, std::nullopt, false);
    if (anywhere.status != StanceStatus::found)
      throw ImpossibleMotion(what + ": on " + names(rest) + " alone, " + alone.what + few_joints());
    alone = anywhere;
  }
  go("weight off " + name(foot), alone.com, false, shift_time, what);
  const Support support(model_, plan_, rest, placements_, zmp_scale, plan_.gains.friction_factor);
  if (support.outside(com_) > 0)
    throw ImpossibleMotion(what + ": " + names(rest) + " cannot carry the center of mass at " + to_text(com_.x) + " " +
                           to_text(com_.y) + " m with a margin");
}

void Generator::lift() {
  if (all_.size() < 2) throw ImpossibleMotion("lift: the robot has one foot only");
  for (const int foot : all_) {
    shift_off(foot);
    const double up = lift_height * height_;
    plan_.stages.push_back(
        {.name = name(foot) + " up",
         .seconds = limb_time * unit_,
         .hold = hold,
         .release = {name(foot)},
         .moves = {{.frame = plan_.contacts[std::size_t(foot)].frame, .by = {0, 0, up}, .lift = 0, .touch = false}}});
    plan_.stages.push_back({.name = name(foot) + " down",
                            .seconds = limb_time * unit_,
                            .moves = {{.frame = plan_.contacts[std::size_t(foot)].frame, .by = {0, 0, 0}, .lift = 0}}});
  }
  const auto over = middle(all_);
  go("weight on all", {over.x, over.y, com_.z}, false, shift_time, "lift");
  plan_.stages.back().hold = hold;
}

void Generator::move_foot(int foot, const Vec3<double>& by, double raise) {
  plan_.stages.push_back({.name = name(foot) + " forward",
                          .seconds = limb_time * unit_,
                          .release = {name(foot)},
                          .moves = {{.frame = plan_.contacts[std::size_t(foot)].frame, .by = by, .lift = raise}}});
  placements_[std::size_t(foot)].p += by;
}

// Left ones first, on each side the rear ones first: the crawl of animals, whose support is widest.
std::vector<int> Generator::order_of_steps() const {
  auto order = all_;
  const auto center = middle(all_);
  std::ranges::sort(order, [&](int a, int b) {
    const auto p = placements_[std::size_t(a)].p - center, r = placements_[std::size_t(b)].p - center;
    if ((p.y > 0) != (r.y > 0)) return p.y > 0;
    return p.x < r.x;
  });
  return order;
}

void Generator::steps() {
  if (all_.size() < 2) throw ImpossibleMotion("steps: the robot has one foot only");
  const auto order = order_of_steps();
  const bool biped = all_.size() == 2;
  const int count = biped ? 4 : int(order.size());
  for (int k = 0; k < count; ++k) {
    const int foot = order[std::size_t(k) % order.size()];
    const double share = biped && (k == 0 || k == count - 1) ? .5 : 1;
    shift_off(foot);
    plan_.stages.back().name = "step " + std::to_string(k + 1) + ": " + plan_.stages.back().name;
    plan_.stages.back().hold = 0;
    move_foot(foot, {share * step_length * height_, 0, 0}, step_height * height_);
    plan_.stages.back().name = "step " + std::to_string(k + 1) + ": " + plan_.stages.back().name;
  }
  const auto over = middle(all_);
  go("weight on all", {over.x, over.y, com_.z}, false, shift_time, "steps");
  plan_.stages.back().hold = hold;
}

}  // namespace

const std::vector<GeneratedMotion>& generated_motions() {
  static const std::vector<GeneratedMotion> all{
      {"stand", "Standing on all feet; for pushes."},
      {"squat", "Down by a sixth of the height of the center of mass, and up again."},
      {"sway", "The center of mass to the left, the right, forward and backward."},
      {"lift", "Each foot in turn is lifted and put down."},
      {"steps", "Slow steps forward: four of a biped, one of each foot of others."}};
  return all;
}

bool is_generated_motion(const std::string& name) {
  return std::ranges::any_of(generated_motions(), [&](const auto& m) { return name == m.name; });
}

MotionPlan generate_motion(const Model& model, const std::vector<Contact>& feet, const Eigen::VectorXd& q,
                           const std::string& name, const std::function<bool()>& stop) {
  if (feet.empty()) throw Error("no feet to stand on were given");
  Generator generator(model, feet, q, stop);
  generator.expect_support_margin();
  if (name == "stand")
    generator.stand();
  else if (name == "squat")
    generator.squat();
  else if (name == "sway")
    generator.sway();
  else if (name == "lift")
    generator.lift();
  else if (name == "steps")
    generator.steps();
  else
    throw Error("no motion " + in_quotes(name) + " can be generated; motions: stand, squat, sway, lift, steps");
  auto plan = generator.take(name);
  for (const auto& m : generated_motions())
    if (name == m.name) plan.description = m.description;
  return plan;
}

}  // namespace lissom::control
