// $(find …), $(arg …), $(env …), $(eval …) and so on.
#include <cstdlib>
#include <filesystem>

#include "lissom/io/xacro/interpreter.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

// What $(eval …) sees: arguments, as numbers where they read like numbers, and all of math and Python.
class EvalNames : public Names {
 public:
  EvalNames(const std::map<std::string, std::string>& arguments, std::set<std::string>& used)
      : arguments_(arguments), used_(used) {}
  bool find(const std::string& name, Value& value) override {
    static const Symbols symbols = known();
    if (const auto symbol = symbols.find(name); symbol != symbols.end()) return value = symbol->second, true;
    const auto argument = arguments_.find(name);
    if (argument == arguments_.end()) return false;
    used_.insert(name);
    value = converted(argument->second);
    return true;
  }
  std::string suggestion(const std::string& name) const override {
    return "declare it as an argument: <xacro:arg name=\"" + name.substr(0, 60) + "\" default=\"…\"/>";
  }

 private:
  static Value converted(const std::string& text) {
    std::int64_t integer = 0;
    double real = 0;
    if (text.find('.') == std::string::npos ? parse_integer(text, integer) : parse_real(text, real))
      return text.find('.') == std::string::npos ? Value(integer) : Value(real);
    if (same_but_for_case(text, "true")) return true;
    if (same_but_for_case(text, "false")) return false;
    return text;
  }
  static Symbols known() {
    Symbols symbols = python_symbols();
    symbols.merge(math_symbols());
    symbols["true"] = true;
    symbols["false"] = false;
    return symbols;
  }
  const std::map<std::string, std::string>& arguments_;
  std::set<std::string>& used_;
};

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = text.find_first_not_of(' ', at);
    if (start == std::string::npos) break;
    at = std::min(text.find(' ', start), text.size());
    words.push_back(text.substr(start, at - start));
  }
  return words;
}

}  // namespace

std::string Interpreter::substitute(const std::string& command) {
  budget_.step();
  if (command.starts_with("eval ")) {
    const std::string source = command.substr(5);
    if (source.find("__") != std::string::npos)
      throw Failure("syntax", "$(eval …) has two underscores in a row", "choose another name");
    const auto names = std::make_shared<EvalNames>(arguments_, known_arguments_);
    return to_str(evaluate_source(source, *names), budget_);
  }
  const auto words = words_of(command);
  const auto expect_words = [&](std::size_t min, std::size_t max) {
    if (words.size() - 1 < min || words.size() - 1 > max)
      throw Failure("substitution",
                    in_quotes("$(" + command + ")") + " has " + counted(words.size() - 1, "argument") + ", expected " +
                        std::to_string(min),
                    "write $(" + words[0] + (min > 0 ? " NAME)" : ")"));
  };
  if (words.empty()) return "$(" + command + ")";
  if (command.find_first_of("$(") != std::string::npos)
    throw Failure("substitution", in_quotes("$(" + command + ")") + " has brackets inside", "divide it by a property");
  if (words[0] == "arg") {
    expect_words(1, 1);
    return argument(words[1]);
  }
  if (words[0] == "find") {
    expect_words(1, 1);
    return files_.find_package(words[1]);
  }
  if (words[0] == "dirname") {
    expect_words(0, 0);
    return files_.directory().string();
  }
  if (words[0] == "cwd") {
    expect_words(0, 0);
    std::error_code failed;
    return std::filesystem::current_path(failed).string();
  }
  return substitute_environment(command, words);
}

std::string Interpreter::substitute_environment(const std::string& command,
                                                const std::vector<std::string>& words) const {
  if (words[0] != "env" && words[0] != "optenv")
    throw Failure(
        "substitution", in_quotes("$(" + command + ")") + " is unknown",
        "use $(arg NAME), $(find PACKAGE), $(env NAME), $(optenv NAME DEFAULT), $(dirname), $(cwd) or $(eval …)");
  if (words.size() < 2 || (words[0] == "env" && words.size() > 2))
    throw Failure("substitution", in_quotes("$(" + command + ")") + " does not name one variable", "write $(env NAME)");
  if (const char* value = std::getenv(words[1].c_str())) return value;
  if (words[0] == "env")
    throw Failure("environment", "the environment variable " + in_quotes(words[1]) + " is not set",
                  "set it, or write $(optenv " + words[1].substr(0, 60) + " DEFAULT)");
  std::string otherwise;
  for (std::size_t i = 2; i < words.size(); ++i) otherwise += (i > 2 ? " " : "") + words[i];
  return otherwise;
}

}  // namespace lissom::io::xacro
