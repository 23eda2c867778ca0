// Macros, properties and includes.
#include <algorithm>

#include "lissom/io/xacro/expander.h"
#include "lissom/io/xacro/token.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

std::string quoted_macro(const Macro& macro) {
  return "macro " + in_quotes(macro.name);
}

std::string names_of(const std::vector<Parameter>& parameters) {
  std::string names;
  for (const Parameter& each : parameters) names += (names.empty() ? "" : ", ") + each.name;
  return names.empty() ? "it has none" : "its parameters: " + names;
}

}  // namespace

void Expander::define_macro(const NodePtr& node, const Place& at) {
  remove_comments(at.parent);
  expect(*node, {"name", "params"});
  auto macro = std::make_shared<Macro>();
  macro->name = required(*node, "name");
  if (macro->name.starts_with("xacro:")) {
    interpreter_.warn("xacro-macro", "the name of the macro " + in_quotes(macro->name) + " begins with xacro:",
                      "write the name alone");
    macro->name.erase(0, 6);
  }
  if (macro->name.empty() || macro->name == "call" || macro->name.find('.') != std::string::npos)
    throw Failure("macro", "a macro cannot have the name " + in_quotes(macro->name),
                  "choose a name without dots, not call");
  if (const std::string* parameters = node->attribute("params")) macro->parameters = parse_parameters(*parameters);
  macro->body = node;
  at.macros.define(std::move(macro));
}

void Expander::define_property(const NodePtr& node, const Place& at) {
  remove_comments(at.parent);
  expect(*node, {"name", "value", "default", "remove", "scope", "lazy_eval"});
  std::string name = interpreter_.evaluate_to_string(required(*node, "name"), at.symbols);
  if (!is_identifier(name) || name.starts_with("__"))
    throw Failure("property", "a property cannot have the name " + in_quotes(name),
                  "use letters, digits and underscores, no keyword of Python, and not two underscores first");
  const std::string* value = node->attribute("value");
  const std::string* otherwise = node->attribute("default");
  const std::string* remove_text = node->attribute("remove");
  const bool remove = remove_text && !remove_text->empty() && interpreter_.evaluate_condition(*remove_text, at.symbols);
  if ((value != nullptr) + (otherwise != nullptr) + remove > 1)
    throw Failure("property", "the property " + in_quotes(name) + " has more than one of value, default and remove",
                  "keep one of them");
  if (remove && at.symbols.has(name)) return at.symbols.erase(name);
  if (otherwise) {
    if (node->attribute("scope"))
      interpreter_.warn("xacro-property",
                        "the default of property " + in_quotes(name) + " is only set in its own scope", "remove scope");
    if (at.symbols.has(name)) return;
    value = otherwise;
  }
  store_property(*node, value ? name : "**" + name, value ? Value(*value) : Value(node), at);
}

void Expander::store_property(const Node& node, std::string name, Value value, const Place& at) {
  const std::string* lazy_text = node.attribute("lazy_eval");
  bool lazy = !lazy_text || lazy_text->empty() || interpreter_.evaluate_condition(*lazy_text, at.symbols);
  Scope* target = &at.symbols;
  std::shared_ptr<Scope> above;
  const std::string* scope = node.attribute("scope");
  if (scope && *scope == "global") {
    target = &at.symbols.top();
    lazy = false;
  } else if (scope && *scope == "parent") {
    above = at.symbols.parent();
    // From a macro, the scope of the caller is meant, not the namespace that the macro is in.
    while (above && at.symbols.kind() == Scope::Kind::properties && above->kind() == Scope::Kind::names)
      above = above->parent();
    if (!above)
      throw Failure("property",
                    "the property " + in_quotes(name) + " has no scope around it: it is not inside of a macro",
                    "remove scope=\"parent\"");
    target = above.get();
    lazy = false;
  } else if (scope) {
    interpreter_.warn("xacro-property", "the scope " + in_quotes(*scope) + " is unknown and is ignored",
                      "write parent or global");
  }
  if (!lazy && value.is_text()) value = interpreter_.evaluate_text(value.text(), at.symbols);
  target->set(name, std::move(value), lazy, node.line);
}

void Expander::include(const Node& node, const Place& at) {
  expect(node, {"filename", "ns", "optional"});
  MacroScope* macros = &at.macros;
  Scope* symbols = &at.symbols;
  std::shared_ptr<MacroScope> own_macros;
  std::shared_ptr<Scope> own_symbols;
  if (const std::string* names = node.attribute("ns"); names && !names->empty()) {
    const std::string name = interpreter_.evaluate_to_string(*names, at.symbols);
    own_macros = at.macros.define_names(name);
    own_symbols = new_scope(at.symbols, Scope::Kind::names);
    at.symbols.set(name, Value(std::static_pointer_cast<Names>(own_symbols)), false, node.line);
    macros = own_macros.get();
    symbols = own_symbols.get();
  }
  const std::string* optional_text = node.attribute("optional");
  const bool optional = optional_text && to_condition(*optional_text, *optional_text, interpreter_.budget());
  if (std::ranges::any_of(node.children, [](const NodePtr& child) { return child->is_element(); }))
    interpreter_.warn("xacro-include", "the elements inside of <xacro:include> are ignored", "move them out of it");

  Files& files = interpreter_.files();
  const std::string name = interpreter_.evaluate_to_string(required(node, "filename"), at.symbols);
  Node content;
  if (name.find_first_of("*?[") == std::string::npos) {
    const std::string path = files.resolve(name);
    if (!optional || files.exists(path)) include_file(path, *macros, *symbols, content, at);
  } else {
    const auto paths = files.match(name);
    if (paths.empty()) interpreter_.warn("xacro-include", "no file matches " + in_quotes(name), "check the pattern");
    for (const std::string& path : paths) include_file(path, *macros, *symbols, content, at);
  }
  remove_comments(at.parent);
  append(std::move(content.children), at.parent);
}

