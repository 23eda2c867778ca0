// Python's built-in functions.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "lissom/io/xacro/functions.h"
#include "lissom/io/xacro/operators.h"
#include "lissom/io/xacro/token.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

Value call_int(Call& call) {
  expect_arguments(call, "int", 0, 2);
  if (call.positional.empty()) return 0;
  const Value& value = call.positional[0];
  if (call.positional.size() == 2) {
    std::string text(stripped(text_argument(call, 0, "int")));
    const auto base = integer_argument(call, 1, "int");
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.erase(0, 1);
    const char letter = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : ' ';
    if ((base == 16 && letter == 'x') || (base == 8 && letter == 'o') || (base == 2 && letter == 'b')) text.erase(0, 2);
    if (negative) text.insert(0, 1, '-');
    std::int64_t number = 0;
    if (base >= 2 && base <= 36) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, static_cast<int>(base));
      if (error == std::errc::result_out_of_range) fail_overflow();
      if (error == std::errc() && end == text.data() + text.size()) return number;
    }
    fail_expression("int() cannot read " + in_quotes(text) + " with base " + std::to_string(base));
  }
  if (value.is_integer()) return value.integer();
  if (value.is(Kind::real)) return to_integer(std::trunc(value.real()));
  std::int64_t number = 0;
  if (!value.is_text() || !parse_integer(value.text(), number))
    fail_expression("int() cannot read " + to_repr(value, call.budget),
                    "give an integer; float(…) reads other numbers");
  return number;
}

Value call_float(Call& call) {
  expect_arguments(call, "float", 0, 1);
  if (call.positional.empty()) return 0.0;
  const Value& value = call.positional[0];
  if (value.is_number()) return value.real();
  double number = 0;
  if (!value.is_text() || !parse_real(value.text(), number))
    fail_expression("float() cannot read " + to_repr(value, call.budget), "give a number");
  return number;
}

Value call_dict(Call& call) {
  Dict dict;
  auto named = std::move(call.named);
  call.named.clear();
  expect_arguments(call, "dict", 0, 1);
  if (!call.positional.empty()) {
    const Value& from = call.positional[0];
    if (from.is(Kind::dict)) {
      for (const auto& [key, value] : from.dict().items) dict.set(key, value, call.budget);
    } else {
      for (const Value& item : iterate(from, call.budget)) {
        const Values pair = iterate(item, call.budget);
        if (pair.size() != 2) fail_expression("dict() needs pairs of keys and values");
        dict.set(pair[0], pair[1], call.budget);
      }
    }
  }
  for (auto& [name, value] : named) dict.set(Value(name), std::move(value), call.budget);
  return make_dict(std::move(dict), call.budget);
}

Value call_range(Call& call) {
  expect_arguments(call, "range", 1, 3);
  const auto at = [&](std::size_t i) { return integer_argument(call, i, "range"); };
  const std::size_t count = call.positional.size();
  const std::int64_t start = count > 1 ? at(0) : 0, stop = count > 1 ? at(1) : at(0), step = count > 2 ? at(2) : 1;
  if (step == 0) fail_expression("the step of range() is zero");
  const auto distance = static_cast<long double>(stop) - static_cast<long double>(start);
  const auto length = std::max(0.0L, std::ceil(distance / static_cast<long double>(step)));
  if (length > static_cast<long double>(limits::xacro_steps)) call.budget.step(limits::xacro_steps + 1);
  call.budget.step(static_cast<std::size_t>(length));
  call.budget.take(static_cast<std::size_t>(length) * sizeof(Value));
  Values items;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(length); ++i) items.emplace_back(start + i * step);
  Sequence range;
  range.kind = SequenceKind::range;
  range.items = std::move(items);
  range.shown = "range(" + std::to_string(start) + ", " + std::to_string(stop) +
                (step == 1 ? ")" : ", " + std::to_string(step) + ")");
  return Value(std::make_shared<const Sequence>(std::move(range)));
}

