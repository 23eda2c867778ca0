#pragma once
// What a robot's file cannot say, in a small file beside it (JSON): loops, couplings and springs between points. See
// docs/simulation.md for an example.
#include <string>

#include "lissom/model/description.h"

namespace lissom::io {

/// Adds what the file says to the description of its robot; its gravity takes the place of the description's. Error
/// with the file and the place in it, what was found and what was expected.
void read_loops(const std::string& path, Description& description);

}  // namespace lissom::io
