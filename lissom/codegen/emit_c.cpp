// One header of C99 for a robot: functions with the robot's name before their own, for float or double.
#include "lissom/codegen/emit.h"
#include "lissom/codegen/emit_support.h"
#include "lissom/codegen/function_text.h"
#include "lissom/model/diagnostic.h"

namespace lissom::codegen {
namespace {

WriterOptions c_options(const std::string& prefix, bool single_precision) {
  WriterOptions options;
  options.language = Language::c;
  options.type = single_precision ? "float" : "double";
  options.sincos = prefix + "_sincos";
  options.single_precision = single_precision;
  return options;
}

class CFunction : FunctionText {
 public:
  CFunction(const Program& p, const EmitOptions& options, const std::string& prefix)
      : FunctionText(p, options, c_options(prefix, options.single_precision),
                     options.single_precision ? "float" : "double", "LISSOM_GENERATED_C_RESTRICT"),
        prefix_(prefix + "_") {}

  std::string text() {
    const auto angles = writer.angles();
    std::string s;
    for (int k = 0; k < parts(); ++k) s += part(k);
    for (const auto& line : comment()) s += "// " + line + "\n";
    s += "static inline void " + prefix_ + program.algorithm + "(" + parameters(false) + ") {\n";
    const auto n = std::to_string(layout.angles.size());
    if (has_angles()) s += "  " + type + " angle[" + n + "], sn[" + n + "], cs[" + n + "];\n";
    if (layout.slots > 0) s += "  " + type + " w[" + std::to_string(layout.slots) + "];\n";
    s += indented(angles);
    if (has_angles()) s += "  for (int k = 0; k < " + n + "; ++k) " + prefix_ + "sincos(angle[k], &sn[k], &cs[k]);\n";
    for (int k = 0; k < parts(); ++k) s += "  " + prefix_ + name_of_part(k) + "(" + arguments() + ");\n";
    return s + "}\n\n";
  }

 private:
  std::string part(int k) {
    const auto statements = indented(writer.part(k));
    return (parts() > 1 ? "LISSOM_GENERATED_C_APART void " : "static inline void ") + prefix_ + name_of_part(k) + "(" +
           parameters(true) + ") {\n" + unused(statements) + statements + "}\n\n";
  }
  std::string prefix_;
};

}  // namespace

std::string emit_c(const Model& model, std::span<const Program> programs, const EmitOptions& options) {
  if (programs.empty()) throw Error("no algorithm is given, expected at least one, e.g. rnea");
  const auto name = options.name.empty() ? identifier_of(model.name()) : options.name;
  const std::string type = options.single_precision ? "float" : "double", suffix = options.single_precision ? "f" : "";
  std::string text;
  for (const auto& line : description_of(model, programs)) text += line.empty() ? "//\n" : "// " + line + "\n";
  text += "//\n// C99 or newer, or C++; link with the mathematical library (-lm).\n";
  const auto guard = "LISSOM_GENERATED_" + upper_case(name) + "_C_H";
  text += "#ifndef " + guard + "\n#define " + guard + "\n" + std::string(c_includes) + "\n";
  text += "#define " + upper_case(name) + "_NQ " + std::to_string(model.nq()) + "\n";
  text += "#define " + upper_case(name) + "_NV " + std::to_string(model.nv()) + "\n\n";
  text += "static inline void " + name + "_sincos(" + type + " x, " + type + "* s, " + type + "* c) {\n  *s = sin" +
          suffix + "(x);\n  *c = cos" + suffix + "(x);\n}\n\n";
  for (const auto& program : programs) text += CFunction(program, options, name).text();
  return text + "#endif  // " + guard + "\n";
}

}  // namespace lissom::codegen
