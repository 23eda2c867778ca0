#include "lissom/io/xacro/scope.h"

#include <algorithm>

#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

std::string nearest_of(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string_view> views(known.begin(), known.end());
  return did_you_mean(name, views);
}

const Symbols& all_of_python() {
  static const Symbols symbols = python_symbols();
  return symbols;
}

}  // namespace

bool Library::find(const std::string& name, Value& value) {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) return false;
  value = found->second;
  return true;
}

std::string Library::suggestion(const std::string& name) const {
  std::vector<std::string> known;
  for (const auto& [each, value] : symbols_) known.push_back(each);
  std::string nearest = nearest_of(name, known);
  if (!nearest.empty()) return nearest;
  return "check the spelling" + (name_.empty() ? "" : "; docs/xacro.md lists what '" + name_ + "' has");
}

bool Scope::find(const std::string& name, Value& value) {
  std::shared_ptr<Scope> keep;  // this scope, while the loop uses it
  for (Scope* scope = this; scope != nullptr; scope = keep.get()) {
    if (const auto entry = scope->entries_.find(name); entry != scope->entries_.end()) {
      if (entry->second.lazy) scope->resolve(name, entry->second);
      value = scope->entries_.at(name).value;
      return true;
    }
    keep = scope->parent_.lock();
  }
  const auto& symbols = globals_.symbols();
  const auto found = symbols.find(name);
  if (found == symbols.end()) return false;
  value = found->second;
  return true;
}

void Scope::resolve(const std::string& name, Entry& entry) {
  if (entry.resolving) {
    std::string circle;
    for (auto at = std::ranges::find(resolving_, name); at != resolving_.end(); ++at) circle += *at + " → ";
    throw Failure("property", "properties are defined by each other: " + circle + name,
                  "break the circle, or write lazy_eval=\"false\" where the former value is meant");
  }
  const Deeper deeper(texts_.budget());
  entry.resolving = true;
  resolving_.push_back(name);
  const int used = texts_.exchange_line(entry.line);
  // A failure leaves the line at the property's definition, and ends the expansion.
  const std::string text = entry.value.text();
  Value value = literal(texts_.evaluate_text(text, *this));
  Entry& same = entries_.at(name);
  same.value = std::move(value);
  same.lazy = same.resolving = false;
  std::erase(resolving_, name);
  texts_.exchange_line(used);
}

std::string Scope::suggestion(const std::string& name) const {
  if (all_of_python().contains(name)) return "write python." + name;
  std::vector<std::string> known;
  std::shared_ptr<Scope> keep;
  for (const Scope* scope = this; scope != nullptr; scope = keep.get()) {
    for (const auto& [each, entry] : scope->entries_)
      if (!each.starts_with('*')) known.push_back(each);
    keep = scope->parent_.lock();
  }
  for (const auto& [each, value] : globals_.symbols()) known.push_back(each);
  std::ranges::sort(known);
  std::string nearest = nearest_of(name, known);
  if (!nearest.empty()) return nearest;
  return "define it before it is used: <xacro:property name=\"" + name.substr(0, 60) +
         "\" value=\"…\"/>, or as a parameter of the macro";
}

bool Scope::has(const std::string& name) const {
  std::shared_ptr<Scope> keep;
  for (const Scope* scope = this; scope != nullptr; scope = keep.get()) {
    if (scope->entries_.contains(name)) return true;
    keep = scope->parent_.lock();
  }
  return globals_.symbols().contains(name);
}

void Scope::set(const std::string& name, Value value, bool lazy, int line) {
  if (globals_.symbols().contains(name))
    texts_.warn("xacro-redefined", "the property " + in_quotes(name) + " hides a symbol of that name",
                "choose another name");
  value = literal(value);
  Entry& entry = entries_[name];
  if (entry.resolving)
    throw Failure("property", "the property " + in_quotes(name) + " is defined again while it is evaluated",
                  "choose another name");
  entry.lazy = lazy && value.is_text();
  entry.value = std::move(value);
  entry.line = line;
}

void Scope::erase(const std::string& name) {
  if (globals_.symbols().contains(name))
    texts_.warn("xacro-redefined", "the symbol " + in_quotes(name) + " cannot be removed", "choose another name");
  std::shared_ptr<Scope> keep;
  for (Scope* scope = this; scope != nullptr; scope = keep.get()) {
    scope->entries_.erase(name);
    keep = scope->parent_.lock();
  }
}

Scope& Scope::top() {
  Scope* scope = this;
  while (const auto above = scope->parent_.lock()) scope = above.get();
  return *scope;
}

Value literal(const Value& value) {
  if (!value.is_text()) return value;
  const std::string& text = value.text();
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') return text.substr(1, text.size() - 2);
  if (text.find('_') != std::string::npos) return value;
  std::int64_t integer = 0;
  double real = 0;
  try {
    if (parse_integer(text, integer)) return integer;
  } catch (const Failure&) {
    return value;  // too large: it stays a text, with all its digits
  }
  if (parse_real(text, real)) return real;
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return value;
}

bool to_condition(const Value& value, const std::string& written, Budget& budget) {
  if (!value.is_text()) return truth(value);
  if (value.text() == "true" || value.text() == "True") return true;
  if (value.text() == "false" || value.text() == "False") return false;
  std::int64_t integer = 0;
  if (parse_integer(value.text(), integer)) return integer != 0;
  throw Failure(
      "condition",
      "the condition " + in_quotes(written) + " is " + to_repr(value, budget) + ", which is neither true nor false",
      "write an expression that gives True, False, 1 or 0");
}

Symbols global_python_symbols() {
  Symbols chosen;
  for (const char* name :
       {"list", "dict", "map", "len", "str", "float", "int", "bool", "min", "max", "round", "sorted", "range"})
    chosen[name] = all_of_python().at(name);
  return chosen;
}

}  // namespace lissom::io::xacro
