#include "lissom/io/xacro/expander.h"

#include <algorithm>

#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

// Names that are computed have to be names of XML.
void check_xml_name(const std::string& name, const char* element) {
  const auto begins = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto continues = [&](char c) {
    return begins(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
  };
  if (!name.empty() && begins(name.front()) && std::ranges::all_of(name, continues)) return;
  throw Failure("attribute",
                std::string("the name of ") + element + " is " + in_quotes(name) + ", which is no name of XML",
                "use letters, digits, underscores and dashes, a letter first");
}

std::string tag_of(const Node& node) {
  return "<" + printable(shortened(node.name, 60)) + ">";
}

}  // namespace

NodePtr Expander::parse(const std::string& text, const std::string& file, const char* code) {
  const int first_line = interpreter_.files().add_source(file, text);
  XmlText xml;
  std::vector<Diagnostic> found;
  parse_xml(text, file, {options_.max_bytes, options_.max_depth, true}, xml, found);
  for (const Diagnostic& diagnostic : found) {
    if (diagnostic.severity == Severity::error)
      throw Failure(code, diagnostic.message, diagnostic.remedy, first_line + std::max(diagnostic.line, 1) - 1);
    const int line = interpreter_.exchange_line(first_line + diagnostic.line - 1);
    interpreter_.say(diagnostic.severity, diagnostic.code, diagnostic.message, diagnostic.remedy);
    interpreter_.set_line(line);
  }
  xml.lines.number_from(first_line);
  interpreter_.budget().take(text.size() * 8);
  return copy_tree(xml);
}

NodePtr Expander::expand(const Node& root) {
  const auto symbols = std::make_shared<Scope>(interpreter_, interpreter_.globals(), nullptr, Scope::Kind::properties);
  MacroScope macros;
  Node start = root;
  if (const std::string* names = root.attribute("xacro:targetNamespace")) start.set_attribute("xmlns", *names);
  return expand_whole(start, macros, *symbols);
}

std::shared_ptr<Node> Expander::expand_whole(const Node& node, MacroScope& macros, Scope& symbols) {
  const Deeper deeper(interpreter_.budget());
  interpreter_.set_line(node.line);
  auto whole = std::make_shared<Node>();
  whole->name = node.name;
  whole->line = node.line;
  interpreter_.budget().take(sizeof(Node) + node.name.size());
  for (const auto& [name, value] : node.attributes) {
    if (name.starts_with("xacro:") || name == "xmlns:xacro") continue;
    interpreter_.budget().take(sizeof(Node::Attribute) + name.size() + value.size());
    whole->attributes.push_back({name, interpreter_.evaluate_to_string(value, symbols)});
  }
  expand_children(node, {macros, symbols, *whole});
  return whole;
}

void Expander::expand_children(const Node& node, const Place& at) {
  bool in_comments = false;  // whether comments are evaluated
  for (const NodePtr& child : node.children) {
    interpreter_.budget().step(5);  // it costs about as much as that many operations
    interpreter_.set_line(child->line);
    if (child->is_element()) {
      in_comments = false;
      expand_element(child, at);
      continue;
    }
    auto copy = std::make_shared<Node>(*child);
    interpreter_.budget().take(sizeof(Node) + child->text.size());
    if (child->kind == Node::Kind::text) {
      copy->text = interpreter_.evaluate_to_string(child->text, at.symbols);
      if (!stripped(copy->text).empty()) in_comments = false;
    } else if (child->kind == Node::Kind::comment) {
      if (child->text.find("xacro:eval-comments") != std::string::npos) {
        in_comments = child->text.find("xacro:eval-comments:off") == std::string::npos;
        continue;
      }
      if (in_comments) copy->text = interpreter_.evaluate_to_string(child->text, at.symbols);
    }
    at.parent.children.push_back(std::move(copy));
  }
}

void Expander::expand_element(const NodePtr& node, const Place& at) {
  if (!node->name.starts_with("xacro:")) {
    at.parent.children.push_back(expand_whole(*node, at.macros, at.symbols));
    return;
  }
  const Deeper deeper(interpreter_.budget());
  if (expand_definition(node, at) || expand_conditional(*node, at)) return;
  if (node->name == "xacro:insert_block") return insert_block(*node, at);
  if (node->name == "xacro:include") return include(*node, at);
  if (node->name == "xacro:element") return expand_renamed(*node, at);
  if (node->name == "xacro:attribute") return set_attribute(*node, at);
  if (node->name == "xacro:call") return call_by_name(*node, at);
  call(*node, node->name.substr(6), at);
}

bool Expander::expand_definition(const NodePtr& node, const Place& at) {
  if (node->name == "xacro:property")
    define_property(node, at);
  else if (node->name == "xacro:macro")
    define_macro(node, at);
  else if (node->name == "xacro:arg")
    define_argument(*node, at);
  else
    return false;
  return true;
}

