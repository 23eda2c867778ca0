#pragma once
// The words of an expression, as Python divides it. Not installed.
#include <string>
#include <string_view>
#include <vector>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {

struct Token {
  enum class Kind { name, number, text, format, symbol, end };
  Kind kind = Kind::end;
  std::string text;  // a name, a symbol, or the source of an f-string
  Value value;       // of a number or a text
};

// Fails with code xacro-syntax.
std::vector<Token> tokenize(std::string_view expression);

[[noreturn]] void fail_syntax(std::string message, std::string remedy = "correct the expression");

// Whether Python accepts it as the name of a variable: letters, digits and underscores, and no keyword.
bool is_identifier(std::string_view name);
bool is_keyword(std::string_view name);

// The text between quotes, with its escapes replaced.
std::string unescaped(std::string_view text);

}  // namespace lissom::io::xacro
