// The command `lissom`: kinematics, dynamics, simulation and control of robots on the command line.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lissom/kernels/kernels.h"
#include "output.h"
#include "usage.h"
#include "verbs.h"

namespace {

std::string version() {
#ifdef __clang__
  const char* const compiler = "clang " __clang_version__;
#else
  const char* const compiler = "g++ " __VERSION__;
#endif
  return fmt::format("lissom {}\ncompiled by {} ({}, LISSOM_TARGET={}); uses the instruction set {}", LISSOM_VERSION,
                     compiler, LISSOM_BUILD_TYPE, LISSOM_TARGET, lissom::single_kernels().instruction_set);
}

void add_verbs(CLI::App& app, int& exit_code) {
  verb::info::add(app, exit_code);
  verb::check::add(app, exit_code);
  verb::eval::add(app, exit_code);
  verb::linearize::add(app, exit_code);
  verb::equations::add(app, exit_code);
  verb::bench::add(app, exit_code);
  verb::generate::add(app, exit_code);
  verb::verify::add(app, exit_code);
  verb::bridge::add(app, exit_code);
  verb::ik::add(app, exit_code);
  verb::sim::add(app, exit_code);
  verb::control::add(app, exit_code);
  verb::qp::add(app, exit_code);
  verb::stance::add(app, exit_code);
  verb::plan::add(app, exit_code);
  verb::contacts::add(app, exit_code);
  verb::view::add(app, exit_code);
  verb::compare::add(app, exit_code);
  verb::plot::add(app, exit_code);
  verb::convert::add(app, exit_code);
  verb::same::add(app, exit_code);
  verb::sweep::add(app, exit_code);
  verb::help::add(app, exit_code);
}

// Runs the verb, and returns the exit code.
int run(CLI::App& app, int argc, char** argv, const int& exit_code) {
  if (argc < 2) {
    complain("no verb is given\n\n" + usage::help(app));
    return 2;
  }
  if (const auto wrong = usage::unknown_word(app, {argv + 1, argv + argc}); !wrong.empty()) {
    complain(wrong);
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    complain(usage::in_plain_words(app, error));
    return 2;
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
  app.set_version_flag("--version", version, "print the version, and how this program was compiled");
  app.set_help_flag("-h,--help", "print this help");
  app.footer(
      "lissom help VERB explains a verb.\n"
      "Exit code: 0 success, 1 problems were found, 2 wrong use or input, 130 interrupted (Ctrl-C, SIGTERM) after the "
      "report and closed files.");
  app.get_formatter()->column_width(38);
  int exit_code = 0;
  add_verbs(app, exit_code);
  return run(app, argc, argv, exit_code);
}

// Destructors of JSON values allocate, and must not throw: where they find no memory, the program ends here.
[[noreturn]] void end_without_memory() {
  try {
    if (const auto reason = std::current_exception()) std::rethrow_exception(reason);
  } catch (const std::bad_alloc&) {
    std::fputs("lissom: there is not enough memory\n", stderr);
    std::_Exit(2);
  } catch (...) {
    std::fputs("lissom: an exception was thrown where none may be; please report this\n", stderr);
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
