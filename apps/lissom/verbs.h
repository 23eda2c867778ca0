#pragma once
// The verbs of the command, one file each. Each adds its subcommand to the application and sets exit_code when it has
// run. Exit codes: 0 all well, 1 problems found, 2 wrong use or input.
namespace CLI {
class App;
}

void add_info(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_eval(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_bridge(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_sim(CLI::App& app, int& exit_code);
void add_ik(CLI::App& app, int& exit_code);
void add_qp(CLI::App& app, int& exit_code);
void add_control(CLI::App& app, int& exit_code);
void add_stance(CLI::App& app, int& exit_code);