Value call_len(Call& call) {
  expect_arguments(call, "len", 1, 1);
  const Value& value = call.positional[0];
  const auto size = [](std::size_t count) { return Value(static_cast<std::int64_t>(count)); };
  if (value.is_text()) return size(character_offsets(value.text()).size() - 1);
  if (value.is(Kind::dict)) return size(value.dict().items.size());
  if (value.is(Kind::sequence) && value.sequence().kind != SequenceKind::iterator)
    return size(value.sequence().items.size());
  fail_expression("a value of type " + type_name(value) + " has no len()", "write list(…) around it");
}

Value extreme(Call& call, const std::string& name, int wanted) {
  const auto key = take_named(call, "key");
  const auto otherwise = take_named(call, "default");
  expect_arguments(call, name, 1, 1'000'000);
  const Values items = call.positional.size() == 1 ? iterate(call.positional[0], call.budget) : call.positional;
  if (items.empty()) {
    if (otherwise) return *otherwise;
    fail_expression(name + "() of nothing", "give at least one value, or default=…");
  }
  const auto keyed = [&](const Value& item) { return key ? call_value(*key, {item}, call.budget) : item; };
  std::size_t best = 0;
  Value best_key = keyed(items[0]);
  for (std::size_t i = 1; i < items.size(); ++i) {
    Value other = keyed(items[i]);
    if (compare(other, best_key, call.budget) != wanted) continue;
    best = i;
    best_key = std::move(other);
  }
  return items[best];
}

Value call_sum(Call& call) {
  Value sum = take_named(call, "start").value_or(Value(0));
  expect_arguments(call, "sum", 1, 2);
  if (call.positional.size() == 2) sum = call.positional[1];
  if (sum.is_text()) fail_expression("sum() cannot add texts", "write ''.join(…)");
  for (const Value& item : iterate(call.positional[0], call.budget)) sum = apply_binary("+", sum, item, call.budget);
  return sum;
}

Value call_map(Call& call) {
  expect_arguments(call, "map", 2, 100);
  std::vector<Values> lists;
  for (std::size_t i = 1; i < call.positional.size(); ++i) lists.push_back(iterate(call.positional[i], call.budget));
  Values out;
  for (std::size_t i = 0; std::ranges::all_of(lists, [&](const Values& list) { return i < list.size(); }); ++i) {
    Values arguments;
    for (const Values& list : lists) arguments.push_back(list[i]);
    out.push_back(call_value(call.positional[0], std::move(arguments), call.budget));
  }
  return make_sequence(SequenceKind::iterator, std::move(out), call.budget);
}

Value call_zip(Call& call) {
  expect_arguments(call, "zip", 0, 100);
  std::vector<Values> lists;
  for (const Value& list : call.positional) lists.push_back(iterate(list, call.budget));
  Values out;
  const auto all = [&](std::size_t i) {
    return std::ranges::all_of(lists, [&](const Values& list) { return i < list.size(); });
  };
  for (std::size_t i = 0; !lists.empty() && all(i); ++i) {
    Values row;
    for (const Values& list : lists) row.push_back(list[i]);
    out.push_back(make_tuple(std::move(row), call.budget));
  }
  return make_sequence(SequenceKind::iterator, std::move(out), call.budget);
}

Value call_enumerate(Call& call) {
  if (const auto start = take_named(call, "start")) call.positional.push_back(*start);
  expect_arguments(call, "enumerate", 1, 2);
  std::int64_t number = call.positional.size() == 2 ? integer_argument(call, 1, "enumerate") : 0;
  Values out;
  for (Value& item : iterate(call.positional[0], call.budget)) {
    out.push_back(make_tuple({number, std::move(item)}, call.budget));
    if (__builtin_add_overflow(number, 1, &number)) fail_overflow();
  }
  return make_sequence(SequenceKind::iterator, std::move(out), call.budget);
}

