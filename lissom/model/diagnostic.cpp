#include "lissom/model/diagnostic.h"

#include <algorithm>
#include <map>
#include <tuple>

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

namespace {

std::string without_remedy(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) text += printable(diagnostic.file) + ":";
  if (diagnostic.line > 0) text += (diagnostic.file.empty() ? "line " : "") + std::to_string(diagnostic.line) + ":";
  if (!text.empty()) text += " ";
  text += to_string(diagnostic.severity);
  text += ": ";
  if (!diagnostic.subject.empty()) text += diagnostic.subject + ": ";
  text += diagnostic.message;
  if (!diagnostic.code.empty()) text += " [" + diagnostic.code + "]";
  return text;
}
std::string remedy_line(const Diagnostic& diagnostic) {
  return diagnostic.remedy.empty() ? "" : "\n    remedy: " + diagnostic.remedy;
}

// "joint 'knee' (line 17)"
std::string location(const Diagnostic& diagnostic) {
  const std::string line = diagnostic.line > 0 ? "line " + std::to_string(diagnostic.line) : "";
  if (diagnostic.subject.empty() || line.empty()) return diagnostic.subject + line;
  return diagnostic.subject + " (" + line + ")";
}

// Returns the lines of all but the first, up to some number.
std::string locations(const std::vector<const Diagnostic*>& group) {
  constexpr std::size_t max_count = 4;
  std::vector<std::string> names;
  for (std::size_t i = 1; i < group.size() && names.size() <= max_count; ++i)
    if (auto name = location(*group[i]); std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), max_count); ++i) text += (i > 0 ? ", " : "") + names[i];
  return text + (names.size() > max_count ? ", …" : "");
}

std::string summary(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) errors.push_back(diagnostic);
  return errors.empty() ? "the model cannot be used" : to_grouped_string(errors);
}

std::vector<Diagnostic> errors_first(std::vector<Diagnostic> diagnostics) {
  std::stable_partition(diagnostics.begin(), diagnostics.end(),
                        [](const Diagnostic& d) { return d.severity == Severity::error; });
  return diagnostics;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  return without_remedy(diagnostic) + remedy_line(diagnostic);
}

std::string to_grouped_string(const std::vector<Diagnostic>& diagnostics) {
  std::map<std::tuple<Severity, std::string, std::string>, std::size_t> group_of;
  std::vector<std::vector<const Diagnostic*>> groups;
  for (const Diagnostic& d : diagnostics) {
    const auto [found, is_new] = group_of.try_emplace({d.severity, d.code, d.file}, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(&d);
  }
  std::string text;
  for (const auto& group : groups) {
    text += (text.empty() ? "" : "\n") + without_remedy(*group.front());
    if (group.size() > 1) {
      text += "\n    and " + std::to_string(group.size() - 1) + " more of this kind: " + locations(group);
    }
    text += remedy_line(*group.front());
  }
  return text;
}

Error::Error(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(summary(diagnostics)), diagnostics_(errors_first(std::move(diagnostics))) {}

}  // namespace lissom
