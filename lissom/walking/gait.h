#pragma once
// Gaits: which legs swing together, in which order, how far and how long. All sizes that are not given follow from the
// robot: lengths from the height of its center of mass, times from that of a pendulum of this height.
#include <string>
#include <vector>

#include "lissom/constraints/contact.h"
#include "lissom/walking/dcm.h"

namespace lissom::walking {

/// In which order legs swing.
enum class Gait {
  stand,  ///< stays where it is, and steps only to recover
  walk,   ///< two legs in turn; four legs one at a time
  trot    ///< four legs, diagonal pairs in turn
};
/// "stand", "walk", "trot".
const char* to_string(Gait gait);

/// What the user asks for. A value of 0 is chosen from the robot's size.
struct GaitOptions {
  Gait gait = Gait::walk;
  int steps = 6;            ///< swings of a leg, or of a pair of legs that swing together; the last ones close the gait
  double speed = 0;         ///< m/s; step_length / step_time
  double step_length = 0;   ///< m, from one step to the next
  double step_time = 0;     ///< s, from one step to the next
  double direction = 0;     ///< rad, in which it goes: 0 forward, π/2 to its left, π backward
  double yaw_per_step = 0;  ///< rad, by which its heading turns to the left
  double lift = 0;          ///< m, of swinging feet
  double double_support = 0;         ///< fraction of a step's time in which all feet stand; 0: .25, and .1 for trots
  std::vector<double> heights = {};  ///< m, of the ground under each step, from the first; the last one stays
  double start_height = 0;           ///< m, of the ground on which it stands at first
  bool capture_steps = true;         ///< footholds and times are adapted to pushes, and a standing robot steps
  double hold = 1.5;                 ///< s, for which it has to stand at the end
  double duration = 3;               ///< s, of Gait::stand
};

/// A foothold: x, y, height of the ground and heading.
struct Foothold {
  Vec2 position = Vec2::Zero();
  double height = 0, yaw = 0;
};

/// A leg of the standing robot, for the planner of footsteps.
struct StandingLeg {
  Vec2 offset = Vec2::Zero();  ///< from the middle of all feet, along the robot's heading
};

/// Which legs swing in each step, and where the robot is then.
struct FootstepPlan {
  std::vector<std::vector<int>> groups;  ///< legs that swing together; step k swings groups[k % groups.size()]
  std::vector<Foothold> bodies;          ///< middle of all feet after each step
  double step_length = 0, step_time = 0, swing_time = 0, transfer_time = 0, lift = 0;
  int steps() const { return int(bodies.size()); }
  const std::vector<int>& group(int step) const { return groups[std::size_t(step) % groups.size()]; }
};

/// The robot, as far as gaits depend on it.
struct GaitSizes {
  double com_height = 1, gravity = 9.81;
  double foot_speed = 2;   ///< m/s, mean speed that a swinging foot can have
  double foot_length = 0;  ///< m
};

/// Plans the footsteps of legs. Slow joints make steps shorter, and then longer in time, if these are not given. Error
/// if the gait does not fit the number of legs, or speed, step_length and step_time contradict each other.
FootstepPlan plan_footsteps(const GaitOptions& options, const std::vector<StandingLeg>& legs, const Foothold& start,
                            const GaitSizes& sizes);

}  // namespace lissom::walking
