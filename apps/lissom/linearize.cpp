// lissom linearize FILE --q … --v … --tau …: the equation of motion about a state, A and B, in continuous time and,
// with --step, for one step of an integrator.
#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>

#include <CLI/CLI.hpp>
#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/api/postures.h"
#include "lissom/constraints/closed_loop_derivatives.h"
#include "lissom/lissom.h"
#include "lissom/recording/header.h"
#include "lissom/sim/linearize_step.h"
#include "loop_report.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "state_arguments.h"
#include "verbs.h"

namespace verb::linearize {
namespace {

using lissom::Error;
using lissom::Matrix;
using lissom::Model;
using nlohmann::json;
using Complex = std::complex<double>;

struct Options {
  ModelArguments model;
  std::string q, v, tau;
  std::optional<double> step;
  std::string integrator;
  bool hold = false, all = false, as_json = false, quiet = false;
};

// Matrices with more rows than this are left out of the text.
constexpr int max_printed_dofs = 12;

struct State {
  Eigen::VectorXd q, v, tau, a;
};

// The robot, with its loops if it has any.
struct Robot {
  explicit Robot(Model m) : model(std::move(m)), work(model) {
    if (!lissom::closures(model).empty()) loops.emplace(model);
  }
  Model model;
  lissom::Workspace work;
  std::optional<lissom::ClosedLoops> loops;
};

// One of the two forms, with its eigenvalues: the least stable first.
struct Form {
  Matrix A, B;
  std::vector<Complex> eigenvalues;
};
// step: of the discrete form. directions: those that keep the loops closed, whose eigenvalues are wanted; empty: all
// directions.
Form form_of(Matrix A, Matrix B, std::optional<double> step, const Matrix& directions = {}) {
  const bool discrete = step.has_value(), finite = A.allFinite() && B.allFinite();
  if (!finite && discrete)
    throw Error(
        fmt::format("--step {:g}: the step has no finite derivatives, though the equation of motion has; expected "
                    "a step in seconds that is short against the motion, such as 0.001",
                    *step));
  if (!finite)
    throw Error(
        "the equation of motion has no finite derivatives in this state: the mass matrix is singular, or q, v "
        "or tau are too large; see lissom check for links without mass");
  const Eigen::MatrixXd kept =
      directions.rows() > 0 ? Eigen::MatrixXd(directions.transpose() * A * directions) : Eigen::MatrixXd(A);
  std::vector<Complex> sorted;
  if (kept.size() > 0) {
    const Eigen::VectorXcd all = Eigen::EigenSolver<Eigen::MatrixXd>(kept, false).eigenvalues();
    sorted.assign(all.begin(), all.end());
  }
  const auto growth = [&](const Complex& x_) { return discrete ? std::abs(x_) : x_.real(); };
  std::ranges::stable_sort(sorted, [&](const Complex& a, const Complex& b) {
    return growth(a) != growth(b) ? growth(a) > growth(b) : a.imag() > b.imag();
  });
  return {std::move(A), std::move(B), std::move(sorted)};
}

State state_of(Robot& robot, const Options& o) {
  const auto& model = robot.model;
  const auto rates = [&](const char* option, const std::string& text) {
    return text.empty() ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())) : velocity_of(model, option, text);
  };
  State x;
  x.q = o.q.empty() ? lissom::initial_configuration(model) : configuration_of(model, "--q", o.q);
  x.v = rates("--v", o.v);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  if (robot.loops) {
    auto& loops = *robot.loops;
    complain_of_other_start(loops.assemble(model, robot.work, x.q));
    loops.project(model, robot.work, x.q, x.v);
    const std::vector<bool> all(std::size_t(model.nv()), true);
    x.tau = o.hold ? inverse_dynamics(model, robot.work, loops, x.q, x.v, zero, all).tau : rates("--tau", o.tau);
    x.a = forward_dynamics(model, robot.work, loops, x.q, x.v, x.tau);
    return x;
  }
  x.tau = o.hold ? inverse_dynamics(model, robot.work, x.q, x.v, zero) : rates("--tau", o.tau);
  x.a = forward_dynamics(model, robot.work, x.q, x.v, x.tau);
  return x;
}

// The step of `lissom sim`, with all passive forces, if an integrator is named or loops have to stay closed; else the
// one of the plain equation of motion.
bool simulates(const Robot& robot, const Options& o) {
  return robot.loops || !o.integrator.empty();
}
const std::string& integrator_of(const Options& o) {
  static const std::string usual = "semi_implicit_euler";
  return o.integrator.empty() ? usual : o.integrator;
}
Form discrete_form(Robot& robot, const State& x, const Options& o) {
  if (!simulates(robot, o)) {
    auto [A, B] = lissom::linearize(robot.model, robot.work, x.q, x.v, x.tau, *o.step);
    return form_of(std::move(A), std::move(B), o.step);
  }
  lissom::sim::System system(robot.model);
  auto d = lissom::sim::linearize_step(system, integrator_of(o), {0, x.q, x.v, 0}, x.tau, *o.step);
  return form_of(std::move(d.A), std::move(d.B), o.step);
}

