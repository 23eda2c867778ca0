#include "bench_generated.h"

#include <cmath>
#include <dlfcn.h>
#include <memory>

#include <fmt/format.h>

#include "lissom/codegen/emit.h"
#include "lissom/codegen/reference.h"
#include "lissom/kernels/kernels.h"
#include "lissom/model/diagnostic.h"
#include "other_programs.h"
#include "output.h"

namespace verb::bench {
namespace {

using lissom::Error;
namespace codegen = lissom::codegen;
using codegen::Algorithm;

// The algorithms as the kernels compute them: poses of bodies, the entries of M that are not always zero.
constexpr Algorithm measured[] = {Algorithm::d_rnea, Algorithm::placements, Algorithm::rnea,
                                  Algorithm::bias,   Algorithm::crba,       Algorithm::aba};
const codegen::TraceOptions like_kernels{.body_frames = true, .sparse = true};

// q, v, a third vector of the size of v (a or tau), and the results.
using Function = void (*)(const void*, const void*, const void*, void*);

// Functions of one type for all algorithms and scalars, around the templates of the header.
std::string wrapper(std::span<const codegen::Program> programs) {
  std::string s = fmt::format(
      "#include \"robot.h\"\ntypedef double lanes_f64 __attribute__((vector_size({})));\n"
      "typedef float lanes_f32 __attribute__((vector_size({})));\n",
      lissom::lane_kernels<double>().width * sizeof(double), lissom::lane_kernels<float>().width * sizeof(float));
  for (const auto& program : programs)
    for (const auto& [type, mode] : {std::pair{"double", "one"}, {"lanes_f64", "f64"}, {"lanes_f32", "f32"}}) {
      std::string arguments;
      for (const auto& field : program.inputs)
        arguments += fmt::format("(const {}*){}, ", type, field.name == "q" || field.name == "v" ? field.name : "x");
      for (const auto& field : program.outputs)
        arguments += fmt::format("{}({}*)out + {}", field.first > 0 ? ", " : "", type, field.first);
      s += fmt::format(
          "extern \"C\" void {}_{}(const void* q, const void* v, const void* x, void* out) {{\n"
          "  (void)v, (void)x;\n  robot::{}<{}>({});\n}}\n",
          program.algorithm, mode, program.algorithm, type, arguments);
    }
  return s;
}

// A compiler that is installed, with the flags that suit it; none is an empty list.
std::vector<std::string> compiler(const TemporaryFolder& folder) {
  for (const std::string name : {"clang++-19", "clang++", "g++", "c++"}) {
    try {
      if (run_program(folder, {name, "--version"}, "") != 0) continue;
    } catch (const Error&) {
      continue;
    }
    const bool clang = name.starts_with("clang");
    return {name, clang ? "-fno-slp-vectorize" : "-fno-tree-slp-vectorize", "-ffp-contract=fast", "-Wno-psabi"};
  }
  return {};
}

class Library {
 public:
  Library(const TemporaryFolder& folder, std::vector<std::string> command, const lissom::Model& model,
          std::span<const codegen::Program> programs) {
    codegen::EmitOptions options;
    options.name = "robot";
    replace_file(folder / "robot.h", codegen::emit_cpp(model, programs, options), "--generated");
    replace_file(folder / "robot.cpp", wrapper(programs), "--generated");
    for (const char* word : {"-std=c++17", "-O2", "-fPIC", "-shared", "robot.cpp", "-o", "robot.so"})
      command.emplace_back(word);
#if defined(__aarch64__)
    command.emplace_back("-mcpu=native");
#else
    command.emplace_back("-march=native");
#endif
    if (run_program(folder, command, "") != 0)
      throw Error("--generated: " + command[0] + " cannot compile the generated code:\n" +
                  lissom::shortened(text_of(folder / "errors"), 1500));
    handle_ = dlopen((folder / "robot.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw Error(std::string("--generated: cannot load the compiled code: ") + dlerror());
  }
  ~Library() {
    if (handle_) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  Function find(const std::string& name) const {
    void* const symbol = dlsym(handle_, name.c_str());
    if (!symbol) throw Error("--generated: the compiled code has no function " + name);
    return reinterpret_cast<Function>(symbol);
  }

 private:
  void* handle_ = nullptr;
};

// What is measured has to be right.
void check(const lissom::Model& model, Algorithm algorithm, const codegen::Program& program, Function function) {
  const auto inputs = codegen::random_inputs(model, program, 1);
  const auto expected = codegen::interpreted(model, algorithm, like_kernels, program, inputs);
  std::vector<double> out(expected.size() + lissom::padding);
  const auto at = [&](std::size_t field) {
    return field < program.inputs.size() ? inputs.data() + program.inputs[field].first : nullptr;
  };
  function(at(0), at(1), at(2), out.data());
  double largest = 1;
  for (const double x : expected)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (std::isfinite(expected[i]) && !(std::abs(out[i] - expected[i]) <= 1e-9 * largest))
      throw Error(fmt::format("--generated: {} gives {} for element {}, interpreted {}", program.algorithm, out[i], i,
                              expected[i]));
}

template <class S>
void measure(const lissom::Model& model, std::span<const codegen::Program> programs, const Library& library,
             const std::string& suffix, const std::string& mode, int width, const Effort& effort,
             std::vector<Row>& rows) {
  const States<S> states(model, width);
  std::size_t most = 0;
  for (const auto& program : programs) most = std::max(most, program.results.size());
  const auto out = std::make_shared<lissom::Array<S>>((most + lissom::padding) * std::size_t(width));
  Stopwatch watch(effort);
  for (const auto& program : programs) {
    const auto f = library.find(program.algorithm + "_" + suffix);
    const auto& third = program.algorithm == "aba" ? states.tau : states.a;
    watch.add(program.algorithm, mode, states.groups, width, [=, &states, &third](int i) {
      const auto k = std::size_t(i);
      f(states.q[k].data(), states.v[k].data(), third[k].data(), out->data());
    });
  }
  watch.measure(rows);
}

}  // namespace

void measure_generated(const Model& model, const Effort& effort, std::vector<Row>& rows) {
  std::vector<codegen::Program> programs;
  std::vector<Algorithm> kinds;
  for (const auto algorithm : measured)
    // (Derivatives take long to compile, so they have to be asked for.)
    if (effort.asks_for(codegen::traits(algorithm).name) && (algorithm != Algorithm::d_rnea || !effort.only.empty())) {
      programs.push_back(codegen::trace(model, algorithm, like_kernels));
      kinds.push_back(algorithm);
    }
  if (interrupted()) return;
  if (programs.empty()) return complain("note: " + effort.only + " is not among the algorithms of --generated");
  const TemporaryFolder folder("generated");
  const auto command = compiler(folder);
  if (command.empty())
    return complain(
        "note: no C++ compiler was found (clang++-19, clang++, g++, c++), so generated code was not measured");
  effort.progress->show(0, "compilation");
  const Library library(folder, command, model, programs);
  for (std::size_t i = 0; i < programs.size(); ++i)
    check(model, kinds[i], programs[i], library.find(programs[i].algorithm + "_one"));
  const int f64 = lissom::lane_kernels<double>().width, f32 = lissom::lane_kernels<float>().width;
  measure<double>(model, programs, library, "one", "generated", 1, effort, rows);
  measure<double>(model, programs, library, "f64", "generated_lanes_f64", f64, effort, rows);
  measure<float>(model, programs, library, "f32", "generated_lanes_f32", f32, effort, rows);
}

}  // namespace verb::bench
