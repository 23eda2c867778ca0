// f-strings: f'{x:.3f} m'.
#include <algorithm>

#include "lissom/io/xacro/expression.h"
#include "lissom/io/xacro/token.h"

namespace lissom::io::xacro {
namespace {

// Where the expression of a {replacement} ends: at '}', ':' or '!' outside of brackets and quotes.
std::size_t end_of_replacement(std::string_view text, std::size_t at) {
  int open = 0;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++open;
    } else if (open > 0 && (c == ')' || c == ']' || c == '}')) {
      --open;
    } else if (open == 0 && (c == '}' || c == ':' || (c == '!' && text.substr(at, 2) != "!="))) {
      return at;
    }
  }
  fail_syntax("an f-string has no closing }", "add the missing brace");
}

// {expression!conversion:format}, from behind the opening brace; `at` moves behind the closing one.
ExpressionPtr parse_replacement(std::string_view text, std::size_t& at, int depth) {
  auto made = std::make_shared<Expression>();
  made->kind = Expression::Kind::replacement;
  std::size_t end = end_of_replacement(text, at);
  made->children.push_back(parse_expression(text.substr(at, end - at), depth + 1));
  if (text[end] == '!') {
    made->text = text.substr(end + 1, 1);
    if (made->text != "r" && made->text != "s") fail_syntax("an f-string has an unknown conversion after '!'");
    end += 2;
  }
  if (end < text.size() && text[end] == ':') {
    const std::size_t start = end + 1;
    for (int open = 0; ++end < text.size() && (open > 0 || text[end] != '}');)
      open += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    made->children.push_back(parse_format(text.substr(start, end - start), depth + 1));
  }
  if (end >= text.size() || text[end] != '}') fail_syntax("an f-string has no closing }", "add the missing brace");
  for (const ExpressionPtr& child : made->children) made->depth = std::max(made->depth, child->depth + 1);
  at = end + 1;
  return made;
}

}  // namespace

ExpressionPtr parse_format(std::string_view text, int depth) {
  if (depth > limits::xacro_expression_depth)
    throw Failure("limit", "f-strings are nested too deeply", "divide the expression into several properties");
  auto made = std::make_shared<Expression>();
  made->kind = Expression::Kind::format;
  std::string plain;
  const auto add = [&](ExpressionPtr part) {
    made->depth = std::max(made->depth, part->depth + 1);
    made->children.push_back(std::move(part));
  };
  const auto finish = [&] {
    if (!plain.empty()) add(make_constant(Value(plain)));
    plain.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "{{" || text.substr(at, 2) == "}}") {
      plain += text[at];
      at += 2;
    } else if (text[at] == '{') {
      finish();
      add(parse_replacement(text, ++at, depth));
    } else if (text[at] == '}') {
      fail_syntax("an f-string has a } without {", "write }} for a brace");
    } else {
      plain += text[at++];
    }
  }
  finish();
  return made;
}

}  // namespace lissom::io::xacro
