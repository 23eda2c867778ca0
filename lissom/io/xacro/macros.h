#pragma once
// Macros, their parameters, and where they are seen. Not installed.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lissom/io/xacro/node.h"
#include "lissom/io/xacro/scope.h"

namespace lissom::io::xacro {

struct Parameter {
  std::string name;      // with * or ** if it is a block
  bool forward = false;  // := ^, the value of the caller's property of the same name
  std::optional<std::string> otherwise;
  bool is_block() const { return name.starts_with('*'); }
  bool has_default() const { return forward || otherwise; }
};

struct Macro {
  std::string name;
  NodePtr body;
  std::vector<Parameter> parameters;
};

// "a b:=1 c:=^|${2 * 3} *block": fails with code xacro-macro where a parameter has no name.
std::vector<Parameter> parse_parameters(std::string_view text);

// Macros of a file, of an include with a namespace, or inside of a macro.
class MacroScope {
 public:
  explicit MacroScope(MacroScope* parent = nullptr) : parent_(parent) {}
  void define(std::shared_ptr<const Macro> macro) { macros_[macro->name] = std::move(macro); }
  std::shared_ptr<MacroScope> define_names(const std::string& name);
  std::shared_ptr<const Macro> find(const std::string& name) const;
  std::shared_ptr<MacroScope> find_names(const std::string& name) const;
  // "did you mean …?", or what to do.
  std::string suggestion(const std::string& name) const;

 private:
  MacroScope* parent_;
  std::unordered_map<std::string, std::shared_ptr<const Macro>> macros_;
  std::unordered_map<std::string, std::shared_ptr<MacroScope>> names_;
};

}  // namespace lissom::io::xacro