Value call_filter(Call& call) {
  expect_arguments(call, "filter", 2, 2);
  Values out;
  for (Value& item : iterate(call.positional[1], call.budget)) {
    const Value& test = call.positional[0];
    if (truth(test.is(Kind::none) ? item : call_value(test, {item}, call.budget))) out.push_back(std::move(item));
  }
  return make_sequence(SequenceKind::iterator, std::move(out), call.budget);
}

Value call_isinstance(Call& call) {
  expect_arguments(call, "isinstance", 2, 2);
  const std::string name = type_name(call.positional[0]);
  Values types{call.positional[1]};
  if (types[0].is(Kind::sequence)) types = types[0].sequence().items;
  return std::ranges::any_of(types, [&](const Value& type) {
    if (!type.is(Kind::function)) fail_expression("isinstance() needs a type: int, float, str, list, dict, …");
    return type.function().name == name || (name == "bool" && type.function().name == "int");
  });
}

Value call_round(Call& call) {
  const auto named = take_named(call, "ndigits");
  expect_arguments(call, "round", 1, 2);
  std::optional<std::int64_t> digits;
  const Value by = named ? *named : call.positional.size() == 2 ? call.positional[1] : Value();
  if (!by.is(Kind::none)) {
    if (!by.is_integer()) fail_expression("the number of digits of round() is no integer");
    digits = by.integer();
  }
  return rounded(call.positional[0], digits);
}

Value call_abs(Call& call) {
  expect_arguments(call, "abs", 1, 1);
  const Value& value = call.positional[0];
  if (!value.is_number()) fail_expression("abs() of a value of type " + type_name(value));
  if (value.is(Kind::real)) return std::abs(value.real());
  return value.integer() < 0 ? apply_unary("-", value) : Value(value.integer());
}

Value call_ord(Call& call) {
  expect_arguments(call, "ord", 1, 1);
  const std::string& text = text_argument(call, 0, "ord");
  if (text.size() != 1) fail_expression("ord() needs one character of ASCII");
  return static_cast<int>(static_cast<unsigned char>(text[0]));
}

void add(Symbols& symbols, const char* name, Value (*function)(Call&)) {
  symbols[name] = make_function(name, function);
}

void add_types(Symbols& symbols) {
  add(symbols, "int", call_int);
  add(symbols, "float", call_float);
  add(symbols, "dict", call_dict);
  add(symbols, "bool", [](Call& call) -> Value {
    expect_arguments(call, "bool", 0, 1);
    return !call.positional.empty() && truth(call.positional[0]);
  });
  add(symbols, "str", [](Call& call) -> Value {
    expect_arguments(call, "str", 0, 1);
    return call.positional.empty() ? std::string() : to_str(call.positional[0], call.budget);
  });
  const auto collection = [&](const char* name, SequenceKind kind) {
    symbols[name] = make_function(name, [name = std::string(name), kind](Call& call) {
      expect_arguments(call, name, 0, 1);
      Values items = call.positional.empty() ? Values() : iterate(call.positional[0], call.budget);
      return kind == SequenceKind::set ? make_set(std::move(items), call.budget)
                                       : make_sequence(kind, std::move(items), call.budget);
    });
  };
  collection("list", SequenceKind::list);
  collection("tuple", SequenceKind::tuple);
  collection("set", SequenceKind::set);
  collection("frozenset", SequenceKind::set);
}

}  // namespace

