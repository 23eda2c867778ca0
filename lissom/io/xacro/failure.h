#pragma once
// What ends the expansion of a xacro file: thrown inside this folder, and reported as a diagnostic by expand(). Not
// installed.
#include <exception>
#include <string>
#include <utility>

namespace lissom::io::xacro {

class Failure : public std::exception {
 public:
  // `code` without "xacro-".
  Failure(std::string code, std::string message, std::string remedy)
      : code_("xacro-" + std::move(code)), message_(std::move(message)), remedy_(std::move(remedy)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& remedy() const { return remedy_; }
  // 0: where the element is.
  int line() const { return line_; }
  void set_line(int line) { line_ = line; }
  // The message becomes that of a larger whole.
  void append(const std::string& where) { message_ += where; }

 private:
  std::string code_, message_, remedy_;
  int line_ = 0;
};

// An expression that cannot be evaluated: wrong types, division by zero, an index out of range.
[[noreturn]] inline void fail_expression(std::string message, std::string remedy = "correct the expression") {
  throw Failure("expression", std::move(message), std::move(remedy));
}

}  // namespace lissom::io::xacro
