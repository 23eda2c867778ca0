#include "world_report.h"

#include <iostream>

#include <fmt/format.h>

#include "energy_report.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace verb::sim {

using lissom::counted;
using lissom::printable;
using lissom::scenes::Scene;
using nlohmann::json;

json to_json(const WorldReportContext& context, const Scene& scene, lissom::World& world,
             const lissom::scenes::Report& r) {
  const auto list = [](const auto& v) { return std::vector<double>(v.begin(), v.end()); };
  json slips = json::array(), parts = json::array(), raised = json::object();
  for (const auto& slip : r.slips)
    slips.push_back({{"a", slip.a}, {"b", slip.b}, {"distance", slip.distance}, {"max_speed", slip.max_speed}});
  const auto add = [&](const std::string& name) {
    parts.push_back({{"name", name}, {"q", list(world.q(name))}, {"v", list(world.v(name))}});
  };
  for (const auto& robot : scene.robots) {
    add(robot.name);
    if (robot.raised) raised[robot.name] = *robot.raised;
  }
  for (const auto& one : scene.bodies) add(one.body.name);
  json result{{"file", context.file},
              {"settings", context.settings},
              {"seconds", context.t},
              {"steps", r.steps},
              {"wall_seconds", context.wall_seconds},
              {"momentum", {{"before", list(r.momentum_before)}, {"after", list(r.momentum_after)}}},
              {"contacts", {{"now", r.contacts}, {"max", r.max_contacts}, {"steps_with_impact", r.impacts}}},
              {"max_residual", r.max_residual},
              {"not_converged", r.not_converged},
              {"max_overlap", r.max_overlap},
              {"slips", std::move(slips)},
              {"raised", std::move(raised)},
              {"notes", world.notes()},
              {"interrupted", context.stopped},
              {"t", context.t},
              {"parts", std::move(parts)}};
  add_energy(r, result);
  if (!context.recording.empty()) result["recording"] = {{"file", context.recording}, {"frames", context.frames}};
  if (!context.error.empty()) result["error"] = context.error;
  return result;
}

namespace {

void print_slips(const lissom::scenes::Report& r) {
  constexpr std::size_t shown = 3;
  if (r.slips.empty()) {
    std::cout << "slips      none\n";
    return;
  }
  for (std::size_t i = 0; i < std::min(shown, r.slips.size()); ++i) {
    const auto& slip = r.slips[i];
    std::cout << fmt::format("{:10} {} on {} by {:.3g} m, at most {:.3g} m/s\n", i == 0 ? "slips" : "",
                             printable(slip.a), printable(slip.b), slip.distance, slip.max_speed);
  }
  if (r.slips.size() > shown) std::cout << fmt::format("           and {} more pairs\n", r.slips.size() - shown);
}

}  // namespace

void print(const WorldReportContext& context, const Scene& scene, const lissom::scenes::Report& r) {
  std::cout << fmt::format("{:g} s of motion in {} ({:.3g} s to compute, {:.3g} times real time)\n", context.t,
                           counted(std::size_t(r.steps), "step"), context.wall_seconds,
                           context.wall_seconds > 0 ? context.t / context.wall_seconds : 0);
  for (const auto& robot : scene.robots)
    if (robot.raised)
      std::cout << fmt::format(
          "start      {} was moved by {:+.4g} m along z, such that its lowest point is on the ground\n",
          printable(robot.name), *robot.raised);
  print_energy(r, context.settings.value("controller", "none") != "none");
  std::cout << fmt::format("contacts   {} at the end, at most {}; {} with impacts\n", r.contacts, r.max_contacts,
                           counted(std::size_t(r.impacts), "step"));
  std::cout << fmt::format("residual   at most {:.2g} m/s{}; {} not converged\n", r.max_residual,
                           r.max_residual > 0 ? fmt::format(" (at {:g} s)", r.max_residual_time) : "",
                           counted(std::size_t(r.not_converged), "step"));
  std::cout << fmt::format("overlap    at most {:.2g} m{}\n", r.max_overlap,
                           r.max_overlap > 0 ? ", " + printable(r.overlap_a) + " in " + printable(r.overlap_b) : "");
  print_slips(r);
  std::cout << fmt::format("ends at    t = {:g} s{}\n", context.t, context.stopped ? ", interrupted" : "");
  if (!context.recording.empty())
    std::cout << fmt::format("recorded   {} frames in {}\n", context.frames, context.recording);
}

}  // namespace verb::sim
