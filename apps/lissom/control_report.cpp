#include "control_report.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "energy_report.h"

namespace control = lissom::control;
using nlohmann::json;

namespace {

json clearance_json(const control::ClearanceReport& c) {
  return {{"name", c.name},
          {"min_distance", c.min_distance},
          {"required", c.required},
          {"influence_distance", c.influence_distance},
          {"automatic", c.automatic}};
}

}  // namespace

json contacts_json(const std::vector<control::ContactReport>& contacts) {
  json all = json::array();
  for (const auto& c : contacts)
    all.push_back({{"name", c.name},
                   {"max_normal", c.max_normal},
                   {"friction_use", c.friction_use},
                   {"light_friction_use", c.light_friction_use},
                   {"planned_friction_use", c.planned_friction_use},
                   {"slip", c.slip},
                   {"loaded_slip", c.loaded_slip}});
  return all;
}

json motors_json(const std::vector<control::MotorReport>& motors) {
  json all = json::array();
  for (const auto& m : motors)
    all.push_back({{"joint", m.joint},
                   {"max_torque", m.max_torque},
                   {"limit", m.limit},
                   {"nearest_limit", m.nearest_limit},
                   {"max_velocity", m.max_velocity},
                   {"velocity_limit", m.velocity_limit}});
  return all;
}

json conflicts_json(const std::vector<control::ConflictReport>& conflicts) {
  json all = json::array();
  for (const auto& c : conflicts)
    all.push_back({{"name", c.name},
                   {"unit", c.unit},
                   {"amount", c.amount},
                   {"first", c.first},
                   {"last", c.last},
                   {"ticks", c.ticks},
                   {"names", c.names}});
  return all;
}

json control_json(const ControlRun& run, const control::MotionReport& r) {
  json clearances = json::array(), transitions = json::array(), limbs = json::array();
  for (const auto& t : r.transitions) transitions.push_back({{"t", t.time}, {"stage", t.stage}, {"phase", t.phase}});
  for (const auto& c : r.clearances) clearances.push_back(clearance_json(c));
  for (const auto& l : r.limbs)
    limbs.push_back({{"frame", l.frame}, {"distance", l.distance}, {"angle", l.angle}, {"stage", l.stage}});
  json result{{"robot", run.robot},
              {"settings", run.settings},
              {"succeeded", r.succeeded},
              {"interrupted", r.stopped},
              {"failure", r.failure},
              {"misses", r.misses},
              {"seconds", r.seconds},
              {"ticks", r.ticks},
              {"elastic_ticks", r.elastic_ticks},
              {"failed_ticks", r.failed_ticks},
              {"first_elastic", r.first_elastic < 0 ? json() : json(r.first_elastic)},
              {"conflicts", conflicts_json(r.conflicts)},
              {"tick_us",
               {{"median", r.tick_median},
                {"p99", r.tick_p99},
                {"max", r.tick_max},
                {"elastic_median", r.elastic_median},
                {"elastic_max", r.elastic_max}}},
              {"max_com_error", r.max_com_error},
              {"hold_com_error", r.hold_com_error},
              {"hold_posture_error", r.hold_posture_error},
              {"hold_posture_joint", r.hold_posture_joint},
              {"max_hold_com_error", r.max_hold_com_error},
              {"max_hold_posture_error", r.max_hold_posture_error},
              {"max_tracking_error", r.max_tracking_error},
              {"tracking_joint", r.tracking_joint},
              {"tracking_unit", r.tracking_unit},
              {"limbs", limbs},
              {"contacts", contacts_json(r.contacts)},
              {"motors", motors_json(r.motors)},
              {"clearances", clearances},
              {"watched_pairs", r.watched_pairs},
              {"transitions", transitions}};
  add_energy(r, result, run.audited);
  if (!run.recording.empty()) result["recording"] = {{"file", run.recording}, {"frames", run.frames}};
  return result;
}

