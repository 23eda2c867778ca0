#pragma once
// Properties and where they are seen: global ones, those of macros, those of includes with a namespace. Not installed.
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lissom/io/xacro/functions.h"
#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {

class Scope;

// What scopes need of the expansion.
class TextEvaluator {
 public:
  virtual ~TextEvaluator() = default;
  // The text with ${…} and $(…) replaced; a value of any type if it is nothing else.
  virtual Value evaluate_text(const std::string& text, Scope& scope) = 0;
  virtual void warn(const std::string& code, const std::string& message, const std::string& remedy) = 0;
  virtual Budget& budget() = 0;
  // The line that findings are about; returns the former one.
  virtual int exchange_line(int line) = 0;

 protected:
  TextEvaluator() = default;
  TextEvaluator(const TextEvaluator&) = default;
  TextEvaluator& operator=(const TextEvaluator&) = default;
};

// A namespace of functions and constants: math, python, xacro.
class Library : public Names {
 public:
  Library(std::string name, Symbols symbols) : name_(std::move(name)), symbols_(std::move(symbols)) {}
  bool find(const std::string& name, Value& value) override;
  std::string suggestion(const std::string& name) const override;
  const Symbols& symbols() const { return symbols_; }

 private:
  std::string name_;
  Symbols symbols_;
};

// A property that was written as text is evaluated when it is first used, with the properties of its own scope.
class Scope : public Names {
 public:
  enum class Kind { properties, names };  // of a macro or the file; of an include with ns="…"
  Scope(TextEvaluator& texts, const Library& globals, std::shared_ptr<Scope> parent, Kind kind)
      : texts_(texts), globals_(globals), parent_(std::move(parent)), kind_(kind) {}

  bool find(const std::string& name, Value& value) override;
  std::string suggestion(const std::string& name) const override;
  bool has(const std::string& name) const;
  // A text is taken as a number or a boolean if it reads like one; otherwise it is evaluated later if `lazy`.
  void set(const std::string& name, Value value, bool lazy, int line);
  // Here and in all scopes around.
  void erase(const std::string& name);

  Kind kind() const { return kind_; }
  std::shared_ptr<Scope> parent() const { return parent_.lock(); }
  // The outermost one, of the file.
  Scope& top();

 private:
  struct Entry {
    Value value;
    bool lazy = false, resolving = false;
    int line = 0;
  };
  void resolve(const std::string& name, Entry& entry);

  TextEvaluator& texts_;
  const Library& globals_;
  std::weak_ptr<Scope> parent_;  // scopes are stored in those around
  Kind kind_;
  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::string> resolving_;  // properties that need each other
};

// 'text' without its quotes, a number, a boolean, or the text itself.
Value literal(const Value& value);
// true, false, or an integer, as a text; any other value as Python sees it. Fails for other texts.
bool to_condition(const Value& value, const std::string& written, Budget& budget);

// Names of Python that xacro knows without "python.".
Symbols global_python_symbols();

}  // namespace lissom::io::xacro
