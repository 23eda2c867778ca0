#include "lissom/io/xacro/yaml.h"

#include <algorithm>
#include <unordered_map>

#include "lissom/io/xacro/token.h"
#include "lissom/io/xacro/yaml_cursor.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

// Anchor and tag of a node.
struct Properties {
  std::string anchor, tag;
};

class YamlReader {
 public:
  YamlReader(std::string_view text, Budget& budget, const std::function<Value(const std::string&)>& evaluate)
      : cursor_(text, budget), budget_(budget), evaluate_(evaluate) {}
  int line() const { return cursor_.line(); }

  Value document() {
    cursor_.skip_to_content();
    while (cursor_.peek() == '%' && cursor_.column() == 0) {
      cursor_.skip_line();
      cursor_.skip_to_content();
    }
    if (cursor_.at_marker("---")) {
      cursor_.skip(3);
      cursor_.skip_to_content();
    }
    Value value = cursor_.at_end() ? Value() : block(-1, false);
    cursor_.skip_to_content();
    if (cursor_.at_marker("---")) fail_yaml("the file has several documents", "keep one of them");
    if (cursor_.at_marker("...")) {
      cursor_.skip(3);
      cursor_.skip_to_content();
    }
    if (!cursor_.at_end()) fail_yaml("the file goes on after the value", "check the indentation of this line");
    return value;
  }

 private:
  // A node whose lines are indented more than `parent`; on the line of a key, only what fits there.
  Value block(int parent, bool after_key) {
    const Deeper deeper(budget_);
    const int start_line = cursor_.line();
    Properties properties = read_properties();
    if (cursor_.line() != start_line) after_key = false;
    if (cursor_.at_end() || cursor_.at_marker("---") || cursor_.at_marker("...") || !inside(parent, after_key))
      return finished(Value(), properties, true);
    const char c = cursor_.peek();
    if (c == '-' && cursor_.is_separated(1)) {
      if (after_key) fail_yaml("a list begins on the line of a key", "write the list on the next line");
      return finished(sequence(cursor_.column()), properties);
    }
    if (c == '?' && cursor_.is_separated(1)) fail_yaml("keys that begin with ? are not understood", "write KEY: VALUE");
    if (c == '|' || c == '>') return finished(Value(cursor_.block_scalar(parent)), properties);
    if (cursor_.is_key()) {
      if (after_key)
        fail_yaml("a second key stands on this line", "write it on the next line, indented, or quote the text");
      return finished(mapping(cursor_.column()), properties);
    }
    if (c == '[' || c == '{') return finished(flow(), properties);
    if (c == '*') return alias();
    if (c == '"' || c == '\'') return finished(Value(cursor_.quoted()), properties);
    return finished(make_text(cursor_.plain(parent), budget_), properties, true);
  }

  // Lists may stand at the indentation of their key.
  bool inside(int parent, bool after_key) const {
    if (after_key || cursor_.column() > parent) return true;
    return cursor_.column() == parent && in_mapping_ && cursor_.peek() == '-' && cursor_.is_separated(1);
  }

  Properties read_properties() {
    Properties properties;
    while (true) {
      const char c = cursor_.peek();
      if (c == '&' && properties.anchor.empty()) {
        properties.anchor = cursor_.word();
      } else if (c == '!' && properties.tag.empty()) {
        properties.tag = cursor_.word();
      } else {
        return properties;
      }
      cursor_.skip_to_content();
    }
  }

  // Gives a scalar its type, and remembers anchors. `untyped`: a scalar without quotes, or none at all.
  Value finished(Value value, const Properties& properties, bool untyped = false) {
    if (!properties.tag.empty())
      value = tagged(value, properties.tag);
    else if (untyped && value.is_text())
      value = yaml_scalar(value.text());
    if (!properties.anchor.empty()) anchors_[properties.anchor.substr(1)] = value;
    return value;
  }

