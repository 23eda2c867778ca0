// object[key] and object[start:stop:step].
#include <algorithm>
#include <limits>

#include "lissom/io/xacro/operators.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

std::size_t position_in(std::int64_t index, std::size_t size, const char* what) {
  const auto count = static_cast<std::int64_t>(size);
  if (index < -count || index >= count)
    fail_expression(
        "the index " + std::to_string(index) + " is outside of " + what + " with " + counted(size, "element"),
        "use an index from 0 to " + std::to_string(std::max<std::int64_t>(count - 1, 0)));
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

std::string keys_of(const Dict& dict) {
  std::string keys;
  for (const auto& [key, value] : dict.items) {
    if (!key.is_text()) continue;
    if (keys.size() > 200) return keys + ", …";
    keys += (keys.empty() ? "" : ", ") + key.text();
  }
  return keys.empty() ? "" : "; keys: " + keys;
}

}  // namespace

Value element(const Value& object, const Value& key, Budget& budget) {
  budget.step();
  if (object.is(Kind::dict)) {
    const Value* found = object.dict().find(key, budget);
    if (!found)
      fail_expression("a dictionary has no key " + to_repr(key, budget) + keys_of(object.dict()),
                      "check the spelling of the key, and the file it was loaded from");
    return object.dotted() ? found->as_dotted() : *found;
  }
  const bool sequence = object.is(Kind::sequence) && object.sequence().kind != SequenceKind::set &&
                        object.sequence().kind != SequenceKind::iterator;
  if (!sequence && !object.is_text())
    fail_expression("a value of type " + type_name(object) + " has no elements that [ ] could select",
                    "check the type of the value before [ ]");
  if (!key.is_integer())
    fail_expression(
        "the index of a " + type_name(object) + " is a value of type " + type_name(key) + ", expected an integer",
        key.is(Kind::real) ? "write int(…) around it" : "give an integer");
  if (sequence) {
    const Values& items = object.sequence().items;
    const Value& found = items[position_in(key.integer(), items.size(), "a list")];
    return object.dotted() ? found.as_dotted() : found;
  }
  const auto offsets = character_offsets(object.text());
  budget.step(offsets.size());
  const std::size_t i = position_in(key.integer(), offsets.size() - 1, "a text");
  return object.text().substr(offsets[i], offsets[i + 1] - offsets[i]);
}

Value slice(const Value& object, const Value& start, const Value& stop, const Value& step, Budget& budget) {
  const auto bound = [](const Value& value, std::int64_t otherwise) {
    if (value.is(Kind::none)) return otherwise;
    if (!value.is_integer())
      fail_expression("a bound of [:] is a value of type " + type_name(value) + ", expected an integer");
    return value.integer();
  };
  if (!object.is_text() && !object.is(Kind::sequence))
    fail_expression("a value of type " + type_name(object) + " cannot be sliced by [:]", "give a list or a text");
  const Values items = iterate(object, budget);
  const auto size = static_cast<std::int64_t>(items.size());
  const std::int64_t by = bound(step, 1);
  if (by == 0) fail_expression("the step of a slice is zero", "give another step");
  const auto clamped = [&](std::int64_t at) {
    if (at < 0) at = std::max<std::int64_t>(at, -size - 1) + size;
    return by > 0 ? std::clamp<std::int64_t>(at, 0, size) : std::clamp<std::int64_t>(at, -1, size - 1);
  };
  const std::int64_t first = start.is(Kind::none) ? (by > 0 ? 0 : size - 1) : clamped(bound(start, 0));
  const std::int64_t last = stop.is(Kind::none) ? (by > 0 ? size : -1) : clamped(bound(stop, 0));
  Values chosen;
  for (std::int64_t i = first; by > 0 ? i < last : i > last;) {
    chosen.push_back(items[static_cast<std::size_t>(i)]);
    if (__builtin_add_overflow(i, by, &i)) break;
  }
  if (object.is(Kind::sequence))
    return make_sequence(object.sequence().kind == SequenceKind::tuple ? SequenceKind::tuple : SequenceKind::list,
                         std::move(chosen), budget);
  std::string text;
  for (const Value& c : chosen) text += c.text();
  return make_text(std::move(text), budget);
}

}  // namespace lissom::io::xacro
