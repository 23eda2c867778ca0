#pragma once
// A controller written in generalized coordinates drives an engine that works in maximal coordinates (Liu & Jain's use
// of their conversions): in every step, the engine's poses and velocities are converted to q and v, and the
// controller's tau to forces on bodies. Links that are fixed to each other are one body in the engine.
#include <functional>
#include <memory>
#include <string>

#include "lissom/bridge/engine.h"
#include "lissom/formulations/conversions.h"
#include "lissom/sim/controller.h"
#include "lissom/sim/simulated_robot.h"
#include "lissom/world/energy_audit.h"

namespace lissom::bridge {

/// A robot in another engine, with its state in generalized coordinates.
class Bridge {
 public:
  /// Creates the mechanism in the engine, in the state (q, v). Throws an Error for joints that the engine does not
  /// support, for mimic joints and armatures, and for bodies whose mass or inertia is not positive.
  Bridge(const Model& model, const std::string& engine, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  /// The engine's state in generalized coordinates, with the drift of its joints.
  const formulations::GeneralizedState& state() const { return state_; }
  /// Applies tau and takes one step of the engine.
  void step(const Eigen::VectorXd& tau, double seconds);
  /// The energy of the engine's bodies, and the work of tau in the last step. Nothing else acts but gravity and the
  /// joints' own forces, which should do no work. Where joints drift apart, it is not the energy of state().
  const sim::RobotEnergy& energy() const { return energy_; }

 private:
  void add_bodies(const formulations::MaximalState& placed);
  void add_joints(const formulations::MaximalState& placed);
  void read();  // the engine's state
  struct Body {
    int root;             // its first link in the mechanism
    Eigen::Vector3d com;  // in the root link's frame
    double mass;
    Eigen::Matrix3d inertia;  // about the center of mass
  };
  formulations::Mechanism mechanism_;
  std::vector<Body> bodies_;
  std::vector<int> body_of_;           // of each link; -1: the world
  std::vector<Pose<double>> in_root_;  // pose of each link in the root link of its body
  std::unique_ptr<Engine> engine_;
  Eigen::Vector3d gravity_;
  std::vector<BodyState> states_;  // of the bodies
  formulations::GeneralizedState state_;
  sim::RobotEnergy energy_;
};

/// Options of a controller with gravity compensation and PD tracking of a target that may move.
struct Tracking {
  Eigen::VectorXd posture;      ///< q
  double amplitude = 0;         ///< of a sine added to every joint with one degree of freedom, rad or m
  double sine_frequency = 0.5;  ///< Hz
  double frequency = 2;         ///< Hz: natural frequency of each joint alone, which is critically damped
};
std::unique_ptr<sim::Controller> tracking_controller(const Model& model, const Tracking& tracking);

/// How a run in an engine went, and the energy there. One of the warnings says so where energy appeared from nowhere in
/// lissom's own simulation, with which the engine is compared.
struct BridgeRun : EnergyFigures {
  std::string engine;
  double step = 0, seconds = 0;
  double max_error = 0, rms_error = 0;  ///< of joints, relative to lissom's own simulation, rad or m
  std::string worst_joint;
  double drift = 0;      ///< largest constraint violation of the engine's joints, m or rad
  double wall_time = 0;  ///< of the engine's run, with conversions and controller, s
  bool stopped = false;  ///< before its time: `seconds` is what was simulated
};
/// Runs the same controller from the same state in the engine and in a sim::System (RK4 with a quarter of the step,
/// joints without springs, dampers, friction and effort limits), and compares them after every step. `progress` is
/// called now and then with the fraction done; the run ends if it returns false.
BridgeRun run(const Model& model, const std::string& engine, sim::Controller& controller, const Eigen::VectorXd& q,
              const Eigen::VectorXd& v, double seconds, double step, const std::function<bool(double)>& progress = {});

}  // namespace lissom::bridge
