#pragma once
// Integration in time, on the manifold of configurations. Every integrator takes a System from a state to the state one
// step later; the names are those of the command line.
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/sim/system.h"

namespace lissom::sim {

/// A state of a system at a time.
struct State {
  double t = 0;
  Eigen::VectorXd q, v;
  /// The length of the next inner step of an integrator with error control; 0 if not known. It is part of the state, so
  /// that a run that is restarted from here takes the same steps.
  double next_step = 0;
};

/// How orientations are integrated during a step: by exponentials (Rodrigues); as quaternions with the rate ½ Q ω,
/// normalized after each stage; or in the coordinates of any chart of coordinates/charts.h (Euler angles, …). The last
/// is for study: it allocates, and fails where its chart is singular.
enum class Attitude { exponential, quaternion, chart };

/// How an integrator takes its steps.
struct IntegratorOptions {
  Attitude attitude = Attitude::exponential;
  std::string chart = {};  ///< name of the chart, for Attitude::chart
  /// Controller and forces are evaluated once per step, at its beginning, and held constant over its inner stages.
  /// Cheaper; wrong if they are stiff.
  bool zero_order_hold = false;
  /// Tolerances of the adaptive integrator for the error of a step: relative to the state, and absolute.
  double relative_tolerance = 1e-6, absolute_tolerance = 1e-9;
  /// The adaptive integrator takes no shorter steps, whatever the error; 0: no limit. It carries a motion through
  /// states where the error estimate is dominated by rounding (closed loops near a singular configuration). Watch the
  /// energy: the error of such a step is not controlled.
  double min_step = 0;
  /// Implicit integrators iterate until v changes by less than this (relative to v), at most max_iterations times.
  double solver_tolerance = 1e-13;
  int max_iterations = 50;
};

/// The name and the properties of a method.
struct IntegratorInfo {
  std::string name;
  int order = 1;
  std::string description = {};
  /// The method is stable for M a = -D v - K q while h times the largest eigenvalue of M⁻¹ D is below max_damping, and
  /// h times the largest frequency, the root of that of M⁻¹ K, below max_frequency. Infinite for methods that are
  /// implicit in D and K, or choose h themselves.
  double max_damping = std::numeric_limits<double>::infinity(), max_frequency = max_damping;
};

/// A method that takes a system from one time to the next. It belongs to one caller at a time.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Takes x from x.t to x.t + step. Throws an Error if the step is not positive or the motion cannot be computed (also
  /// if the end of the step is not finite); x is then unchanged.
  void step(System& system, State& x, double step);
  /// Its entry of integrators(); of an integrator of your own, order 1 and no limits of stability.
  const IntegratorInfo& info() const { return info_; }
  /// How often the last step evaluated the dynamics: stages, of all inner steps; or iterations of an implicit method.
  int evaluations() const { return evaluations_; }
  /// Work of all forces in the last step, by the method's own quadrature.
  const Work& work() const { return work_; }

 protected:
  virtual void advance(System& system, State& x, double step) = 0;
  int evaluations_ = 0;
  Work work_;  // zero when advance() is called

 private:
  friend std::unique_ptr<Integrator> integrator(const Model&, std::string_view, const IntegratorOptions&);
  IntegratorInfo info_{.name = "integrator"};
  State before_;
};

/// All methods, by their names.
const std::vector<IntegratorInfo>& integrators();
/// Creates an integrator by its name. Throws an Error that lists the names if there is none of this name.
std::unique_ptr<Integrator> integrator(const Model& model, std::string_view name,
                                       const IntegratorOptions& options = {});
/// Creates the integrator that fits the forces of the system at a state: implicit_joints if the controller reports
/// gains (pd does), or if springs, dampers or dry friction of joints are too stiff for rk4 with this step; dopri5 if
/// only springs between points are; otherwise rk4.
std::unique_ptr<Integrator> fitting_integrator(System& system, const State& x, double step,
                                               const IntegratorOptions& options = {});

}  // namespace lissom::sim
