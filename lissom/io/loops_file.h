#pragma once
// Reads a JSON file with what a URDF cannot describe: loops, couplings and springs between points. See
// docs/simulation.md for an example. Not installed: LoadOptions::loops_file reads it.
#include <string>

#include "lissom/model/description.h"

namespace lissom::io {

/// Adds the content of the file to the description of its robot; a gravity in the file replaces that of the
/// description. Throws an Error that names the file, the path in it, what was found and what was expected.
void read_loops(const std::string& path, Description& description);

}  // namespace lissom::io
