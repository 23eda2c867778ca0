#pragma once
// The robot that a whole-body controller acts on. It moves as physics says, not as the controller hopes, and may be
// another robot than the controller believes: heavier, slower to obey, badly sensed, pushed.
//
//   auto robot = plant::held(model, contacts, q, v, {.step = 1e-3});
//   while (robot->time() < 10) {
//     robot->sense(q, v);
//     if (!robot->step(controller.solve(q, v))) throw Error(robot->failure());
//   }
//
// docs/contact_simulation.md has the equations. A plant belongs to one caller at a time.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lissom/constraints/contact.h"
#include "lissom/control/tick.h"

namespace lissom::plant {

// A force on the origin of a frame, along the world's axes, for a while.
struct Push {
  std::string frame;
  Vec3<double> force = {0, 0, 0};
  double from = 0, until = 0;
};

// What the controller does not know.
struct Imperfections {
  double mass_error = 0;  // mass and inertia of every link are multiplied by a random factor within 1 ± this
  int delay = 0;          // ticks between the torques that were computed and those that are applied
  // Standard deviations of what is sensed: q (rad and m; a free joint's orientation turns by as much about each axis)
  // and v.
  double position_noise = 0, velocity_noise = 0;
  std::vector<Push> pushes = {};
  std::uint64_t seed = 0;
};

struct Options {
  double step = 1e-3;  // of a tick
  int substeps = 1;    // of the plant in a tick
  Imperfections imperfections = {};
};

// What a contact carries: of a tick the mean (without impacts); of friction_use the largest in it.
struct TouchReading {
  Vec3<double> force = {0, 0, 0}, torque = {0, 0, 0};  // on the frame, about its origin, along the world's axes
  double normal = 0;                                   // of all points together
  // Of all ways to share the force among the points that touch, the one whose largest |tangent| / (friction · normal)
  // is smallest: that number, to a thousandth where it is above 0.5. More than 1: the points cannot carry it, and the
  // face slips. (1000 at most.)
  double friction_use = 0;
  double slip = 0;  // m: how far the face has moved along the ground since it came, the farthest of its points
  int points = 0;   // that touch
};

class Plant {
 public:
  virtual ~Plant() = default;
  virtual double time() const = 0;
  // The true state.
  virtual const Eigen::VectorXd& q() const = 0;
  virtual const Eigen::VectorXd& v() const = 0;
  // What sensors say of it; every call has noise of its own.
  virtual void sense(Eigen::VectorXd& q, Eigen::VectorXd& v) = 0;
  // One tick. False where the run has failed; the state then stays as it is, also in later calls.
  virtual bool step(const control::Tick& tick) = 0;
  // In words: "left_sole slips: friction use 1.3 at t = 2.31 s"; empty if none.
  virtual const std::string& failure() const = 0;
  // In the order of the contacts given.
  virtual const std::vector<TouchReading>& touches() const = 0;
};

// Where the robot may touch: faces (or points) of its frames, with friction. What they touch is the plane z = 0, or the
// plane z = 0 of the contact's place where it has one.

// (a) The controller's own accelerations, integrated; what touches and with which force is what the controller says.
// `contacts` are the controller's, in the same order. A push adds M⁻¹ Jᵀ f, as far as the contacts held let it.
std::unique_ptr<Plant> integrated(const Model& model, std::vector<control::Contact> contacts, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v, const Options& options = {});

// (b) The torques alone, on a robot of its own: points that touch are held by hard constraints, let go where they would
// have to pull, and come down by inelastic impacts. The run fails where a face slips (one that has just come or carries
// next to nothing: where it slips by a millimetre) or another link hits the ground.
std::unique_ptr<Plant> held(const Model& model, std::vector<control::Contact> contacts, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& v, const Options& options = {});

}  // namespace lissom::plant
