#pragma once
// The energy of a run, as all reports of runs print it.
#include <nlohmann/json.hpp>

#include "lissom/world/energy_audit.h"

// Adds the keys energy, work and warnings. `audited`: whether the work of all forces is known; otherwise there is none.
void add_energy(const lissom::EnergyFigures& figures, nlohmann::json& report, bool audited = true);
// The lines "energy" and "work". Forces without work are left out, but motors if `has_motors`.
void print_energy(const lissom::EnergyFigures& figures, bool has_motors, bool audited = true);
// Warnings go to stderr. Returns the exit code of a run that did what it should: 1 if its motion is not to be trusted,
// because energy appeared from nowhere.
int complain_of_energy(const lissom::EnergyFigures& figures);
