#include "lissom/walking/gait.h"

#include <algorithm>
#include <numeric>

#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom::walking {

namespace {

constexpr double haste = 1.6;  // how much slower than it can a foot swings

// Front legs have the larger x; legs of the left the larger y.
struct Corners {
  int front_left, front_right, rear_left, rear_right;
};
Corners corners(const std::vector<StandingLeg>& legs) {
  std::vector<int> order(legs.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int i) { return legs[std::size_t(i)].offset; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return at(a).x() > at(b).x(); });
  if (at(order[0]).y() < at(order[1]).y()) std::swap(order[0], order[1]);
  if (at(order[2]).y() < at(order[3]).y()) std::swap(order[2], order[3]);
  return {order[0], order[1], order[2], order[3]};
}

// The foot on the side to which the robot goes or turns leads, so that feet do not cross.
std::vector<std::vector<int>> groups_of(const GaitOptions& o, const std::vector<StandingLeg>& legs) {
  const auto count = legs.size();
  if (count == 2) {
    if (o.gait == Gait::trot) throw Error("a trot needs four legs; this robot has two: take walk");
    const int left = legs[0].offset.y() >= legs[1].offset.y() ? 0 : 1;
    const double side = std::sin(o.direction) + o.yaw_per_step;
    const int first = side >= -1e-9 ? left : 1 - left;
    return {{first}, {1 - first}};
  }
  if (count != 4)
    throw Error("gait " + std::string(to_string(o.gait)) + " needs two or four feet; this robot has " +
                std::to_string(count) + ": take a motion file");
  const auto c = corners(legs);
  if (o.gait == Gait::walk) return {{c.rear_left}, {c.front_left}, {c.rear_right}, {c.front_right}};
  return {{c.front_left, c.rear_right}, {c.front_right, c.rear_left}};
}

void check(const GaitOptions& o) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!finite(o.speed) || !finite(o.step_length) || !finite(o.step_time) || !finite(o.direction) ||
      !finite(o.yaw_per_step) || !finite(o.lift) || o.step_time < 0 || o.lift < 0 || o.speed < 0 || o.step_length < 0)
    throw Error("speed, step length, step time and lift of a gait have to be numbers of 0 or more");
  if (o.steps < 0 || o.steps > limits::footsteps)
    throw Error("a gait has " + std::to_string(o.steps) + " steps, expected 0 to " + std::to_string(limits::footsteps));
  if (o.speed > 0 && o.step_length > 0 && o.step_time > 0 &&
      std::abs(o.speed * o.step_time - o.step_length) > 1e-6 + 1e-3 * o.step_length)
    throw Error("a speed of " + to_text(o.speed) + " m/s and steps of " + to_text(o.step_time) + " s are steps of " +
                to_text(o.speed * o.step_time) + " m, not " + to_text(o.step_length) + " m: give two of the three");
}

// Times of walking people and animals, in terms of √(height / g).
void set_sizes(const GaitOptions& o, std::size_t legs, const GaitSizes& robot, FootstepPlan& plan) {
  const double pendulum = std::sqrt(robot.com_height / robot.gravity);
  double usual_time = (o.gait == Gait::trot ? 1.3 : legs == 2 ? 2.2 : 3.2) * pendulum;
  double usual_length = (o.gait == Gait::trot ? .16 : legs == 2 ? .2 : .08) * robot.com_height;
  if (!o.heights.empty())  // stairs are as deep as feet are long, and take their time
    usual_time *= 1.7, usual_length = std::max(usual_length, 1.2 * robot.foot_length);
  const double share = std::clamp(o.double_support > 0 ? o.double_support : o.gait == Gait::trot ? .1 : .25, .02, .8);
  plan.step_time = o.step_time > 0                    ? o.step_time
                   : o.speed > 0 && o.step_length > 0 ? o.step_length / o.speed
                                                      : usual_time;
  plan.step_length = o.step_length > 0 ? o.step_length : o.speed > 0 ? o.speed * plan.step_time : usual_length;
  if (o.yaw_per_step != 0 && o.step_length == 0 && o.speed == 0) plan.step_length = 0;
  plan.lift = o.lift > 0 ? o.lift : .075 * robot.com_height;
  // A foot goes as far as all groups together, and up and down again.
  const auto path = [&] { return (legs == 4 && o.gait == Gait::walk ? 4 : 2) * plan.step_length + 2 * plan.lift; };
  const double slow = std::clamp((1 - share) * plan.step_time * robot.foot_speed / (haste * path()), .4, 1.);
  if (o.step_length == 0 && o.speed == 0 && o.heights.empty()) plan.step_length *= std::pow(slow, 1.4);
  if (o.lift == 0) plan.lift *= slow;
  // Slow joints tend to be weak ones, too.
  if (o.step_time == 0 && o.speed == 0)
    plan.step_time = std::max(plan.step_time * std::pow(slow, -.7), haste * path() / (robot.foot_speed * (1 - share)));
  plan.transfer_time = share * plan.step_time;
  plan.swing_time = plan.step_time - plan.transfer_time;
}

}  // namespace

const char* to_string(Gait gait) {
  constexpr const char* words[] = {"stand", "walk", "trot"};
  return words[int(gait)];
}

FootstepPlan plan_footsteps(const GaitOptions& o, const std::vector<StandingLeg>& legs, const Foothold& start,
                            const GaitSizes& sizes) {
  check(o);
  FootstepPlan plan;
  plan.groups = groups_of(o, legs);
  set_sizes(o, legs.size(), sizes, plan);
  if (o.gait == Gait::stand) return plan;
  const bool biped = legs.size() == 2;
  const int closing = int(plan.groups.size()) - 1;  // steps at the end that only follow
  Foothold body = start;
  for (int k = 0; k < o.steps; ++k) {
    const bool goes = k < o.steps - closing;
    // Sideways and when they turn, two feet go in pairs of steps: one leads by two lengths, the other one follows.
    const double pair = biped ? (k % 2 == 0 && goes ? 2 : 0) : goes ? 1 : 0;
    const double x = goes ? std::cos(o.direction) * plan.step_length : 0;
    const double y = pair * std::sin(o.direction) * plan.step_length, c = std::cos(body.yaw), s = std::sin(body.yaw);
    body.position += Vec2(c * x - s * y, s * x + c * y);
    body.yaw += pair * o.yaw_per_step;
    if (!o.heights.empty()) body.height = start.height + o.heights[std::min(std::size_t(k), o.heights.size() - 1)];
    plan.bodies.push_back(body);
  }
  return plan;
}

}  // namespace lissom::walking
