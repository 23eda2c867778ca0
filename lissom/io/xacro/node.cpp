#include "lissom/io/xacro/node.h"

#include <algorithm>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {
namespace {

bool is_blank_text(const Node& node) {
  return node.kind == Node::Kind::text && stripped(node.text).empty();
}

std::shared_ptr<Node> copy_node(const pugi::xml_node& from, const LineTable& lines) {
  auto node = std::make_shared<Node>();
  node->line = lines.line(from);
  switch (from.type()) {
    case pugi::node_element:
      node->name = from.name();
      break;
    case pugi::node_pcdata:
      node->kind = Node::Kind::text;
      break;
    case pugi::node_cdata:
      node->kind = Node::Kind::cdata;
      break;
    case pugi::node_comment:
      node->kind = Node::Kind::comment;
      break;
    default:
      return nullptr;  // processing instructions
  }
  node->text = from.value();
  for (const pugi::xml_attribute attribute : from.attributes())
    node->attributes.push_back({attribute.name(), attribute.value()});
  for (const pugi::xml_node child : from.children())
    if (auto copied = copy_node(child, lines)) node->children.push_back(std::move(copied));
  return node;
}

int append_to(pugi::xml_node parent, const Node& node, int levels, LineTable& lines) {
  if (node.kind == Node::Kind::comment || is_blank_text(node)) return 0;
  if (!node.is_element()) {
    pugi::xml_node text = parent.append_child(node.kind == Node::Kind::cdata ? pugi::node_cdata : pugi::node_pcdata);
    text.set_value(node.text.c_str());
    lines.set(text, node.line);
    return 0;
  }
  if (levels < 0) return node.line;
  pugi::xml_node element = parent.append_child(node.name.c_str());
  lines.set(element, node.line);
  for (const auto& [name, value] : node.attributes) element.append_attribute(name.c_str()).set_value(value.c_str());
  for (const NodePtr& child : node.children)
    if (const int line = append_to(element, *child, levels - 1, lines)) return line;
  return 0;
}

// As Python's minidom writes it, which ROS's program uses: an apostrophe stays.
std::string escaped(std::string_view text, bool attribute) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // In attributes, ends of line would be read as blanks.
        if (attribute && (c == '\n' || c == '\r' || c == '\t'))
          out += "&#" + std::to_string(static_cast<int>(c)) + ";";
        else
          out += c;
    }
  }
  return out;
}

// Two dashes would end a comment.
std::string without_double_dashes(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos; ++at) text.insert(at + 1, 1, ' ');
  return text.ends_with('-') ? text + ' ' : text;
}

void write(const Node& node, const std::string& indent, std::string& out) {
  if (node.kind == Node::Kind::comment) {
    out += indent + "<!--" + without_double_dashes(node.text) + "-->\n";
  } else if (node.kind == Node::Kind::cdata) {
    out += "<![CDATA[" + node.text + "]]>";
  } else if (node.kind == Node::Kind::text) {
    out += indent + escaped(node.text, false) + "\n";
  } else {
    out += indent + "<" + node.name;
    auto attributes = node.attributes;
    std::ranges::sort(attributes, {}, &Node::Attribute::name);
    for (const auto& [name, value] : attributes) out += " " + name + "=\"" + escaped(value, true) + "\"";
    if (node.children.empty()) {
      out += "/>\n";
      return;
    }
    const bool one_text = node.children.size() == 1 && node.children[0]->kind == Node::Kind::text;
    out += ">";
    if (one_text) {
      out += escaped(node.children[0]->text, false);
    } else {
      out += "\n";
      for (const NodePtr& child : node.children)
        if (!is_blank_text(*child)) write(*child, indent + "  ", out);
      out += indent;
    }
    out += "</" + node.name + ">\n";
  }
}

}  // namespace

const std::string* Node::attribute(std::string_view wanted) const {
  const auto found = std::ranges::find(attributes, wanted, &Attribute::name);
  return found == attributes.end() ? nullptr : &found->value;
}

void Node::set_attribute(std::string_view wanted, std::string value) {
  const auto found = std::ranges::find(attributes, wanted, &Attribute::name);
  if (found == attributes.end())
    attributes.push_back({std::string(wanted), std::move(value)});
  else
    found->value = std::move(value);
}

NodePtr copy_tree(const XmlText& xml) {
  return copy_node(xml.root, xml.lines);
}

int to_document(const Node& root, int max_depth, XmlText& xml) {
  const int too_deep = append_to(xml.document, root, max_depth, xml.lines);
  xml.root = xml.document.document_element();
  return too_deep;
}

std::string to_text(const Node& root) {
  std::string out = "<?xml version=\"1.0\" ?>\n";
  write(root, "", out);
  return out;
}

}  // namespace lissom::io::xacro
