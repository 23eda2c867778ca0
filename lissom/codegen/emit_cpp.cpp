// One header of C++17 for a robot: each algorithm a function template over the scalar, which may be a vector type of
// GCC and clang. Long ones are divided into functions of their own, in the namespace detail.
#include "lissom/codegen/emit.h"
#include "lissom/codegen/emit_support.h"
#include "lissom/codegen/function_text.h"
#include "lissom/model/diagnostic.h"

namespace lissom::codegen {
namespace {

class CppFunction : FunctionText {
 public:
  CppFunction(const Program& p, const EmitOptions& options)
      : FunctionText(p, options, {}, "T", "LISSOM_GENERATED_RESTRICT") {}

  std::string text() {
    const auto angles = writer.angles();
    std::string s = "namespace detail {\n\n";
    for (int k = 0; k < parts(); ++k) s += part(k);
    s += "}  // namespace detail\n\n";
    for (const auto& line : comment()) s += "/// " + line + "\n";
    s += "template <class T>\nvoid " + program.algorithm + "(" + parameters(false) + ") {\n";
    if (has_angles()) {
      s += "  constexpr int angles = detail::padded<T>(" + std::to_string(layout.angles.size()) + ");\n";
      s += "  T angle[angles] = {}, sn[angles], cs[angles];\n";
    }
    if (layout.slots > 0) s += "  T w[" + std::to_string(layout.slots) + "];\n";
    const auto statements = indented(angles);
    if (statements.find("K(") != std::string::npos) s += "  using K = detail::Number<T>;\n";
    s += statements;
    if (has_angles()) s += "  detail::sincos_of_all<T, angles>(angle, sn, cs);\n";
    for (int k = 0; k < parts(); ++k) s += "  detail::" + name_of_part(k) + "<T>(" + arguments() + ");\n";
    return s + "}\n\n";
  }

 private:
  std::string part(int k) {
    const auto statements = indented(writer.part(k));
    std::string s = "template <class T>\n" + std::string(parts() > 1 ? "LISSOM_GENERATED_APART " : "inline ") +
                    "void " + name_of_part(k) + "(" + parameters(true) + ") {\n" + unused(statements);
    if (statements.find("K(") != std::string::npos) s += "  using K = Number<T>;\n";
    return s + statements + "}\n\n";
  }
};

}  // namespace

std::string emit_cpp(const Model& model, std::span<const Program> programs, const EmitOptions& options) {
  if (programs.empty()) throw Error("no algorithm is given, expected at least one, e.g. rnea");
  const auto name = options.name.empty() ? identifier_of(model.name()) : options.name;
  std::string text;
  for (const auto& line : description_of(model, programs)) text += line.empty() ? "//\n" : "// " + line + "\n";
  text +=
      "//\n// T is float, double, a vector of them (__attribute__((vector_size(N))), one robot in each lane), or any\n"
      "// class with arithmetic, comparison, and sqrt, sin, cos, abs, atan2 in its own namespace. C++17 or newer.\n";
  const auto guard = "LISSOM_GENERATED_" + upper_case(name) + "_H";
  text +=
      "#ifndef " + guard + "\n#define " + guard + "\n" + std::string(cpp_includes) + "\nnamespace " + name + " {\n\n";
  text += "inline constexpr int nq = " + std::to_string(model.nq()) + ", nv = " + std::to_string(model.nv()) + ";\n\n";
  text += cpp_support;
  for (const auto& program : programs) text += CppFunction(program, options).text();
  return text + "}  // namespace " + name + "\n\n#endif  // " + guard + "\n";
}

}  // namespace lissom::codegen
