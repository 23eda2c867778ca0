// The program that tests a generated header.
#include "lissom/codegen/body_writer.h"
#include "lissom/codegen/generate.h"

namespace lissom::codegen {
namespace {

std::string numbers(const std::vector<double>& x) {
  std::string s;
  for (std::size_t i = 0; i < x.size(); ++i)
    s += (i == 0 ? "" : i % 8 == 0 ? ",\n    " : ", ") + (x[i] == 0 ? "0.0" : literal(x[i]));
  return s;
}

// Where the inputs and outputs of a program lie in the arrays of the test.
std::string arguments(const Program& program, const std::string& before, const std::string& after) {
  std::string s;
  const auto add = [&](const std::vector<Field>& fields, const std::string& array) {
    for (const auto& field : fields)
      s += (s.empty() ? "" : ", ") + before + array + " + " + std::to_string(field.first) + after;
  };
  add(program.inputs, "in");
  add(program.outputs, "out");
  return s;
}

constexpr const char* compare_function = R"(
static int differs(const char* what, const double* found, const double* expected, int n, double tolerance) {
  double largest = 1;
  for (int i = 0; i < n; ++i) largest = fabs(expected[i]) > largest ? fabs(expected[i]) : largest;
  for (int i = 0; i < n; ++i)
    if (!(fabs(found[i] - expected[i]) <= tolerance * largest)) {
      printf("%s: element %d is %.17g, expected %.17g\n", what, i, found[i], expected[i]);
      return 1;
    }
  printf("%s: agrees\n", what);
  return 0;
}
)";

// C++: every scalar type; all lanes hold the same robot.
constexpr const char* cpp_call = R"(
template <class T, class F>
int check(const char* what, const double* in, int n_in, const double* expected, int n_out, double tolerance, F f) {
  std::vector<T> x(static_cast<std::size_t>(n_in)), y(static_cast<std::size_t>(n_out), T{});
  for (int i = 0; i < n_in; ++i) x[std::size_t(i)] = T{} + NAMESPACE::detail::Number<T>(in[i]);
  f(x.data(), y.data());
  std::vector<double> found;
  constexpr int lanes = NAMESPACE::detail::Traits<T>::lanes;
  int wrong = 0;
  for (int lane = 0; lane < (lanes > 0 ? lanes : 1); ++lane) {
    found.clear();
    for (const T& e : y) {
      if constexpr (lanes > 0)
        found.push_back(double(e[lane]));
      else
        found.push_back(double(e));
    }
    wrong += differs(what, found.data(), expected, n_out, tolerance);
  }
  return wrong;
}
#if defined(__GNUC__)
typedef double double_lanes __attribute__((vector_size(16)));
typedef float float_lanes __attribute__((vector_size(16)));
#endif
)";

// CUDA: one thread per robot; without nvcc, the same arithmetic in a loop.
constexpr const char* cuda_call = R"(
template <class T, class F>
int check(const char* what, const double* in, int n_in, const double* expected, int n_out, double tolerance, F f) {
  const int robots = 33;  // more than a warp
  std::vector<T> x(std::size_t(n_in) * robots), y(std::size_t(n_out) * robots);
  for (int i = 0; i < n_in; ++i)
    for (int r = 0; r < robots; ++r) x[std::size_t(i) * robots + std::size_t(r)] = T(in[i]);
#ifdef __CUDACC__
  T *dx, *dy;
  cudaMalloc(&dx, x.size() * sizeof(T));
  cudaMalloc(&dy, y.size() * sizeof(T));
  cudaMemcpy(dx, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemset(dy, 0, y.size() * sizeof(T));
  f(dx, dy, robots);
  cudaMemcpy(y.data(), dy, y.size() * sizeof(T), cudaMemcpyDeviceToHost);
  if (cudaGetLastError() != cudaSuccess) return printf("%s: %s\n", what, cudaGetErrorString(cudaGetLastError())), 1;
  cudaFree(dx);
  cudaFree(dy);
#else
  f(x.data(), y.data(), robots);
#endif
  int wrong = 0;
  std::vector<double> found(static_cast<std::size_t>(n_out));
  for (int r = 0; r < robots; r += 32) {
    for (int i = 0; i < n_out; ++i) found[std::size_t(i)] = double(y[std::size_t(i) * robots + std::size_t(r)]);
    wrong += differs(what, found.data(), expected, n_out, tolerance);
  }
  return wrong;
}
)";

