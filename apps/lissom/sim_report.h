#pragma once
// The report of `lissom sim`, for people and as JSON.
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "lissom/sim/simulation.h"

namespace verb::sim {

struct ReportContext {
  std::string robot;
  nlohmann::json settings;
  std::string recording;  // its file; empty: none
  std::uint64_t frames = 0;
  std::string error;
};
nlohmann::json to_json(const ReportContext& context, const lissom::sim::State& x, const lissom::sim::Report& report);
void print(const ReportContext& context, const lissom::sim::State& x, const lissom::sim::Report& report);

}  // namespace verb::sim