namespace {

void print_stages(const control::MotionReport& r) {
  std::string stage;
  std::string line;
  for (const auto& t : r.transitions) {
    if (t.stage != stage) {
      if (!line.empty()) std::cout << line << "\n";
      line = fmt::format("  {:8.3f} s  {:32}", t.time, t.stage);
      stage = t.stage;
    }
    line += fmt::format(" {}", t.phase);
  }
  if (!line.empty()) std::cout << line << "\n";
}

void print_true_state(const control::MotionReport& r) {
  std::cout << fmt::format(
      "balance    center of mass at most {:.1f} mm from its target, {:.1f} mm during holds, {:.1f} mm at their ends\n",
      1e3 * r.max_com_error, 1e3 * r.max_hold_com_error, 1e3 * r.hold_com_error);
  if (!r.hold_posture_joint.empty())
    std::cout << fmt::format(
        "posture    {} up to {:.3f} rad off at the ends of holds, a joint up to {:.3f} rad during them\n",
        r.hold_posture_joint, r.hold_posture_error, r.max_hold_posture_error);
  if (!r.tracking_joint.empty())
    std::cout << fmt::format("tracking   {} up to {:.4f} {} from the reference of its servo\n", r.tracking_joint,
                             r.max_tracking_error, r.tracking_unit);
  for (const auto& l : r.limbs)
    std::cout << fmt::format("limb       {:14} up to {:.1f} mm from its target at the ends of holds\n", l.frame,
                             1e3 * l.distance);
}

}  // namespace

void print_conflicts(const std::vector<control::ConflictReport>& conflicts) {
  for (const auto& c : conflicts)
    std::cout << fmt::format("conflict   {}{}: from {:.3f} s on, in {} tick{}, off by up to {:.3g} {}\n", c.name,
                             c.names.size() > 1 ? fmt::format(", and {} more of the kind", c.names.size() - 1) : "",
                             c.first, c.ticks, c.ticks == 1 ? "" : "s", c.amount, c.unit);
}

void print_motors(std::vector<control::MotorReport> motors) {
  constexpr std::size_t shown = 5;
  std::ranges::sort(motors,
                    [](const auto& a, const auto& b) { return a.max_torque * b.limit > b.max_torque * a.limit; });
  for (std::size_t k = 0; k < std::min(shown, motors.size()); ++k)
    std::cout << fmt::format("torque     {:22} up to {:6.1f} of {:.0f} N·m ({:.0f} %)\n", motors[k].joint,
                             motors[k].max_torque, motors[k].limit, 100 * motors[k].max_torque / motors[k].limit);
}

void print_contacts(const std::vector<control::ContactReport>& contacts) {
  for (const auto& c : contacts)
    std::cout << fmt::format(
        "contact    {:14} up to {:6.1f} N, {:3.0f} % of its friction cone ({:.0f} % planned), slipped {:.3f} mm under "
        "load, {:.3f} mm in all\n",
        c.name, c.max_normal, 100 * c.friction_use, 100 * c.planned_friction_use, 1e3 * c.loaded_slip, 1e3 * c.slip);
}

void print_control(const ControlRun& run, const control::MotionReport& r) {
  std::cout << fmt::format("{}, simulated with {}: {}\n", run.motion, run.simulator,
                           r.succeeded ? "succeeded"
                           : r.stopped ? "interrupted, " + r.failure
                                       : "failed: " + r.failure);
  print_stages(r);
  std::cout << fmt::format("{:.3f} s, {} ticks; {} of them elastic, {} without a solution\n", r.seconds, r.ticks,
                           r.elastic_ticks, r.failed_ticks);
  std::cout << fmt::format(
      "tick       {:.1f} µs median, {:.1f} p99, {:.1f} max, dynamics included (Bouyarmane and Kheddar 2012: 7000 µs)\n",
      r.tick_median, r.tick_p99, r.tick_max);
  if (r.elastic_ticks > 0)
    std::cout << fmt::format("elastic    from {:.3f} s on; {:.1f} µs median, {:.1f} max\n", r.first_elastic,
                             r.elastic_median, r.elastic_max);
  constexpr std::size_t shown = 5;
  for (std::size_t k = 0; k < std::min(shown, r.misses.size()); ++k) std::cout << "missed     " << r.misses[k] << "\n";
  if (r.misses.size() > shown) std::cout << fmt::format("missed     and {} more\n", r.misses.size() - shown);
  print_conflicts(r.conflicts);
  print_true_state(r);
  print_contacts(r.contacts);
  for (const auto& c : r.clearances)
    if (std::isfinite(c.min_distance))
      std::cout << fmt::format("clearance  {:22} {:.1f} mm or more, {:.0f} mm required\n", c.name, 1e3 * c.min_distance,
                               1e3 * c.required);
  if (r.watched_pairs > 0) {
    const auto near = std::ranges::count_if(r.clearances, &lissom::control::ClearanceReport::automatic);
    std::cout << fmt::format("links      {} pairs that can meet are kept apart; {} came near\n", r.watched_pairs, near);
  }
  print_motors(r.motors);
  print_energy(r, true, run.audited);
  if (!run.recording.empty()) std::cout << fmt::format("recorded   {} frames in {}\n", run.frames, run.recording);
}