std::string checks_in_c(const std::string& name, const Program& p, const std::string& label,
                        const EmitOptions& options) {
  const bool single = options.single_precision;
  const auto n_in = std::to_string(p.input_count()), n_out = std::to_string(p.results.size());
  std::string s;
  const std::string type = single ? "float" : "double";
  s += "  {\n    " + type + " in[" + n_in + "], out[" + n_out + "] = {0};\n    double found[" + n_out + "];\n";
  s += "    for (int i = 0; i < " + n_in + "; ++i) in[i] = (" + type + ")" + label + "_in[i];\n";
  s += "    " + name + "_" + p.algorithm + "(" + arguments(p, "", "") + ");\n";
  s += "    for (int i = 0; i < " + n_out + "; ++i) found[i] = out[i];\n";
  s += "    wrong += differs(\"" + label + "\", found, " + label + "_out, " + n_out + ", " +
       (single ? "1e-3" : literal(options.tolerance)) + ");\n  }\n";
  return s;
}

std::string check_call(const Program& p, const std::string& label, const std::string& type, const std::string& lambda,
                       const std::string& tolerance) {
  return "  wrong += check<" + type + ">(\"" + label + " (" + type + ")\", " + label + "_in, " +
         std::to_string(p.input_count()) + ", " + label + "_out, " + std::to_string(p.results.size()) + ", " +
         tolerance + ",\n      " + lambda + ");\n";
}

std::string checks(const std::string& name, Language language, const EmitOptions& options, const Program& p,
                   const std::string& label) {
  if (language == Language::c) return checks_in_c(name, p, label, options);
  const auto tolerance = literal(options.tolerance);
  const auto call = [&](const std::string& type) {
    if (language == Language::cpp)
      return "[](const " + type + "* in, " + type + "* out) { " + name + "::" + p.algorithm + "(" +
             arguments(p, "", "") + "); }";
    return "[](const " + type + "* in, " + type + "* out, int robots) { " + name + "::" + p.algorithm +
           "_of_all(robots, robots, " + arguments(p, "", " * robots") + "); }";
  };
  std::string s = check_call(p, label, "double", call("double"), tolerance);
  s += check_call(p, label, "float", call("float"), "1e-3");
  if (language != Language::cpp) return s;
  return s + "#if defined(__GNUC__)\n" + check_call(p, label, "double_lanes", call("double_lanes"), tolerance) +
         check_call(p, label, "float_lanes", call("float_lanes"), "1e-3") + "#endif\n";
}

std::string compile_line(const std::string& name, Language language) {
  if (language == Language::c) return "cc -std=c99 -O2 " + name + "_test.c -lm -o test && ./test";
  if (language == Language::cpp) return "c++ -std=c++17 -O2 " + name + "_test.cpp -o test && ./test";
  return "nvcc -std=c++17 -O3 " + name + "_test.cu -o test && ./test; or, on the processor: c++ -std=c++17 -x c++ " +
         name + "_test.cu";
}

}  // namespace

std::string emit_test(const std::string& name, Language language, const EmitOptions& options,
                      std::span<const Program> programs, std::span<const std::vector<Example>> examples) {
  std::string s = "// Compares the functions of " + name + (language == Language::cuda ? ".cuh" : ".h") +
                  " with what lissom computed; returns 0 if they agree.\n// " + compile_line(name, language) + "\n";
  s += language == Language::c ? "#include <math.h>\n#include <stdio.h>\n\n"
                               : "#include <cmath>\n#include <cstdio>\n#include <vector>\n\n";
  s += "#include \"" + name + (language == Language::cuda ? ".cuh" : ".h") + "\"\n";
  if (language != Language::c) s += "\nusing std::fabs;\nusing std::printf;\n";
  s += compare_function;
  std::string call = language == Language::cpp ? cpp_call : language == Language::cuda ? cuda_call : "";
  for (auto at = call.find("NAMESPACE"); at != std::string::npos; at = call.find("NAMESPACE"))
    call.replace(at, 9, name);
  s += call + "\n";
  std::string body;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (examples[i].empty()) body += "  // " + programs[i].algorithm + ": its results are not finite.\n";
    for (std::size_t k = 0; k < examples[i].size(); ++k) {
      const auto label = programs[i].algorithm + std::to_string(k + 1);
      s += "static const double " + label + "_in[] = {\n    " + numbers(examples[i][k].inputs) + "};\n";
      s += "static const double " + label + "_out[] = {\n    " + numbers(examples[i][k].outputs) + "};\n";
      body += checks(name, language, options, programs[i], label);
    }
  }
  return s + "\nint main(void) {\n  int wrong = 0;\n" + body + "  return wrong == 0 ? 0 : 1;\n}\n";
}

}  // namespace lissom::codegen
