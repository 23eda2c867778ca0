#include "lissom/io/write/left_out.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace lissom::io::write {
namespace {

// docs/convert.md has the same list; scripts/finding_codes compares them.
constexpr std::string_view left_out_codes[] = {"actuator-rotor",
                                               "attach-left-out",
                                               "collision-lost",
                                               "composite",
                                               "dynamics-several",
                                               "equality-distance",
                                               "equality-inactive",
                                               "equality-tendon",
                                               "extension-stale",
                                               "foreign-tag",
                                               "foreign-attribute",
                                               "geometry-missing",
                                               "geometry-unsupported",
                                               "height-map",
                                               "include-missing",
                                               "include-several",
                                               "loop-dynamics",
                                               "mesh-fit",
                                               "mesh-mass",
                                               "mesh-sheared",
                                               "not-read",
                                               "pair-visual",
                                               "path-outside",
                                               "several-models",
                                               "several-worlds",
                                               "static-joint",
                                               "static-scenery",
                                               "submesh",
                                               "tendon-spatial",
                                               "unknown-attribute",
                                               "unknown-tag"};

}  // namespace

std::vector<Diagnostic> left_out(const std::vector<Diagnostic>& findings) {
  std::vector<Diagnostic> found;
  std::ranges::copy_if(findings, std::back_inserter(found), [](const Diagnostic& d) {
    return d.severity != Severity::error && std::ranges::find(left_out_codes, d.code) != std::end(left_out_codes);
  });
  for (Diagnostic& d : found) {
    d.severity = Severity::warning;
    d.remedy = "it is not read, so it is not written";
  }
  return found;
}

}  // namespace lissom::io::write
