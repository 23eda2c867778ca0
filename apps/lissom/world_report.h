#pragma once
// The report of `lissom sim` on a world, for people and as JSON.
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "lissom/scenes/simulation.h"

namespace verb::sim {

struct WorldReportContext {
  std::string file = {};  // of the robot or the scene
  nlohmann::json settings = {};
  double t = 0, wall_seconds = 0;
  bool stopped = false;
  std::string recording = {};  // its file; empty: none
  std::uint64_t frames = 0;
  std::string error = {};
};
nlohmann::json to_json(const WorldReportContext& context, const lissom::scenes::Scene& scene, lissom::World& world,
                       const lissom::scenes::Report& report);
void print(const WorldReportContext& context, const lissom::scenes::Scene& scene, const lissom::scenes::Report& report);

}  // namespace verb::sim
