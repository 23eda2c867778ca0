// lissom bench FILE: measures the µs per call of every algorithm on this machine. lissom bench --contacts: how exact
// worlds are.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench_contacts.h"
#include "bench_generated.h"
#include "bench_gpu.h"
#include "interrupt.h"
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/second_order_lanes.h"
#include "lissom/lissom.h"
#include "lissom/model/text.h"
#include "lissom/sim/integrator.h"
#include "lissom/tree/array.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "stopwatch.h"
#include "verbs.h"

namespace verb::bench {
namespace {

using lissom::Kernels;
using lissom::Model;
using nlohmann::json;
// Measures all algorithms of a kernel table on one robot, and owns the buffers they need.
template <class S>
class KernelRows {
 public:
  KernelRows(const Model& model, const Kernels<S>& kernels, std::string mode)
      : model_(model), kernels_(kernels), mode_(std::move(mode)), view_(model_), states_(model_, kernels.width) {}

  void add_to(Stopwatch& watch) {
    const auto& k = kernels_;
    auto &w = *scratch_, &matrices = *matrix_scratch_;
    const auto row = [&](const char* algorithm, auto f) { watch.add(algorithm, mode_, states_.groups, k.width, f); };
    row("placements", [=, &k, &w, this](int i) { k.placements(view_, w, q(i)); });
    row("velocities", [=, &k, &w, this](int i) { k.velocities(view_, w, q(i), v(i)); });
    row("jacobians", [=, &k, &w, this](int i) { k.jacobians(view_, w, q(i), J_.data()); });
    row("rnea", [=, &k, &w, this](int i) { k.rnea(view_, w, q(i), v(i), a(i), nullptr, out_.data()); });
    row("bias", [=, &k, &w, this](int i) { k.bias(view_, w, q(i), v(i), out_.data()); });
    row("crba", [=, &k, &w, this](int i) { k.crba(view_, w, q(i), M_.data(), stride_); });
    row("factor", [=, &k, this](int) { k.factorize(view_, *factor_, M_.data(), stride_); });
    row("minv", [=, &k, &w, &matrices, this](int i) {
      k.crba(view_, w, q(i), M_.data(), stride_);
      k.factorize(view_, *factor_, M_.data(), stride_);
      k.invert(view_, *factor_, matrices, inverse_.data(), stride_);
    });
    row("aba", [=, &k, &w, this](int i) { k.aba(view_, w, q(i), v(i), tau(i), nullptr, out_.data()); });
    row("step", [=, &k, &w, this](int i) {
      k.step(view_, w, q(i), v(i), tau(i), nullptr, S(1e-3), next_q_.data(), next_v_.data());
    });
    row("centroidal", [=, &k, &w, this](int i) {
      k.placements(view_, w, q(i));
      k.centroidal_map(view_, w, J_.data());
    });
    row("all_terms", [=, &k, &w, this](int i) {
      k.all_terms(view_, w, q(i), v(i), M_.data(), stride_, out_.data(), J_.data(), momentum_.data(),
                  momentum_.data() + 6 * k.width);
    });
    auto& d = *derivative_scratch_;
    row("rnea_jvp",
        [=, &k, &d, this](int i) { k.rnea_jvp(view_, d, q(i), v(i), a(i), nullptr, v(i), a(i), tau(i), out_.data()); });
    row("rnea_vjp", [=, &k, &d, this](int i) {
      k.rnea_vjp(view_, d, q(i), v(i), a(i), nullptr, tau(i), out_.data(), next_v_.data(), gradient_.data());
    });
    row("aba_jvp", [=, &k, &d, this](int i) {
      k.aba_jvp(view_, d, q(i), v(i), tau(i), nullptr, v(i), a(i), tau(i), out_.data(), next_v_.data());
    });
    row("aba_vjp", [=, &k, &d, this](int i) {
      k.aba_vjp(view_, d, q(i), v(i), tau(i), nullptr, a(i), out_.data(), next_v_.data(), gradient_.data(), J_.data());
    });
    row("coriolis", [=, &k, &matrices, this](int i) { k.coriolis(view_, matrices, q(i), v(i), C_.data(), stride_); });
    add_derivatives(watch);
  }

