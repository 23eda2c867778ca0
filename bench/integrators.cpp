// Measures every integrator: the order of accuracy on three mechanisms, relative to a reference with a far smaller
// error; energy and momentum over long runs; the error of controllers with a zero-order hold; quaternion rates compared
// with exponentials.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <lissom/lissom.h>
#include <numbers>

#include "lissom/sim/integrator.h"
#include "thrown_quadruped.h"

namespace {

using namespace lissom;
using namespace lissom::sim;

struct Mechanism {
  const char* name;
  std::function<std::unique_ptr<System>()> make;
  std::function<State(System&)> begin;
  double seconds;
  std::vector<double> steps;
};

std::string model_file(const std::string& name) {
  return std::string(LISSOM_MODELS_DIR) + "/" + name;
}
State at_rest(const Model& model) {
  return {0, neutral(model), Eigen::VectorXd::Zero(model.nv()), 0};
}
// Deterministic pseudo-random numbers within ±1.
double pseudo_random(int i) {
  return std::sin(12.9898 * (i + 1));
}

Model ball_pendulum() {
  Description d;
  d.name = "spherical_pendulum";
  LinkDescription ground, bob;
  ground.name = "ground";
  bob.name = "bob";
  bob.mass = 1;
  bob.com = {0.02, 0, -0.5};
  bob.inertia = {0.02, 0, 0, 0.03, 0, 0.01};
  JointDescription ball;
  ball.name = "ball";
  ball.type = JointType::spherical;
  ball.parent = "ground";
  ball.child = "bob";
  d.links = {ground, bob};
  d.joints = {ball};
  return build(d);
}

std::vector<Mechanism> mechanisms() {
  return {
      {"spherical pendulum",
       [] { return std::make_unique<System>(ball_pendulum()); },
       [](System& s) {
         State x = at_rest(s.model());
         x.v << 1.0, 2.0, 3.0;
         return x;
       },
       1.0,
       {1. / 50, 1. / 100, 1. / 200, 1. / 400}},
      {"humanoid in flight",
       [] { return std::make_unique<System>(load(model_file("humanoid.urdf"), {.base = Base::free})); },
       [](System& s) {
         State x = at_rest(s.model());
         for (int i = 0; i < s.model().nv(); ++i) x.v[i] = pseudo_random(i);
         return x;
       },
       0.4,
       {1. / 50, 1. / 100, 1. / 200, 1. / 400}},
      {"A05 governor",
       [] {
         return std::make_unique<System>(
             load(model_file("iftomm/a05_governor.urdf"), {.loops_file = model_file("iftomm/a05_governor.json")}));
       },
       [](System& s) {
         State x = at_rest(s.model());
         x.v[s.model().joint("shaft").v_index] = 2 * std::numbers::pi;
         x.q[s.model().joint("slider").q_index] = 0.5;
         for (const char* rod : {"right_rod", "left_rod"}) x.q[s.model().joint(rod).q_index] = std::numbers::pi / 3;
         return x;
       },
       0.1,
       {1e-4, 5e-5, 2.5e-5, 1.25e-5}},
  };
}

State run(System& system, State x, Integrator& method, double step, double seconds) {
  const long n = std::lround(seconds / step);
  for (long i = 0; i < n; ++i) method.step(system, x, step);
  return x;
}
double distance(const Model& model, const State& a, const State& b) {
  return std::sqrt(difference(model, a.q, b.q).squaredNorm() + (a.v - b.v).squaredNorm());
}

void orders() {
  std::printf(
      "Order of accuracy: error at the end for four steps, each half the one before, and log2 of the last ratio above "
      "rounding\n");
  for (const auto& m : mechanisms()) {
    auto system = m.make();
    const State begin = m.begin(*system);
    auto fine = integrator(system->model(), "dopri5", {.relative_tolerance = 1e-13, .absolute_tolerance = 1e-13});
    const State end = run(*system, begin, *fine, m.seconds, m.seconds);
    std::printf("\n%s, %g s, steps %g … %g s\n", m.name, m.seconds, m.steps.front(), m.steps.back());
    for (const auto& info : integrators()) {
      // With error control the tolerances determine the inner steps; here they are so loose that each step is one.
      const bool adaptive = info.name == "dopri5";
      std::printf("  %-20s", info.name.c_str());
      double last = 0, ratio = 0;
      for (const double step : m.steps) {
        const double loose = 1e30;
        auto method = integrator(system->model(), info.name,
                                 adaptive ? IntegratorOptions{.relative_tolerance = loose, .absolute_tolerance = loose}
                                          : IntegratorOptions{});
        State x = begin;
        if (adaptive) x.next_step = 1;
        try {
          x = run(*system, x, *method, step, m.seconds);
          const double error = distance(system->model(), x, end);
          if (last > 0 && error > 2e-12) ratio = last / error;  // (errors below are rounding and the reference's own)
          last = error;
          std::printf("  %.2e", error);
        } catch (const Error& e) {
          std::printf("  failed   ");
          ratio = 0;
        }
      }
      if (ratio > 0)
        std::printf("   order %.2f of %d\n", std::log2(ratio), info.order);
      else
        std::printf("   order not measurable, all errors are rounding (%d)\n", info.order);
    }
  }
}

void adaptive() {
  std::printf("\nError control (dopri5, humanoid in flight, .4 s): error at the end for a tolerance\n");
  const auto m = mechanisms()[1];
  auto system = m.make();
  auto fine = integrator(system->model(), "dopri5", {.relative_tolerance = 1e-14, .absolute_tolerance = 1e-14});
  const State begin = m.begin(*system), end = run(*system, begin, *fine, m.seconds, m.seconds);
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    auto method =
        integrator(system->model(), "dopri5", {.relative_tolerance = tolerance, .absolute_tolerance = tolerance});
    const State x = run(*system, begin, *method, m.seconds, m.seconds);
    std::printf("  %.0e: error %.1e, %d evaluations\n", tolerance, distance(system->model(), x, end),
                method->evaluations());
  }
}

