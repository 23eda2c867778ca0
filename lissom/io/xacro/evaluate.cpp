#include <algorithm>

#include "lissom/io/xacro/expression.h"
#include "lissom/io/xacro/operators.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

using Form = Expression::Kind;
using Locals = std::vector<std::pair<std::string, Value>>;

class Evaluator {
 public:
  Evaluator(Names& names, Budget& budget, Locals locals) : names_(names), budget_(budget), locals_(std::move(locals)) {}

  Value value(const ExpressionPtr& at) {
    if (!at) return {};
    const Deeper deeper(budget_);
    budget_.step();
    const Expression& e = *at;
    switch (e.kind) {
      case Form::constant:
        return e.value;
      case Form::name:
        return name(e.text);
      case Form::attribute:
        return attribute(value(e.children[0]), e.text, budget_);
      case Form::subscript:
        return subscript(e);
      case Form::call:
        return call(e);
      case Form::unary:
        return apply_unary(e.text, value(e.children[0]));
      case Form::binary:
        return binary(e);
      case Form::power: {
        const Value base = value(e.children[0]);
        return power(base, value(e.children[1]));
      }
      case Form::comparison:
        return comparison(e);
      case Form::logical:
        return logical(e);
      case Form::conditional:
        return value(e.children[truth(value(e.children[0])) ? 1 : 2]);
      case Form::sequence:
        return sequence(e);
      case Form::dict:
        return dict(e);
      case Form::comprehension:
        return comprehension(e);
      case Form::lambda:
        return lambda(at);
      case Form::format:
        return format(e);
      case Form::replacement:
        return replacement(e);
      case Form::slice:
      case Form::starred:
        break;
    }
    fail_expression("a part of the expression has no meaning here");
  }

 private:
  Value name(const std::string& wanted) {
    const auto local =
        std::find_if(locals_.rbegin(), locals_.rend(), [&](const auto& entry) { return entry.first == wanted; });
    if (local != locals_.rend()) return local->second;
    Value found;
    if (names_.find(wanted, found)) return found;
    throw Failure("name", "the name " + in_quotes(wanted) + " is not defined", names_.suggestion(wanted));
  }

  Value subscript(const Expression& e) {
    const Value object = value(e.children[0]);
    const Expression& inside = *e.children[1];
    if (inside.kind != Form::slice) return element(object, value(e.children[1]), budget_);
    const Value start = value(inside.children[0]), stop = value(inside.children[1]);
    return slice(object, start, stop, value(inside.children[2]), budget_);
  }

  Value binary(const Expression& e) {
    Value result = value(e.children[0]);
    for (std::size_t i = 0; i < e.words.size(); ++i)
      result = apply_binary(e.words[i], result, value(e.children[i + 1]), budget_);
    return result;
  }

  Value comparison(const Expression& e) {
    Value left = value(e.children[0]);
    for (std::size_t i = 0; i < e.words.size(); ++i) {
      Value right = value(e.children[i + 1]);
      if (!apply_comparison(e.words[i], left, right, budget_)) return false;
      left = std::move(right);
    }
    return true;
  }

  Value logical(const Expression& e) {
    Value result;
    for (const ExpressionPtr& child : e.children) {
      result = value(child);
      if (truth(result) == (e.text == "or")) return result;
    }
    return result;
  }

