// lissom qp FILE: solves the quadratic programs of a file in order, each warm-started from the active set of the one
// before.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/math/quantile.h"
#include "lissom/model/diagnostic.h"
#include "lissom/qp/solver.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "qp_file.h"
#include "verbs.h"

namespace verb::qp {
namespace {

using nlohmann::json;
namespace qp = lissom::qp;

struct Arguments {
  std::string file;
  int repeat = 3;
  bool cold = false, as_json = false, quiet = false;
};

// The parts of a solution that are reported.
struct Answer {
  qp::Status status = qp::Status::invalid;
  double objective = 0, microseconds = 0, stationarity = 0, equality_error = 0, row_error = 0;
  int iterations = 0;
  bool redone = false;
  std::vector<double> x;
  std::vector<qp::Conflict> conflicts;
  std::string reason;  // of limit and invalid
};

double quantile_of(std::vector<double> x, double fraction) {
  std::ranges::sort(x);
  return lissom::quantile(x, fraction);
}

qp::Sizes max_sizes(const std::vector<StoredProblem>& problems) {
  qp::Sizes s;
  for (const auto& p : problems) {
    s.variables = std::max(s.variables, int(p.g.size()));
    s.equalities = std::max(s.equalities, int(p.b.size()));
    s.rows = std::max(s.rows, int(p.l.size()));
  }
  return s;
}

// Solves all problems once. Each is copied before it is solved, so that its data are in the cache, as they are in a
// controller that has just written them.
void pass(const std::vector<StoredProblem>& problems, qp::Solver& solver, const Arguments& a,
          std::vector<Answer>& answers, std::vector<std::vector<double>>& times) {
  using Clock = std::chrono::steady_clock;
  solver.forget();
  StoredProblem current;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    current = problems[i];
    const auto problem = current.problem();
    const auto begin = Clock::now();
    const auto& s = solver.solve(problem, {.warm = !a.cold});
    times[i].push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    // What is no convex problem is answered so, and the next one is solved; numbers that are none make the file
    // useless.
    if (s.status == qp::Status::invalid && std::string_view(s.reason).find("H is not") != 0)
      throw lissom::Error(fmt::format("{}: problem {} of {}: {}", a.file, i, problems.size(), s.reason));
    answers[i] = {s.status,    s.objective,  0,        s.stationarity,           s.equality_error,
                  s.row_error, s.iterations, s.redone, {s.x.begin(), s.x.end()}, s.conflicts,
                  s.reason};
  }
}

const char* name(qp::Part part) {
  return part == qp::Part::equality ? "equality" : part == qp::Part::row ? "row" : "bound";
}

json to_json(const Answer& a) {
  json conflicts = json::array();
  for (const auto& c : a.conflicts)
    conflicts.push_back({{"part", name(c.part)}, {"index", c.index}, {"amount", c.amount}});
  return {{"status", qp::to_string(a.status)},
          {"objective", a.objective},
          {"x", a.x},
          {"us", a.microseconds},
          {"iterations", a.iterations},
          {"redone", a.redone},
          {"stationarity", a.stationarity},
          {"equality_error", a.equality_error},
          {"row_error", a.row_error},
          {"conflicts", conflicts},
          {"reason", a.reason}};
}

void print_errors(const std::vector<Answer>& answers) {
  double stationarity = 0, equality = 0, row = 0;
  int redone = 0;
  for (const auto& a : answers) {
    redone += a.redone;
    if (a.status != qp::Status::optimal) continue;
    stationarity = std::max(stationarity, a.stationarity);
    equality = std::max(equality, a.equality_error);
    row = std::max(row, a.row_error);
  }
  std::cout << fmt::format(
      "largest errors of optimal solutions: equalities {:.1e}, rows and bounds {:.1e}, stationarity {:.1e}; {} "
      "redone\n",
      equality, row, stationarity, redone);
}

void print_conflicts(const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].conflicts.empty()) continue;
    std::cout << fmt::format("problem {}: {} conflicts:", i, answers[i].conflicts.size());
    for (std::size_t k = 0; k < answers[i].conflicts.size() && k < 3; ++k) {
      const auto& c = answers[i].conflicts[k];
      std::cout << fmt::format("{} {} {} by {:+.3g}", k ? "," : "", name(c.part), c.index, c.amount);
    }
    std::cout << (answers[i].conflicts.size() > 3 ? ", …\n" : "\n");
  }
}

void print(const std::string& file, const std::vector<Answer>& answers, const std::vector<StoredProblem>& problems) {
  std::cout << fmt::format("{}: {} problems, up to {} variables\n", lissom::printable(file), answers.size(),
                           max_sizes(problems).variables);
  std::vector<double> us;
  for (const auto& a : answers) us.push_back(a.microseconds);
  for (const auto status :
       {qp::Status::optimal, qp::Status::elastic, qp::Status::infeasible, qp::Status::limit, qp::Status::invalid}) {
    const auto count =
        std::count_if(answers.begin(), answers.end(), [&](const Answer& a) { return a.status == status; });
    if (count > 0) std::cout << fmt::format("  {:<11} {:>6}\n", qp::to_string(status), count);
  }
  std::cout << fmt::format("time per problem: {:.1f} µs median, {:.1f} µs p99, {:.1f} µs max\n", quantile_of(us, 0.5),
                           quantile_of(us, 0.99), *std::max_element(us.begin(), us.end()));
  print_errors(answers);
  print_conflicts(answers);
}

void run(const Arguments& a, int& exit_code) {
  const auto problems = read_problems(a.file);
  qp::Solver solver(max_sizes(problems));
  std::vector<Answer> answers(problems.size());
  std::vector<std::vector<double>> times(problems.size());
  end_on_request();
  Progress progress(a.quiet);
  for (int i = 0; i < a.repeat && (i == 0 || !interrupted()); ++i) {
    progress.show(double(i) / a.repeat, fmt::format("pass {} of {}", i + 1, a.repeat));
    pass(problems, solver, a, answers, times);
  }
  progress.clear();
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i].microseconds = quantile_of(times[i], 0.5);
  const bool all =
      std::all_of(answers.begin(), answers.end(), [](const Answer& s) { return s.status == qp::Status::optimal; });
  exit_code = interrupted() ? interrupted_code : all ? 0 : 1;
  if (!a.as_json) return print(a.file, answers, problems);
  json out = json::array();
  for (const auto& answer : answers) out.push_back(to_json(answer));
  print_json(out, 1);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "qp", "solve the quadratic programs of a file (gzip), measure the time and check the solutions");
  const auto a = std::make_shared<Arguments>();
  verb->add_option("FILE", a->file, "FILE.qp.gz (format: docs/qp.md)")->required();
  verb->add_flag("--cold", a->cold, "start every problem cold instead of from the active set of the one before");
  verb->add_option("--repeat", a->repeat,
                   "number of passes through the file (default: 3); the time of a problem is their median")
      ->check(number_check::whole(1, 100000));
  verb->add_flag("--json", a->as_json, "print JSON");
  verb->add_flag("--quiet", a->quiet, "show no progress");
  verb->callback([a, &exit_code] { run(*a, exit_code); });
}

}  // namespace verb::qp
