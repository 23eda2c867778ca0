#pragma once
// What is recorded of a motion on a simulated robot: `lissom control --record`, and run() of Python.
#include "lissom/control/tick.h"
#include "lissom/sim/recorded_energy.h"
#include "lissom/sim/recorded_extras.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::control {

/// One tick of a motion or of a gait.
struct MotionFrame {
  const sim::SimulatedRobot& robot;
  const Tick& tick;
  double tick_us;
  Vec3<double> desired_com;
  const Eigen::VectorXd &desired_q, &desired_v;
  std::size_t stage, phase;      ///< indices of their names
  const EnergyFigures& figures;  ///< of the simulated robot, up to now
};

/// The signals of a motion: docs/recordings.md has the list.
class MotionSignals {
 public:
  /// `frames` are recorded as paths of their origins, `pushes` and `pull` (null: nobody can pull) as forces. The
  /// contacts are those of the simulated robot.
  MotionSignals(const Model& model, const std::vector<Contact>& contacts, std::vector<FrameId> frames,
                std::vector<sim::Push> pushes, const sim::PullLaw* pull = nullptr);
  const std::vector<recording::Signal>& signals() const { return signals_; }
  /// The rows of these signals. They are valid until the next call, or as long as the frame.
  const std::vector<recording::Row>& rows(const MotionFrame& frame);

 private:
  sim::RecordedExtras extras_;
  sim::RecordedEnergy energy_;
  std::vector<recording::Signal> signals_;
  std::vector<double> limits_, use_, forces_, friction_;
  std::array<double, 6> com_{};
  std::array<double, 3> tick_{};
  std::array<double, 2> stage_{};
  std::vector<recording::Row> rows_;
};

/// The corners of a contact's face, or its point, in the frame, m.
std::vector<Vec3<double>> corners(const Model& model, const Contact& contact);

}  // namespace lissom::control
