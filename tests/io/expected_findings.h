#pragma once
// Malformed files whose first line says what is to be found in them:
// <!-- expect: error number 7; warning several-roots 9 -->
#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "urdf_test_support.h"

namespace lissom::io {

struct Finding {
  std::string severity, code;
  int line = 0;
  auto operator<=>(const Finding&) const = default;
};
inline void PrintTo(const Finding& f, std::ostream* out) {
  *out << f.severity << " " << f.code << " " << f.line;
}

inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<Finding> expected_of(const std::string& text) {
  const std::string start = "<!-- expect: ", end = " -->";
  const std::string line = text.substr(0, text.find('\n'));
  std::vector<Finding> findings;
  if (line.substr(0, start.size()) != start) return findings;
  std::istringstream in(line.substr(start.size(), line.find(end) - start.size()));
  for (std::string part; std::getline(in, part, ';');) {
    std::istringstream words(part);
    Finding finding;
    words >> finding.severity >> finding.code >> finding.line;
    findings.push_back(finding);
  }
  std::sort(findings.begin(), findings.end());
  return findings;
}

// Notes are counted only if one of this code is expected: they need no correction.
inline std::vector<Finding> found_in(const ReadResult& result, const std::vector<Finding>& expected) {
  std::vector<Finding> findings;
  const auto counts = [&](const Diagnostic& d) {
    return d.severity != Severity::note ||
           std::ranges::any_of(expected, [&](const Finding& e) { return e.severity == "note" && e.code == d.code; });
  };
  for (const Diagnostic& d : result.diagnostics)
    if (counts(d)) findings.push_back({to_string(d.severity), d.code, d.line});
  std::sort(findings.begin(), findings.end());
  return findings;
}

}  // namespace lissom::io
