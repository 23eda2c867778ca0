#include "lissom/io/xacro/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/model/printable.h"

namespace lissom::io::xacro {

namespace {

int depth_of(const Value& value) {
  if (value.is(Kind::sequence)) return value.sequence().depth;
  return value.is(Kind::dict) ? value.dict().depth : 0;
}

int deeper_than(int depth) {
  if (depth >= limits::xacro_value_depth)
    throw Failure("limit",
                  "lists and dictionaries are nested more than " + std::to_string(limits::xacro_value_depth) + " deep",
                  "look for a property that puts itself into a list without end");
  return depth + 1;
}

// Exact, also where double cannot represent the integer.
int compare_exactly(std::int64_t a, double b) {
  if (std::isnan(b)) return 2;
  constexpr double beyond = 9223372036854775808.0;  // 2^63
  if (b >= beyond) return -1;
  if (b < -beyond) return 1;
  const auto whole = static_cast<std::int64_t>(b);
  if (a != whole) return a < whole ? -1 : 1;
  const double rest = b - static_cast<double>(whole);
  return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

int compare_numbers(const Value& a, const Value& b) {
  if (a.is_integer() && b.is_integer()) return a.integer() < b.integer() ? -1 : a.integer() > b.integer();
  if (a.is_integer()) return compare_exactly(a.integer(), b.real());
  if (b.is_integer()) {
    const int order = compare_exactly(b.integer(), a.real());
    return order == 2 ? 2 : -order;
  }
  const double x = a.real(), y = b.real();
  if (std::isnan(x) || std::isnan(y)) return 2;
  return x < y ? -1 : x > y;
}

bool equal_sequences(const Sequence& a, const Sequence& b, Budget& budget) {
  if (a.kind == SequenceKind::iterator || b.kind == SequenceKind::iterator) return &a == &b;
  if (a.kind != b.kind || a.items.size() != b.items.size()) return false;
  const auto same = [&](const Value& x, const Value& y) { return equal(x, y, budget); };
  if (a.kind != SequenceKind::set) return std::equal(a.items.begin(), a.items.end(), b.items.begin(), same);
  const auto in_b = [&](const Value& item) {
    return std::any_of(b.items.begin(), b.items.end(), [&](const Value& other) { return same(item, other); });
  };
  return std::all_of(a.items.begin(), a.items.end(), in_b);
}

bool equal_dicts(const Dict& a, const Dict& b, Budget& budget) {
  return a.items.size() == b.items.size() && std::all_of(a.items.begin(), a.items.end(), [&](const auto& item) {
           const Value* other = b.find(item.first, budget);
           return other && equal(item.second, *other, budget);
         });
}

}  // namespace

Value Value::as_dotted() const {
  Value value = *this;
  value.dotted_ = is(Kind::dict) || is(Kind::sequence);
  return value;
}

std::size_t Dict::position(const Value& key, Budget& budget) const {
  const auto [first, last] = index_.equal_range(hash(key, budget));
  for (auto entry = first; entry != last; ++entry)
    if (equal(items[entry->second].first, key, budget)) return entry->second;
  return items.size();
}

const Value* Dict::find(const Value& key, Budget& budget) const {
  const std::size_t i = position(key, budget);
  return i < items.size() ? &items[i].second : nullptr;
}

void Dict::set(const Value& key, Value value, Budget& budget) {
  if (const std::size_t i = position(key, budget); i < items.size()) {
    items[i].second = std::move(value);
    return;
  }
  index_.emplace(hash(key, budget), items.size());
  items.emplace_back(key, std::move(value));
}

Value make_sequence(SequenceKind kind, Values items, Budget& budget) {
  budget.take(sizeof(Sequence) + items.size() * sizeof(Value));
  auto sequence = std::make_shared<Sequence>();
  int depth = 0;
  for (const Value& item : items) depth = std::max(depth, depth_of(item));
  sequence->depth = deeper_than(depth);
  sequence->kind = kind;
  sequence->items = std::move(items);
  return Value(std::shared_ptr<const Sequence>(std::move(sequence)));
}
Value make_list(Values items, Budget& budget) {
  return make_sequence(SequenceKind::list, std::move(items), budget);
}
Value make_tuple(Values items, Budget& budget) {
  return make_sequence(SequenceKind::tuple, std::move(items), budget);
}
Value make_set(Values items, Budget& budget) {
  Dict unique;
  for (const Value& item : items)
    if (!unique.find(item, budget)) unique.set(item, Value(), budget);
  Values kept;
  for (const auto& [key, value] : unique.items) kept.push_back(key);
  return make_sequence(SequenceKind::set, std::move(kept), budget);
}
Value make_dict(Dict dict, Budget& budget) {
  budget.take(sizeof(Dict) + dict.items.size() * 4 * sizeof(Value));
  int depth = 0;
  for (const auto& [key, value] : dict.items) depth = std::max({depth, depth_of(key), depth_of(value)});
  dict.depth = deeper_than(depth);
  return Value(std::make_shared<const Dict>(std::move(dict)));
}
Value make_text(std::string text, Budget& budget) {
  budget.take(text.size());
  return Value(std::move(text));
}
Value make_function(std::string name, std::function<Value(Call&)> call) {
  return Value(std::make_shared<const Function>(Function{std::move(name), std::move(call)}));
}

std::string type_name(const Value& value) {
  switch (value.kind()) {
    case Kind::none:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::real:
      return "float";
    case Kind::text:
      return "str";
    case Kind::sequence: {
      constexpr const char* names[] = {"list", "tuple", "set", "range", "iterator"};
      return names[static_cast<std::size_t>(value.sequence().kind)];
    }
    case Kind::dict:
      return "dict";
    case Kind::function:
      return "function";
    case Kind::names:
      return "namespace";
    case Kind::block:
      return "block";
  }
  return "";
}

bool truth(const Value& value) {
  switch (value.kind()) {
    case Kind::none:
      return false;
    case Kind::boolean:
    case Kind::integer:
      return value.integer() != 0;
    case Kind::real:
      return value.real() != 0;
    case Kind::text:
      return !value.text().empty();
    case Kind::sequence:
      return value.sequence().kind == SequenceKind::iterator || !value.sequence().items.empty();
    case Kind::dict:
      return !value.dict().items.empty();
    default:
      return true;
  }
}

bool equal(const Value& a, const Value& b, Budget& budget) {
  budget.step();
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::none:
      return true;
    case Kind::text:
      budget.step(a.text().size() / 16);
      return a.text() == b.text();
    case Kind::sequence:
      return equal_sequences(a.sequence(), b.sequence(), budget);
    case Kind::dict:
      return equal_dicts(a.dict(), b.dict(), budget);
    case Kind::function:
      return &a.function() == &b.function();
    case Kind::names:
      return a.names() == b.names();
    default:
      return a.block() == b.block();
  }
}

int compare(const Value& a, const Value& b, Budget& budget) {
  budget.step();
  if (a.is_number() && b.is_number()) return compare_numbers(a, b);
  if (a.is_text() && b.is_text()) {  // the order of UTF-8 is that of its characters
    budget.step(a.text().size() / 16);
    const int order = a.text().compare(b.text());
    return order < 0 ? -1 : order > 0;
  }
  const auto ordered = [](const Value& value) {
    return value.is(Kind::sequence) && value.sequence().kind <= SequenceKind::tuple;
  };
  if (ordered(a) && ordered(b) && a.sequence().kind == b.sequence().kind) {
    const Values &x = a.sequence().items, &y = b.sequence().items;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      if (!equal(x[i], y[i], budget)) return compare(x[i], y[i], budget);
    return x.size() < y.size() ? -1 : x.size() > y.size();
  }
  fail_expression("values of type " + type_name(a) + " and " + type_name(b) + " have no order",
                  "compare values of one type");
}

std::size_t hash(const Value& value, Budget& budget) {
  budget.step();
  switch (value.kind()) {
    case Kind::boolean:
    case Kind::integer:
      return std::hash<std::int64_t>()(value.integer());
    case Kind::real: {
      const double number = value.real();
      const bool whole = number == std::floor(number) && std::abs(number) < 9e18;
      return whole ? std::hash<std::int64_t>()(static_cast<std::int64_t>(number)) : std::hash<double>()(number);
    }
    case Kind::none:
      return 1;
    case Kind::text:
      budget.step(value.text().size() / 16);
      return std::hash<std::string>()(value.text());
    case Kind::sequence:
      if (value.sequence().kind == SequenceKind::tuple) {
        std::size_t sum = 17;
        for (const Value& item : value.sequence().items) sum = sum * 31 + hash(item, budget);
        return sum;
      }
      [[fallthrough]];
    default:
      fail_expression("a value of type " + type_name(value) + " cannot be a key, or an element of a set",
                      "use a number, a text or a tuple");
  }
}

Values iterate(const Value& value, Budget& budget) {
  Values items;
  if (value.is(Kind::sequence)) {
    items = value.sequence().items;
    if (value.dotted())
      for (Value& item : items) item = item.as_dotted();
  } else if (value.is(Kind::dict)) {
    for (const auto& [key, entry] : value.dict().items) items.push_back(key);
  } else if (value.is_text()) {
    const auto offsets = character_offsets(value.text());
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      items.emplace_back(value.text().substr(offsets[i], offsets[i + 1] - offsets[i]));
  } else {
    fail_expression("a value of type " + type_name(value) + " has no elements", "give a list");
  }
  budget.step(items.size());
  budget.take(items.size() * sizeof(Value));
  return items;
}

std::vector<std::size_t> character_offsets(std::string_view text) {
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < text.size();) {
    offsets.push_back(i);
    i += std::max<std::size_t>(utf8_length(text.substr(i)), 1);
  }
  offsets.push_back(text.size());
  return offsets;
}

}  // namespace lissom::io::xacro
