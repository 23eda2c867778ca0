// lissom check FILE…: reports what is wrong with a robot file, on which line, and how to fix it.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check_loops.h"
#include "diagnostic_json.h"
#include "finding_codes.h"
#include "interrupt.h"
#include "lissom/io/check_meshes.h"
#include "lissom/io/read.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "model_arguments.h"
#include "output.h"
#include "progress.h"
#include "standard_input.h"
#include "verbs.h"

namespace verb::check {
namespace {

using lissom::Diagnostic;
using lissom::Severity;

struct Options {
  std::vector<std::string> files, ignored;
  std::string loops;
  ModelArguments model;
  bool require_meshes = false, all = false, json = false, quiet = false;
};

struct Count {
  std::size_t errors = 0, warnings = 0, notes = 0;
  bool unopened = false;

  void add(const Diagnostic& diagnostic) {
    if (diagnostic.severity == Severity::error) ++errors;
    if (diagnostic.severity == Severity::warning) ++warnings;
    if (diagnostic.severity == Severity::note) ++notes;
    unopened = unopened || diagnostic.code == "file-open";
  }
  int exit_code() const { return unopened ? 2 : errors + warnings > 0 ? 1 : 0; }
};

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string summary(const Count& count) {
  if (count.errors + count.warnings + count.notes == 0) return "no problems found";
  return counted(count.errors, "error") + ", " + counted(count.warnings, "warning") + ", " +
         counted(count.notes, "note");
}

nlohmann::json to_json(const std::string& file, const std::vector<Diagnostic>& diagnostics) {
  Count count;
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    count.add(diagnostic);
    list.push_back(::to_json(diagnostic));
  }
  return {{"file", file},
          {"diagnostics", std::move(list)},
          {"errors", count.errors},
          {"warnings", count.warnings},
          {"notes", count.notes}};
}

// The findings about a file, as the options want them. Errors cannot be ignored: the file cannot be used.
std::vector<Diagnostic> findings(const std::string& file, const Options& options) {
  const auto& model = options.model.options;
  lissom::io::ReadOptions reading;
  reading.package_paths = model.package_paths;
  reading.xacro_arguments = model.xacro_arguments;
  reading.build = {model.base, model.mimic, model.axis_tolerance};
  const auto read = file == "-" ? lissom::io::read_text(standard_input(), standard_input_name, reading)
                                : lissom::io::read(file, reading);
  auto found = read.diagnostics;
  for (Diagnostic& d : lissom::io::check_meshes(read.description)) found.push_back(std::move(d));
  if (!options.loops.empty())
    for (Diagnostic& d : check_loops(read.description, options.loops)) found.push_back(std::move(d));
  std::erase_if(found, [&](const Diagnostic& d) {
    return d.severity != Severity::error && std::ranges::find(options.ignored, d.code) != options.ignored.end();
  });
  for (Diagnostic& d : found)
    if (options.require_meshes && d.code == "mesh-missing") d.severity = Severity::warning;
  return found;
}

void print(const std::vector<Diagnostic>& diagnostics, bool all) {
  if (all)
    for (const Diagnostic& diagnostic : diagnostics) std::cout << to_string(diagnostic) << '\n';
  else if (!diagnostics.empty())
    std::cout << to_grouped_string(diagnostics) << '\n';
}

// A code that no finding can have is a misspelling.
std::string expect_code(const std::string& code) {
  if (std::ranges::find(finding_codes, code) != std::end(finding_codes)) return "";
  const auto suggestion = lissom::did_you_mean(code, finding_codes);
  return "no finding has the code " + lissom::in_quotes(code) + "; " +
         (suggestion.empty() ? "codes stand in brackets at the end of findings, and in docs/findings.json"
                             : suggestion);
}

int check(Options options) {
  options.model.take_arguments(options.files);
  std::sort(options.files.begin(), options.files.end());
  Count total;
  nlohmann::json files = nlohmann::json::array();
  std::size_t done = 0;
  if (options.files.size() > 1) end_on_request();  // one file alone has no findings before its end
  for (const std::string& file : options.files) {
    if (interrupted()) break;
    ++done;
    const std::vector<Diagnostic> diagnostics = [&] {
      const Waiting waiting(options.quiet, fmt::format("{} ({} of {})", file, done, options.files.size()));
      return findings(file, options);
    }();
    for (const Diagnostic& diagnostic : diagnostics) total.add(diagnostic);
    if (options.json)
      files.push_back(to_json(file, diagnostics));
    else
      print(diagnostics, options.all);
  }
  if (options.json)
    print_json(nlohmann::json{{"files", std::move(files)}});
  else
    std::cout << summary(total) << '\n';
  if (done == options.files.size()) return total.exit_code();
  complain(fmt::format("interrupted after {} of {} files", done, options.files.size()));
  return interrupted_code;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("check", "report what is wrong with a robot file, on which line, and how to fix it");
  const auto options = std::make_shared<Options>();
  verb->add_option(
          "FILE", options->files,
          "robots to check (URDF, xacro, MJCF, SDF), and arguments of xacro, NAME:=VALUE; - reads standard input")
      ->required();
  options->model.add_options_to(*verb);
  verb->add_option("--ignore", options->ignored, "codes of warnings and notes that do not count: CODE,…")
      ->delimiter(',')
      ->check(CLI::Validator(expect_code, "CODE"))
      ->allow_extra_args(false);  // what follows is a FILE
  verb->add_flag("--require-meshes", options->require_meshes, "a mesh that is not found is a warning, not a note");
  verb->add_flag("--all", options->all,
                 "print every finding; otherwise only the first of each code is printed in full");
  verb->add_option("--loops", options->loops,
                   "file (JSON) with closed loops: whether they can be closed from q = 0, and move");
  verb->add_flag("--json", options->json, "print JSON, with every finding");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer("Exit code: 0 no errors or warnings, 1 errors or warnings, 2 a file cannot be opened, or wrong usage.");
  verb->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace verb::check
