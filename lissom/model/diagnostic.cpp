#include "lissom/model/diagnostic.h"

#include <algorithm>

#include "lissom/model/printable.h"

namespace lissom {

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "unknown";
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) text += printable(diagnostic.file) + ":";
  if (diagnostic.line > 0) text += (diagnostic.file.empty() ? "line " : "") + std::to_string(diagnostic.line) + ":";
  if (!text.empty()) text += " ";
  text += to_string(diagnostic.severity);
  text += ": ";
  if (!diagnostic.subject.empty()) text += diagnostic.subject + ": ";
  text += diagnostic.message;
  if (!diagnostic.code.empty()) text += " [" + diagnostic.code + "]";
  if (!diagnostic.remedy.empty()) text += "\n    remedy: " + diagnostic.remedy;
  return text;
}

namespace {

std::string summary(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) text += (text.empty() ? "" : "\n") + to_string(diagnostic);
  return text.empty() ? "the model cannot be used" : text;
}

std::vector<Diagnostic> errors_first(std::vector<Diagnostic> diagnostics) {
  std::stable_partition(diagnostics.begin(), diagnostics.end(),
                        [](const Diagnostic& d) { return d.severity == Severity::error; });
  return diagnostics;
}

}  // namespace

Error::Error(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(summary(diagnostics)), diagnostics_(errors_first(std::move(diagnostics))) {}

}  // namespace lissom
