#pragma once
// Expands the elements of a xacro file. Not installed.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lissom/io/xacro/interpreter.h"
#include "lissom/io/xacro/macros.h"
#include "lissom/io/xacro/node.h"

namespace lissom::io::xacro {

class Expander {
 public:
  Expander(Interpreter& interpreter, const ReadOptions& options) : interpreter_(interpreter), options_(options) {}

  // Parses a text as XML, and numbers its lines. Fails where it is not well-formed.
  NodePtr parse(const std::string& text, const std::string& file, const char* code);
  NodePtr expand(const Node& root);
  // The macros that are being expanded: their names, and the lines of their calls.
  const std::vector<std::pair<std::string, int>>& calls() const { return calls_; }

 private:
  // Where an element stands: what it sees, and the element that its expansion becomes a part of.
  struct Place {
    MacroScope& macros;
    Scope& symbols;
    Node& parent;
  };

  // A copy of an element, with its attributes and children expanded.
  std::shared_ptr<Node> expand_whole(const Node& node, MacroScope& macros, Scope& symbols);
  void expand_children(const Node& node, const Place& at);
  void expand_element(const NodePtr& node, const Place& at);
  bool expand_definition(const NodePtr& node, const Place& at);
  bool expand_conditional(const Node& node, const Place& at);
  void expand_renamed(const Node& node, const Place& at);
  void set_attribute(const Node& node, const Place& at);
  void insert_block(const Node& node, const Place& at);
  void define_argument(const Node& node, const Place& at);
  void define_macro(const NodePtr& node, const Place& at);
  void define_property(const NodePtr& node, const Place& at);
  void store_property(const Node& node, std::string name, Value value, const Place& at);
  void include(const Node& node, const Place& at);
  void include_file(const std::string& path, MacroScope& macros, Scope& symbols, Node& content, const Place& at);
  void call(const Node& node, const std::string& name, const Place& at);
  void call_by_name(const Node& node, const Place& at);
  void bind_blocks(const Macro& macro, const Node& content, std::vector<const Parameter*>& missing, Scope& scope);
  void bind_defaults(const Macro& macro, std::vector<const Parameter*>& missing, Scope& scope, Scope& caller);

  const std::string& required(const Node& node, const char* attribute) const;
  void expect(const Node& node, std::initializer_list<const char*> attributes);
  void append(std::vector<NodePtr> nodes, Node& parent);
  std::shared_ptr<Scope> new_scope(const Scope& parent, Scope::Kind kind);
  static void remove_comments(Node& parent);
  static void import_namespaces(const Node& from, Node& to);

  Interpreter& interpreter_;
  const ReadOptions& options_;
  std::vector<std::pair<std::string, int>> calls_;
};

}  // namespace lissom::io::xacro
