#pragma once
// A controller written in generalized coordinates drives an engine that works in maximal ones (Liu & Jain's use of
// their conversions): every step, the engine's poses and velocities become q and v, the controller's tau becomes forces
// on bodies. Links that do not move against each other are one body there.
#include <functional>
#include <memory>
#include <string>

#include "lissom/bridge/engine.h"
#include "lissom/formulations/conversions.h"
#include "lissom/sim/controller.h"

namespace lissom::bridge {

class Bridge {
 public:
  // The mechanism in the engine, in the state (q, v). Error for joints that the engine has not, mimic joints, and
  // bodies without mass or with an inertia that is not positive.
  Bridge(const Model& model, const std::string& engine, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  // As the engine has it now, with what its joints have drifted apart.
  const formulations::GeneralizedState& state() const { return state_; }
  void step(const Eigen::VectorXd& tau, double seconds);

 private:
  void read();
  struct Body {
    int root;             // its first link in the mechanism
    Eigen::Vector3d com;  // in the root link's frame
  };
  formulations::Mechanism mechanism_;
  std::vector<Body> bodies_;
  std::vector<int> body_of_;           // of each link; -1: the world
  std::vector<Pose<double>> in_root_;  // each link in its body's root link
  std::unique_ptr<Engine> engine_;
  formulations::GeneralizedState state_;
};

// Gravity compensation by lissom and a spring and damper to a target that may move: each joint alone would swing with
// `frequency` (Hz), critically damped.
struct Tracking {
  Eigen::VectorXd posture;      // q
  double amplitude = 0;         // of a sine added to every joint of one degree of freedom, rad or m
  double sine_frequency = 0.5;  // Hz
  double frequency = 2;
};
std::unique_ptr<sim::Controller> tracking_controller(const Model& model, const Tracking& tracking);

struct BridgeRun {
  std::string engine;
  double step = 0, seconds = 0;
  double max_error = 0, rms_error = 0;  // of joints against lissom's own motion, rad or m
  std::string worst_joint;
  double drift = 0;      // by how much the engine's joints came apart at most, m or rad
  double wall_time = 0;  // of the engine's run, conversions and controller included
};
// The same controller from the same state in the engine and in a sim::System (RK4, four times as fine, joints without
// springs, dampers, friction and effort limits), compared at every step. Called with the fraction done, now and then,
// where given.
BridgeRun run(const Model& model, const std::string& engine, sim::Controller& controller, const Eigen::VectorXd& q,
              const Eigen::VectorXd& v, double seconds, double step, const std::function<void(double)>& progress = {});

}  // namespace lissom::bridge
