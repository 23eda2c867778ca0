#pragma once
// What the readers and the builder have to say about a model: one Diagnostic per oddity, and the one exception of the
// library.
#include <stdexcept>
#include <string>
#include <vector>

namespace lissom {

enum class Severity {
  note,     // worth knowing, nothing to mend
  warning,  // the model loads, but probably does not mean what its author thinks
  error     // the model cannot be used as it is
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;     // stable, kebab-case, for programs: "inertia-triangle"
  std::string file;     // empty where the model does not come from a file
  int line = 0;         // 0 where unknown
  std::string subject;  // "link 'left_foot'", "joint 'knee'"
  std::string message;  // what was found, and what was expected
  std::string remedy;   // what to do about it
};

// "robot.urdf:17: warning: link 'foot': … [inertia-triangle]\n    remedy: …"
std::string to_string(const Diagnostic& diagnostic);
const char* to_string(Severity severity);

// Thrown by every public entry of the library that cannot do what it was asked to: names the file and line or the
// argument, what was found, what was expected and what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  explicit Error(std::vector<Diagnostic> diagnostics);
  // The findings behind the message, where there are any; the errors come first.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace lissom
