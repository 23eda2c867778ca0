#include "lissom/io/xacro/interpreter.h"

#include <algorithm>
#include <cstdlib>

#include "lissom/io/xacro/operators.h"
#include "lissom/io/xacro/yaml.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

std::string message_of(const Call& call) {
  std::string text;
  for (const Value& value : call.positional) text += (text.empty() ? "" : " ") + to_str(value, call.budget);
  return printable(shortened(text, 400));
}

// Where a part of a text that begins with '$' ends: "${…}", "$(…)", "$$…{", or "$" and text.
std::size_t end_of_part(const std::string& text, std::size_t at) {
  const char next = at + 1 < text.size() ? text[at + 1] : '\0';
  if (next == '{' || next == '(') {
    const std::size_t close = text.find(next == '{' ? '}' : ')', at);
    if (close == std::string::npos)
      throw Failure("syntax", in_quotes(text.substr(at)) + " has no closing " + (next == '{' ? "}" : ")"),
                    "add it; write $$ for a dollar sign before a bracket");
    return close + 1;
  }
  if (next == '$') {
    const std::size_t bracket = text.find_first_not_of('$', at);
    if (bracket == std::string::npos || (text[bracket] != '{' && text[bracket] != '('))
      throw Failure("syntax", "several $ stand in a row in " + in_quotes(text.substr(at)), "write one of them");
    return bracket + 1;
  }
  return std::min(text.find_first_of("{($", at + 1), text.size());
}

}  // namespace

Interpreter::Interpreter(Files& files, std::map<std::string, std::string> arguments)
    : files_(files), arguments_(std::move(arguments)) {
  // Those that depend on no file are made once.
  static const Symbols math = math_symbols();
  static const auto math_library = std::make_shared<Library>("math", math);
  static const auto python_library = std::make_shared<Library>("python", python_symbols());
  Symbols symbols = math;
  const auto add_library = [&](const char* name, const std::shared_ptr<Library>& library) {
    symbols[name] = Value(std::static_pointer_cast<Names>(library));
  };
  // Functions that are found without the name of their library, too, but should not be used so.
  const auto deprecated = [&](const std::string& name, const std::string& library, const Value& function) {
    symbols[name] = make_function(name, [this, name, library, function](Call& call) {
      note_once("xacro-deprecated", name + "() is used without " + library + ".",
                "write " + library + "." + name + "(…)");
      return function.function().call(call);
    });
  };
  for (auto& [name, function] : global_python_symbols())
    if (name == "sorted" || name == "range")
      deprecated(name, "python", function);
    else
      symbols[name] = function;
  const Symbols own = xacro_symbols();
  for (const char* name : {"load_yaml", "abs_filename", "dotify"}) deprecated(name, "xacro", own.at(name));
  add_library("math", math_library);
  add_library("python", python_library);
  add_library("xacro", std::make_shared<Library>("xacro", own));
  globals_ = std::make_shared<Library>("", std::move(symbols));
}

Symbols Interpreter::xacro_symbols() {
  Symbols symbols;
  symbols["load_yaml"] = make_function("load_yaml", [this](Call& call) { return load_yaml(call); });
  symbols["tokenize"] = make_function("tokenize", tokenized);
  symbols["abs_filename"] = make_function("abs_filename", [this](Call& call) -> Value {
    expect_arguments(call, "abs_filename", 1, 1);
    return files_.resolve(text_argument(call, 0, "abs_filename"));
  });
  symbols["dotify"] = make_function("dotify", [](Call& call) {
    expect_arguments(call, "dotify", 1, 1);
    if (!call.positional[0].is(Kind::dict)) fail_expression("dotify() needs a dictionary");
    return call.positional[0].as_dotted();
  });
  symbols["arg"] = make_function("arg", [this](Call& call) -> Value {
    expect_arguments(call, "arg", 1, 1);
    return argument(text_argument(call, 0, "arg"));
  });
  const auto message = [&](const char* name, Severity severity, const char* code) {
    symbols[name] = make_function(name, [this, severity, code](Call& call) -> Value {
      say(severity, code, "the file says: " + message_of(call), "see the file; xacro goes on after this message");
      return "";
    });
  };
  message("message", Severity::note, "xacro-message");
  message("warning", Severity::warning, "xacro-warning");
  message("error", Severity::warning, "xacro-error");
  message("print_location", Severity::note, "xacro-message");
  symbols["fatal"] = make_function("fatal", [](Call& call) -> Value {
    throw Failure("fatal", "the file says: " + message_of(call),
                  "give the file what it asks for, as an argument NAME:=VALUE");
  });
  return symbols;
}