void quadruped_energy() {
  std::printf(
      "\nQuadruped with bent legs, thrust of 2 m g beside its center for 1 s, then 2 s of flight, 1 ms: mean ΔE² (J²); "
      "kinetic energy about the center of mass (J)\n");
  const auto model = load(model_file("quadruped.urdf"), {.base = Base::free});
  for (const auto& info : integrators()) {
    const auto thrown = throw_quadruped(model, info.name);
    std::printf("  %-20s %.1e   %.1f\n", info.name.c_str(), thrown.energy_error, thrown.kinetic_energy);
  }
}

void momentum() {
  std::printf(
      "\nHumanoid without gravity, tumbling: mean ‖Δp‖² over 10 s at 1 ms; linear and angular, kg m/s and kg m²/s\n");
  const auto model = load(model_file("humanoid.urdf"), {.base = Base::free}).with_gravity({0, 0, 0});
  for (const auto& info : integrators()) {
    System system(model, {.passive_forces = false});
    State x = at_rest(model);
    for (int i = 0; i < model.nv(); ++i) x.v[i] = pseudo_random(i);
    auto method = integrator(model, info.name);
    const Vector6 p = centroidal_momentum(model, system.work(), x.q, x.v);
    const double energy = system.kinetic_energy(x.q, x.v);
    double sum = 0;
    for (int i = 0; i < 10000; ++i) {
      method->step(system, x, 1e-3);
      sum += (centroidal_momentum(model, system.work(), x.q, x.v) - p).squaredNorm();
    }
    std::printf("  %-20s %.1e   energy %+.1e of %.1f J\n", info.name.c_str(), sum / 10000,
                system.kinetic_energy(x.q, x.v) - energy, energy);
  }
}

