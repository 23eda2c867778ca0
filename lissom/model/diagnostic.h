#pragma once
// Diagnostics, the findings of the readers and of validate() about a model, and Error, the one exception type of the
// library.
#include <stdexcept>
#include <string>
#include <vector>

namespace lissom {

/// How bad a finding is.
enum class Severity {
  note,     ///< information; nothing needs to be corrected
  warning,  ///< the model loads, but is probably not what its author meant
  error     ///< the model cannot be used
};

/// One finding about a model.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;     ///< stable, kebab-case, for programs: "inertia-triangle"
  std::string file;     ///< empty if the model does not come from a file
  int line = 0;         ///< 0 if unknown
  std::string subject;  ///< "link 'left_foot'", "joint 'knee'"
  std::string message;  ///< what was found, and what was expected
  std::string remedy;   ///< what to do about it
};

/// "robot.urdf:17: warning: link 'foot': … [inertia-triangle]\n    remedy: …"
std::string to_string(const Diagnostic& diagnostic);
/// All of them, in the order of the first of each code; of several findings of one code (and file and severity) only
/// the first is written in full, and a line says how many more there are, and where.
std::string to_grouped_string(const std::vector<Diagnostic>& diagnostics);
const char* to_string(Severity severity);

/// Thrown by every public function that cannot do what it was asked to do. The message names the file and line or the
/// argument, what was found, what was expected and what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  explicit Error(std::vector<Diagnostic> diagnostics);
  /// The diagnostics that the message was made of, if any; errors come first.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace lissom
