#include <algorithm>

#include "lissom/io/xacro/functions.h"
#include "lissom/io/xacro/operators.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

[[noreturn]] void fail_argument(const Call& call, std::size_t i, const std::string& function, const char* expected) {
  const std::string found = i < call.positional.size() ? "a value of type " + type_name(call.positional[i]) : "nothing";
  fail_expression("argument " + std::to_string(i + 1) + " of " + function + "() is " + found + ", expected " + expected,
                  "check the arguments of the function");
}

}  // namespace

void expect_arguments(const Call& call, const std::string& function, std::size_t min, std::size_t max) {
  if (!call.named.empty())
    fail_expression(function + "() has no argument with the name " + in_quotes(call.named.front().first),
                    "give the argument without its name");
  const std::size_t count = call.positional.size();
  if (count >= min && count <= max) return;
  const std::string expected = min == max ? std::to_string(min) : "at least " + std::to_string(min);
  fail_expression(function + "() has " + counted(count, "argument") + ", expected " +
                      (count > max && min != max ? "at most " + std::to_string(max) : expected),
                  "check the arguments of the function");
}

std::optional<Value> take_named(Call& call, std::string_view name) {
  const auto found = std::ranges::find(call.named, name, &std::pair<std::string, Value>::first);
  if (found == call.named.end()) return std::nullopt;
  Value value = std::move(found->second);
  call.named.erase(found);
  return value;
}

double real_argument(const Call& call, std::size_t i, const std::string& function) {
  if (i >= call.positional.size() || !call.positional[i].is_number()) fail_argument(call, i, function, "a number");
  return call.positional[i].real();
}
std::int64_t integer_argument(const Call& call, std::size_t i, const std::string& function) {
  if (i >= call.positional.size() || !call.positional[i].is_integer()) fail_argument(call, i, function, "an integer");
  return call.positional[i].integer();
}
const std::string& text_argument(const Call& call, std::size_t i, const std::string& function) {
  if (i >= call.positional.size() || !call.positional[i].is_text()) fail_argument(call, i, function, "a text");
  return call.positional[i].text();
}

Value call_value(const Value& function, Values arguments, Budget& budget) {
  if (!function.is(Kind::function))
    fail_expression("a value of type " + type_name(function) + " is called like a function", "give a function");
  const Deeper deeper(budget);
  budget.step();
  Call call{budget, std::move(arguments), {}};
  return function.function().call(call);
}

Value attribute(const Value& object, const std::string& name, Budget& budget) {
  if (object.is(Kind::names)) {
    Value found;
    if (object.names()->find(name, found)) return found;
    throw Failure("name", "the namespace has no name " + in_quotes(name), object.names()->suggestion(name));
  }
  // As in Python, methods are found first, whatever the keys of a dictionary are.
  Value method = make_function(name, [object, name](Call& call) {
    Value result;
    const bool known = object.is_text() ? call_text_method(name, object.text(), call, result)
                                        : call_container_method(name, object, call, result);
    if (!known)
      fail_expression("a value of type " + type_name(object) + " has no method " + in_quotes(name),
                      "check its spelling; lists and dictionaries cannot be changed, only put together by + and |");
    return result;
  });
  if (!object.is(Kind::dict) || !object.dotted()) return method;
  static constexpr std::string_view methods[] = {"keys", "values",  "items",      "get",    "copy",    "clear",
                                                 "pop",  "popitem", "setdefault", "update", "fromkeys"};
  if (std::ranges::find(methods, name) != std::end(methods)) return method;
  return element(object, Value(name), budget);
}

}  // namespace lissom::io::xacro
