// Methods of texts, lists, dictionaries and numbers.
#include <algorithm>
#include <cmath>

#include "lissom/io/xacro/functions.h"
#include "lissom/io/xacro/operators.h"
#include "lissom/io/xacro/token.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

using Text = const std::string&;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_letter(char c) {
  return is_upper(c) || is_lower(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}
bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
char to_upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 32) : c;
}
char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c + 32) : c;
}

// Letters of ASCII; others stay as they are.
std::string change_case(Text text, const std::string& how) {
  std::string out = text;
  bool inside = false;  // of a word
  for (std::size_t i = 0; i < out.size(); ++i) {
    char& c = out[i];
    if (how == "upper")
      c = to_upper(c);
    else if (how == "lower" || how == "casefold")
      c = to_lower(c);
    else if (how == "capitalize")
      c = i == 0 ? to_upper(c) : to_lower(c);
    else if (how == "swapcase")
      c = is_upper(c) ? to_lower(c) : to_upper(c);
    else
      c = inside ? to_lower(c) : to_upper(c);
    inside = is_letter(c);
  }
  return out;
}

bool satisfies(Text text, const std::string& test) {
  const auto all = [&](auto accepts) { return !text.empty() && std::ranges::all_of(text, accepts); };
  if (test == "isdigit" || test == "isnumeric" || test == "isdecimal") return all(is_decimal);
  if (test == "isalpha") return all(is_letter);
  if (test == "isalnum") return all([](char c) { return is_letter(c) || is_decimal(c); });
  if (test == "isspace") return all(is_white);
  if (test == "isupper") return std::ranges::any_of(text, is_upper) && std::ranges::none_of(text, is_lower);
  if (test == "islower") return std::ranges::any_of(text, is_lower) && std::ranges::none_of(text, is_upper);
  return is_identifier(text) || is_keyword(text);  // isidentifier
}

std::string strip(Text text, const Call& call, const std::string& how) {
  expect_arguments(call, how, 0, 1);
  const bool given = !call.positional.empty() && !call.positional[0].is(Kind::none);
  const std::string characters = given ? text_argument(call, 0, how) : std::string(" \t\n\r\f\v");
  std::size_t first = 0, last = text.size();
  const auto stripped_away = [&](char c) { return characters.find(c) != std::string::npos; };
  while (how != "rstrip" && first < last && stripped_away(text[first])) ++first;
  while (how != "lstrip" && last > first && stripped_away(text[last - 1])) --last;
  return text.substr(first, last - first);
}

Values split_at_blanks(Text text, std::int64_t max_count) {
  Values parts;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && is_white(text[at])) ++at;
    if (at == text.size()) return parts;
    if (max_count >= 0 && static_cast<std::int64_t>(parts.size()) == max_count) {
      std::size_t end = text.size();
      while (is_white(text[end - 1])) --end;
      parts.emplace_back(text.substr(at, end - at));
      return parts;
    }
    const std::size_t start = at;
    while (at < text.size() && !is_white(text[at])) ++at;
    parts.emplace_back(text.substr(start, at - start));
  }
}

Value split(Text text, Call& call, bool from_right) {
  const auto named = take_named(call, "maxsplit");
  if (const auto separator = take_named(call, "sep")) call.positional.insert(call.positional.begin(), *separator);
  expect_arguments(call, "split", 0, 2);
  call.budget.step(text.size());
  if (named && call.positional.empty()) call.positional.emplace_back();
  if (named) call.positional.push_back(*named);
  const std::int64_t max_count = call.positional.size() > 1 ? integer_argument(call, 1, "split") : -1;
  if (call.positional.empty() || call.positional[0].is(Kind::none)) {
    if (from_right && max_count >= 0) fail_expression("rsplit() without a separator takes no count");
    return make_list(split_at_blanks(text, max_count), call.budget);
  }
  Text separator = text_argument(call, 0, "split");
  if (separator.empty()) fail_expression("the separator of split() is empty");
  Values parts;
  std::size_t first = 0, last = text.size();
  for (std::int64_t i = 0; max_count < 0 || i < max_count; ++i) {
    if (from_right) {
      const std::size_t at =
          last < separator.size() ? std::string::npos : text.rfind(separator, last - separator.size());
      if (at == std::string::npos) break;
      parts.emplace_back(text.substr(at + separator.size(), last - at - separator.size()));
      last = at;
    } else {
      const std::size_t at = text.find(separator, first);
      if (at == std::string::npos) break;
      parts.emplace_back(text.substr(first, at - first));
      first = at + separator.size();
    }
  }
  parts.emplace_back(text.substr(first, last - first));
  if (from_right) std::ranges::reverse(parts);
  return make_list(std::move(parts), call.budget);
}

