#include "energy_report.h"

#include <iostream>

#include <fmt/format.h>

#include "output.h"

using lissom::Work;

void add_energy(const lissom::EnergyFigures& f, nlohmann::json& report, bool audited) {
  report["energy"] = {
      {"before", f.energy_before}, {"after", f.energy_after}, {"lowest", f.min_energy}, {"highest", f.max_energy}};
  report["warnings"] = f.warnings;
  if (!audited) return;
  report["energy"]["unexplained"] = f.unexplained_energy;
  report["energy"]["appeared"] = f.appeared_energy;
  report["energy"]["appeared_from"] = f.appeared_from;
  report["energy"]["appeared_until"] = f.appeared_until;
  for (std::size_t i = 0; i < std::size(Work::members); ++i) report["work"][Work::names[i]] = f.work.*Work::members[i];
}

void print_energy(const lissom::EnergyFigures& f, bool has_motors, bool audited) {
  std::cout << fmt::format("energy     {:.9g} J → {:.9g} J ({:+.3g}), between {:.9g} and {:.9g}\n", f.energy_before,
                           f.energy_after, f.energy_after - f.energy_before, f.min_energy, f.max_energy);
  if (!audited) return;
  std::string work;
  for (std::size_t i = 0; i < std::size(Work::members); ++i) {
    const double joules = f.work.*Work::members[i];
    if (joules != 0 || (has_motors && Work::members[i] == &Work::motors))
      work += fmt::format("{} {:+.6g} J, ", Work::names[i], joules);
  }
  std::cout << fmt::format("work       {}unexplained {:+.3g} J\n", work, f.unexplained_energy);
}

int complain_of_energy(const lissom::EnergyFigures& f) {
  for (const auto& warning : f.warnings) complain("warning: " + warning);
  return f.energy_from_nowhere ? 1 : 0;
}
