#include "lissom/sim/recorded_energy.h"

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

}  // namespace lissom::sim
