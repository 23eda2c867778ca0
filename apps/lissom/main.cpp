// lissom: articulated bodies on the command line.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "lissom/model/diagnostic.h"
#include "verbs.h"

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