Value Interpreter::load_yaml(Call& call) {
  expect_arguments(call, "load_yaml", 1, 1);
  const std::string path = files_.resolve(text_argument(call, 0, "load_yaml"));
  const std::string text = files_.read(path, limits::yaml_bytes, "the YAML file");
  const int first_line = files_.add_source(path, text);
  files_.enter(path);
  try {
    const Value value =
        read_yaml(text, budget_, [&](const std::string& source) { return evaluate_source(source, *globals_); });
    files_.leave();
    return value.as_dotted();
  } catch (Failure& failure) {
    failure.set_line(first_line + failure.line() - 1);
    failure.append(" (loaded at " + files_.place(line_) + ")");
    throw;
  }
}

void Interpreter::say(Severity severity, const std::string& code, const std::string& message,
                      const std::string& remedy) {
  // A macro that is called a hundred times would say it a hundred times.
  if (severity != Severity::error && !said_.insert(code + std::to_string(line_) + message).second) return;
  findings_.add({severity, code, "", line_, "", message, remedy});
}

void Interpreter::note_once(const std::string& code, const std::string& message, const std::string& remedy) {
  if (said_.insert(code + message).second) say(Severity::note, code, message, remedy);
}

Value Interpreter::evaluate_text(const std::string& text, Scope& scope) {
  if (text.find('$') == std::string::npos) return text;
  const Deeper deeper(budget_);
  budget_.step();
  Value first;
  std::size_t count = 0;
  std::string joined;
  const auto add = [&](Value value) {
    if (count++ == 0) {
      first = std::move(value);
      return;
    }
    if (count == 2) joined = to_str(first, budget_);
    joined += to_str(value, budget_);
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('$', at), text.size());
    if (end == at) {
      end = end_of_part(text, at);
      const char next = at + 1 < text.size() ? text[at + 1] : '\0';
      if (next == '{')
        add(evaluate_expression(text.substr(at + 2, end - at - 3), scope));
      else if (next == '(')
        add(substitute(to_str(evaluate_text(text.substr(at + 2, end - at - 3), scope), budget_)));
      else
        add(text.substr(next == '$' ? at + 1 : at, end - at - (next == '$' ? 1 : 0)));
    } else {
      add(text.substr(at, end - at));
    }
    at = end;
  }
  return count <= 1 ? first : make_text(std::move(joined), budget_);
}

Value Interpreter::evaluate_expression(const std::string& text, Scope& scope) {
  try {
    return evaluate_source(to_str(evaluate_text(text, scope), budget_), scope);
  } catch (Failure& failure) {
    if (failure.message().find("${") == std::string::npos && failure.line() == 0)
      failure.append(", in " + in_quotes("${" + text + "}"));
    throw;
  }
}

Value Interpreter::evaluate_source(const std::string& source, Names& names) {
  auto found = parsed_.find(source);
  if (found == parsed_.end()) {
    budget_.take(source.size() * 64);  // about what its tree needs
    found = parsed_.emplace(source, parse_expression(source)).first;
  }
  const ExpressionPtr expression = found->second;  // evaluation may parse others
  return evaluate(expression, names, budget_);
}

std::string Interpreter::evaluate_to_string(const std::string& text, Scope& scope) {
  if (text.find('$') == std::string::npos) return text;
  std::string value = to_str(evaluate_text(text, scope), budget_);
  const auto control = std::ranges::find_if(
      value, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; });
  if (control != value.end())
    fail_expression(in_quotes(text) + " becomes a text with a control character, which XML cannot contain",
                    "remove it");
  return value;
}

bool Interpreter::evaluate_condition(const std::string& text, Scope& scope) {
  return to_condition(evaluate_text(text, scope), text, budget_);
}

const std::string& Interpreter::argument(const std::string& name) {
  known_arguments_.insert(name);
  const auto found = arguments_.find(name);
  if (found == arguments_.end())
    throw Failure("argument", "the argument " + in_quotes(name) + " is not defined",
                  "give it a value: " + name.substr(0, 60) +
                      ":=VALUE after the file, or a default: <xacro:arg name=\"" + name.substr(0, 60) +
                      "\" default=\"…\"/>");
  return found->second;
}

Value tokenized(Call& call) {
  const auto separators = take_named(call, "sep"), skip = take_named(call, "skip_empty");
  if (separators)
    call.positional.resize(std::max<std::size_t>(call.positional.size(), 1)), call.positional.push_back(*separators);
  expect_arguments(call, "tokenize", 1, 3);
  const std::string& text = text_argument(call, 0, "tokenize");
  const std::string any = call.positional.size() > 1 ? text_argument(call, 1, "tokenize") : ",; ";
  const bool skip_empty = truth(call.positional.size() > 2 ? call.positional[2] : skip.value_or(Value(true)));
  Values words;
  call.budget.step(text.size());
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(any, at), text.size());
    if (end > at || !skip_empty) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return make_list(std::move(words), call.budget);
}

}  // namespace lissom::io::xacro
