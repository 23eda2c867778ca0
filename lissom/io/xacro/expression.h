#pragma once
// Expressions with Python's grammar, as trees. Not installed.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

// for TARGET in ITERABLE if CONDITION …
struct ForClause {
  ExpressionPtr target, iterable;
  std::vector<ExpressionPtr> conditions;
};

struct Expression {
  enum class Kind {
    constant,
    name,
    attribute,      // children[0].text
    subscript,      // children[0][children[1]]
    slice,          // children[0]:children[1]:children[2], each may be null
    call,           // children[0](…); words: "" for positional arguments, NAME for NAME=…, "*", "**"
    unary,          // text children[0]
    binary,         // children[0] words[0] children[1] words[1] …, from left to right
    power,          // children[0] ** children[1]
    comparison,     // children[0] words[0] children[1] words[1] …
    logical,        // text ("and", "or") between the children
    conditional,    // children[1] if children[0] else children[2]
    sequence,       // text: "list", "tuple", "set"
    dict,           // keys and values in turn; a null key: **value
    starred,        // *children[0]
    comprehension,  // text: "list", "set", "dict", "generator"; children: element, or key and value; clauses
    lambda,         // children[0], then the defaults of the last words; words: parameters
    format,         // f-string: the children's texts, one after the other
    replacement     // {children[0]!text:children[1]} inside an f-string; children[1] may be missing
  };
  Kind kind = Kind::constant;
  std::string text;
  Value value;
  std::vector<ExpressionPtr> children;
  std::vector<std::string> words;
  std::vector<ForClause> clauses;
  int depth = 1;
};

// Fails with code xacro-syntax, or xacro-limit if it is too long or nested too deeply.
// `depth` is that of the expression around it.
ExpressionPtr parse_expression(std::string_view text, int depth = 0);
// The content of an f-string.
ExpressionPtr parse_format(std::string_view text, int depth);
ExpressionPtr make_constant(Value value);

// Evaluates with these names; `budget` bounds time and memory.
Value evaluate(const ExpressionPtr& expression, Names& names, Budget& budget);

}  // namespace lissom::io::xacro