void no_drift(long steps) {
  std::printf("\nVariational, quadruped without gravity, %ld steps of 1 ms: energy and momentum\n", steps);
  const auto model = load(model_file("quadruped.urdf"), {.base = Base::free}).with_gravity({0, 0, 0});
  System system(model, {.passive_forces = false});
  State x = at_rest(model);
  for (int i = 0; i < model.nv(); ++i) x.v[i] = pseudo_random(i);
  auto method = integrator(model, "variational");
  const Vector6 p = centroidal_momentum(model, system.work(), x.q, x.v);
  const double energy = system.kinetic_energy(x.q, x.v);
  double worst = 0, mean = 0;
  const long part = steps / 5;
  for (long i = 1; i <= steps; ++i) {
    method->step(system, x, 1e-3);
    const double off = system.kinetic_energy(x.q, x.v) - energy;
    worst = std::max(worst, std::abs(off));
    mean += off / double(part);
    if (i % part == 0) {
      std::printf("  %8ld: energy in this part %+.2e on average, %.2e at worst, of %.3f J; ‖Δp‖² %.1e\n", i, mean,
                  worst, energy, (centroidal_momentum(model, system.work(), x.q, x.v) - p).squaredNorm());
      worst = mean = 0;
      std::fflush(stdout);
    }
  }
}

// A mass on a stiff spring, which is a controller: with forces held constant during a step, the integration becomes
// unstable earlier.
void zero_order_hold() {
  std::printf("\nMass of 1 kg on a spring of k N/m as a controller, rk4 at 1 ms: amplitude after 1 s (1 is right)\n");
  Description d;
  d.name = "mass";
  LinkDescription ground, mass;
  ground.name = "ground";
  mass.name = "mass";
  mass.mass = 1;
  mass.inertia = {0.01, 0, 0, 0.01, 0, 0.01};
  JointDescription slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.parent = "ground";
  slide.child = "mass";
  slide.axis = {1, 0, 0};
  d.links = {ground, mass};
  d.joints = {slide};
  const auto model = build(d);
  for (const double k : {1e2, 1e4, 1e6, 4e6}) {
    std::printf("  k = %.0e:", k);
    for (const bool hold : {false, true}) {
      System system(model, {.effort_limits = false});
      system.control([k](const Instant& at, Eigen::VectorXd& tau) { tau[0] = -k * at.q[0]; });
      State x = at_rest(model);
      x.q[0] = 1;
      auto method = integrator(model, "rk4", {.zero_order_hold = hold});
      double amplitude = NAN;
      try {
        x = run(system, x, *method, 1e-3, 1.0);
        amplitude = std::sqrt(x.q[0] * x.q[0] + x.v[0] * x.v[0] / k);
      } catch (const Error&) {
      }
      std::printf("   %s %.3g", hold ? "zero-order hold" : "at every stage", amplitude);
    }
    std::printf("\n");
  }
}

void attitudes(double seconds) {
  std::printf("\nSpherical pendulum, rk4 at 1 ms, %g s: quaternion rates against exponentials\n", seconds);
  const auto m = mechanisms()[0];
  auto system = m.make();
  State a = m.begin(*system);
  a.v *= 0.1;  // a small swing, because a large one is chaotic
  State b = a;
  auto exponential = integrator(system->model(), "rk4");
  auto quaternion = integrator(system->model(), "rk4", {.attitude = Attitude::quaternion});
  const double energy = system->kinetic_energy(a.q, a.v) + system->potential_energy(a.q);
  for (const double until : {1., 10., 100., seconds}) {
    while (a.t < until - 1e-9) {
      exponential->step(*system, a, 1e-3);
      quaternion->step(*system, b, 1e-3);
    }
    const auto off = [&](const State& x) {
      return system->kinetic_energy(x.q, x.v) + system->potential_energy(x.q) - energy;
    };
    std::printf("  %6g s: apart by %.1e; energy %+.1e J by exponentials, %+.1e J by quaternion rates\n", a.t,
                distance(system->model(), a, b), off(a), off(b));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool whole = argc > 1 && std::string(argv[1]) == "--long";
  orders();
  adaptive();
  quadruped_energy();
  momentum();
  no_drift(whole ? 1000000 : 50000);
  zero_order_hold();
  attitudes(whole ? 1000 : 200);
}