bool Expander::expand_conditional(const Node& node, const Place& at) {
  const bool unless = node.name == "xacro:unless";
  if (node.name != "xacro:if" && !unless) return false;
  remove_comments(at.parent);
  expect(node, {"value"});
  if (interpreter_.evaluate_condition(required(node, "value"), at.symbols) == unless) return true;
  // Attributes that are set inside belong to <xacro:if>, as in xacro, and are lost with it.
  Node inside;
  expand_children(node, {at.macros, at.symbols, inside});
  if (!inside.attributes.empty())
    interpreter_.warn("xacro-attribute", "<xacro:attribute> inside of " + tag_of(node) + " has no effect",
                      "give the condition in its value");
  append(std::move(inside.children), at.parent);
  return true;
}

void Expander::expand_renamed(const Node& node, const Place& at) {
  auto renamed = std::make_shared<Node>(node);
  renamed->name = interpreter_.evaluate_to_string(required(node, "xacro:name"), at.symbols);
  check_xml_name(renamed->name, "<xacro:element>");
  if (renamed->name == "xacro:element")
    throw Failure("attribute", "<xacro:element> is given its own name", "give xacro:name=\"…\" another value");
  std::erase_if(renamed->attributes, [](const Node::Attribute& attribute) { return attribute.name == "xacro:name"; });
  expand_element(renamed, at);
}

void Expander::set_attribute(const Node& node, const Place& at) {
  std::string name = interpreter_.evaluate_to_string(required(node, "name"), at.symbols);
  check_xml_name(name, "<xacro:attribute>");
  at.parent.set_attribute(name, interpreter_.evaluate_to_string(required(node, "value"), at.symbols));
}

void Expander::insert_block(const Node& node, const Place& at) {
  expect(node, {"name"});
  const std::string& name = required(node, "name");
  Value block;
  const bool content_only = at.symbols.has("**" + name);
  if (!content_only && !at.symbols.has("*" + name))
    throw Failure("block", "the block " + in_quotes(name) + " is not defined",
                  "write *" + name.substr(0, 60) +
                      " among the parameters of the macro, or define a property with elements inside");
  at.symbols.find((content_only ? "**" : "*") + name, block);
  auto whole = expand_whole(*block.block(), at.macros, at.symbols);
  if (content_only)
    append(std::move(whole->children), at.parent);
  else
    at.parent.children.push_back(std::move(whole));
}

void Expander::define_argument(const Node& node, const Place& at) {
  expect(node, {"name", "default"});
  const std::string& name = required(node, "name");
  const std::string& otherwise = required(node, "default");
  interpreter_.known_arguments().insert(name);
  auto& arguments = interpreter_.arguments();
  if (!arguments.contains(name)) arguments[name] = interpreter_.evaluate_to_string(otherwise, at.symbols);
  remove_comments(at.parent);
}

const std::string& Expander::required(const Node& node, const char* attribute) const {
  const std::string* value = node.attribute(attribute);
  if (!value)
    throw Failure("attribute", tag_of(node) + " has no attribute " + in_quotes(attribute),
                  std::string("add ") + attribute + "=\"…\"");
  return *value;
}

void Expander::expect(const Node& node, std::initializer_list<const char*> attributes) {
  for (const auto& [name, value] : node.attributes) {
    if (name.starts_with("xmlns:") || std::ranges::find(attributes, name) != attributes.end()) continue;
    std::vector<std::string_view> known(attributes.begin(), attributes.end());
    const std::string nearest = did_you_mean(name, known);
    interpreter_.warn("xacro-attribute",
                      "the attribute " + in_quotes(name) + " of " + tag_of(node) + " is unknown and is ignored",
                      nearest.empty() ? "remove it" : nearest);
  }
}

void Expander::append(std::vector<NodePtr> nodes, Node& parent) {
  interpreter_.budget().step(nodes.size());
  parent.children.insert(parent.children.end(), std::make_move_iterator(nodes.begin()),
                         std::make_move_iterator(nodes.end()));
}

std::shared_ptr<Scope> Expander::new_scope(const Scope& parent, Scope::Kind kind) {
  const auto above = std::static_pointer_cast<Scope>(const_cast<Scope&>(parent).shared_from_this());
  return std::make_shared<Scope>(interpreter_, interpreter_.globals(), above, kind);
}

// Comments before an element of xacro are about it, and go with it; an empty line separates them.
void Expander::remove_comments(Node& parent) {
  auto& nodes = parent.children;
  std::size_t end = nodes.size();
  const auto is_blank = [](const Node& node) {
    return node.kind == Node::Kind::text && !node.text.empty() && stripped(node.text).empty() &&
           std::ranges::count(node.text, '\n') <= 1;
  };
  while (true) {
    if (end > 0 && is_blank(*nodes[end - 1])) --end;
    if (end == 0 || nodes[end - 1]->kind != Node::Kind::comment) return;
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(--end));
  }
}

void Expander::import_namespaces(const Node& from, Node& to) {
  for (const auto& [name, value] : from.attributes)
    if (name.starts_with("xmlns:") && name != "xmlns:xacro" && !to.attribute(name)) to.set_attribute(name, value);
}

}  // namespace lissom::io::xacro
