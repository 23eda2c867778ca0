#pragma once
// What `lissom check --loops` finds in a file of closed loops.
#include <string>
#include <vector>

#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

// Reads the file beside the robot of the description, and reports what is wrong with it, whether its loops can be
// closed from q = 0, and whether they can move there. Nothing is found if the description itself cannot be built.
std::vector<lissom::Diagnostic> check_loops(lissom::Description description, const std::string& loops_file);