 private:
  void add_derivatives(Stopwatch& watch) {
    const auto& k = kernels_;
    auto& d = *derivative_scratch_;
    const auto row = [&](int fewer, const char* algorithm, auto f) {
      watch.add(algorithm, mode_, std::min(states_.groups, std::max(1, fewer / k.width)), k.width, f);
    };
    row(states_of_derivatives, "d_rnea", [=, &k, &d, this](int i) {
      k.rnea_derivatives(view_, d, q(i), v(i), a(i), nullptr, dq_.data(), dv_.data(), M_.data(), stride_);
    });
    row(states_of_derivatives, "d_aba", [=, &k, &d, this](int i) {
      k.aba_derivatives(view_, d, q(i), v(i), tau(i), nullptr, out_.data(), dense_dq_.data(), dense_dv_.data(),
                        inverse_.data(), stride_);
    });
    if (nv_ > max_nv_of_second_order) return;
    H_ = buffer(9 * nv_ * nv_);
    const auto second_order = [&](const auto& table) {
      second_order_scratch_ = table.scratch(view_);
      row(states_of_second_order, "dd_rnea", [=, &table, this](int i) {
        table.rnea_second_order(view_, *second_order_scratch_, q(i), v(i), a(i), tau(i), H_.data());
      });
    };
    if constexpr (std::is_same_v<S, double>) {
      if (k.width == 1) second_order(lissom::second_order_kernels());
    }
    if (k.width > 1) second_order(lissom::second_order_lane_kernels<S>());
  }

  const S* q(int i) const { return states_.q[std::size_t(i)].data(); }
  const S* v(int i) const { return states_.v[std::size_t(i)].data(); }
  const S* a(int i) const { return states_.a[std::size_t(i)].data(); }
  const S* tau(int i) const { return states_.tau[std::size_t(i)].data(); }
  lissom::Array<S> buffer(int n) const { return lissom::Array<S>(std::size_t(n * kernels_.width)); }

  Model model_;
  const Kernels<S>& kernels_;
  std::string mode_;
  lissom::ModelView<S> view_;
  States<S> states_;
  std::unique_ptr<lissom::KernelScratch> scratch_ = kernels_.scratch(view_);
  std::unique_ptr<lissom::KernelScratch> matrix_scratch_ = kernels_.matrix_scratch(view_);
  std::unique_ptr<lissom::KernelScratch> derivative_scratch_ = kernels_.derivative_scratch(view_);
  std::unique_ptr<lissom::KernelScratch> second_order_scratch_;
  std::unique_ptr<lissom::KernelFactor> factor_ = kernels_.make_factor(view_);
  int nv_ = model_.nv(), stride_ = lissom::row_stride(nv_), square_ = int(lissom::padded_square(nv_));
  lissom::Array<S> dq_ = buffer(square_), dv_ = buffer(square_);
  lissom::Array<S> dense_dq_ = buffer(square_), dense_dv_ = buffer(square_), gradient_ = buffer(nv_);
  lissom::Array<S> out_ = buffer(nv_), M_ = buffer(square_), C_ = buffer(square_), inverse_ = buffer(square_);
  lissom::Array<S> H_, J_ = buffer(6 * nv_), next_q_ = buffer(model_.nq()), next_v_ = buffer(nv_),
                       momentum_ = buffer(12);
};

// Returns the same robot with a rotor of this inertia on every joint that can have one.
Model with_armature(const Model& model, const lissom::BuildOptions& options, double armature) {
  auto description = model.description();
  for (auto& joint : description.joints)
    if (lissom::joint_traits(joint.type).takes_armature) joint.armature = armature;
  return build(description, options);
}

// Measures the kernels on `model` and, if `geared` is given, in turns with it on that robot too.
template <class S>
void measure(const Model& model, const Model* geared, const Kernels<S>& kernels, const std::string& mode,
             const Effort& effort, std::vector<Row>& rows) {
  if (interrupted()) return;
  Stopwatch watch(effort);
  KernelRows<S> plain(model, kernels, mode);
  plain.add_to(watch);
  std::unique_ptr<KernelRows<S>> with_rotors;
  if (geared) {
    with_rotors = std::make_unique<KernelRows<S>>(*geared, kernels, mode + "+armature");
    with_rotors->add_to(watch);
  }
  watch.measure(rows);
}

// Measures the public functions, including their argument checks.
void measure_api(const Model& model, const Effort& effort, std::vector<Row>& rows) {
  if (interrupted()) return;
  const States<double> s(model, 1);
  lissom::Workspace work(model);
  const auto vector = [](const lissom::Array<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), long(x.size()));
  };
  Stopwatch watch(effort);
  const auto row = [&](const char* algorithm, auto f) { watch.add(algorithm, "api", s.groups, 1, f); };
  const auto at = [](int i) { return std::size_t(i); };
  row("rnea",
      [&](int i) { inverse_dynamics(model, work, vector(s.q[at(i)]), vector(s.v[at(i)]), vector(s.a[at(i)])); });
  row("crba", [&](int i) { mass_matrix(model, work, vector(s.q[at(i)])); });
  lissom::Matrix H;
  if (model.nv() <= max_nv_of_second_order) H.resize(3 * model.nv(), 3 * model.nv());
  if (H.size() > 0)
    watch.add("dd_aba", "api", std::min(s.groups, states_of_second_order), 1, [&](int i) {
      forward_dynamics_second_order(model, work, vector(s.q[at(i)]), vector(s.v[at(i)]), vector(s.tau[at(i)]),
                                    vector(s.a[at(i)]), H);
    });
  row("aba",
      [&](int i) { forward_dynamics(model, work, vector(s.q[at(i)]), vector(s.v[at(i)]), vector(s.tau[at(i)])); });
  lissom::sim::System system(model, {.passive_forces = false});
  const auto method = lissom::sim::integrator(model, "semi_implicit_euler");
  lissom::sim::State x{0, Eigen::VectorXd(model.nq()), Eigen::VectorXd(model.nv()), 0};
  const auto step = [&](int i) {
    x.q = vector(s.q[at(i)]), x.v = vector(s.v[at(i)]);
    method->step(system, x, 1e-3);
  };
  // If the mass matrix is not positive definite, the state diverges at once, and there is no step to measure.
  try {
    for (int i = 0; effort.asks_for("step") && i < s.groups; ++i) step(i);
    row("step", step);
  } catch (const lissom::Error& error) {
    complain(fmt::format("step (api) was not measured: {}", error.what()));
  }
  watch.measure(rows);
}