Value join(Text separator, const Call& call) {
  expect_arguments(call, "join", 1, 1);
  const Values items = iterate(call.positional[0], call.budget);
  for (const Value& item : items) {
    if (!item.is_text())
      fail_expression("join() has a value of type " + type_name(item) + ", expected texts",
                      "write map(str, …) around the list");
    call.budget.take(item.text().size() + separator.size());
  }
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "" : separator) + items[i].text();
  return out;
}

Value replace(Text text, const Call& call) {
  expect_arguments(call, "replace", 2, 3);
  Text from = text_argument(call, 0, "replace"), to = text_argument(call, 1, "replace");
  std::int64_t left = call.positional.size() > 2 ? integer_argument(call, 2, "replace") : -1;
  std::string out;
  std::size_t at = 0;
  const auto put = [&](std::size_t end) {
    call.budget.take(end - at + to.size());
    call.budget.step();
    out.append(text, at, end - at);
    out += to;
  };
  if (from.empty()) {
    for (; at <= text.size() && left != 0; --left) {
      put(at);
      if (at == text.size()) return out;
      out += text[at++];
    }
    return out.append(text, at);
  }
  for (; left != 0; --left) {
    const std::size_t found = text.find(from, at);
    if (found == std::string::npos) break;
    put(found);
    at = found + from.size();
  }
  call.budget.take(text.size() - at);
  return out.append(text, at);
}

Value has_affix(Text text, const Call& call, const std::string& how) {
  expect_arguments(call, how, 1, 1);
  const Value& wanted = call.positional[0];
  const Values any = wanted.is(Kind::sequence) ? wanted.sequence().items : Values{wanted};
  return std::ranges::any_of(any, [&](const Value& affix) {
    if (!affix.is_text()) fail_expression(how + "() needs a text");
    return how == "startswith" ? text.starts_with(affix.text()) : text.ends_with(affix.text());
  });
}

Value find_in(Text text, const Call& call, const std::string& how) {
  expect_arguments(call, how, 1, 2);
  Text wanted = text_argument(call, 0, how);
  const auto offsets = character_offsets(text);
  std::int64_t start = call.positional.size() > 1 ? integer_argument(call, 1, how) : 0;
  if (start < 0) start = std::max<std::int64_t>(start + static_cast<std::int64_t>(offsets.size()) - 1, 0);
  const std::size_t from = offsets[std::min(static_cast<std::size_t>(start), offsets.size() - 1)];
  if (how == "count") {
    std::int64_t count = 0;
    if (wanted.empty()) return static_cast<std::int64_t>(offsets.size());
    for (std::size_t at = text.find(wanted, from); at != std::string::npos; at = text.find(wanted, at + wanted.size()))
      ++count;
    return count;
  }
  const std::size_t at = how[0] == 'r' ? text.rfind(wanted) : text.find(wanted, from);
  if (at == std::string::npos || at < from) {
    if (how.ends_with("index")) fail_expression(how + "() does not find " + in_quotes(wanted));
    return -1;
  }
  return static_cast<std::int64_t>(std::ranges::lower_bound(offsets, at) - offsets.begin());
}

// ljust, rjust, center and zfill, in terms of a format.
Value pad(Text text, const Call& call, const std::string& how) {
  expect_arguments(call, how, 1, how == "zfill" ? 1 : 2);
  const std::int64_t width = integer_argument(call, 0, how);
  const auto length = static_cast<std::int64_t>(character_offsets(text).size()) - 1;
  const std::string fill = how == "zfill" ? "0" : call.positional.size() > 1 ? text_argument(call, 1, how) : " ";
  if (width <= length) return text;
  const auto missing = static_cast<std::size_t>(width - length);
  call.budget.take(std::min(missing, limits::xacro_bytes + 1) * std::max<std::size_t>(fill.size(), 1));
  const auto times = [&](std::size_t count) {
    std::string out;
    while (count-- > 0) out += fill;
    return out;
  };
  if (how == "ljust") return text + times(missing);
  if (how == "rjust") return times(missing) + text;
  if (how == "center") {
    const std::size_t left = missing / 2 + (missing & static_cast<std::size_t>(width) & 1);
    return times(left) + text + times(missing - left);
  }
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return text.substr(0, sign) + times(missing) + text.substr(sign);
}

Value partition(Text text, const Call& call, bool from_right) {
  expect_arguments(call, "partition", 1, 1);
  Text separator = text_argument(call, 0, "partition");
  const std::size_t at = from_right ? text.rfind(separator) : text.find(separator);
  if (at == std::string::npos)
    return from_right ? make_tuple({"", "", text}, call.budget) : make_tuple({text, "", ""}, call.budget);
  return make_tuple({text.substr(0, at), separator, text.substr(at + separator.size())}, call.budget);
}

