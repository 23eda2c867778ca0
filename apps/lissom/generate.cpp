// lissom generate FILE: writes a robot's dynamics as source code that depends on nothing.
#include "lissom/codegen/generate.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "other_programs.h"
#include "output.h"
#include "progress.h"
#include "verbs.h"

namespace verb::generate {
namespace {

using lissom::Error;
using lissom::in_quotes;
namespace codegen = lissom::codegen;
namespace fs = std::filesystem;

struct Options {
  ModelArguments model;
  std::vector<std::string> algorithms = {"rnea", "crba", "aba"}, frames;
  std::string language = "c++", out, scalar = "double", name;
  bool external_forces = false, json = false, quiet = false;
};

codegen::GenerateOptions read(const Options& o) {
  codegen::GenerateOptions options;
  options.language = codegen::language_of(o.language);
  options.trace.frames = o.frames;
  options.trace.external_forces = o.external_forces;
  options.emit.single_precision = o.scalar == "float";
  if (options.emit.single_precision && options.language != codegen::Language::c)
    throw Error("--scalar float: in " + o.language + " the functions are templates over the scalar; leave it out");
  if (!o.name.empty() && o.name != codegen::identifier_of(o.name))
    throw Error("--name " + in_quotes(o.name) + " cannot be the name of a function or namespace; try " +
                codegen::identifier_of(o.name));
  options.emit.name = o.name;
  return options;
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !fs::is_directory(path, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw Error("--out " + in_quotes(path) + ": cannot make the folder: " + error.message());
}

nlohmann::json counts_of(const codegen::OperationCounts& n) {
  return {{"multiplications", n.multiplications},
          {"additions", n.additions},
          {"negations", n.negations},
          {"divisions", n.divisions},
          {"square_roots", n.square_roots},
          {"sincos", n.sincos},
          {"arc_tangents", n.arc_tangents},
          {"selections", n.selections}};
}

void print(const lissom::Model& model, const codegen::Generated& made, const std::vector<std::string>& files,
           const Options& o) {
  if (o.json) {
    nlohmann::json functions = nlohmann::json::array();
    for (const auto& f : made.functions)
      functions.push_back({{"algorithm", f.name}, {"operations", counts_of(f.counts)}});
    return print_json(nlohmann::json{{"robot", model.name()},
                                     {"nq", model.nq()},
                                     {"nv", model.nv()},
                                     {"language", o.language},
                                     {"name", made.name},
                                     {"files", files},
                                     {"functions", functions}});
  }
  std::cout << fmt::format("{:12}{:>16}{:>12}{:>11}{:>9}\n", "", "multiplications", "additions", "divisions", "sincos");
  for (const auto& f : made.functions)
    std::cout << fmt::format("{:12}{:16}{:12}{:11}{:9}\n", f.name, f.counts.multiplications, f.counts.additions,
                             f.counts.divisions, f.counts.sincos);
  std::cout << "\n";
  for (const auto& file : files) std::cout << lissom::printable(file) << "\n";
}

void run(const Options& o) {
  const auto options = read(o);
  std::vector<codegen::Algorithm> algorithms;
  for (const auto& word : o.algorithms) algorithms.push_back(codegen::algorithm_of(word));
  const auto model = o.model.load();
  const auto made = [&] {
    const Waiting waiting(o.quiet, fmt::format("tracing {}", fmt::join(o.algorithms, ", ")));
    return codegen::generate(model, algorithms, options);
  }();
  make_folder(o.out);
  std::vector<std::string> files;
  for (const auto& file : made.files) {
    files.push_back((fs::path(o.out) / file.name).string());
    replace_file(files.back(), file.text, "--out");
  }
  print(model, made, files, o);
}

}  // namespace

void add(CLI::App& app, int& /*exit_code*/) {
  auto* const verb =
      app.add_subcommand("generate", "write a robot's dynamics as C++, C or CUDA that depends on nothing, with a test");
  const auto options = std::make_shared<Options>();
  options->model.add_to(*verb);
  std::string names;
  for (const auto& row : codegen::algorithms()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  verb->add_option("--algorithms", options->algorithms, "which, with commas between (default: rnea,crba,aba): " + names)
      ->delimiter(',')
      ->allow_extra_args(false);
  take_one_of(verb->add_option("--lang", options->language, "language (default: c++)"), {"c++", "c", "cuda"});
  verb->add_option("--out", options->out, "folder to write to; it is made if it does not exist")->required();
  take_one_of(verb->add_option("--scalar", options->scalar, "of C code (default: double)"), {"double", "float"});
  verb->add_option("--frames", options->frames,
                   "frames of placements, velocities and jacobian, with commas between (default: the links that joints "
                   "move; for jacobian, only the last of them)")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_flag("--external-forces", options->external_forces, "rnea, aba and step take a force on each moving link");
  verb->add_option("--name", options->name,
                   "namespace in C++ and CUDA, beginning of names in C, and of files (default: the robot's name)");
  verb->add_flag("--json", options->json, "print JSON: files and operation counts");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "Files of the same name in the folder are replaced.\n"
      "Exit code: 0 success, 2 wrong usage or input.");
  verb->callback([options] { run(*options); });
}

}  // namespace verb::generate
