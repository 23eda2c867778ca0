#pragma once
// How verbs show closed loops: what they constrain, and the forces in them.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/constraints/loop_rows.h"
#include "lissom/recording/recorder.h"
#include "lissom/sim/simulation.h"

// One line for each loop: "rod_a: rod of 0.6 m from arm_a to platform".
std::vector<std::string> loop_lines(const lissom::Model& model);
nlohmann::json loops_to_json(const lissom::Model& model);

// The forces of all rows as a signal of recordings.
lissom::recording::Signal loop_signal(const lissom::LoopRows& rows);
// The largest forces of a run, with names and units.
nlohmann::json loop_forces_to_json(const lissom::sim::Report& report);
// "rod_a, length 12.3 N, …": the largest of them.
std::string max_loop_forces(const lissom::sim::Report& report);
// Says on standard error that loops were closed from another configuration than the one that was asked for, where
// ClosedLoops::assemble tried some.
void complain_of_other_start(int tried);