Value without_affix(Text text, const Call& call, const std::string& how) {
  expect_arguments(call, how, 1, 1);
  Text affix = text_argument(call, 0, how);
  if (how == "removeprefix") return text.starts_with(affix) ? text.substr(affix.size()) : text;
  return text.ends_with(affix) ? text.substr(0, text.size() - affix.size()) : text;
}

Value split_lines(Text text, const Call& call) {
  expect_arguments(call, "splitlines", 0, 0);
  Values lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  return make_list(std::move(lines), call.budget);
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

bool call_sequence_method(const std::string& name, const Value& object, Call& call, Value& result) {
  const Values& items = object.sequence().items;
  if (name == "index" || name == "count") {
    expect_arguments(call, name, 1, 1);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!equal(items[i], call.positional[0], call.budget)) continue;
      if (name == "index") return result = static_cast<std::int64_t>(i), true;
      ++count;
    }
    if (name == "index") fail_expression("index() does not find " + to_repr(call.positional[0], call.budget));
    return result = count, true;
  }
  if (name == "copy") return result = object, true;
  if (object.sequence().kind != SequenceKind::set || !is_one_of(name, {"union", "intersection", "difference"}))
    return false;
  expect_arguments(call, name, 1, 1);
  const char* symbol = name == "union" ? "|" : name == "intersection" ? "&" : "-";
  result = apply_binary(symbol, object, make_set(iterate(call.positional[0], call.budget), call.budget), call.budget);
  return true;
}

}  // namespace

bool call_text_method(const std::string& name, const std::string& text, Call& call, Value& result) {
  call.budget.step(text.size() / 16 + 1);
  call.budget.take(text.size());
  if (name == "format") {
    result = make_text(format_braces(text, call), call.budget);
  } else if (is_one_of(name, {"lower", "upper", "capitalize", "title", "swapcase", "casefold"})) {
    expect_arguments(call, name, 0, 0);
    result = change_case(text, name);
  } else if (name.starts_with("is") && is_one_of(name, {"isdigit", "isnumeric", "isdecimal", "isalpha", "isalnum",
                                                        "isspace", "isupper", "islower", "isidentifier"})) {
    expect_arguments(call, name, 0, 0);
    result = satisfies(text, name);
  } else if (is_one_of(name, {"strip", "lstrip", "rstrip"})) {
    result = strip(text, call, name);
  } else if (name == "split" || name == "rsplit") {
    result = split(text, call, name == "rsplit");
  } else if (name == "join") {
    result = join(text, call);
  } else if (name == "replace") {
    result = replace(text, call);
  } else if (name == "startswith" || name == "endswith") {
    result = has_affix(text, call, name);
  } else if (is_one_of(name, {"find", "rfind", "index", "rindex", "count"})) {
    result = find_in(text, call, name);
  } else if (is_one_of(name, {"ljust", "rjust", "center", "zfill"})) {
    result = pad(text, call, name);
  } else if (name == "partition" || name == "rpartition") {
    result = partition(text, call, name == "rpartition");
  } else if (name == "removeprefix" || name == "removesuffix") {
    result = without_affix(text, call, name);
  } else if (name == "splitlines") {
    result = split_lines(text, call);
  } else {
    return false;
  }
  return true;
}

bool call_container_method(const std::string& name, const Value& object, Call& call, Value& result) {
  if (object.is(Kind::sequence)) return call_sequence_method(name, object, call, result);
  if (object.is(Kind::real) && name == "is_integer")
    return result = std::isfinite(object.real()) && object.real() == std::floor(object.real()), true;
  if (!object.is(Kind::dict)) return false;
  const auto& entries = object.dict().items;
  if (name == "get") {
    expect_arguments(call, "get", 1, 2);
    const Value* found = object.dict().find(call.positional[0], call.budget);
    result = found ? *found : call.positional.size() > 1 ? call.positional[1] : Value();
    return true;
  }
  if (name == "copy") return result = Value(std::make_shared<const Dict>(object.dict())), true;
  if (!is_one_of(name, {"keys", "values", "items"})) return false;
  expect_arguments(call, name, 0, 0);
  call.budget.step(entries.size());
  Values items;
  for (const auto& [key, value] : entries)
    items.push_back(name == "keys" ? key : name == "values" ? value : make_tuple({key, value}, call.budget));
  result = make_list(std::move(items), call.budget);
  return true;
}

}  // namespace lissom::io::xacro
