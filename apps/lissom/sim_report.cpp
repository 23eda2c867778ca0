#include "sim_report.h"

#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "energy_report.h"
#include "loop_report.h"

namespace verb::sim {

using lissom::sim::State;
using nlohmann::json;

json to_json(const ReportContext& context, const State& x, const lissom::sim::Report& r) {
  const auto list = [](const auto& v) { return std::vector<double>(v.begin(), v.end()); };
  json saturated = json::array();
  for (const auto& motor : r.saturated)
    saturated.push_back({{"joint", motor.joint}, {"limit", motor.limit}, {"fraction", motor.fraction}});
  json result{{"robot", context.robot},
              {"settings", context.settings},
              {"seconds", r.seconds},
              {"steps", r.steps},
              {"wall_seconds", r.wall_seconds},
              {"motor_work", r.work.motors},  // the former name, for existing scripts
              {"momentum", {{"before", list(r.momentum_before)}, {"after", list(r.momentum_after)}}},
              {"max_gap", r.max_gap},
              {"loop_forces", loop_forces_to_json(r)},
              {"max_speed", r.max_speed},
              {"largest_speed", r.max_speed},  // the former name, for existing scripts
              {"beyond_limits", r.beyond_limits},
              {"saturated", std::move(saturated)},
              {"interrupted", r.stopped},
              {"t", x.t},
              {"q", list(x.q)},
              {"v", list(x.v)}};
  add_energy(r, result);
  if (!context.recording.empty()) result["recording"] = {{"file", context.recording}, {"frames", context.frames}};
  if (!context.error.empty()) result["error"] = context.error;
  return result;
}

namespace {

void print_saturated(const lissom::sim::Report& r) {
  if (r.saturated.empty()) return;
  std::vector<std::string> motors;
  bool zero = false;
  for (const auto& motor : r.saturated) {
    zero = zero || motor.limit == 0;
    motors.push_back(
        fmt::format("{} (limit {:g}, {:.3g} % of the time)", motor.joint, motor.limit, 100 * motor.fraction));
  }
  std::cout << fmt::format("saturated  {} at the effort limit: {}\n",
                           motors.size() == 1 ? "1 motor" : std::to_string(motors.size()) + " motors",
                           fmt::join(motors, ", "));
  if (zero) std::cout << "           (effort=\"0\" is often a placeholder; --no-effort-limits ignores the limits)\n";
}

}  // namespace

void print(const ReportContext& context, const State& x, const lissom::sim::Report& r) {
  std::cout << fmt::format("{:g} s of motion in {} steps of {} ({:.3g} s to compute, {:.3g} times real time)\n",
                           r.seconds, r.steps, r.integrator, r.wall_seconds,
                           r.wall_seconds > 0 ? r.seconds / r.wall_seconds : 0);
  print_energy(r, context.settings.value("controller", "none") != "none");
  const auto momentum = [&](const char* name, int at, const char* unit) {
    std::cout << fmt::format("{:10} ({:.6g}, {:.6g}, {:.6g}) → ({:.6g}, {:.6g}, {:.6g}) {}\n", name,
                             r.momentum_before[at], r.momentum_before[at + 1], r.momentum_before[at + 2],
                             r.momentum_after[at], r.momentum_after[at + 1], r.momentum_after[at + 2], unit);
  };
  momentum("momentum", 0, "kg·m/s");
  momentum("angular", 3, "kg·m²/s, about the center of mass");
  if (!context.settings.value("loops", "").empty())
    std::cout << fmt::format("loops      error at most {:.1e} (m, or 1 for directions)\n", r.max_gap);
  if (!r.loop_forces.empty()) std::cout << fmt::format("in loops   at most {}\n", max_loop_forces(r));
  if (!r.beyond_limits.empty())
    std::cout << fmt::format(
        "limits     {} outside at some time (the simulation does not enforce joint limits): {}\n",
        r.beyond_limits.size() == 1 ? "1 joint" : std::to_string(r.beyond_limits.size()) + " joints",
        fmt::join(r.beyond_limits, ", "));
  print_saturated(r);
  std::cout << fmt::format("ends at    t = {:g} s{}\n", x.t, r.stopped ? ", interrupted" : "");
  if (!context.recording.empty())
    std::cout << fmt::format("recorded   {} frames in {}\n", context.frames, context.recording);
}

}  // namespace verb::sim
