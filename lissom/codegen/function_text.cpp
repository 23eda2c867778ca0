#include "lissom/codegen/function_text.h"

namespace lissom::codegen {

FunctionText::FunctionText(const Program& p, const EmitOptions& options, const WriterOptions& writer_options,
                           const std::string& value_type, const std::string& restrict_word)
    : program(p),
      order(schedule(p)),
      layout(p, order, {.operations_per_part = options.operations_per_function}),
      writer(p, order, layout, writer_options),
      type(value_type),
      restricted(restrict_word) {}

std::string FunctionText::name_of_part(int part) const {
  return program.algorithm + "_" + (parts() == 1 ? "body" : std::to_string(part + 1));
}

std::vector<std::string> FunctionText::comment() const {
  std::vector<std::string> lines = {program.meaning + "."};
  for (const auto* fields : {&program.inputs, &program.outputs})
    for (const auto& field : *fields)
      lines.push_back((fields == &program.inputs ? "  in   " : "  out  ") + field.name + "[" +
                      std::to_string(field.count) + "]: " + field.meaning);
  return lines;
}

std::string FunctionText::parameters(bool of_part) const {
  std::string s;
  for (const auto& field : program.inputs)
    s += (s.empty() ? "const " : ", const ") + type + "* " + restricted + " " + field.name;
  if (of_part && has_angles()) s += ", const " + type + "* sn, const " + type + "* cs";
  if (of_part && layout.slots > 0) s += ", " + type + "* " + restricted + " w";
  for (const auto& field : program.outputs) s += ", " + type + "* " + restricted + " " + field.name;
  return s;
}

std::string FunctionText::arguments() const {
  std::string s;
  for (const auto& field : program.inputs) s += (s.empty() ? "" : ", ") + field.name;
  if (has_angles()) s += ", sn, cs";
  if (layout.slots > 0) s += ", w";
  for (const auto& field : program.outputs) s += ", " + field.name;
  return s;
}

std::string FunctionText::unused(const std::string& statements) const {
  std::vector<std::string> names;
  for (const auto* fields : {&program.inputs, &program.outputs})
    for (const auto& field : *fields) names.push_back(field.name);
  if (has_angles()) names.insert(names.end(), {"sn", "cs"});
  if (layout.slots > 0) names.push_back("w");
  std::string s;
  for (const auto& name : names)
    if (!mentions(statements, name)) s += "  (void)" + name + ";\n";
  return s;
}

std::string indented(const std::vector<std::string>& lines) {
  std::string s;
  for (const auto& line : lines) s += "  " + line + "\n";
  return s;
}

bool mentions(const std::string& statements, const std::string& array) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto sought = array + "[";
  for (auto at = statements.find(sought); at != std::string::npos; at = statements.find(sought, at + 1))
    if (at == 0 || !letter(statements[at - 1])) return true;
  return false;
}

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return text;
}

}  // namespace lissom::codegen
