#include "lissom/io/xacro/macros.h"

#include <algorithm>

#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The length of a default: ${…}, $(…), or words without blanks in which quotes may contain blanks.
std::size_t default_length(std::string_view text) {
  if (text.starts_with("${") || text.starts_with("$(")) {
    const std::size_t close = text.find(text[1] == '{' ? '}' : ')');
    const std::size_t end = close == std::string_view::npos ? 0 : close + 1;
    if (end > 0 && (end == text.size() || is_space(text[end]))) return end;
  }
  std::size_t at = 0;
  while (at < text.size() && !is_space(text[at])) {
    if (text[at] == '\'' || text[at] == '"') {
      const std::size_t close = text.find(text[at], at + 1);
      if (close == std::string_view::npos) break;
      at = close;
    }
    ++at;
  }
  return at;
}

}  // namespace

std::vector<Parameter> parse_parameters(std::string_view text) {
  std::vector<Parameter> parameters;
  const auto skip_spaces = [&] {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  };
  for (skip_spaces(); !text.empty(); skip_spaces()) {
    Parameter parameter;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\f\v:=", 0), text.size());
    parameter.name = text.substr(0, end);
    text.remove_prefix(end);
    const std::string_view rest = stripped(text);
    if (rest.starts_with(":=") || rest.starts_with('=')) {
      skip_spaces();
      text.remove_prefix(text.front() == ':' ? 2 : 1);
      skip_spaces();
      if (text.starts_with('^')) {
        parameter.forward = true;
        text.remove_prefix(text.starts_with("^|") ? 2 : 1);
      }
      const std::size_t length = default_length(text);
      if (length < text.size() && !is_space(text[length]))
        throw Failure("parameter",
                      "the default of the parameter " + in_quotes(parameter.name) + " has a quote without an end",
                      "close the quote");
      if (length > 0) parameter.otherwise = text.substr(0, length);
      text.remove_prefix(length);
    } else if (!text.empty() && text.front() == ':') {
      throw Failure("parameter", "a colon follows the parameter " + in_quotes(parameter.name), "write NAME:=DEFAULT");
    }
    if (parameter.name.empty() || parameter.name == "*" || parameter.name == "**")
      throw Failure("parameter", "a parameter has no name", "write NAME, NAME:=DEFAULT, *BLOCK or **BLOCKS");
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::shared_ptr<MacroScope> MacroScope::define_names(const std::string& name) {
  return names_[name] = std::make_shared<MacroScope>();
}

std::shared_ptr<const Macro> MacroScope::find(const std::string& name) const {
  for (const MacroScope* scope = this; scope != nullptr; scope = scope->parent_)
    if (const auto found = scope->macros_.find(name); found != scope->macros_.end()) return found->second;
  return nullptr;
}

std::shared_ptr<MacroScope> MacroScope::find_names(const std::string& name) const {
  for (const MacroScope* scope = this; scope != nullptr; scope = scope->parent_)
    if (const auto found = scope->names_.find(name); found != scope->names_.end()) return found->second;
  return nullptr;
}

std::string MacroScope::suggestion(const std::string& name) const {
  std::vector<std::string_view> known{"property", "macro",        "include", "if",      "unless",
                                      "arg",      "insert_block", "call",    "element", "attribute"};
  for (const MacroScope* scope = this; scope != nullptr; scope = scope->parent_)
    for (const auto& [each, macro] : scope->macros_) known.push_back(each);
  std::ranges::sort(known);
  const std::string nearest = did_you_mean(name, known);
  return nearest.empty() ? "define the macro, or include the file that defines it, before it is used" : nearest;
}

}  // namespace lissom::io::xacro
