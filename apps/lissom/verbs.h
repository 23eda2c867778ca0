#pragma once
// The verbs of the command, one file and one namespace each. Each adds its subcommand to the application and sets
// exit_code when it has run. Exit codes: 0 success, 1 problems found, 2 wrong usage or input, 130
// interrupted (interrupt.h).
namespace CLI {
class App;
}

// clang-format off
namespace verb::info { void add(CLI::App& app, int& exit_code); }
namespace verb::check { void add(CLI::App& app, int& exit_code); }
namespace verb::eval { void add(CLI::App& app, int& exit_code); }
namespace verb::linearize { void add(CLI::App& app, int& exit_code); }
namespace verb::equations { void add(CLI::App& app, int& exit_code); }
namespace verb::bench { void add(CLI::App& app, int& exit_code); }
namespace verb::generate { void add(CLI::App& app, int& exit_code); }
namespace verb::verify { void add(CLI::App& app, int& exit_code); }
namespace verb::bridge { void add(CLI::App& app, int& exit_code); }
namespace verb::compare { void add(CLI::App& app, int& exit_code); }
namespace verb::plot { void add(CLI::App& app, int& exit_code); }
namespace verb::sim { void add(CLI::App& app, int& exit_code); }
namespace verb::ik { void add(CLI::App& app, int& exit_code); }
namespace verb::qp { void add(CLI::App& app, int& exit_code); }
namespace verb::control { void add(CLI::App& app, int& exit_code); }
namespace verb::stance { void add(CLI::App& app, int& exit_code); }
namespace verb::plan { void add(CLI::App& app, int& exit_code); }
namespace verb::contacts { void add(CLI::App& app, int& exit_code); }
namespace verb::same { void add(CLI::App& app, int& exit_code); }
namespace verb::convert { void add(CLI::App& app, int& exit_code); }
namespace verb::view { void add(CLI::App& app, int& exit_code); }
namespace verb::sweep { void add(CLI::App& app, int& exit_code); }
namespace verb::help { void add(CLI::App& app, int& exit_code); }  // and completion, man
// clang-format on
