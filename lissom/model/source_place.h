#pragma once
// Files and lines of a description that was read from several files: one that includes others, or a file of macros.
#include <string>
#include <vector>

#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

struct SourcePlace {
  const std::string& file;
  int line;  ///< 0: unknown
};
/// The file and the line in it of a line of the description.
SourcePlace place_of(const Description& description, int line);

/// Replaces lines of the description, in findings about `file`, by files and lines in them.
void find_places(std::vector<Diagnostic>& diagnostics, const std::string& file, const std::vector<SourceFile>& sources);
/// Sorts findings by file, in the order of `sources`, and line.
void sort_by_place(std::vector<Diagnostic>& diagnostics, const std::vector<SourceFile>& sources);

}  // namespace lissom
