#include <algorithm>
#include <array>

#include "lissom/io/xacro/expression.h"
#include "lissom/io/xacro/token.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

using Form = Expression::Kind;

class Parser {
 public:
  Parser(std::string_view text, int depth) : tokens_(tokenize(text)), depth_(depth) {}

  ExpressionPtr whole() {
    if (is_end()) fail_syntax("the expression is empty", "write a value or a name between the braces");
    ExpressionPtr result = list_of_tests();
    if (!is_end()) fail_syntax("there is an unexpected " + shown() + " in the expression");
    return result;
  }

 private:
  // Counts nested parts, which are parsed by recursion.
  struct Level {
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > limits::xacro_expression_depth) too_deep();
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Parser& parser_;
  };
  [[noreturn]] static void too_deep() {
    throw Failure("limit",
                  "the expression is nested more than " + std::to_string(limits::xacro_expression_depth) + " deep",
                  "divide it into several properties");
  }

  const Token& token() const { return tokens_[at_]; }
  bool is_end() const { return token().kind == Token::Kind::end; }
  bool is_symbol(std::string_view symbol) const {
    return token().kind == Token::Kind::symbol && token().text == symbol;
  }
  bool is_word(std::string_view word) const { return token().kind == Token::Kind::name && token().text == word; }
  bool accept(std::string_view symbol) {
    if (!is_symbol(symbol) && !(is_keyword(symbol) && is_word(symbol))) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail_syntax("expected " + in_quotes(symbol) + ", found " + shown());
  }
  std::string shown() const {
    if (is_end()) return "the end of the expression";
    if (token().kind == Token::Kind::text) return "a text in quotes";
    return in_quotes(token().text);
  }

  static ExpressionPtr make(Form kind, std::string text, std::vector<ExpressionPtr> children,
                            std::vector<std::string> words = {}, std::vector<ForClause> clauses = {}) {
    auto made = std::make_shared<Expression>();
    const auto include = [&](const ExpressionPtr& child) {
      if (child) made->depth = std::max(made->depth, child->depth + 1);
    };
    std::ranges::for_each(children, include);
    for (const ForClause& clause : clauses) {
      include(clause.iterable);
      include(clause.target);
      std::ranges::for_each(clause.conditions, include);
    }
    if (made->depth > limits::xacro_expression_depth) too_deep();
    made->kind = kind;
    made->text = std::move(text);
    made->children = std::move(children);
    made->words = std::move(words);
    made->clauses = std::move(clauses);
    return made;
  }

  // a, b, … without parentheses is a tuple.
  ExpressionPtr list_of_tests() {
    ExpressionPtr first = starred_or_test();
    if (!is_symbol(",")) {
      if (first->kind == Form::starred) fail_syntax("a * stands before a value outside of a list");
      return first;
    }
    std::vector<ExpressionPtr> items{std::move(first)};
    while (accept(","))
      if (begins_test()) items.push_back(starred_or_test());
    return make(Form::sequence, "tuple", std::move(items));
  }
  bool begins_test() const {
    if (is_end()) return false;
    return token().kind != Token::Kind::symbol ||
           std::ranges::any_of(std::array{"(", "[", "{", "+", "-", "~", "*"}, [&](auto s) { return is_symbol(s); });
  }
  ExpressionPtr starred_or_test() {
    if (accept("*")) return make(Form::starred, {}, {binary(0)});
    return test();
  }

  ExpressionPtr test() {
    const Level level(*this);
    if (accept("lambda")) return lambda();
    ExpressionPtr value = logical("or");
    if (is_symbol(":=")) fail_syntax("assignments (:=) are not understood", "use a property");
    if (!accept("if")) return value;
    ExpressionPtr condition = logical("or");
    expect("else");
    return make(Form::conditional, {}, {std::move(condition), std::move(value), test()});
  }

  ExpressionPtr lambda() {
    std::vector<std::string> names;
    std::vector<ExpressionPtr> children{nullptr};
    while (!is_symbol(":")) {
      if (token().kind != Token::Kind::name || is_keyword(token().text))
        fail_syntax("expected the name of a parameter after lambda, found " + shown());
      names.push_back(token().text);
      ++at_;
      if (accept("="))
        children.push_back(test());
      else if (children.size() > 1)
        fail_syntax("a parameter without a default follows one with a default");
      if (!accept(",")) break;
    }
    expect(":");
    children[0] = test();
    return make(Form::lambda, {}, std::move(children), std::move(names));
  }

  ExpressionPtr logical(std::string_view word) {
    const auto part = [&] { return word == "or" ? logical("and") : inversion(); };
    ExpressionPtr first = part();
    if (!is_word(word)) return first;
    std::vector<ExpressionPtr> parts{std::move(first)};
    while (accept(word)) parts.push_back(part());
    return make(Form::logical, std::string(word), std::move(parts));
  }
  ExpressionPtr inversion() {
    if (!accept("not")) return comparison();
    const Level level(*this);
    return make(Form::unary, "not", {inversion()});
  }

  std::string comparison_operator() {
    for (const char* symbol : {"<", ">", "==", "!=", "<=", ">="})
      if (accept(symbol)) return symbol;
    if (accept("in")) return "in";
    if (accept("is")) return accept("not") ? "is not" : "is";
    if (is_word("not") && tokens_[at_ + 1].kind == Token::Kind::name && tokens_[at_ + 1].text == "in") {
      at_ += 2;
      return "not in";
    }
    return {};
  }
  ExpressionPtr comparison() {
    std::vector<ExpressionPtr> operands{binary(0)};
    std::vector<std::string> operators;
    for (std::string found = comparison_operator(); !found.empty(); found = comparison_operator()) {
      operators.push_back(std::move(found));
      operands.push_back(binary(0));
    }
    if (operators.empty()) return operands[0];
    return make(Form::comparison, {}, std::move(operands), std::move(operators));
  }

  // Operators that associate to the left, from the weakest to the strongest.
  ExpressionPtr binary(std::size_t strength) {
    static const std::vector<std::string> levels[] = {{"|"},        {"^"},      {"&"},
                                                      {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}};
    if (strength == std::size(levels)) return unary();
    std::vector<ExpressionPtr> operands{binary(strength + 1)};
    std::vector<std::string> operators;
    const auto known = [&] {
      return token().kind == Token::Kind::symbol &&
             std::ranges::find(levels[strength], token().text) != levels[strength].end();
    };
    while (known()) {
      operators.push_back(token().text);
      ++at_;
      operands.push_back(binary(strength + 1));
    }
    if (operators.empty()) return operands[0];
    return make(Form::binary, {}, std::move(operands), std::move(operators));
  }
  ExpressionPtr unary() {
    for (const char* symbol : {"-", "+", "~"})
      if (accept(symbol)) {
        const Level level(*this);
        return make(Form::unary, symbol, {unary()});
      }
    ExpressionPtr base = primary();
    if (!accept("**")) return base;
    const Level level(*this);
    return make(Form::power, {}, {std::move(base), unary()});
  }

  ExpressionPtr primary() {
    ExpressionPtr value = atom();
    while (true) {
      if (accept(".")) {
        if (token().kind != Token::Kind::name) fail_syntax("expected a name after '.', found " + shown());
        check_name(token().text);
        value = make(Form::attribute, token().text, {std::move(value)});
        ++at_;
      } else if (accept("(")) {
        value = call(std::move(value));
      } else if (accept("[")) {
        value = subscript(std::move(value));
      } else {
        return value;
      }
    }
  }
  static void check_name(const std::string& name) {
    if (name.starts_with("__"))
      throw Failure("name", "the name " + in_quotes(name) + " is not allowed: it begins with two underscores",
                    "choose another name");
  }

  ExpressionPtr call(ExpressionPtr callee) {
    std::vector<ExpressionPtr> children{std::move(callee)};
    std::vector<std::string> words;
    while (!accept(")")) {
      const bool named = token().kind == Token::Kind::name && tokens_[at_ + 1].kind == Token::Kind::symbol &&
                         tokens_[at_ + 1].text == "=";
      if (named) {
        words.push_back(token().text);
        at_ += 2;
      } else {
        words.emplace_back(accept("**") ? "**" : accept("*") ? "*" : "");
        if (words.back().empty() && std::ranges::any_of(words, [](const auto& w) { return !w.empty() && w != "*"; }))
          fail_syntax("an argument without a name follows one with a name");
      }
      ExpressionPtr argument = test();
      if (!named && (is_word("for") || is_word("async"))) argument = comprehension("generator", {std::move(argument)});
      children.push_back(std::move(argument));
      if (!is_symbol(")")) expect(",");
    }
    return make(Form::call, {}, std::move(children), std::move(words));
  }

  ExpressionPtr subscript(ExpressionPtr object) {
    ExpressionPtr first = is_symbol(":") ? nullptr : list_of_tests();
    if (is_symbol(":")) {
      std::vector<ExpressionPtr> parts{std::move(first), nullptr, nullptr};
      for (std::size_t i = 1; i < 3 && accept(":"); ++i)
        if (!is_symbol(":") && !is_symbol("]")) parts[i] = test();
      first = make(Form::slice, {}, std::move(parts));
    }
    expect("]");
    return make(Form::subscript, {}, {std::move(object), std::move(first)});
  }

  ExpressionPtr atom() {
    const Token& found = token();
    if (found.kind == Token::Kind::number) return ++at_, make_constant(found.value);
    if (found.kind == Token::Kind::text || found.kind == Token::Kind::format) return texts();
    if (accept("(")) return parenthesized();
    if (accept("[")) return display("list", "]");
    if (accept("{")) return braces();
    if (found.kind != Token::Kind::name) fail_syntax("expected a value or a name, found " + shown());
    if (found.text == "None") return ++at_, make_constant(Value());
    if (found.text == "True" || found.text == "False") return ++at_, make_constant(Value(found.text == "True"));
    if (is_keyword(found.text)) fail_syntax("expected a value or a name, found the keyword " + shown());
    check_name(found.text);
    ++at_;
    return make(Form::name, found.text, {});
  }

  // Texts that follow each other are one.
  ExpressionPtr texts() {
    std::vector<ExpressionPtr> parts;
    bool formats = false;
    std::string joined;
    for (; token().kind == Token::Kind::text || token().kind == Token::Kind::format; ++at_) {
      if (token().kind == Token::Kind::text) {
        joined += token().value.text();
        parts.push_back(make_constant(token().value));
      } else {
        formats = true;
        parts.push_back(parse_format(token().text, depth_));
      }
    }
    return formats ? make(Form::format, {}, std::move(parts)) : make_constant(Value(joined));
  }

  ExpressionPtr parenthesized() {
    if (accept(")")) return make(Form::sequence, "tuple", {});
    ExpressionPtr inside = list_of_tests();
    if (is_word("for")) inside = comprehension("generator", {std::move(inside)});
    expect(")");
    return inside;
  }
  ExpressionPtr display(const char* kind, const char* end, ExpressionPtr first = nullptr) {
    std::vector<ExpressionPtr> items;
    if (first) items.push_back(std::move(first));
    while (!is_symbol(end)) {
      if (!items.empty()) {
        if (is_word("for") && items.size() == 1) {
          ExpressionPtr made = comprehension(kind, std::move(items));
          expect(end);
          return made;
        }
        expect(",");
        if (is_symbol(end)) break;
      }
      items.push_back(starred_or_test());
    }
    expect(end);
    return make(Form::sequence, kind, std::move(items));
  }
  ExpressionPtr braces() {
    if (accept("}")) return make(Form::dict, {}, {});
    std::vector<ExpressionPtr> entries;
    while (!accept("}")) {
      if (!entries.empty()) {
        expect(",");
        if (accept("}")) break;
      }
      if (accept("**")) {
        entries.push_back(nullptr);
        entries.push_back(binary(0));
        continue;
      }
      ExpressionPtr key = starred_or_test();
      if (entries.empty() && !is_symbol(":")) return display("set", "}", std::move(key));
      expect(":");
      entries.push_back(std::move(key));
      entries.push_back(test());
      if (entries.size() == 2 && is_word("for")) {
        ExpressionPtr made = comprehension("dict", std::move(entries));
        expect("}");
        return made;
      }
    }
    return make(Form::dict, {}, std::move(entries));
  }

  ExpressionPtr comprehension(const char* kind, std::vector<ExpressionPtr> element) {
    std::vector<ForClause> clauses;
    while (accept("for")) {
      ForClause clause;
      clause.target = target();
      expect("in");
      clause.iterable = logical("or");
      while (accept("if")) clause.conditions.push_back(logical("or"));
      clauses.push_back(std::move(clause));
    }
    return make(Form::comprehension, kind, std::move(element), {}, std::move(clauses));
  }
  ExpressionPtr target() {
    const auto one = [&]() -> ExpressionPtr {
      const Level level(*this);
      if (accept("(")) {
        ExpressionPtr inside = target();
        expect(")");
        return inside;
      }
      if (token().kind != Token::Kind::name || is_keyword(token().text))
        fail_syntax("expected the name of a variable after for, found " + shown());
      check_name(token().text);
      return make(Form::name, tokens_[at_++].text, {});
    };
    ExpressionPtr first = one();
    if (!is_symbol(",")) return first;
    std::vector<ExpressionPtr> items{std::move(first)};
    while (accept(","))
      if (!is_word("in") && !is_symbol(")")) items.push_back(one());
    return make(Form::sequence, "tuple", std::move(items));
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

ExpressionPtr make_constant(Value value) {
  auto made = std::make_shared<Expression>();
  made->value = std::move(value);
  return made;
}

ExpressionPtr parse_expression(std::string_view text, int depth) {
  if (text.size() > limits::xacro_expression_bytes)
    throw Failure("limit",
                  "the expression is longer than " + std::to_string(limits::xacro_expression_bytes) + " characters",
                  "divide it into several properties");
  return Parser(stripped(text), depth).whole();
}

}  // namespace lissom::io::xacro
