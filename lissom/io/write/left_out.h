#pragma once
// What a reader has left out of a description, so that no file that is written from it has it. Not installed.
#include <vector>

#include "lissom/model/diagnostic.h"

namespace lissom::io::write {

// Of the findings of a reader, those that say so, as losses. What a reader keeps without using it is not among them:
// it is in Description::kept, and the writers say what becomes of it.
std::vector<Diagnostic> left_out(const std::vector<Diagnostic>& findings);

}  // namespace lissom::io::write
