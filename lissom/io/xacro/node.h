#pragma once
// The XML of xacro files, before and after expansion. Not installed.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/io/xml_text.h"

namespace lissom::io::xacro {

struct Node {
  enum class Kind { element, text, cdata, comment };
  struct Attribute {
    std::string name, value;
  };
  Kind kind = Kind::element;
  std::string name;  // of an element
  std::string text;  // of the others
  std::vector<Attribute> attributes;
  std::vector<std::shared_ptr<const Node>> children;
  int line = 0;  // of the description: numbered on from file to file

  bool is_element() const { return kind == Kind::element; }
  // Null if there is none.
  const std::string* attribute(std::string_view wanted) const;
  void set_attribute(std::string_view wanted, std::string value);
};
using NodePtr = std::shared_ptr<const Node>;

// Copies a document that was parsed with its blanks and comments (XmlLimits::keep_all).
NodePtr copy_tree(const XmlText& xml);
// The other way around; blanks between elements and comments are left out. Returns the line of the first element that
// is nested too deeply, or 0.
int to_document(const Node& root, int max_depth, XmlText& xml);
// As xacro writes it: attributes sorted by name, two blanks of indentation.
std::string to_text(const Node& root);

}  // namespace lissom::io::xacro
