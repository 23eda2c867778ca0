#pragma once
// What a reader has left out of a description, so that no file that is written from it has it. Not installed.
#include <vector>

#include "lissom/model/diagnostic.h"

namespace lissom::io::write {

// The losses among the findings of a reader, which say so themselves. What a reader keeps without using it is not among
// them: it is in Description::kept, and the writers say what becomes of it.
std::vector<Diagnostic> left_out(const std::vector<Diagnostic>& findings);

}  // namespace lissom::io::write
