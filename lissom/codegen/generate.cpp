#include "lissom/codegen/generate.h"

#include <algorithm>
#include <cmath>

#include "lissom/codegen/reference.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom::codegen {
namespace {

// Some states and what lissom's own kernels give for them; states whose results are not finite (of a robot with a
// singular mass matrix) are left out.
std::vector<Example> examples_of(const Model& model, Algorithm algorithm, const TraceOptions& options,
                                 const Program& program) {
  std::vector<Example> examples;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Example example{random_inputs(model, program, seed), {}};
    example.outputs = interpreted(model, algorithm, options, program, example.inputs);
    for (std::size_t i = 0; i < example.outputs.size(); ++i)
      if (program.results[i] == no_node) example.outputs[i] = 0;  // as the test's array was
    if (std::ranges::all_of(example.outputs, [](double x) { return std::isfinite(x); }))
      examples.push_back(std::move(example));
  }
  return examples;
}

std::string cmake_of(const std::string& name, Language language) {
  const std::string project = language == Language::c ? "C" : language == Language::cpp ? "CXX" : "CUDA CXX";
  const std::string file = name + (language == Language::c     ? "_test.c"
                                   : language == Language::cpp ? "_test.cpp"
                                                               : "_test.cu");
  std::string s =
      "cmake_minimum_required(VERSION 3.18)\nproject(" + name + "_generated " + project + ")\nenable_testing()\n";
  s += "add_executable(" + name + "_test " + file + ")\n";
  if (language == Language::c)
    s += "set_target_properties(" + name + "_test PROPERTIES C_STANDARD 99)\ntarget_link_libraries(" + name +
         "_test m)\n";
  else
    s += "target_compile_features(" + name + "_test PRIVATE " + (language == Language::cpp ? "cxx" : "cuda") +
         "_std_17)\n";
  return s + "add_test(NAME " + name + " COMMAND " + name + "_test)\n";
}

}  // namespace

Language language_of(std::string_view word) {
  if (word == "c++" || word == "cpp") return Language::cpp;
  if (word == "c") return Language::c;
  if (word == "cuda") return Language::cuda;
  throw Error("no language " + in_quotes(word) + ", expected c++, c or cuda");
}

Generated generate(const Model& model, std::span<const Algorithm> algorithms, const GenerateOptions& options) {
  if (algorithms.empty()) throw Error("no algorithm is given, expected at least one, e.g. rnea");
  std::vector<Program> programs;
  std::vector<std::vector<Example>> examples;
  Generated result;
  result.name = options.emit.name.empty() ? identifier_of(model.name()) : options.emit.name;
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    const auto algorithm = algorithms[i];
    if (options.progress) options.progress(i, algorithms.size());
    const auto known = [&](const Program& p) { return p.algorithm == traits(algorithm).name; };
    if (std::ranges::any_of(programs, known)) continue;  // asked for twice
    programs.push_back(trace(model, algorithm, options.trace));
    examples.push_back(examples_of(model, algorithm, options.trace, programs.back()));
    result.functions.push_back({programs.back().algorithm, programs.back().counts()});
  }
  if (options.progress) options.progress(algorithms.size(), algorithms.size());
  const auto language = options.language;
  if (language == Language::cpp)
    result.files = {{result.name + ".h", emit_cpp(model, programs, options.emit)}, {result.name + "_test.cpp", ""}};
  else if (language == Language::c)
    result.files = {{result.name + ".h", emit_c(model, programs, options.emit)}, {result.name + "_test.c", ""}};
  else
    result.files = {{result.name + ".cuh", emit_cuda_header(model, programs, options.emit)},
                    {result.name + "_test.cu", ""}};
  result.files[1].text = emit_test(result.name, language, options.emit, programs, examples);
  result.files.push_back({"CMakeLists.txt", cmake_of(result.name, language)});
  return result;
}

}  // namespace lissom::codegen
