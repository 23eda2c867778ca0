#include "lissom/model/source_place.h"

#include <algorithm>

namespace lissom {
namespace {

// The source that has this line of the description; null if there is only one.
const SourceFile* source_of(const std::vector<SourceFile>& sources, int line) {
  const auto after = std::ranges::upper_bound(sources, line, {}, &SourceFile::first_line);
  return after == sources.begin() ? nullptr : &*(after - 1);
}

}  // namespace

SourcePlace place_of(const Description& description, int line) {
  const auto* source = line > 0 ? source_of(description.sources, line) : nullptr;
  if (!source) return {description.file, line};
  return {source->file, line - source->first_line + 1};
}

void find_places(std::vector<Diagnostic>& diagnostics, const std::string& file,
                 const std::vector<SourceFile>& sources) {
  if (sources.size() < 2) return;
  for (Diagnostic& d : diagnostics) {
    if (d.file != file || d.line <= 0) continue;
    if (const auto* source = source_of(sources, d.line)) d.line += 1 - source->first_line, d.file = source->file;
  }
}

void sort_by_place(std::vector<Diagnostic>& diagnostics, const std::vector<SourceFile>& sources) {
  const auto key = [&](const Diagnostic& d) {
    const auto source = std::ranges::find(sources, d.file, &SourceFile::file);
    return source == sources.end() ? d.line : source->first_line + d.line;
  };
  std::ranges::stable_sort(diagnostics, {}, key);
}

}  // namespace lissom
