#pragma once
// Checks everything about a robot that follows from its Description alone, whatever file or program it came from.
#include <vector>

#include "lissom/model/build_options.h"
#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

/// Findings in the order of the lines they belong to. If there is no error among them, build() accepts the description.
/// Those about dynamics are about the model that build() makes with these options: with a free base, for example, the
/// root link moves, too. The codes are listed in docs/urdf.md. Throws nothing but std::bad_alloc; takes time
/// proportional to the size of the description.
std::vector<Diagnostic> validate(const Description& description, const BuildOptions& options = {});

/// Whether there is an error among the findings.
bool any_error(const std::vector<Diagnostic>& diagnostics);

/// Sorts by line, findings without a line first; the order of findings on the same line is kept.
void sort_by_line(std::vector<Diagnostic>& diagnostics);

}  // namespace lissom
