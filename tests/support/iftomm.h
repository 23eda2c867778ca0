#pragma once
// The multibody benchmark of IFToMM, A01 … A05 (models/iftomm): the initial state of each problem, what is read at
// which time, and the reference values. For the tests and for bench/iftomm.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "largest.h"
#include "lissom/lissom.h"
#include "lissom/sim/integrator.h"

namespace lissom::iftomm {

using sim::State;
using sim::System;
inline constexpr double pi = std::numbers::pi;

struct Problem {
  const char* name;
  const char* file;
  double tolerance;
  std::function<void(System&, State&)> begin;
  struct Mark {
    double t;
    std::vector<double> reference;
  };
  std::vector<Mark> marks;
  std::function<std::vector<double>(System&, const State&)> read;
};

inline void set(System& system, State& x, const char* joint, double q, double v = 0) {
  const auto& j = system.model().joint(joint);
  x.q[j.q_index] = q;
  x.v[j.v_index] = v;
}
// The position of a frame: (x, y) or (x, y, z).
inline std::vector<double> position(System& system, const State& x, const char* frame, int dimensions) {
  forward_kinematics(system.model(), system.work(), x.q);
  const auto p = placement(system.model(), system.work(), system.model().frame(frame)).p;
  return dimensions == 2 ? std::vector{p.x, p.y} : std::vector{p.x, p.y, p.z};
}

inline void begin_four_bars(System& system, State& x, int n) {
  set(system, x, "crank_0", pi / 2, -1);
  for (int k = 1; k <= n; ++k) {
    // Cranks stand, couplers stay level.
    set(system, x, ("coupler_" + std::to_string(k)).c_str(), -pi / 2, 1);
    set(system, x, ("crank_" + std::to_string(k)).c_str(), pi / 2, -1);
  }
}

inline std::vector<double> end_of_pendulum(System& s, const State& x) {
  forward_kinematics(s.model(), s.work(), x.q);
  const auto p = placement(s.model(), s.work(), s.model().frame("mass")) * Vec3<double>{1, 0, 0};
  return {p.x, p.y};
}

inline void begin_squeezer(System& s, State& x) {
  const std::pair<const char*, double> angles[] = {{"beta", -0.0617138900142764496}, {"Theta", 0},
                                                   {"gamma", 0.455279819163070380},  {"Phi", 0.222668390165885884},
                                                   {"delta", 0.487364979543842550},  {"Omega", -0.222668390165885884},
                                                   {"epsilon", 1.23054744454982119}};
  for (const auto& [joint, q] : angles) set(s, x, joint, q);
  const int drive = s.model().joint("beta").v_index;
  s.control([drive](const sim::Instant&, Eigen::VectorXd& tau) { tau[drive] = 0.033; });
}
inline std::vector<double> angles_of_squeezer(System& s, const State& x) {
  std::vector<double> angles;
  for (const char* joint : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"})
    angles.push_back(x.q[s.model().joint(joint).q_index]);
  return angles;
}

inline void begin_governor(System& s, State& x) {
  set(s, x, "shaft", 0, 2 * pi);
  set(s, x, "slider", 0.5);
  set(s, x, "right_rod", pi / 3);
  set(s, x, "left_rod", pi / 3);
}

// (A02 moves like a single pendulum: its digits beyond the published ten come from that, computed with 30 digits.)
inline const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{
      {"A01 pendulum",
       "a01_pendulum",
       1e-13,
       [](System& s, State& x) { set(s, x, "angle", pi); },
       {{10, {-0.275087462576, -0.961419205099}}},
       end_of_pendulum},
      {"A02 two four-bars",
       "a02_four_bars_2",
       1e-13,
       [](System& s, State& x) { begin_four_bars(s, x, 2); },
       {{10, {0.328458111540815, 0.944518538178601}}},
       [](System& s, const State& x) { return position(s, x, "coupler_1", 2); }},
      {"A02 forty four-bars",
       "a02_four_bars_40",
       3e-14,
       [](System& s, State& x) { begin_four_bars(s, x, 40); },
       {{20, {0.410901153762945, 0.911679900971981}}},
       [](System& s, const State& x) { return position(s, x, "coupler_1", 2); }},
      {"A03 squeezer",
       "a03_squeezer",
       1e-13,
       begin_squeezer,
       {{0.03,
         {15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
          0.5347301163226948, 1.048080741042263}}},
       angles_of_squeezer},
      {"A04 Bricard",
       "a04_bricard",
       1e-12,
       [](System&, State&) {},
       {{1, {0.2744813193, -0.8867079387, -0.4623300027}}, {10, {0.9997309873, -0.9999999638, -0.0002689765}}},
       [](System& s, const State& x) { return position(s, x, "rod_3", 3); }},
      {"A05 governor",
       "a05_governor",
       1e-11,
       begin_governor,
       {{0.5, {0.743249425}}, {5, {0.535563104}}, {10, {0.6196229171}}},
       [](System& s, const State& x) { return std::vector{x.q[s.model().joint("slider").q_index]}; }},
  };
  return all;
}

// The system and its initial state.
struct Start {
  System system;
  State x;
};
inline Start start(const Problem& problem) {
  const std::string stem = std::string(LISSOM_MODELS_DIR "/iftomm/") + problem.file;
  const auto model = load(stem + ".urdf", {.loops_file = stem + ".json"});
  Start s{System(model), {0, neutral(model), Eigen::VectorXd::Zero(model.nv()), 0}};
  problem.begin(s.system, s.x);
  s.system.project(s.x.q, s.x.v);
  return s;
}
inline double energy(System& system, const State& x) {
  return system.kinetic_energy(x.q, x.v) + system.potential_energy(x.q);
}
// The largest deviation from the reference.
inline double error(const std::vector<double>& found, const Problem::Mark& mark) {
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) worst = test::larger(worst, std::abs(found[i] - mark.reference[i]));
  return worst;
}

}  // namespace lissom::iftomm
