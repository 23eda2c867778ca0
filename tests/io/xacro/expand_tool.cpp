// Expands xacro for the tests that compare it with other programs.
// usage: xacro_expand FILE [NAME:=VALUE …]       prints the expanded file; findings on standard error
//        xacro_expand --expressions              reads an expression per line, prints its value as text, or "error
//        CODE"
#include <iostream>
#include <string>

#include "lissom/io/xacro/xacro.h"

namespace {

using lissom::io::ReadOptions;
namespace xacro = lissom::io::xacro;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The value of an attribute that consists of the expression, with line breaks written as \n.
std::string value_of(std::string expression) {
  replace_all(expression, "&", "&amp;");
  replace_all(expression, "<", "&lt;");
  replace_all(expression, "\"", "&quot;");
  const auto expanded =
      xacro::expand_text("<robot xmlns:xacro=\"x\" a=\"${" + expression + "}\"/>", "expression.xacro");
  if (!expanded.usable()) return "error " + expanded.diagnostics.back().code;
  const auto start = expanded.text.find(" a=\"") + 4, end = expanded.text.rfind("\"/>");
  std::string value = expanded.text.substr(start, end - start);
  replace_all(value, "&#10;", "\\n");
  replace_all(value, "&#9;", "\t");
  replace_all(value, "&lt;", "<");
  replace_all(value, "&gt;", ">");
  replace_all(value, "&quot;", "\"");
  replace_all(value, "&amp;", "&");
  return value;
}

int expand(int count, char** words) {
  ReadOptions options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto sign = word.find(":=");
    options.xacro_arguments.emplace_back(word.substr(0, sign), word.substr(sign + 2));
  }
  const auto expanded = xacro::expand(words[0], options);
  for (const auto& diagnostic : expanded.diagnostics) std::cerr << to_string(diagnostic) << '\n';
  std::cout << expanded.text;
  return expanded.usable() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (std::string(argv[1]) != "--expressions") return expand(argc - 1, argv + 1);
  for (std::string line; std::getline(std::cin, line);) std::cout << value_of(line) << '\n';
  return 0;
}
