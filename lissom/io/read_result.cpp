#include "lissom/io/read_result.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "lissom/model/source_place.h"
#include "lissom/model/validate.h"

namespace lissom::io {
namespace {

// Drops consequences of errors: a mass that could not be read, for example, leaves a link without mass. For a link or
// joint with an error in the file, only further errors are kept, and what the reader has said already is not repeated.
std::vector<Diagnostic> without_consequences(std::vector<Diagnostic> validated, const std::vector<Diagnostic>& read) {
  std::unordered_set<std::string_view> wrong;
  std::unordered_set<std::string> said;
  const auto key = [](const Diagnostic& d) { return d.code + " " + std::to_string(d.line) + " " + d.subject; };
  for (const Diagnostic& diagnostic : read)
    if (diagnostic.severity == Severity::error) wrong.insert(diagnostic.subject), said.insert(key(diagnostic));
  std::erase_if(validated, [&](const Diagnostic& d) {
    return (d.severity != Severity::error && wrong.contains(d.subject)) || said.contains(key(d));
  });
  return validated;
}

void append(std::vector<Diagnostic> found, ReadResult& result) {
  result.diagnostics.insert(result.diagnostics.end(), std::make_move_iterator(found.begin()),
                            std::make_move_iterator(found.end()));
  sort_by_place(result.diagnostics, result.description.sources);
}

}  // namespace

ReadResult read_path(const std::string& path, const ReadOptions& options, TextReader* read) {
  ReadResult result;
  std::string text;
  if (read_file(path, options.max_bytes, text, result.diagnostics)) return read(text, path, options);
  result.description.file = path;
  return result;
}

void add_findings(Report& report, ReadResult& result) {
  auto found = report.take();
  find_places(found, result.description.file, result.description.sources);
  append(std::move(found), result);
}

void validate_into(ReadResult& result, const ReadOptions& options) {
  append(without_consequences(validate(result.description, options.build), result.diagnostics), result);
}

}  // namespace lissom::io
