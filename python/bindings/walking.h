#pragma once
// Gaits in Python.
#include "contacts.h"
#include "lissom/walking/run.h"
#include "results.h"

// (Standing with capture steps is called `balance` by the command, too; 'stand' is a generated motion.)
LISSOM_ENUM(lissom::walking::Gait, "balance", "walk", "trot")
LISSOM_ENUM(lissom::walking::Walker::Phase, "standing", "transfer", "swing", "done")

namespace lissom::python {

LISSOM_PYTHON_TYPE(walking::WalkerGains, "WalkerGains")
LISSOM_PYTHON_TYPE(walking::GaitOptions, "GaitOptions")

inline auto gait_fields() {
  using G = walking::GaitOptions;
  return std::tuple{
      Field{
          "gait", &G::gait,
          "'walk': two legs in turn, four legs one at a time; 'trot': four legs, diagonal pairs in turn; 'balance': it "
          "stays where it is, and steps only to recover."},
      Field{"steps", &G::steps, "Swings of a leg, or of a pair of legs; the last ones close the gait."},
      Field{"speed", &G::speed, "step_length / step_time, m/s; 0: by the size of the robot."},
      Field{"step_length", &G::step_length, "From one step to the next, m; 0: by the size of the robot."},
      Field{"step_time", &G::step_time, "From one step to the next, s; 0: by the size of the robot."},
      Field{"direction", &G::direction, "In which it goes, rad: 0 forward, π/2 to its left, π backward."},
      Field{"yaw_per_step", &G::yaw_per_step, "By which its heading turns to the left, rad."},
      Field{"lift", &G::lift, "Of swinging feet, m; 0: by the size of the robot."},
      Field{"double_support", &G::double_support,
            "Fraction of a step's time in which all feet stand; 0: 0.25, and 0.1 for trots."},
      Field{"heights", &G::heights, "Of the ground under each step, from the first, m; the last one stays."},
      Field{"start_height", &G::start_height, "Of the ground on which it stands at first, m."},
      Field{"capture_steps", &G::capture_steps,
            "Footholds and times are adapted to pushes, and a standing robot steps."},
      Field{"hold", &G::hold, "For which it has to stand at the end, s."},
      Field{"duration", &G::duration, "Of 'balance', s."}};
}

/// GaitOptions by keyword, in signatures.
inline const std::string gait_signature =
    "gait: Literal['balance', 'walk', 'trot'] = 'walk', steps: int = 6, speed: float = 0.0, step_length: float = 0.0, "
    "step_time: float = 0.0, direction: float = 0.0, yaw_per_step: float = 0.0, lift: float = 0.0, double_support: "
    "float = "
    "0.0, heights: Sequence[float] = (), start_height: float = 0.0, capture_steps: bool = True, hold: float = 1.5, "
    "duration: float = 3.0";

struct BoundWalker {
  Model model;  ///< it outlives the walker, which refers to it
  std::unique_ptr<walking::Walker> walker;
  InUse in_use = {};
};

void bind_walk_run(nb::module_& walking);

}  // namespace lissom::python
