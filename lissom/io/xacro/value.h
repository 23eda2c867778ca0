#pragma once
// Values of expressions, with the meaning that Python gives them. They never change, so that they can be shared, and
// cannot contain themselves. Not installed.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "lissom/io/xacro/budget.h"

namespace lissom::io::xacro {

struct None {};
struct Sequence;
struct Dict;
struct Function;
class Names;  // a namespace: math, xacro, or that of an include
struct Node;  // an XML element: a block

class Value {
 public:
  using Data = std::variant<None, bool, std::int64_t, double, std::shared_ptr<const std::string>,
                            std::shared_ptr<const Sequence>, std::shared_ptr<const Dict>,
                            std::shared_ptr<const Function>, std::shared_ptr<Names>, std::shared_ptr<const Node>>;
  // In the order of Data.
  enum class Kind { none, boolean, integer, real, text, sequence, dict, function, names, block };

  Value() = default;
  Value(bool value) : data_(value) {}
  Value(std::int64_t value) : data_(value) {}
  Value(int value) : data_(std::int64_t{value}) {}
  Value(double value) : data_(value) {}
  Value(std::string text) : data_(std::make_shared<const std::string>(std::move(text))) {}
  Value(std::string_view text) : Value(std::string(text)) {}
  Value(const char* text) : Value(std::string(text)) {}
  Value(std::shared_ptr<const Sequence> sequence, bool dotted = false) : data_(std::move(sequence)), dotted_(dotted) {}
  Value(std::shared_ptr<const Dict> dict, bool dotted = false) : data_(std::move(dict)), dotted_(dotted) {}
  Value(std::shared_ptr<const Function> function) : data_(std::move(function)) {}
  Value(std::shared_ptr<Names> names) : data_(std::move(names)) {}
  Value(std::shared_ptr<const Node> block) : data_(std::move(block)) {}

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is(Kind wanted) const { return kind() == wanted; }
  bool is_text() const { return is(Kind::text); }
  // Python's booleans are integers, too.
  bool is_integer() const { return is(Kind::integer) || is(Kind::boolean); }
  bool is_number() const { return is_integer() || is(Kind::real); }

  bool boolean() const { return std::get<bool>(data_); }
  std::int64_t integer() const { return is(Kind::boolean) ? boolean() : std::get<std::int64_t>(data_); }
  // Any number is real.
  double real() const { return is(Kind::real) ? std::get<double>(data_) : static_cast<double>(integer()); }
  const std::string& text() const { return *std::get<std::shared_ptr<const std::string>>(data_); }
  const Sequence& sequence() const { return *std::get<std::shared_ptr<const Sequence>>(data_); }
  const Dict& dict() const { return *std::get<std::shared_ptr<const Dict>>(data_); }
  const Function& function() const { return *std::get<std::shared_ptr<const Function>>(data_); }
  const std::shared_ptr<Names>& names() const { return std::get<std::shared_ptr<Names>>(data_); }
  const std::shared_ptr<const Node>& block() const { return std::get<std::shared_ptr<const Node>>(data_); }

  // Whether entries of a dictionary are attributes, also in the dictionaries inside: those of YAML files are.
  bool dotted() const { return dotted_; }
  Value as_dotted() const;

 private:
  Data data_;
  bool dotted_ = false;
};

using Kind = Value::Kind;
using Values = std::vector<Value>;

// What is made of a text or an iterable, and how its elements were found.
enum class SequenceKind { list, tuple, set, range, iterator };
struct Sequence {
  SequenceKind kind = SequenceKind::list;
  Values items;
  int depth = 1;      // of sequences and dictionaries inside, with itself
  std::string shown;  // how a range is written
};

// Entries in the order in which they were added.
struct Dict {
  std::vector<std::pair<Value, Value>> items;
  int depth = 1;
  const Value* find(const Value& key, Budget& budget) const;
  // Replaces the entry of an equal key.
  void set(const Value& key, Value value, Budget& budget);

 private:
  std::size_t position(const Value& key, Budget& budget) const;  // in items; their number if there is none
  std::unordered_multimap<std::size_t, std::size_t> index_;
};

// The arguments of a call.
struct Call {
  Budget& budget;
  Values positional;
  std::vector<std::pair<std::string, Value>> named;
};
struct Function {
  std::string name;
  std::function<Value(Call&)> call;
};

// Variables that an expression sees.
class Names : public std::enable_shared_from_this<Names> {
 public:
  virtual ~Names() = default;
  virtual bool find(const std::string& name, Value& value) = 0;
  // For messages: similar names, and where else the name is known.
  virtual std::string suggestion(const std::string& name) const = 0;

 protected:
  Names() = default;
  Names(const Names&) = default;
  Names& operator=(const Names&) = default;
};

// All of these count what they make, and refuse nesting without bound.
Value make_sequence(SequenceKind kind, Values items, Budget& budget);
Value make_list(Values items, Budget& budget);
Value make_tuple(Values items, Budget& budget);
Value make_set(Values items, Budget& budget);  // without duplicates
Value make_dict(Dict dict, Budget& budget);
Value make_text(std::string text, Budget& budget);
Value make_function(std::string name, std::function<Value(Call&)> call);

// "int", "str", "list", … as in Python.
std::string type_name(const Value& value);
bool truth(const Value& value);
bool equal(const Value& a, const Value& b, Budget& budget);
// -1, 0, 1; 2 if one of them is not a number (NaN). Fails for types that have no order.
int compare(const Value& a, const Value& b, Budget& budget);
std::size_t hash(const Value& value, Budget& budget);  // fails for lists and dictionaries
// The elements of a list, a dictionary's keys, a text's characters.
Values iterate(const Value& value, Budget& budget);

// As Python's str() and repr().
std::string to_str(const Value& value, Budget& budget);
std::string to_repr(const Value& value, Budget& budget);
std::string to_repr(double number);

// int(), float() of a text, as Python parses it: blanks around it, signs, "inf", "nan". False if it is no number.
bool parse_integer(std::string_view text, std::int64_t& number);
bool parse_real(std::string_view text, double& number);
std::string_view stripped(std::string_view text);

// Characters of UTF-8: the offset of each, and the end.
std::vector<std::size_t> character_offsets(std::string_view text);

}  // namespace lissom::io::xacro