  Values items(const std::vector<ExpressionPtr>& children) {
    Values out;
    for (const ExpressionPtr& child : children) {
      if (child->kind != Form::starred) {
        out.push_back(value(child));
        continue;
      }
      Values more = iterate(value(child->children[0]), budget_);
      out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return out;
  }

  Value made(const std::string& kind, Values values) {
    if (kind == "set") return make_set(std::move(values), budget_);
    const auto as = kind == "list"    ? SequenceKind::list
                    : kind == "tuple" ? SequenceKind::tuple
                                      : SequenceKind::iterator;
    return make_sequence(as, std::move(values), budget_);
  }

  Value sequence(const Expression& e) { return made(e.text, items(e.children)); }

  Value dict(const Expression& e) {
    Dict out;
    for (std::size_t i = 0; i < e.children.size(); i += 2) {
      const Value entry = value(e.children[i + 1]);
      if (e.children[i])
        out.set(value(e.children[i]), entry, budget_);
      else
        merge(entry, out);
    }
    return make_dict(std::move(out), budget_);
  }
  void merge(const Value& from, Dict& into) {
    if (!from.is(Value::Kind::dict))
      fail_expression("** stands before a value of type " + type_name(from) + ", expected dict");
    for (const auto& [key, entry] : from.dict().items) into.set(key, entry, budget_);
    budget_.step(from.dict().items.size());
  }

  Value call(const Expression& e) {
    const Value callee = value(e.children[0]);
    if (!callee.is(Value::Kind::function))
      fail_expression("a value of type " + type_name(callee) + " is called like a function",
                      "remove the parentheses, or write * to multiply");
    Call arguments{budget_, {}, {}};
    for (std::size_t i = 0; i < e.words.size(); ++i) {
      Value argument = value(e.children[i + 1]);
      if (e.words[i].empty()) {
        arguments.positional.push_back(std::move(argument));
      } else if (e.words[i] == "*") {
        for (Value& item : iterate(argument, budget_)) arguments.positional.push_back(std::move(item));
      } else if (e.words[i] == "**") {
        Dict more;
        merge(argument, more);
        for (const auto& [key, entry] : more.items) arguments.named.emplace_back(to_str(key, budget_), entry);
      } else {
        arguments.named.emplace_back(e.words[i], std::move(argument));
      }
    }
    const Deeper deeper(budget_);
    return callee.function().call(arguments);
  }

  Value comprehension(const Expression& e) {
    const std::size_t outer = locals_.size();
    Values values;
    Dict entries;
    run_clause(e, 0, values, entries);
    locals_.resize(outer);
    return e.text == "dict" ? make_dict(std::move(entries), budget_) : made(e.text, std::move(values));
  }
  void run_clause(const Expression& e, std::size_t index, Values& values, Dict& entries) {
    const Deeper deeper(budget_);
    if (index == e.clauses.size()) {
      budget_.take(sizeof(Value));
      if (e.text != "dict") return values.push_back(value(e.children[0]));
      const Value key = value(e.children[0]);
      return entries.set(key, value(e.children[1]), budget_);
    }
    const ForClause& clause = e.clauses[index];
    const std::size_t outer = locals_.size();
    for (const Value& item : iterate(value(clause.iterable), budget_)) {
      locals_.resize(outer);
      assign(*clause.target, item);
      const bool kept =
          std::ranges::all_of(clause.conditions, [&](const auto& condition) { return truth(value(condition)); });
      if (kept) run_clause(e, index + 1, values, entries);
    }
    locals_.resize(outer);
  }
  void assign(const Expression& target, const Value& item) {
    if (target.kind == Form::name) {
      locals_.emplace_back(target.text, item);
      return;
    }
    const Values parts = iterate(item, budget_);
    if (parts.size() != target.children.size())
      fail_expression("expected " + counted(target.children.size(), "value") + " for the variables after for, found " +
                      std::to_string(parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) assign(*target.children[i], parts[i]);
  }

  // A function keeps the values that its local variables have now, and looks up others when it is called.
  Value lambda(const ExpressionPtr& at) {
    Values defaults;
    for (std::size_t i = 1; i < at->children.size(); ++i) defaults.push_back(value(at->children[i]));
    return make_function("<lambda>", [at, defaults, locals = locals_, weak = names_.weak_from_this()](Call& call) {
      const auto names = weak.lock();
      if (!names) fail_expression("a function is called after the macro that made it has ended", "use a macro instead");
      Locals inner = locals;
      const std::size_t count = at->words.size();
      if (call.positional.size() > count)
        fail_expression("a function of " + counted(count, "parameter") + " is called with " +
                        counted(call.positional.size(), "argument"));
      for (std::size_t i = 0; i < count; ++i) {
        const auto named = std::ranges::find(call.named, at->words[i], &std::pair<std::string, Value>::first);
        if (i < call.positional.size())
          inner.emplace_back(at->words[i], call.positional[i]);
        else if (named != call.named.end())
          inner.emplace_back(at->words[i], named->second);
        else if (i + defaults.size() >= count)
          inner.emplace_back(at->words[i], defaults[i + defaults.size() - count]);
        else
          fail_expression("a function is called without its parameter " + in_quotes(at->words[i]));
      }
      call.budget.step(inner.size());
      return Evaluator(*names, call.budget, std::move(inner)).value(at->children[0]);
    });
  }

  Value format(const Expression& e) {
    std::string text;
    for (const ExpressionPtr& child : e.children) text += to_str(value(child), budget_);
    return make_text(std::move(text), budget_);
  }
  Value replacement(const Expression& e) {
    Value inside = value(e.children[0]);
    if (!e.text.empty()) inside = e.text == "r" ? to_repr(inside, budget_) : to_str(inside, budget_);
    const std::string specification = e.children.size() > 1 ? to_str(value(e.children[1]), budget_) : "";
    return format_value(inside, specification, budget_);
  }

  Names& names_;
  Budget& budget_;
  Locals locals_;
};

}  // namespace

Value evaluate(const ExpressionPtr& expression, Names& names, Budget& budget) {
  return Evaluator(names, budget, {}).value(expression);
}

}  // namespace lissom::io::xacro
