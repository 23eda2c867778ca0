#include "lissom/sim/recorded_energy.h"

#include "lissom/recording/header.h"

namespace lissom::sim {

std::vector<recording::Signal> RecordedEnergy::signals() {
  recording::Signal work{"work", {}};
  for (const char* const name : Work::names) work.columns.push_back({name, "J"});
  work.columns.push_back({"unexplained", "J"});
  return {{"energy", {{"kinetic", "J"}, {"potential", "J"}, {"total", "J"}}}, std::move(work)};
}

void RecordedEnergy::append(double kinetic, double potential, const EnergyFigures& figures,
                            std::vector<recording::Row>& rows) {
  energy_ = {kinetic, potential, kinetic + potential};
  for (std::size_t i = 0; i < std::size(Work::members); ++i) work_[i] = figures.work.*Work::members[i];
  work_.back() = figures.unexplained_energy;
  rows.emplace_back(energy_);
  rows.emplace_back(work_);
}

std::vector<recording::Signal> state_signals(const Model& model) {
  std::vector<recording::Signal> all{{"q", recording::configuration_columns(model)},
                                     {"v", recording::velocity_columns(model)},
                                     {"tau", recording::effort_columns(model)}};
  for (auto& signal : RecordedEnergy::signals()) all.push_back(std::move(signal));
  all.push_back({"momentum",
                 {{"linear.x", "kg·m/s"},
                  {"linear.y", "kg·m/s"},
                  {"linear.z", "kg·m/s"},
                  {"angular.x", "kg·m²/s"},
                  {"angular.y", "kg·m²/s"},
                  {"angular.z", "kg·m²/s"}}});
  return all;
}

}  // namespace lissom::sim