Symbols python_symbols() {
  Symbols symbols;
  add_types(symbols);
  add(symbols, "range", call_range);
  add(symbols, "len", call_len);
  add(symbols, "sum", call_sum);
  add(symbols, "map", call_map);
  add(symbols, "zip", call_zip);
  add(symbols, "enumerate", call_enumerate);
  add(symbols, "filter", call_filter);
  add(symbols, "isinstance", call_isinstance);
  add(symbols, "round", call_round);
  add(symbols, "abs", call_abs);
  add(symbols, "ord", call_ord);
  add(symbols, "min", [](Call& call) { return extreme(call, "min", -1); });
  add(symbols, "max", [](Call& call) { return extreme(call, "max", 1); });
  add(symbols, "any", [](Call& call) -> Value {
    expect_arguments(call, "any", 1, 1);
    return std::ranges::any_of(iterate(call.positional[0], call.budget), truth);
  });
  add(symbols, "all", [](Call& call) -> Value {
    expect_arguments(call, "all", 1, 1);
    return std::ranges::all_of(iterate(call.positional[0], call.budget), truth);
  });
  add(symbols, "sorted", [](Call& call) {
    const auto key = take_named(call, "key");
    const bool reverse = truth(take_named(call, "reverse").value_or(Value(false)));
    expect_arguments(call, "sorted", 1, 1);
    return sorted(iterate(call.positional[0], call.budget), key, reverse, call.budget);
  });
  add(symbols, "reversed", [](Call& call) {
    expect_arguments(call, "reversed", 1, 1);
    Values items = iterate(call.positional[0], call.budget);
    std::ranges::reverse(items);
    return make_sequence(SequenceKind::iterator, std::move(items), call.budget);
  });
  add(symbols, "divmod", [](Call& call) {
    expect_arguments(call, "divmod", 2, 2);
    const Value &a = call.positional[0], &b = call.positional[1];
    return make_tuple({floor_divide(a, b), modulo(a, b)}, call.budget);
  });
  add(symbols, "repr", [](Call& call) -> Value {
    expect_arguments(call, "repr", 1, 1);
    return to_repr(call.positional[0], call.budget);
  });
  return symbols;
}

Value sorted(Values items, const std::optional<Value>& key, bool reverse, Budget& budget) {
  std::vector<std::pair<Value, std::size_t>> order;
  for (std::size_t i = 0; i < items.size(); ++i)
    order.emplace_back(key && !key->is(Kind::none) ? call_value(*key, {items[i]}, budget) : items[i], i);
  const auto before = [&](const auto& a, const auto& b) {
    return reverse ? compare(b.first, a.first, budget) == -1 : compare(a.first, b.first, budget) == -1;
  };
  std::ranges::stable_sort(order, before);
  Values out;
  for (const auto& [value, i] : order) out.push_back(items[i]);
  return make_list(std::move(out), budget);
}

// Halves go to the even neighbor; with digits, the exact decimal value is rounded.
Value rounded(const Value& value, std::optional<std::int64_t> digits) {
  if (!value.is_number()) fail_expression("round() of a value of type " + type_name(value), "give a number");
  if (value.is_integer()) {
    if (!digits || *digits >= 0) return value.integer();
    if (*digits < -18) return 0;
    std::int64_t unit = 1;
    for (std::int64_t i = 0; i > *digits; --i) unit *= 10;
    const Value rest = modulo(value, unit);
    std::int64_t down = value.integer() - rest.integer();
    const bool up = rest.integer() * 2 > unit || (rest.integer() * 2 == unit && (down / unit) % 2 != 0);
    if (up && __builtin_add_overflow(down, unit, &down)) fail_overflow();
    return down;
  }
  const double x = value.real();
  if (!digits) return to_integer(std::nearbyint(x));
  if (!std::isfinite(x) || *digits > 340) return x;
  const auto count = *digits >= 0 ? *digits : 0;
  if (*digits < 0) {
    if (*digits < -308) return std::copysign(0.0, x);
    const double unit = std::pow(10.0, static_cast<double>(-*digits));
    return std::nearbyint(x / unit) * unit;
  }
  char buffer[1024];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed, static_cast<int>(count)).ptr;
  double result = 0;
  std::from_chars(buffer, end, result);
  return result;
}

}  // namespace lissom::io::xacro
