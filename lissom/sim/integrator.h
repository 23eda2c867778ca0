#pragma once
// Steps in time, on the manifold of configurations. Every integrator takes a System from a state to the state a step
// later; the names are those of the command line.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/sim/system.h"

namespace lissom::sim {

struct State {
  double t = 0;
  Eigen::VectorXd q, v;
  // What the next step would be with error control; 0 where not known. Part of the state, so that a run that begins
  // anew from here takes the same steps.
  double next_step = 0;
};

// How orientations move during a step: along exponentials (Rodrigues); as four numbers with the rate ½ Q ω, scaled to
// length 1 after each stage; or as the numbers of any chart of coordinates/charts.h (Euler angles, …). The last is for
// study: it allocates, and breaks down where its chart does.
enum class Attitude { exponential, quaternion, chart };

struct IntegratorOptions {
  Attitude attitude = Attitude::exponential;
  std::string chart = {};  // its name, for Attitude::chart
  // Controller and forces once per step, kept for its inner stages. Cheaper; wrong where they are stiff.
  bool frozen = false;
  // For the adaptive integrator: errors of a step, as a part of the state and in itself.
  double relative_tolerance = 1e-6, absolute_tolerance = 1e-9;
  // And the step below which it does not go, whatever the error: takes a motion through a place where rounding is all
  // that the error tells of (closed loops near a singular pose). Watch the energy: the step is taken unproved. 0: none.
  double min_step = 0;
  // For the integrators that solve equations: the change of v at which they stop (relative to it), and how often at
  // most.
  double solver_tolerance = 1e-13;
  int iterations = 50;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  // From x.t to x.t + step. Error where step is not above 0, or the state cannot be computed; x then is as it was.
  void step(System& system, State& x, double step);
  // Stages, iterations or inner steps that the last step took.
  int work() const { return work_; }

 protected:
  virtual void advance(System& system, State& x, double step) = 0;
  int work_ = 0;

 private:
  State before_;
};

struct IntegratorInfo {
  std::string name;
  int order;
  std::string description;
};
const std::vector<IntegratorInfo>& integrators();
// Error where there is none of this name, with those there are.
std::unique_ptr<Integrator> integrator(const Model& model, std::string_view name,
                                       const IntegratorOptions& options = {});

}  // namespace lissom::sim
