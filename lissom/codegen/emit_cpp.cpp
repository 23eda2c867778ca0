// One header of C++17 for a robot: each algorithm a function template over the scalar, which may be a vector type of
// GCC and clang. Long ones are divided into functions of their own, in the namespace detail.
#include <string_view>

#include "lissom/codegen/emit.h"
#include "lissom/codegen/emit_support.h"
#include "lissom/model/diagnostic.h"

namespace lissom::codegen {
namespace {

std::string upper(std::string s) {
  for (char& c : s)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return s;
}

class CppFunction {
 public:
  CppFunction(const Program& program, const EmitOptions& options)
      : program_(program),
        order_(schedule(program)),
        layout_(program, order_, {.operations_per_part = options.operations_per_function}),
        writer_(program, order_, layout_, {}),
        has_angles_(!layout_.angles.empty()) {}

  std::string text() {
    const int parts = int(layout_.parts.size());
    const auto angles = writer_.angles();
    std::string details = "namespace detail {\n\n", body;
    for (int k = 0; k < parts; ++k) details += part(k, parts > 1);
    details += "}  // namespace detail\n\n";
    for (const auto& line : comment()) body += "/// " + line + "\n";
    body += "template <class T>\nvoid " + program_.algorithm + "(" + parameters(false) + ") {\n";
    if (has_angles_) {
      const auto n = std::to_string(layout_.angles.size());
      body += "  constexpr int angles = detail::padded<T>(" + n + ");\n";
      body += "  T angle[angles] = {}, sn[angles], cs[angles];\n";
    }
    if (layout_.slots > 0) body += "  T w[" + std::to_string(layout_.slots) + "];\n";
    std::string statements;
    for (const auto& line : angles) statements += "  " + line + "\n";
    if (statements.find("K(") != std::string::npos) body += "  using K = detail::Number<T>;\n";
    body += statements;
    if (has_angles_) body += "  detail::sincos_of_all<T, angles>(angle, sn, cs);\n";
    for (int k = 0; k < parts; ++k) body += "  detail::" + function(k) + "<T>(" + arguments() + ");\n";
    return details + body + "}\n\n";
  }

 private:
  std::string function(int part) const {
    return program_.algorithm + "_" + (layout_.parts.size() == 1 ? "body" : std::to_string(part + 1));
  }
  std::vector<std::string> comment() const {
    std::vector<std::string> lines = {program_.meaning + "."};
    for (const auto* fields : {&program_.inputs, &program_.outputs})
      for (const auto& field : *fields)
        lines.push_back((fields == &program_.inputs ? "  in   " : "  out  ") + field.name + "[" +
                        std::to_string(field.count) + "]: " + field.meaning);
    return lines;
  }
  std::string parameters(bool of_part) const {
    std::string s;
    for (const auto& field : program_.inputs)
      s += (s.empty() ? "" : ", ") + std::string("const T* LISSOM_GENERATED_RESTRICT ") + field.name;
    if (of_part && has_angles_) s += ", const T* sn, const T* cs";
    if (of_part && layout_.slots > 0) s += ", T* LISSOM_GENERATED_RESTRICT w";
    for (const auto& field : program_.outputs) s += ", T* LISSOM_GENERATED_RESTRICT " + field.name;
    return s;
  }
  std::string arguments() const {
    std::string s;
    for (const auto& field : program_.inputs) s += (s.empty() ? "" : ", ") + field.name;
    if (has_angles_) s += ", sn, cs";
    if (layout_.slots > 0) s += ", w";
    for (const auto& field : program_.outputs) s += ", " + field.name;
    return s;
  }
  std::string part(int k, bool of_many) {
    std::string statements;
    for (const auto& line : writer_.part(k)) statements += "  " + line + "\n";
    std::vector<std::string> names;
    for (const auto* fields : {&program_.inputs, &program_.outputs})
      for (const auto& field : *fields) names.push_back(field.name);
    if (has_angles_) names.insert(names.end(), {"sn", "cs"});
    if (layout_.slots > 0) names.push_back("w");
    std::string s = "template <class T>\n" + std::string(of_many ? "LISSOM_GENERATED_APART " : "inline ") + "void " +
                    function(k) + "(" + parameters(true) + ") {\n";
    for (const auto& name : names)
      if (!mentions(statements, name)) s += "  (void)" + name + ";\n";
    if (statements.find("K(") != std::string::npos) s += "  using K = Number<T>;\n";
    return s + statements + "}\n\n";
  }

  const Program& program_;
  const Schedule order_;
  const Layout layout_;
  BodyWriter writer_;
  const bool has_angles_;
};

}  // namespace

bool mentions(const std::string& statements, const std::string& array) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto sought = array + "[";
  for (auto at = statements.find(sought); at != std::string::npos; at = statements.find(sought, at + 1))
    if (at == 0 || !letter(statements[at - 1])) return true;
  return false;
}

std::string emit_cpp(const Model& model, std::span<const Program> programs, const EmitOptions& options) {
  if (programs.empty()) throw Error("no algorithm is given, expected at least one, e.g. rnea");
  const auto name = options.name.empty() ? identifier_of(model.name()) : options.name;
  std::string text;
  for (const auto& line : description_of(model, programs)) text += line.empty() ? "//\n" : "// " + line + "\n";
  text +=
      "//\n// T is float, double, a vector of them (__attribute__((vector_size(N))), one robot in each lane), or any\n"
      "// class with arithmetic, comparison, and sqrt, sin, cos, abs, atan2 in its own namespace. C++17 or newer.\n";
  const auto guard = "LISSOM_GENERATED_" + upper(name) + "_H";
  text +=
      "#ifndef " + guard + "\n#define " + guard + "\n" + std::string(cpp_includes) + "\nnamespace " + name + " {\n\n";
  text += "inline constexpr int nq = " + std::to_string(model.nq()) + ", nv = " + std::to_string(model.nv()) + ";\n\n";
  text += cpp_support;
  for (const auto& program : programs) text += CppFunction(program, options).text();
  return text + "}  // namespace " + name + "\n\n#endif  // " + guard + "\n";
}

}  // namespace lissom::codegen