// ── JSON

json list(const Eigen::VectorXd& x) {
  return std::vector<double>(x.begin(), x.end());
}
json rows(const Matrix& matrix) {
  json result = json::array();
  for (long r = 0; r < matrix.rows(); ++r) result.push_back(list(matrix.row(r).transpose()));
  return result;
}
json to_json(const Form& form) {
  json eigenvalues = json::array();
  for (const auto& x : form.eigenvalues) eigenvalues.push_back({x.real(), x.imag()});
  return {{"A", rows(form.A)}, {"B", rows(form.B)}, {"eigenvalues", std::move(eigenvalues)}};
}

// ── Text

template <class... T>
void print(fmt::format_string<T...> text, T&&... values) {
  std::cout << fmt::format(text, std::forward<T>(values)...);
}

std::string number(double x) {
  return std::abs(x) < 1e-12 ? "0" : fmt::format("{:.4g}", x);
}

// The block of a matrix with the names of its rows and columns, some columns at a time.
void print_block(const std::vector<std::string>& names, const std::vector<std::string>& columns, const Matrix& block) {
  std::size_t first_width = 0;
  for (const auto& name : names) first_width = std::max(first_width, name.size());
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    std::vector<std::size_t> widths;
    for (std::size_t used = first_width + 2; end < columns.size(); ++end) {
      std::size_t width = columns[end].size();
      for (long r = 0; r < block.rows(); ++r) width = std::max(width, number(block(r, long(end))).size());
      if (end > begin && used + width + 2 > 110) break;
      widths.push_back(width);
      used += width + 2;
    }
    print("  {:{}}", "", first_width);
    for (std::size_t c = begin; c < end; ++c) print("  {:>{}}", columns[c], widths[c - begin]);
    print("\n");
    for (std::size_t r = 0; r < names.size(); ++r) {
      print("  {:{}}", names[r], first_width);
      for (std::size_t c = begin; c < end; ++c) print("  {:>{}}", number(block(long(r), long(c))), widths[c - begin]);
      print("\n");
    }
  }
}

void print_matrices(const Model& model, const Form& form, bool all) {
  const int nv = model.nv();
  if (!all && nv > max_printed_dofs) {
    print("\nA has {0} × {0} elements, B {0} × {1}; --all prints them, --json writes them\n", 2 * nv, nv);
    return;
  }
  std::vector<std::string> names;
  for (const auto& column : lissom::recording::velocity_columns(model)) names.push_back(lissom::printable(column.name));
  const auto block = [&](const Matrix& m, int row, int column) { return Matrix(m.block(row, column, nv, nv)); };
  const auto show = [&](const char* what, const Matrix& m) {
    print("\n{}\n", what);
    print_block(names, names, m);
  };
  print("\nrows and columns have the names of the elements of v\n");
  if (const Matrix by_q = block(form.A, 0, 0); by_q.isZero(0))
    print("\nA, upper half: (0, 1), since the rate of δq is δv\n");
  else
    show("A, upper left: rate of δq by δq; the upper right is 1", by_q);
  show("A, lower left: δa by δq", block(form.A, nv, 0));
  show("A, lower right: δa by δv", block(form.A, nv, nv));
  show("B, lower half: δa by δtau; the upper half is 0", block(form.B, nv, 0));
}

void print_eigenvalues(const Form& form, bool closed) {
  print("\neigenvalues of A{}, continuous time (1/s)\n", closed ? " along motions that keep the loops closed" : "");
  // A double zero, as of a coordinate without any force, is found as two numbers of the root of the rounding error.
  const double rounding = std::sqrt(1e-13 * std::max(1.0, form.A.norm()));
  int zeros = 0;
  for (const auto& x : form.eigenvalues) {
    if (std::abs(x) < rounding) {
      ++zeros;
      continue;
    }
    if (x.imag() < 0) continue;  // with its conjugate
    const double growth = std::abs(x.real()) < rounding ? 0 : x.real();
    if (x.imag() > 0)
      print("  {} ± {} i    {:.4g} Hz{}\n", number(growth), number(x.imag()), x.imag() / (2 * std::numbers::pi),
            growth > 0 ? ", grows" : "");
    else
      print("  {}{}\n", number(growth),
            growth > 0 ? fmt::format("    doubles in {:.3g} s", std::numbers::ln2 / growth) : "");
  }
  if (zeros) print("  0, {} times\n", zeros);
}

// An equilibrium, or how far from it.
void print_state(const State& x, const Options& o) {
  const double largest = x.a.cwiseAbs().maxCoeff();
  if (largest < 1e-9)
    print("an equilibrium: it does not accelerate\n");
  else
    print("no equilibrium: it accelerates by up to {:.4g} (rad/s², m/s²){}\n", largest,
          o.hold ? "" : "; --hold finds the generalized forces that keep it from that");
}