// Measures batches over row-major arrays, on all threads.
template <class S>
void measure_batch(const Model& model, const std::string& mode, int threads, const Effort& effort,
                   std::vector<Row>& rows) {
  if (interrupted()) return;
  constexpr int robots = 4096;
  lissom::batch::Workspace<S> work(model, threads);
  using R = lissom::batch::Rows<S>;
  R q(robots, model.nq()), out(robots, model.nv());
  const R v = R::Random(robots, model.nv()), a = R::Random(robots, model.nv());
  for (int i = 0; i < robots; ++i) q.row(i) = random_configuration(model, std::uint64_t(i)).template cast<S>();
  Stopwatch watch(effort);
  const auto row = [&](const char* algorithm, auto f) { watch.add(algorithm, mode, 1, robots, f); };
  row("rnea", [&](int) { lissom::batch::inverse_dynamics<S>(model, work, q, v, a, out); });
  row("aba", [&](int) { lissom::batch::forward_dynamics<S>(model, work, q, v, a, out); });
  R next_q = q, next_v = v;
  row("step", [&](int) {
    next_q = q, next_v = v;
    if (!lissom::batch::step<S>(model, work, next_q, next_v, a, S(1e-3)).empty())
      throw lissom::Error("batch::step: a row is not finite after the step");
  });
  watch.measure(rows);
}

void print(const Model& model, bool best, const std::vector<Row>& rows) {
  std::vector<std::string> algorithms, modes;
  for (const auto& row : rows) {
    if (std::ranges::find(algorithms, row.algorithm) == algorithms.end()) algorithms.push_back(row.algorithm);
    if (std::ranges::find(modes, row.mode) == modes.end()) modes.push_back(row.mode);
  }
  std::cout << fmt::format(
      "{}, {} degrees of freedom: µs per robot, {} over {} random states (derivatives: {}, second ones: {}) ({}; {} "
      "doubles, {} floats per "
      "register)\n\n",
      model.name(), model.nv(), best ? "fastest run" : "median", states, states_of_derivatives, states_of_second_order,
      lissom::single_kernels().instruction_set, lissom::lane_kernels<double>().width,
      lissom::lane_kernels<float>().width);
  std::cout << fmt::format("{:12}", "");
  const auto width = [](const std::string& mode) { return std::max<std::size_t>(14, mode.size() + 2); };
  for (const auto& mode : modes) std::cout << fmt::format("{:>{}}", mode, width(mode));
  std::cout << "\n";
  for (const auto& algorithm : algorithms) {
    std::cout << fmt::format("{:12}", algorithm);
    for (const auto& mode : modes) {
      const auto at =
          std::ranges::find_if(rows, [&](const Row& r) { return r.algorithm == algorithm && r.mode == mode; });
      std::cout << (at == rows.end() ? std::string(width(mode), ' ') : fmt::format("{:{}.4f}", at->us, width(mode)));
    }
    std::cout << "\n";
  }
}

