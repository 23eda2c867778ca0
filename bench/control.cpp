// Runs every motion of the humanoid with all simulators, or with one: once without disturbances, and with random noise,
// wrong masses, delayed torques and pushes (one run per seed). Prints a table of margins in Markdown.
//
// usage: control [--seeds N] [--simulator NAME] [MOTION…]        exit status 1 if a run fails
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "lissom/api/load.h"
#include "lissom/control/run.h"

namespace {

using namespace lissom;
using sim::Simulator;

// The worst values of several runs.
struct Margins {
  int runs = 0, failures = 0;
  double friction = 0, slip = 0, loaded_slip = 0, torque = 0, com = 0, median = 0, p99 = 0;
  long elastic = 0;
  std::string first_failure;
  void add(const control::MotionReport& r) {
    ++runs;
    failures += !r.succeeded;
    if (!r.succeeded && first_failure.empty()) first_failure = r.failure;
    friction = std::max(friction, r.max_friction_use());
    slip = std::max(slip, r.max_slip());
    loaded_slip = std::max(loaded_slip, r.max_loaded_slip());
    torque = std::max(torque, r.max_torque_use());
    com = std::max(com, r.max_com_error);
    median = std::max(median, r.tick_median);
    p99 = std::max(p99, r.tick_p99);
    elastic += r.elastic_ticks;
  }
};

// Mass errors of 10 %, torques delayed by one tick, sensor noise, and two pushes at random times in random directions.
sim::Imperfections imperfections(const Model& model, std::uint64_t seed, double seconds) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  sim::Imperfections i{.mass_error = .1, .delay = 1, .position_noise = 1e-4, .velocity_noise = 2e-3, .seed = seed};
  for (int k = 0; k < 2; ++k) {
    const double angle = 6.283185307 * part(random), from = part(random) * seconds;
    i.pushes.push_back(
        sim::push_at(model.frame("chest"), {25 * std::cos(angle), 25 * std::sin(angle), 0}, from, from + .1));
  }
  return i;
}

bool report(const Model& model, const std::string& name, int seeds, const std::vector<Simulator>& simulators) {
  const auto motion = control::read_motion_plan(model, std::string(LISSOM_MODELS_DIR) + "/motions/" + name + ".json");
  bool all = true;
  for (auto simulator : simulators) {
    const auto plain = control::run(model, motion, {.simulator = simulator});
    Margins once, disturbed;
    once.add(plain);
    for (int seed = 1; seed <= seeds; ++seed)
      disturbed.add(
          control::run(model, motion,
                       {.simulator = simulator,
                        .robot = {.imperfections = imperfections(model, std::uint64_t(seed), plain.seconds)}}));
    const auto row = [&](const char* what, const Margins& m) {
      if (m.runs == 0) return;
      std::printf("| %s | %s | %s | %d of %d | %.0f %% | %.3f | %.3f | %.0f %% | %.0f | %ld | %.0f | %.0f |\n",
                  name.c_str(), to_string(simulator), what, m.runs - m.failures, m.runs, 100 * m.friction,
                  1e3 * m.loaded_slip, 1e3 * m.slip, 100 * m.torque, 1e3 * m.com, m.elastic, m.median, m.p99);
      if (!m.first_failure.empty()) std::printf("|   | | %s | | | | | | | | |\n", m.first_failure.c_str());
      std::fflush(stdout);
      all = all && m.failures == 0;
    };
    row("undisturbed", once);
    row("disturbed", disturbed);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  int seeds = 20;
  std::vector<std::string> names;
  std::vector<Simulator> simulators{Simulator::prescribed_acceleration, Simulator::contact};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--seeds") == 0 && i + 1 < argc)
      seeds = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--simulator") == 0 && i + 1 < argc)
      simulators = {sim::simulator_of(argv[++i])};
    else
      names.emplace_back(argv[i]);
  }
  if (names.empty()) names = {"stand", "squat", "one-foot", "step", "steps", "on-hands", "handstand"};
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/humanoid.urdf", {.base = Base::free});
  std::printf(
      "| motion | simulator | | succeeded | friction used | slip under load (mm) | slip (mm) | torque used | center of "
      "mass off (mm) | "
      "elastic "
      "ticks | tick (µs) | p99 |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  for (const auto& name : names) all = report(model, name, seeds, simulators) && all;
  return all ? 0 : 1;
}
