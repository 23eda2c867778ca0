// Names of robots as identifiers.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "lissom/codegen/emit.h"

namespace lissom::codegen {
namespace {

// Words that cannot be the name of a namespace: of the languages, and of the C library's functions, which C++ headers
// declare outside of any namespace.
constexpr std::string_view taken[] = {
    "alignas",   "alignof",  "and",      "asm",         "auto",      "bitand",   "bitor",    "bool",      "break",
    "case",      "catch",    "char",     "class",       "compl",     "concept",  "const",    "consteval", "constexpr",
    "constinit", "continue", "decltype", "default",     "delete",    "do",       "double",   "else",      "enum",
    "explicit",  "export",   "extern",   "false",       "float",     "for",      "friend",   "goto",      "if",
    "inline",    "int",      "long",     "mutable",     "namespace", "new",      "noexcept", "not",       "nullptr",
    "operator",  "or",       "private",  "public",      "protected", "register", "requires", "restrict",  "return",
    "short",     "signed",   "sizeof",   "static",      "struct",    "switch",   "template", "this",      "throw",
    "true",      "try",      "typedef",  "typeid",      "typename",  "union",    "unsigned", "using",     "virtual",
    "void",      "volatile", "while",    "xor",         "std",       "main",     "linux",    "unix",      "signal",
    "time",      "clock",    "index",    "rindex",      "link",      "pipe",     "div",      "ldiv",      "abs",
    "labs",      "exit",     "abort",    "system",      "random",    "rand",     "select",   "sin",       "cos",
    "tan",       "exp",      "log",      "gamma",       "sqrt",      "pow",      "round",    "floor",     "ceil",
    "fma",       "hypot",    "erf",      "significand", "drem",      "remove",   "rename",   "printf",    "puts",
    "j0",        "j1",       "jn",       "y0",          "y1",        "yn",       "stderr",   "stdin",     "stdout",
    "free",      "malloc",   "calloc",   "environ",     "errno",     "assert",   "memcpy",   "strcpy",    "detail"};

}  // namespace

std::string identifier_of(const std::string& name) {
  std::string s;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter)
      s += c;
    else if (!s.empty() && s.back() != '_')  // neither first nor twice: such names are the language's
      s += '_';
    if (s.size() == 64) break;
  }
  while (!s.empty() && s.back() == '_') s.pop_back();
  if (s.empty()) s = "robot";
  if (s[0] >= '0' && s[0] <= '9') s = "robot_" + s;
  // One letter, as T, is a type in the generated text, or a macro.
  return s.size() == 1 || std::ranges::find(taken, s) != std::end(taken) ? s + "_robot" : s;
}

}  // namespace lissom::codegen
