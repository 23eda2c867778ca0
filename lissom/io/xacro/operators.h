#pragma once
// Python's operators on values. Not installed.
#include <string>
#include <string_view>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {

Value apply_unary(std::string_view symbol, const Value& value);
// + - * / // % @ | ^ & << >> **
Value apply_binary(std::string_view symbol, const Value& a, const Value& b, Budget& budget);
// == != < > <= >= in, not in, is, is not
bool apply_comparison(std::string_view symbol, const Value& a, const Value& b, Budget& budget);

Value power(const Value& base, const Value& exponent);
Value floor_divide(const Value& a, const Value& b);
Value modulo(const Value& a, const Value& b);

[[noreturn]] void fail_overflow();  // of 64-bit integers
// An integer of a double without fraction.
std::int64_t to_integer(double number);

// object[key], and object[start:stop:step] (None where a part is missing).
Value element(const Value& object, const Value& key, Budget& budget);
Value slice(const Value& object, const Value& start, const Value& stop, const Value& step, Budget& budget);

// object.name: a method, an entry of a dictionary of YAML, or a variable of a namespace.
Value attribute(const Value& object, const std::string& name, Budget& budget);

// 'text %s' % values, and what str.format, format() and f-strings do with a value and a specification ("08.3f").
std::string format_percent(const std::string& text, const Value& values, Budget& budget);
std::string format_value(const Value& value, std::string_view specification, Budget& budget);
// '{} {name}'.format(…)
std::string format_braces(const std::string& text, const Call& call);

}  // namespace lissom::io::xacro