void print_text(const Robot& robot, const State& x, const Form& continuous, const std::optional<Form>& discrete,
                const Options& o) {
  const auto& model = robot.model;
  print("{}: {} degree{} of freedom, state x = (δq, δv) of {} elements, δq in the tangent space of q\n",
        lissom::printable(model.name()), model.nv(), model.nv() == 1 ? "" : "s", 2 * model.nv());
  if (robot.loops)
    print(
        "{} loop rows, {} of them independent, leave {}; A and B are those of the acceleration that keeps them "
        "closed\n",
        robot.loops->rows().count(), robot.loops->rank(), model.nv() - robot.loops->rank());
  print_state(x, o);
  print_matrices(model, continuous, o.all);
  print_eigenvalues(continuous, robot.loops.has_value());
  if (!discrete) return;
  const double radius = std::abs(discrete->eigenvalues.front());
  const std::string method = simulates(robot, o) ? integrator_of(o) + " steps of lissom sim, with passive joint forces,"
                                                 : std::string("semi-implicit Euler steps");
  print("\ndiscrete time, {} of {:g} s: the largest eigenvalue of A has magnitude {:.8g}{}\n", method, *o.step, radius,
        radius > 1 + 1e-12 ? ", so errors grow" : "");
}

void run(const Options& o) {
  if (!o.integrator.empty() && !o.step) throw Error("--integrator needs --step, the length of its steps in seconds");
  Robot robot(o.model.load());
  const auto& model = robot.model;
  if (model.nv() == 0)
    throw Error(lissom::in_quotes(model.name()) + " has no degrees of freedom, nothing to linearize; try --base free");
  std::optional<Waiting> waiting(std::in_place, o.quiet, "linearizing");
  const auto x = state_of(robot, o);
  Matrix directions;
  const auto continuous = [&] {
    if (!robot.loops) {
      auto [A, B] = lissom::linearize(model, robot.work, x.q, x.v, x.tau);
      return form_of(std::move(A), std::move(B), {});
    }
    auto closed = lissom::linearize(model, robot.work, *robot.loops, x.q, x.v, x.tau);
    directions = std::move(closed.directions);
    return form_of(std::move(closed.A), std::move(closed.B), {}, directions);
  }();
  std::optional<Form> discrete;
  if (o.step) discrete = discrete_form(robot, x, o);
  waiting.reset();
  if (!o.as_json) return print_text(robot, x, continuous, discrete, o);
  json names = json::array();
  for (const auto& column : lissom::recording::velocity_columns(model)) names.push_back(column.name);
  json result{{"name", model.name()},
              {"coordinates", std::move(names)},
              {"q", list(x.q)},
              {"v", list(x.v)},
              {"tau", list(x.tau)},
              {"a", list(x.a)},
              {"continuous", to_json(continuous)}};
  if (robot.loops) result["continuous"]["directions"] = rows(directions);
  if (discrete) {
    result["discrete"] = to_json(*discrete);
    result["discrete"]["step"] = *o.step;
    result["discrete"]["integrator"] = integrator_of(o);
  }
  print_json(result, -1);
}

}  // namespace

void add(CLI::App& app, int&) {
  auto* const verb = app.add_subcommand(
      "linearize", "the equation of motion about a state: A, B, eigenvalues; with --step for one step");
  const auto o = std::make_shared<Options>();
  o->model.add_to(*verb);
  verb->add_option("--loops", o->model.options.loops_file, "file (JSON) with closed loops, which stay closed");
  verb->add_option("--q", o->q, "the configuration (default: neutral): " + configuration_syntax);
  const std::string rates = " (default: zero): all elements, JOINT=VALUE,… or @FILE (JSON with the same key)";
  verb->add_option("--v", o->v, "the velocity" + rates);
  auto* const tau = verb->add_option("--tau", o->tau, "the generalized forces" + rates);
  verb->add_flag("--hold", o->hold, "instead of --tau, the generalized forces for which the acceleration is zero")
      ->excludes(tau);
  verb->add_option("--step", o->step, "also in discrete time, for steps of this length (s)")
      ->check(number_check::positive());
  std::vector<std::string> integrators;
  for (const auto& info : lissom::sim::integrators()) integrators.push_back(info.name);
  take_one_of(verb->add_option("--integrator", o->integrator,
                               "with --step: the steps of lissom sim by this integrator, with the passive joint forces "
                               "of the model (default: semi-implicit Euler steps without them)"),
              integrators);
  verb->add_flag("--all", o->all,
                 fmt::format("print the matrices also for more than {} degrees of freedom", max_printed_dofs));
  verb->add_flag("--json", o->as_json,
                 "write JSON: coordinates, q, v, tau, a, continuous and discrete A, B, eigenvalues");
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->callback([o] { run(*o); });
}

}  // namespace verb::linearize
