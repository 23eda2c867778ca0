#pragma once
// The functions that expressions can call, and how they take their arguments. Not installed.
#include <map>
#include <optional>
#include <string>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {

using Symbols = std::map<std::string, Value, std::less<>>;

// The module math: functions and constants.
Symbols math_symbols();
// Python's built-in functions: len, range, sorted, … Those that xacro knows without "python." are listed in scope.cpp.
Symbols python_symbols();

// Checks how many arguments a function has, and that none has a name.
void expect_arguments(const Call& call, const std::string& function, std::size_t min, std::size_t max);
// Removes an argument with this name, if there is one.
std::optional<Value> take_named(Call& call, std::string_view name);
double real_argument(const Call& call, std::size_t i, const std::string& function);
std::int64_t integer_argument(const Call& call, std::size_t i, const std::string& function);
const std::string& text_argument(const Call& call, std::size_t i, const std::string& function);
// Calls a function value with these arguments.
Value call_value(const Value& function, Values arguments, Budget& budget);
Value sorted(Values items, const std::optional<Value>& key, bool reverse, Budget& budget);

// Methods of texts, lists and so on; false if the type has no method of this name.
bool call_text_method(const std::string& name, const std::string& text, Call& call, Value& result);
bool call_container_method(const std::string& name, const Value& object, Call& call, Value& result);

// Python's round().
Value rounded(const Value& value, std::optional<std::int64_t> digits);

}  // namespace lissom::io::xacro
