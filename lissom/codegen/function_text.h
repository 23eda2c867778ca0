#pragma once
// What functions in C and in C++ have in common: parameters, parts, comments. Not installed.
#include <string>
#include <vector>

#include "lissom/codegen/body_writer.h"
#include "lissom/codegen/emit.h"

namespace lissom::codegen {

struct FunctionText {
  const Program& program;
  const Schedule order;
  const Layout layout;
  BodyWriter writer;
  const std::string type, restricted;

  FunctionText(const Program& p, const EmitOptions& options, const WriterOptions& writer_options,
               const std::string& value_type, const std::string& restrict_word);
  int parts() const { return int(layout.parts.size()); }
  bool has_angles() const { return !layout.angles.empty(); }
  std::string name_of_part(int part) const;
  /// What the function computes, its inputs and outputs.
  std::vector<std::string> comment() const;
  /// The parameters of the function, or of one of its parts.
  std::string parameters(bool of_part) const;
  std::string arguments() const;
  /// Statements that mention the parameters that a part does not use, so that compilers do not warn.
  std::string unused(const std::string& statements) const;
};

std::string indented(const std::vector<std::string>& lines);
/// Whether statements read or write an element of an array of this name.
bool mentions(const std::string& statements, const std::string& array);
std::string upper_case(std::string text);

}  // namespace lissom::codegen