  Value tagged(const Value& value, const std::string& tag) {
    struct Unit {
      const char* tag;
      double factor;
    };
    constexpr double degree = 3.14159265358979323846 / 180;
    static constexpr Unit units[] = {{"!radians", 1},         {"!degrees", degree}, {"!meters", 1},
                                     {"!millimeters", 0.001}, {"!foot", 0.3048},    {"!inches", 0.0254}};
    const auto* unit = std::ranges::find(units, tag, [](const Unit& u) { return std::string(u.tag); });
    if (unit != std::end(units)) {
      const Value number = value.is_text() ? evaluate_(value.text()) : value;
      double real = 0;
      if (number.is_number())
        real = number.real();
      else if (!number.is_text() || !parse_real(number.text(), real))
        fail_yaml("the value of " + tag + " is no number", "write a number or an expression");
      return real * unit->factor;
    }
    if (tag == "!!str" || tag == "!") return value.is(Kind::none) ? Value("") : value;
    if (tag == "!!map" || tag == "!!seq") return value;
    const Value typed = value.is_text() ? yaml_scalar(value.text()) : value;
    if (tag == "!!float" && typed.is_number()) return typed.real();
    if (tag == "!!float" && typed.is_text()) {
      double real = 0;
      if (parse_real(typed.text(), real)) return real;
    }
    if (tag == "!!int" && typed.is_integer()) return typed;
    if (tag == "!!bool" && typed.is(Kind::boolean)) return typed;
    if (tag == "!!null" && typed.is(Kind::none)) return typed;
    fail_yaml("the tag " + in_quotes(tag) + " is not understood here",
              "use !degrees, !radians, !meters, !millimeters, !foot or !inches");
  }

  Value alias() {
    const std::string name = cursor_.word().substr(1);
    const auto found = anchors_.find(name);
    if (found == anchors_.end())
      fail_yaml("the anchor " + in_quotes(name) + " is not defined", "define it before, as &" + name);
    return found->second;
  }

  Value sequence(int column) {
    Values items;
    const bool outer = std::exchange(in_mapping_, false);
    do {
      budget_.take(sizeof(Value));
      cursor_.skip(1);
      const int line = cursor_.line();
      cursor_.skip_to_content();
      const bool nested = cursor_.line() == line || cursor_.column() > column;
      items.push_back(nested && !cursor_.at_end() ? block(column, false) : Value());
      end_of_node();
    } while (cursor_.column() == column && cursor_.peek() == '-' && cursor_.is_separated(1) &&
             !cursor_.at_marker("---"));
    if (cursor_.column() > column && !cursor_.at_end()) fail_indentation();
    in_mapping_ = outer;
    return make_list(std::move(items), budget_);
  }

  Value mapping(int column) {
    Dict dict;
    std::vector<Value> merged;
    do {
      budget_.take(sizeof(Value));
      if (!cursor_.is_key()) fail_yaml("expected KEY: VALUE", "add the colon, or check the indentation");
      const Value key = scalar_key();
      const bool outer = std::exchange(in_mapping_, true);
      const Value value = block_after_key(column);
      in_mapping_ = outer;
      end_of_node();
      add_entry(key, value, dict, merged);
    } while (cursor_.column() == column && !cursor_.at_end() && !cursor_.at_marker("---") && !cursor_.at_marker("..."));
    if (cursor_.column() > column && !cursor_.at_end()) fail_indentation();
    return with_merged(std::move(dict), merged);
  }
  Value block_after_key(int column) {
    const int line = cursor_.line();
    cursor_.skip_to_content();
    return block(column, cursor_.line() == line);
  }
  Value scalar_key() {
    Value key;
    const char c = cursor_.peek();
    if (c == '"' || c == '\'')
      key = cursor_.quoted();
    else if (c == '*')
      key = alias();
    else
      key = yaml_scalar(cursor_.plain_key());
    cursor_.skip_blanks();
    if (cursor_.peek() != ':') fail_yaml("expected a colon after the key", "write KEY: VALUE");
    cursor_.skip(1);
    return key;
  }
  void add_entry(const Value& key, const Value& value, Dict& dict, std::vector<Value>& merged) {
    if (key.is_text() && key.text() == "<<") {
      if (value.is(Kind::sequence))
        for (const Value& each : value.sequence().items) merged.push_back(each);
      else
        merged.push_back(value);
      return;
    }
    dict.set(key, value, budget_);
  }
  // Entries of merged mappings come first, and yield to those of the mapping itself.
  Value with_merged(Dict own, const std::vector<Value>& merged) {
    if (merged.empty()) return make_dict(std::move(own), budget_);
    Dict all;
    for (auto from = merged.rbegin(); from != merged.rend(); ++from) {
      if (!from->is(Kind::dict)) fail_yaml("<< merges something that is no mapping", "give an alias of a mapping");
      for (const auto& [key, value] : from->dict().items) all.set(key, value, budget_);
    }
    for (const auto& [key, value] : own.items) all.set(key, value, budget_);
    return make_dict(std::move(all), budget_);
  }

