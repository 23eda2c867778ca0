// lissom check FILE…: reports what is wrong with a robot file, on which line, and how to fix it.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "lissom/io/read.h"
#include "standard_input.h"
#include "verbs.h"

namespace verb::check {
namespace {

using lissom::Diagnostic;
using lissom::Severity;

struct Options {
  std::vector<std::string> files, packages;
  bool json = false;
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

nlohmann::json to_json(const Diagnostic& d) {
  return {{"severity", to_string(d.severity)},
          {"code", d.code},
          {"file", d.file},
          {"line", d.line},
          {"subject", d.subject},
          {"message", d.message},
          {"remedy", d.remedy}};
}

nlohmann::json to_json(const std::string& file, const std::vector<Diagnostic>& diagnostics) {
  Count count;
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    count.add(diagnostic);
    list.push_back(to_json(diagnostic));
  }
  return {{"file", file},
          {"diagnostics", std::move(list)},
          {"errors", count.errors},
          {"warnings", count.warnings},
          {"notes", count.notes}};
}

int check(Options options) {
  std::sort(options.files.begin(), options.files.end());
  Count total;
  nlohmann::json files = nlohmann::json::array();
  lissom::io::ReadOptions reading;
  reading.package_paths = options.packages;
  for (const std::string& file : options.files) {
    const auto result = file == "-" ? lissom::io::read_text(standard_input(), standard_input_name, reading)
                                    : lissom::io::read(file, reading);
    const std::vector<Diagnostic>& diagnostics = result.diagnostics;
    for (const Diagnostic& diagnostic : diagnostics) total.add(diagnostic);
    if (options.json)
      files.push_back(to_json(file, diagnostics));
    else
      for (const Diagnostic& diagnostic : diagnostics) std::cout << to_string(diagnostic) << '\n';
  }
  // The file and its name may contain bytes that are not UTF-8.
  if (options.json)
    std::cout << nlohmann::json{{"files", std::move(files)}}.dump(2, ' ', false,
                                                                  nlohmann::json::error_handler_t::replace)
              << '\n';
  else
    std::cout << summary(total) << '\n';
  return total.exit_code();
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("check", "report what is wrong with a robot file, on which line, and how to fix it");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->files, "robots to check (URDF); - reads standard input")->required();
  verb->add_option("--packages", options->packages,
                   "directories that contain ROS packages, besides $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH");
  verb->add_flag("--json", options->json, "print JSON");
  verb->footer("Exit code: 0 no errors or warnings, 1 errors or warnings, 2 a file cannot be opened, or wrong usage.");
  verb->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace verb::check
