// lissom: articulated bodies on the command line.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>

#include "lissom/model/diagnostic.h"
#include "verbs.h"

namespace {

bool knows(const CLI::App& app, const std::string& verb) {
  const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(verbs.begin(), verbs.end(), [&](const CLI::App* one) { return one->get_name() == verb; });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"lissom: kinematics and dynamics of robots, humanoids, characters", "lissom"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "lissom 0.1.0");
  app.get_formatter()->column_width(38);
  int exit_code = 0;
  add_info(app, exit_code);
  add_check(app, exit_code);
  add_eval(app, exit_code);
  add_bench(app, exit_code);
  add_verify(app, exit_code);
  add_bridge(app, exit_code);
  add_ik(app, exit_code);
  if (const std::string verb = argc > 1 ? argv[1] : ""; !verb.empty() && verb[0] != '-' && !knows(app, verb)) {
    std::fprintf(
        stderr,
        "lissom: there is no verb '%s'; expected info, check, eval, bench, verify, bridge or ik (lissom --help)\n",
        verb.c_str());
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
