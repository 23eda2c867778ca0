#pragma once
// Evaluates the texts of a xacro file: ${expressions} and $(substitutions). Not installed.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lissom/io/xacro/expression.h"
#include "lissom/io/xacro/files.h"
#include "lissom/io/xacro/scope.h"
#include "lissom/model/diagnostic_list.h"

namespace lissom::io::xacro {

class Interpreter final : public TextEvaluator {
 public:
  Interpreter(Files& files, std::map<std::string, std::string> arguments);

  Value evaluate_text(const std::string& text, Scope& scope) override;
  std::string evaluate_to_string(const std::string& text, Scope& scope);
  bool evaluate_condition(const std::string& text, Scope& scope);

  Budget& budget() override { return budget_; }
  int exchange_line(int line) override { return std::exchange(line_, line); }
  int line() const { return line_; }
  void set_line(int line) { line_ = line; }

  void warn(const std::string& code, const std::string& message, const std::string& remedy) override {
    say(Severity::warning, code, message, remedy);
  }
  void say(Severity severity, const std::string& code, const std::string& message, const std::string& remedy);
  // Says it once for each message.
  void note_once(const std::string& code, const std::string& message, const std::string& remedy);
  std::vector<Diagnostic> take_findings() { return findings_.take(); }

  const Library& globals() const { return *globals_; }
  // $(arg NAME), with the defaults of <xacro:arg>.
  std::map<std::string, std::string>& arguments() { return arguments_; }
  // Names of arguments that a file has declared or used.
  std::set<std::string>& known_arguments() { return known_arguments_; }
  Files& files() { return files_; }

 private:
  Value evaluate_expression(const std::string& text, Scope& scope);
  Value evaluate_source(const std::string& source, Names& names);
  std::string substitute(const std::string& command);
  std::string substitute_environment(const std::string& command, const std::vector<std::string>& words) const;
  const std::string& argument(const std::string& name);
  Symbols xacro_symbols();
  Value load_yaml(Call& call);

  Files& files_;
  std::map<std::string, std::string> arguments_;
  std::set<std::string> known_arguments_;
  Budget budget_;
  std::shared_ptr<Library> globals_;
  std::unordered_map<std::string, ExpressionPtr> parsed_;
  DiagnosticList findings_;
  std::set<std::string> said_;
  int line_ = 0;
};

// Words of a text, divided at any of the characters.
Value tokenized(Call& call);

}  // namespace lissom::io::xacro
