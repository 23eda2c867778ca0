// The command `lissom`: kinematics, dynamics, simulation and control of robots on the command line.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "lissom/model/diagnostic.h"
#include "verbs.h"

namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

// Runs the verb, and returns the exit code.
int run(int argc, char** argv) {
  CLI::App app{"lissom: kinematics, dynamics, simulation and whole-body control of robots", "lissom"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "lissom " LISSOM_VERSION);
  app.get_formatter()->column_width(38);
  int exit_code = 0;
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
  const auto verbs = verbs_of(app);
  if (const std::string verb = argc > 1 ? argv[1] : "";
      !verb.empty() && verb[0] != '-' && std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) {
    std::string known;
    for (const auto& name : verbs) known += (known.empty() ? "" : ", ") + name;
    std::fprintf(stderr, "lissom: no verb '%s'; verbs: %s (see lissom --help)\n", verb.c_str(), known.c_str());
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const lissom::Error& error) {
    std::fprintf(stderr, "lissom: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lissom: %s\n", error.what());
    return 2;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit is reported as an error instead of ending the program
  int exit_code = 2;
  try {
    exit_code = run(argc, argv);
  } catch (const std::bad_alloc&) {  // while the options were set up
    std::fputs("lissom: there is not enough memory\n", stderr);
  }
  // What has not been written is no result.
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0) {
    std::fprintf(stderr, "lissom: standard output cannot be written: %s\n", std::strerror(errno));
    return 2;
  }
  return exit_code;
}
