#pragma once
// Collects findings. Of each kind (severity and code) only so many are kept, so that a file cannot need memory without
// bound by being wrong; the others are counted. Not installed.
#include <map>
#include <utility>

#include "lissom/model/diagnostic.h"
#include "lissom/model/limits.h"

namespace lissom {

class DiagnosticList {
 public:
  // Whether a further finding of this kind is only counted.
  bool is_full(Severity severity, const std::string& code) const {
    const auto kind = kinds_.find({severity, code});
    return kind != kinds_.end() && kind->second.count >= limits::diagnostics_per_code;
  }
  void add(Diagnostic diagnostic) {
    any_error_ = any_error_ || diagnostic.severity == Severity::error;
    auto& kind = kinds_[{diagnostic.severity, diagnostic.code}];
    if (++kind.count > limits::diagnostics_per_code) return;
    kind.last = found_.size();
    found_.push_back(std::move(diagnostic));
  }
  bool any_error() const { return any_error_; }
  std::size_t size() const { return found_.size(); }
  Diagnostic& operator[](std::size_t i) { return found_[i]; }

  // All findings; where some were only counted, "and 17 more" follows the last of their kind.
  std::vector<Diagnostic> take() {
    for (const auto& [kind, counted] : kinds_) {
      if (counted.count <= limits::diagnostics_per_code) continue;
      Diagnostic more = found_[counted.last];
      more.subject.clear();
      more.message = "and " + std::to_string(counted.count - limits::diagnostics_per_code) + " more of this kind";
      found_.push_back(std::move(more));
    }
    kinds_.clear();
    return std::move(found_);
  }

 private:
  struct Counted {
    std::size_t count = 0, last = 0;
  };
  std::vector<Diagnostic> found_;
  std::map<std::pair<Severity, std::string>, Counted> kinds_;
  bool any_error_ = false;
};

}  // namespace lissom