void Expander::include_file(const std::string& path, MacroScope& macros, Scope& symbols, Node& content,
                            const Place& at) {
  Files& files = interpreter_.files();
  const int line = interpreter_.line();
  const std::string text = files.read(path, options_.max_bytes, "the included file");
  files.enter(path);
  const NodePtr root = parse(text, path, "xml");
  try {
    auto whole = expand_whole(*root, macros, symbols);
    import_namespaces(*whole, at.parent);
    append(std::move(whole->children), content);
  } catch (Failure& failure) {
    const std::string cycle = failure.code() == "xacro-limit" ? files.cycle() : "";
    if (!cycle.empty() && failure.message().find("→") == std::string::npos)
      failure.append("; files include each other: " + cycle);
    throw;
  }
  files.leave();
  interpreter_.set_line(line);
}

void Expander::call_by_name(const Node& node, const Place& at) {
  const std::string name = interpreter_.evaluate_to_string(required(node, "macro"), at.symbols);
  if (name.empty())
    throw Failure("macro", "the attribute 'macro' of <xacro:call> is empty", "give the name of a macro");
  Node renamed = node;
  std::erase_if(renamed.attributes, [](const Node::Attribute& attribute) { return attribute.name == "macro"; });
  call(renamed, name, at);
}

void Expander::call(const Node& node, const std::string& name, const Place& at) {
  std::shared_ptr<const Macro> macro = at.macros.find(name);
  MacroScope* macros = &at.macros;
  std::shared_ptr<Scope> symbols = std::static_pointer_cast<Scope>(at.symbols.shared_from_this());
  std::shared_ptr<MacroScope> keep;
  std::string rest = name;
  for (std::size_t dot = rest.find('.'); !macro && dot != std::string::npos; dot = rest.find('.')) {
    keep = macros->find_names(rest.substr(0, dot));
    Value names;
    if (!keep || !symbols->find(rest.substr(0, dot), names) || !names.is(Kind::names)) break;
    symbols = std::dynamic_pointer_cast<Scope>(names.names());
    if (!symbols) break;
    macros = keep.get();
    rest.erase(0, dot + 1);
    if (rest.find('.') == std::string::npos) macro = macros->find(rest);
  }
  if (!macro) throw Failure("macro", "there is no macro " + in_quotes(name), at.macros.suggestion(name));

  const int line = node.line;
  const auto scope = new_scope(*symbols, Scope::Kind::properties);
  std::vector<const Parameter*> missing;
  for (const Parameter& parameter : macro->parameters) missing.push_back(&parameter);
  for (const auto& [attribute, value] : node.attributes) {
    const auto parameter = std::ranges::find(missing, attribute, [](const Parameter* each) { return each->name; });
    if (parameter == missing.end())
      throw Failure("parameter", quoted_macro(*macro) + " has no parameter " + in_quotes(attribute),
                    names_of(macro->parameters));
    missing.erase(parameter);
    scope->set(attribute, interpreter_.evaluate_text(value, at.symbols), false, line);
  }
  Node content;
  expand_children(node, {at.macros, at.symbols, content});
  interpreter_.set_line(line);
  bind_blocks(*macro, content, missing, *scope);
  bind_defaults(*macro, missing, *scope, at.symbols);

  calls_.emplace_back(macro->name, line);
  MacroScope inner(macros);
  auto whole = expand_whole(*macro->body, inner, *scope);
  calls_.pop_back();
  interpreter_.set_line(line);
  remove_comments(at.parent);
  import_namespaces(*whole, at.parent);
  append(std::move(whole->children), at.parent);
}

void Expander::bind_blocks(const Macro& macro, const Node& content, std::vector<const Parameter*>& missing,
                           Scope& scope) {
  auto block = content.children.begin();
  const auto next = [&] {
    while (block != content.children.end() && !(*block)->is_element()) ++block;
    return block != content.children.end();
  };
  for (const Parameter* parameter : std::vector(missing)) {
    if (!parameter->is_block()) continue;
    if (!next())
      throw Failure(
          "block",
          "the call of " + quoted_macro(macro) + " has no block for the parameter " + in_quotes(parameter->name),
          "write one element for each parameter with *");
    std::erase(missing, parameter);
    scope.set(parameter->name, Value(*block++), false, content.line);
  }
  if (next())
    throw Failure(
        "block",
        "the call of " + quoted_macro(macro) + " has the block <" + (*block)->name + ">, which no parameter takes",
        "remove it, or add a parameter with * to the macro");
}

void Expander::bind_defaults(const Macro& macro, std::vector<const Parameter*>& missing, Scope& scope, Scope& caller) {
  for (const Parameter* parameter : std::vector(missing)) {
    if (!parameter->has_default()) continue;
    Value value;
    if (!parameter->forward || !caller.find(parameter->name, value)) {
      if (!parameter->otherwise)
        throw Failure("parameter",
                      quoted_macro(macro) + " takes its parameter " + in_quotes(parameter->name) +
                          " from the caller, which has no property of that name",
                      "define the property, or give the parameter");
      value = interpreter_.evaluate_text(*parameter->otherwise, caller);
    }
    scope.set(parameter->name, std::move(value), false, interpreter_.line());
    std::erase(missing, parameter);
  }
  if (missing.empty()) return;
  std::string names;
  for (const Parameter* parameter : missing) names += (names.empty() ? "" : ", ") + in_quotes(parameter->name);
  throw Failure("parameter", "the call of " + quoted_macro(macro) + " does not give " + names,
                "give it as an attribute, or give the parameter a default, NAME:=VALUE");
}

}  // namespace lissom::io::xacro
