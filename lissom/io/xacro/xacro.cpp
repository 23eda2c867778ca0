#include "lissom/io/xacro/xacro.h"

#include <algorithm>
#include <optional>

#include "lissom/io/xacro/expand_document.h"
#include "lissom/io/xacro/expander.h"
#include "lissom/model/printable.h"
#include "lissom/model/source_place.h"
#include "lissom/model/text.h"
#include "lissom/model/validate.h"

namespace lissom::io::xacro {
namespace {

std::map<std::string, std::string> arguments_of(const ReadOptions& options) {
  std::map<std::string, std::string> arguments;
  for (const auto& [name, value] : options.xacro_arguments) arguments[name] = value;
  return arguments;
}

std::string called_from(const Expander& expander, const Files& files) {
  std::string text;
  constexpr std::size_t max_count = 4;
  const auto& calls = expander.calls();
  for (std::size_t i = calls.size(); i > 0 && i + max_count > calls.size(); --i)
    text += "; in macro " + in_quotes(calls[i - 1].first) + ", called at " + files.place(calls[i - 1].second);
  return text;
}

// Arguments that no file takes; xacro ignores them without a word.
void check_arguments(const ReadOptions& options, Interpreter& interpreter) {
  const auto& known = interpreter.known_arguments();
  const std::vector<std::string_view> names(known.begin(), known.end());
  interpreter.set_line(0);
  for (const auto& [name, value] : options.xacro_arguments) {
    if (known.contains(name)) continue;
    const std::string suggestion = did_you_mean(name, names);
    interpreter.warn(
        "xacro-unused", "the argument " + in_quotes(name) + " is given, but nothing declares or uses it",
        suggestion.empty() ? "remove it, or declare it: <xacro:arg name=\"…\" default=\"…\"/>" : suggestion);
  }
}

struct Roots {
  NodePtr source;
  NodePtr expanded;  // null where it could not be
};

Roots expand_nodes(std::string_view text, const std::string& file_name, const ReadOptions& options,
                   std::vector<Diagnostic>& found, std::vector<SourceFile>& sources) {
  Files files(file_name, options);
  Interpreter interpreter(files, arguments_of(options));
  Expander expander(interpreter, options);
  Roots roots;
  try {
    roots.source = expander.parse(std::string(text), file_name, "xml");
    roots.expanded = expander.expand(*roots.source);
    check_arguments(options, interpreter);
  } catch (const Failure& failure) {
    if (failure.line() > 0) interpreter.set_line(failure.line());
    interpreter.say(Severity::error, failure.code(), failure.message() + called_from(expander, files),
                    failure.remedy());
    roots.expanded = nullptr;
  }
  found = interpreter.take_findings();
  sources = files.sources();
  for (Diagnostic& diagnostic : found) diagnostic.file = file_name;
  find_places(found, file_name, sources);
  sort_by_place(found, sources);
  return roots;
}

// A file that defines macros for other files, and has no links itself, is not a robot: NAME_macro.xacro beside
// NAME.xacro.
std::optional<Diagnostic> only_macros(const Roots& roots, const std::string& file_name) {
  const auto is_link = [](const NodePtr& node) { return node->is_element() && node->name == "link"; };
  if (std::ranges::any_of(roots.expanded->children, is_link)) return std::nullopt;
  const auto is_macro = [](const NodePtr& node) { return node->name == "xacro:macro" && node->attribute("name"); };
  const auto& nodes = roots.source->children;
  const auto macro = std::ranges::find_if(nodes, is_macro);
  if (macro == nodes.end()) return std::nullopt;
  std::string name = *(*macro)->attribute("name");
  if (name.starts_with("xacro:")) name.erase(0, 6);
  const auto others = std::ranges::count_if(nodes, is_macro) - 1;
  return Diagnostic{Severity::error,
                    "xacro-only-macros",
                    file_name,
                    (*macro)->line,
                    "robot",
                    "the file defines the macro " + in_quotes(name) +
                        (others ? " and " + std::to_string(others) + " more" : "") + ", but nothing in it makes a link",
                    "read the file that includes this one, or call the macro: <xacro:" + printable(name) + " …/>"};
}

Expansion unreadable(std::vector<Diagnostic> diagnostics, const std::string& path) {
  return {{}, std::move(diagnostics), {{path, 1}}};
}

}  // namespace

bool Expansion::usable() const {
  return !any_error(diagnostics);
}

Expansion expand(const std::string& path, const ReadOptions& options) {
  std::vector<Diagnostic> found;
  std::string text;
  if (!read_file(path, options.max_bytes, text, found)) return unreadable(std::move(found), path);
  return expand_text(text, path, options);
}

Expansion expand_text(std::string_view text, const std::string& file_name, const ReadOptions& options) {
  Expansion expansion;
  const auto [source, root] = expand_nodes(text, file_name, options, expansion.diagnostics, expansion.sources);
  if (root) expansion.text = to_text(*root);
  return expansion;
}

bool is_xacro(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("xmlns:xacro") && (has("<xacro:") || has("${") || has("$("));
}

void expand_document(std::string_view text, const std::string& file_name, const ReadOptions& options, XmlText& xml,
                     ReadResult& result) {
  result.description.file = file_name;
  const Roots roots = expand_nodes(text, file_name, options, result.diagnostics, result.description.sources);
  if (!roots.expanded) return;
  std::optional<Diagnostic> error;
  if (const int line = to_document(*roots.expanded, options.max_depth, xml))
    error = {Severity::error,
             "xml-depth",
             file_name,
             line,
             "",
             "elements are nested more than " + std::to_string(options.max_depth) + " deep",
             "check the file, or raise max_depth"};
  else
    error = only_macros(roots, file_name);
  if (!error) return;
  std::vector<Diagnostic> found{std::move(*error)};
  find_places(found, file_name, result.description.sources);
  result.diagnostics.push_back(std::move(found[0]));
  xml.root = {};
}

}  // namespace lissom::io::xacro
