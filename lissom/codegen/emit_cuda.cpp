// Programs for a GPU: one thread per robot.
#include <utility>

#include "lissom/codegen/body_writer.h"
#include "lissom/codegen/function_text.h"
#include "lissom/codegen/generate.h"
#include "lissom/model/diagnostic.h"

namespace lissom::codegen {
namespace {

constexpr const char* cuda_support = R"(
#include <cmath>
#include <cstddef>

#ifdef __CUDACC__
#define LISSOM_GENERATED_DEVICE __device__ inline
#else  // the same arithmetic on the processor, for tests
#define LISSOM_GENERATED_DEVICE inline
#endif
)";
constexpr const char* cuda_sincos = R"(namespace detail {

#ifdef __CUDACC__
LISSOM_GENERATED_DEVICE void sincos(double x, double& s, double& c) { ::sincos(x, &s, &c); }
LISSOM_GENERATED_DEVICE void sincos(float x, float& s, float& c) { ::sincosf(x, &s, &c); }
#else
template <class T>
inline void sincos(T x, T& s, T& c) {
  s = std::sin(x);
  c = std::cos(x);
}
#endif

}  // namespace detail

#define LOAD(field, i) field[std::size_t(i) * pitch + robot]
#define STORE(field, i, x) field[std::size_t(i) * pitch + robot] = (x)
#define SAVE(k, x) saved[k] = (x)
#define RELOAD(k) saved[k]
#define SINCOS(x, s, c) detail::sincos(x, s, c)
#define BARRIER() (void)0

)";

std::string parameters(const Program& program) {
  std::string s;
  for (const auto& field : program.inputs) s += ", const T* " + field.name;
  for (const auto& field : program.outputs) s += ", T* " + field.name;
  return s;
}
std::string arguments(const Program& program) {
  std::string s;
  for (const auto* fields : {&program.inputs, &program.outputs})
    for (const auto& field : *fields) s += ", " + field.name;
  return s;
}

std::string function(const Program& program) {
  const auto text = emit_cuda(program);
  std::string s, unused;
  for (const auto& line : {program.meaning + ". All arrays hold element after element, `pitch` numbers apart: robot",
                           std::string("number r is at [r], [r + pitch], and so on.")})
    s += "/// " + line + "\n";
  for (const auto* fields : {&program.inputs, &program.outputs})
    for (const auto& field : *fields) {
      s += std::string("///   ") + (fields == &program.inputs ? "in   " : "out  ") + field.name + "[" +
           std::to_string(field.count) + "]: " + field.meaning + "\n";
      if (text.body.find("(" + field.name + ", ") == std::string::npos) unused += "  (void)" + field.name + ";\n";
    }
  s += "template <class T>\nLISSOM_GENERATED_DEVICE void " + program.algorithm +
       "(std::size_t robot, std::size_t pitch" + parameters(program) + ") {\n" + unused;
  if (text.body.find("K(") != std::string::npos) s += "  using K = T;\n";
  if (text.body.find("sqrt(") != std::string::npos) s += "  using std::sqrt;\n";
  if (text.body.find("abs(") != std::string::npos) s += "  using std::abs;\n";
  if (text.body.find("atan2(") != std::string::npos) s += "  using std::atan2;\n";
  if (text.saved > 0) s += "  T saved[" + std::to_string(text.saved) + "];\n";
  std::string line;
  for (const char c : text.body) {
    if (line.empty()) line = "  ";
    line += c;
    if (c == '\n') s += std::exchange(line, "");
  }
  s += "}\n#ifdef __CUDACC__\ntemplate <class T>\n__global__ void " + program.algorithm +
       "_kernel(int robots, std::size_t pitch" + parameters(program) +
       ") {\n  const int robot = int(blockIdx.x * blockDim.x + threadIdx.x);\n  if (robot < robots) " +
       program.algorithm + "<T>(std::size_t(robot), pitch" + arguments(program) + ");\n}\n#endif\n";
  s += "template <class T>\nvoid " + program.algorithm + "_of_all(int robots, std::size_t pitch" + parameters(program) +
       ") {\n#ifdef __CUDACC__\n  " + program.algorithm + "_kernel<T><<<(robots + 127) / 128, 128>>>(robots, pitch" +
       arguments(program) + ");\n#else\n  for (int robot = 0; robot < robots; ++robot) " + program.algorithm +
       "<T>(std::size_t(robot), pitch" + arguments(program) + ");\n#endif\n}\n\n";
  return s;
}

}  // namespace

CudaText emit_cuda(const Program& program, const CudaOptions& options) {
  const auto order = schedule(program);
  const Layout layout(program, order, {.operations_per_part = 0, .sincos_first = false});
  WriterOptions writer_options;
  writer_options.language = Language::cuda;
  writer_options.sincos = "SINCOS";
  writer_options.save_for_last_pass = options.save_for_last_pass;
  writer_options.recompute_sincos = options.recompute_sincos;
  BodyWriter writer(program, order, layout, writer_options);
  CudaText text;
  for (const auto& line : writer.part(0)) text.body += line + "\n";
  text.saved = writer.saved_count();
  return text;
}

std::string emit_cuda_header(const Model& model, std::span<const Program> programs, const EmitOptions& options) {
  if (programs.empty()) throw Error("no algorithm is given, expected at least one, e.g. rnea");
  const auto name = options.name.empty() ? identifier_of(model.name()) : options.name;
  std::string text;
  for (const auto& line : description_of(model, programs)) text += line.empty() ? "//\n" : "// " + line + "\n";
  text +=
      "//\n// T is float or double. NAME_of_all(...) launches a kernel with one thread per robot, arrays on the "
      "device.\n"
      "// Compiled without nvcc, it runs the same arithmetic on the processor.\n";
  const auto guard = "LISSOM_GENERATED_" + upper_case(name) + "_CUH";
  text += "#ifndef " + guard + "\n#define " + guard + "\n" + cuda_support + "\nnamespace " + name + " {\n\n";
  text += "constexpr int nq = " + std::to_string(model.nq()) + ", nv = " + std::to_string(model.nv()) + ";\n\n";
  text += cuda_sincos;
  for (const auto& program : programs) text += function(program);
  for (const char* macro : {"LOAD", "STORE", "SAVE", "RELOAD", "SINCOS", "BARRIER"})
    text += std::string("#undef ") + macro + "\n";
  return text + "\n}  // namespace " + name + "\n\n#endif  // " + guard + "\n";
}

}  // namespace lissom::codegen
