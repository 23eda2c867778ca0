// The command `lissom`: kinematics, dynamics, simulation and control of robots on the command line.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "output.h"
#include "verbs.h"

namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

void add_verbs(CLI::App& app, int& exit_code) {
  verb::info::add(app, exit_code);
  verb::check::add(app, exit_code);
  verb::eval::add(app, exit_code);
  verb::bench::add(app, exit_code);
  verb::verify::add(app, exit_code);
  verb::bridge::add(app, exit_code);
  verb::ik::add(app, exit_code);
  verb::sim::add(app, exit_code);
  verb::control::add(app, exit_code);
  verb::qp::add(app, exit_code);
  verb::stance::add(app, exit_code);
  verb::compare::add(app, exit_code);
  verb::plot::add(app, exit_code);
}

// Runs the verb, and returns the exit code.
int run(CLI::App& app, int argc, char** argv, const int& exit_code) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream complaint;
    const int code = app.exit(error, std::cout, complaint);
    std::cerr << lissom::printable(complaint.str(), lissom::LineBreaks::keep);
    return code == 0 ? 0 : 2;
  } catch (const std::bad_alloc&) {
    std::string words;
    for (int i = 1; i < argc; ++i) words += std::string(" ") + argv[i];
    complain("there is not enough memory for:" + words);
    return 2;
  } catch (const std::exception& error) {
    complain(error.what());
    return 2;
  }
  return exit_code;
}

// The whole program but for its end.
int lissom_main(int argc, char** argv) {
  CLI::App app{"lissom: kinematics, dynamics, simulation and whole-body control of robots", "lissom"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "lissom " LISSOM_VERSION);
  app.get_formatter()->column_width(38);
  int exit_code = 0;
  add_verbs(app, exit_code);
  const auto verbs = verbs_of(app);
  if (const std::string verb = argc > 1 ? argv[1] : "";
      !verb.empty() && verb[0] != '-' && std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) {
    std::string known;
    for (const auto& name : verbs) known += (known.empty() ? "" : ", ") + name;
    complain("no verb " + lissom::in_quotes(verb) + "; verbs: " + known + " (see lissom --help)");
    return 2;
  }
  return run(app, argc, argv, exit_code);
}

// Destructors of JSON values allocate, and must not throw: where they find no memory, the program ends here.
[[noreturn]] void end_without_memory() {
  try {
    if (const auto reason = std::current_exception()) std::rethrow_exception(reason);
  } catch (const std::bad_alloc&) {
    std::fputs("lissom: there is not enough memory\n", stderr);
    std::_Exit(2);
  } catch (...) {  // a mistake of ours
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit is reported as an error instead of ending the program
  std::set_terminate(end_without_memory);
  try {
    StandardOutput output;
    return output.finish(lissom_main(argc, argv));
  } catch (const std::bad_alloc&) {  // while the options were set up
    std::fputs("lissom: there is not enough memory\n", stderr);
    return 2;
  }
}
