#pragma once
// Everything about a robot that can be judged from its Description alone, whatever file or program it came from.
#include <vector>

#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

// Findings in the order of the lines they belong to; with no error among them, build() accepts the description. The
// codes are listed in docs/urdf.md. Never throws but for want of memory; takes time proportional to the description.
std::vector<Diagnostic> validate(const Description& description);

// Whether there is an error among the findings.
bool any_error(const std::vector<Diagnostic>& diagnostics);

// By line, findings without a line first; the order of findings on the same line is kept.
void sort_by_line(std::vector<Diagnostic>& diagnostics);

}  // namespace lissom