  // [a, b] and {a: b}, over any number of lines.
  Value flow() {
    const Deeper deeper(budget_);
    const bool list = cursor_.peek() == '[';
    const char end = list ? ']' : '}';
    cursor_.skip(1);
    Values items;
    Dict dict;
    std::vector<Value> merged;
    while (true) {
      cursor_.skip_to_content();
      budget_.take(sizeof(Value));
      if (cursor_.at_end()) fail_yaml("a list or mapping has no end", std::string("add the missing ") + end);
      if (cursor_.peek() == end) break;
      if (cursor_.peek() == ',') fail_yaml("there is nothing between two commas", "remove one of them");
      const Value item = flow_value();
      cursor_.skip_to_content();
      if (cursor_.peek() == ':' && (list || !item.is(Kind::sequence))) {
        cursor_.skip(1);
        cursor_.skip_to_content();
        const bool nothing = cursor_.peek() == ',' || cursor_.peek() == end;
        const Value value = nothing ? Value() : flow_value();
        if (list) {
          Dict single;
          single.set(item, value, budget_);
          items.push_back(make_dict(std::move(single), budget_));
        } else {
          add_entry(item, value, dict, merged);
        }
        cursor_.skip_to_content();
      } else if (list) {
        items.push_back(item);
      } else {
        dict.set(item, Value(), budget_);
      }
      if (cursor_.peek() == ',')
        cursor_.skip(1);
      else if (!cursor_.at_end() && cursor_.peek() != end)
        fail_yaml("expected a comma or " + std::string(1, end), "separate the elements by commas");
    }
    cursor_.skip(1);
    return list ? make_list(std::move(items), budget_) : with_merged(std::move(dict), merged);
  }
  Value flow_value() {
    const Properties properties = read_properties();
    const char c = cursor_.peek();
    if (c == '[' || c == '{') return finished(flow(), properties);
    if (c == '*') return alias();
    if (c == '"' || c == '\'') return finished(Value(cursor_.quoted()), properties);
    return finished(make_text(cursor_.flow_plain(), budget_), properties, true);
  }

  void end_of_node() {
    cursor_.skip_blanks();
    if (!cursor_.at_line_end() && cursor_.peek() != '#' && !cursor_.at_fresh_line())
      fail_yaml("there is something after the value", "remove it, or quote the whole text");
    cursor_.skip_to_content();
  }
  [[noreturn]] static void fail_indentation() {
    fail_yaml("the line is indented differently from those before it", "align it with the lines it belongs to");
  }

  YamlCursor cursor_;
  Budget& budget_;
  const std::function<Value(const std::string&)>& evaluate_;
  std::unordered_map<std::string, Value> anchors_;
  bool in_mapping_ = false;
};

}  // namespace

Value read_yaml(std::string_view text, Budget& budget, const std::function<Value(const std::string&)>& evaluate) {
  YamlReader reader(text, budget, evaluate);
  try {
    return reader.document();
  } catch (Failure& failure) {
    failure.set_line(reader.line());
    throw;
  }
}

}  // namespace lissom::io::xacro
