#include "check_loops.h"

#include <algorithm>

#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/io/loops_file.h"
#include "lissom/model/validate.h"

using lissom::Diagnostic;
using lissom::Error;
using lissom::Severity;

namespace {

bool has_error(const std::vector<Diagnostic>& findings) {
  return std::ranges::any_of(findings, [](const Diagnostic& d) { return d.severity == Severity::error; });
}

// Whether the loops can be closed, and move.
void check_motion(const lissom::Model& model, const std::string& file, std::vector<Diagnostic>& findings) {
  const auto add = [&](Severity severity, const char* code, const std::string& message, const char* remedy) {
    findings.push_back({severity, code, file, 0, "loops", message, remedy});
  };
  lissom::Workspace work(model);
  lissom::ClosedLoops loops(model);
  Eigen::VectorXd q = initial_configuration(model);
  try {
    if (loops.assemble(model, work, q) > 0)
      add(Severity::note, "loops-straight", "they cannot be closed from q = 0 itself, only from other configurations",
          "start from a configuration that chooses the branch");
  } catch (const Error& error) {
    add(Severity::warning, "loops-open", error.what(),
        "start from another configuration, or correct the frames and lengths");
    return;
  }
  if (const auto why = loops.rigid_because(model, work, q); !why.empty())
    add(Severity::error, "loops-rigid", why, "change a length, or remove the joints that cannot move");
}

}  // namespace

std::vector<Diagnostic> check_loops(lissom::Description description, const std::string& loops_file) {
  std::vector<Diagnostic> findings;
  if (has_error(validate(description))) return findings;
  try {
    lissom::io::read_loops(loops_file, description);
    for (auto& finding : validate(description))
      if (finding.subject.starts_with("loop ") || finding.subject.starts_with("coupling ") ||
          finding.subject.starts_with("spring "))
        findings.push_back(std::move(finding));
    if (!has_error(findings)) check_motion(lissom::build(description), loops_file, findings);
  } catch (const Error& error) {
    findings.push_back({Severity::error, "loops-file", loops_file, 0, "loops", error.what(), "correct the file"});
  }
  return findings;
}
