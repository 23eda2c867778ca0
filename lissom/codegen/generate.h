#pragma once
// Everything that is generated for a robot in one language: the header, a test for it, and how to build that.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lissom/codegen/emit.h"
#include "lissom/codegen/language.h"

namespace lissom::codegen {

/// What is generated, and how.
struct GenerateOptions {
  Language language = Language::cpp;
  TraceOptions trace = {};
  EmitOptions emit = {};
  /// Told before each algorithm how many of them are done. What it throws ends the call.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};
/// A file by its name, with its content.
struct GeneratedFile {
  std::string name, text;
};
/// The files that were generated, and what their functions cost.
struct Generated {
  std::string name;                  ///< of the namespace, or before the functions; files are named after it
  std::vector<GeneratedFile> files;  ///< the header comes first
  struct Function {
    std::string name;
    OperationCounts counts;
  };
  std::vector<Function> functions;
};
/// Throws Error if the model has no coordinates, or no algorithm is given.
Generated generate(const Model& model, std::span<const Algorithm> algorithms, const GenerateOptions& options = {});

/// What a program gives for some inputs.
struct Example {
  std::vector<double> inputs, outputs;
};
/// A program that compares the functions of the header with examples, for every scalar that the language has, and
/// returns 0 if they agree. examples[i] are those of programs[i].
std::string emit_test(const std::string& name, Language language, const EmitOptions& options,
                      std::span<const Program> programs, std::span<const std::vector<Example>> examples);
/// A header with a device function and a kernel for each program.
std::string emit_cuda_header(const Model& model, std::span<const Program> programs, const EmitOptions& options = {});

}  // namespace lissom::codegen