struct Options {
  ModelArguments model;
  bool json = false, quiet = false, generated = false;
  int threads = 0;
  double armature = 0;
  Effort effort;
  GpuOptions gpu;
  ContactOptions contacts;
};

const char* base_of(const Options& options) {
  static const char* const bases[] = {"file", "fixed", "free", "planar"};
  return bases[int(options.model.options.base)];
}

// Says that there is no algorithm of the name that was asked for.
[[noreturn]] void refuse(const Effort& effort) {
  const std::vector<std::string_view> names(effort.known.begin(), effort.known.end());
  throw lissom::Error(
      fmt::format("--only {}: no such algorithm; {}algorithms: {}", lissom::in_quotes(effort.only),
                  lissom::did_you_mean(effort.only, names) + (lissom::nearest(effort.only, names).empty() ? "" : " "),
                  fmt::join(names, ", ")));
}

int run(Options& options) {
  if (options.contacts.on)
    return run_contacts(options.contacts, {options.json, options.quiet, options.effort.only, ""});
  if (options.model.file.empty()) throw CLI::RequiredError("FILE");
  const auto model = options.model.load();
  if (model.nv() == 0)
    throw lissom::Error("'" + model.name() + "' has no degrees of freedom, nothing to measure; try --base free");
  if (options.gpu.on)
    return run_on_gpu(model, options.gpu, {options.json, options.quiet, options.effort.only, base_of(options)});
  std::vector<Row> rows;
  std::optional<Model> geared;
  if (options.armature > 0)
    geared = with_armature(model, {options.model.options.base, options.model.options.mimic}, options.armature);
  const Model* const with_rotors = geared ? &*geared : nullptr;
  end_on_request();
  BenchProgress progress{Progress(options.quiet), options.generated ? 9 : 6};
  options.effort.progress = &progress;
  measure<double>(model, with_rotors, lissom::single_kernels(), "interpreted", options.effort, rows);
  measure<double>(model, with_rotors, lissom::lane_kernels<double>(), "lanes_f64", options.effort, rows);
  measure<float>(model, with_rotors, lissom::lane_kernels<float>(), "lanes_f32", options.effort, rows);
  measure_api(model, options.effort, rows);
  measure_batch<double>(model, "threads_f64", options.threads, options.effort, rows);
  measure_batch<float>(model, "threads_f32", options.threads, options.effort, rows);
  if (rows.empty() && !interrupted()) refuse(options.effort);
  if (options.generated) measure_generated(model, options.effort, rows);
  progress.line.clear();
  const int code = interrupted() ? interrupted_code : 0;
  if (code != 0) complain("interrupted; what was not measured completely is left out");
  if (!options.json) {
    print(model, options.effort.best, rows);
    return code;
  }
  json list = json::array();
  for (const auto& row : rows)
    list.push_back({{"robot", model.name()},
                    {"base", base_of(options)},
                    {"nv", model.nv()},
                    {"algorithm", row.algorithm},
                    {"mode", row.mode},
                    {"us", row.us}});
  print_json(list, 1);
  return code;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "bench", "measure µs per call of every algorithm: one robot, robots in SIMD lanes, batches on threads");
  const auto options = std::make_shared<Options>();
  options->model.add_to(*verb);
  verb->get_option("FILE")->required(false);  // --contacts needs none
  verb->add_flag("--json", options->json, "print JSON");
  verb->add_option("--threads", options->threads, "number of threads of batches (default: 0, all hardware threads)")
      ->check(number_check::whole(0, 4096));
  verb->add_option("--seconds", options->effort.seconds, "measuring time per figure in seconds (default: 0.1)")
      ->check(number_check::between(0.001, 60));
  verb->add_option("--only", options->effort.only, "measure only this algorithm, e.g. rnea, or test of --contacts");
  verb->add_option(
          "--armature", options->armature,
          "also measure the robot with a rotor of this inertia (kg m²) on every joint; these modes end in +armature")
      ->check(number_check::positive());
  verb->add_flag("--generated", options->generated,
                 "also measure code that is generated for this robot (lissom generate) and compiled now");
  verb->add_flag("--best", options->effort.best,
                 "report the fastest run instead of the median, for machines under load");
  options->gpu.add_to(*verb);
  options->contacts.add_to(*verb);
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "Exit code: 0 success, 2 wrong usage or input, 130 interrupted (what was measured until then is printed).");
  verb->callback([options, verb, &exit_code] {
    if (options->contacts.on) options->contacts.check_others(*verb);
    exit_code = run(*options);
  });
}

}  // namespace verb::bench
