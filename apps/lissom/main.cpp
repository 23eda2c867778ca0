// The command `lissom`: kinematics, dynamics, simulation and control of robots on the command line.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
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

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit is reported as an error instead of ending the program
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
