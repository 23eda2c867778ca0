#include "lissom/gpu/stages.h"

#include "lissom/codegen/trace_job.h"
#include "lissom/dynamics/aba_solve.h"
#include "lissom/dynamics/rnea_products.h"
#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom::gpu {
namespace {

namespace in_model = in_model_coordinates;
using codegen::Program;
using codegen::Traced;
using codegen::TraceJob;
using codegen::TraceOptions;
using Values = TraceJob::Values;

constexpr BatchAlgorithm products[] = {
    {"rnea_jvp", "", "the change of tau of inverse dynamics along (dq, dv, da)"},
    {"rnea_vjp", "", "the gradient of weights · tau of inverse dynamics with respect to q, v, a"},
    {"aba_jvp", "", "the change of a of forward dynamics along (dq, dv, dtau)"},
    {"aba_vjp", "", "the gradient of weights · a of forward dynamics with respect to q, v, tau"},
};

// Traces f(job) as one program.
template <class F>
Program stage(const Model& model, const std::string& name, const std::string& meaning, const TraceOptions& options,
              F f) {
  Program program;
  program.graph = codegen::Graph(options.signed_constants);
  program.algorithm = name;
  program.meaning = meaning;
  const codegen::Recording recording(program.graph, name);
  TraceJob job(model, options, program);
  program.limbs = job.limbs.limbs;
  f(job);
  program.graph.keep(program.results);
  return program;
}

const Force<Traced>* const no_forces = nullptr;

Values vector(TraceJob& job, const char* name, const char* meaning) {
  return job.input(name, job.limbs.of_v, meaning);
}

// Spreads a vector over v to the coordinates of the tree.
Values spread(TraceJob& job, const Values& v) {
  auto full = job.zeros(job.view.tree.nv);
  job.view.coupling.spread_v(v.data(), full.data());
  return full;
}
Values spread_q(TraceJob& job, const Values& q) {
  auto full = job.zeros(job.view.tree.nq);
  job.view.coupling.spread_q(q.data(), full.data());
  return full;
}
void output_gathered(TraceJob& job, const char* name, const Values& full, const char* meaning) {
  auto gathered = job.zeros(job.nv);
  job.view.coupling.gather_forces(full.data(), gathered.data());
  job.output_v(name, gathered, meaning);
}

// Inverse dynamics' product with a direction; `rest` where it is subtracted from dtau, for forward dynamics.
void trace_rnea_jvp(TraceJob& job, bool forward) {
  const auto q = spread_q(job, job.q()), v = spread(job, job.v()), a = spread(job, job.a());
  const auto dq = spread(job, vector(job, "dq", "change of q, along v")),
             dv = spread(job, vector(job, "dv", "change of v"));
  const auto da = forward ? job.zeros(job.view.tree.nv) : spread(job, vector(job, "da", "change of a"));
  RneaProductsScratch<Traced> w(job.view.tree);
  auto full = job.zeros(job.view.tree.nv), change = job.zeros(job.nv);
  const auto at = [](const Values& x) -> const Traced* { return x.data(); };
  lissom::rnea_jvp(job.view.tree, w, at(q), at(v), at(a), at(dq), at(dv), at(da), full.data(), no_forces);
  if (!forward) return output_gathered(job, "dtau", full, "change of tau");
  job.view.coupling.gather_forces(full.data(), change.data());
  const auto dtau = vector(job, "dtau", "change of tau");
  for (int i = 0; i < job.nv; ++i) change[i] = dtau[i] - change[i];
  job.output_v("aba_jvp_rest", change, "dtau - the change of inverse dynamics");
}

void trace_rnea_vjp(TraceJob& job, bool forward) {
  const auto q = spread_q(job, job.q()), v = spread(job, job.v()), a = spread(job, job.a());
  auto weights = vector(job, forward ? "gradient_tau" : "weights", "weights");
  if (forward)
    for (int i = 0; i < job.nv; ++i) weights[i] = -weights[i];
  const auto full_weights = spread(job, weights);
  RneaProductsScratch<Traced> w(job.view.tree);
  const int n = job.view.tree.nv;
  auto gradient_q = job.zeros(n), gradient_v = job.zeros(n), gradient_a = job.zeros(n);
  const auto at = [](const Values& x) -> const Traced* { return x.data(); };
  lissom::rnea_vjp(job.view.tree, w, at(q), at(v), at(a), at(full_weights), gradient_q.data(), gradient_v.data(),
                   gradient_a.data(), no_forces);
  output_gathered(job, "gradient_q", gradient_q, "with respect to q, along v");
  output_gathered(job, "gradient_v", gradient_v, "with respect to v");
  if (!forward) output_gathered(job, "gradient_a", gradient_a, "with respect to a");
}

// Forward dynamics, and with the same articulated inertias the solution x of M x = b.
struct Solved {
  Values a, x;
};
Solved trace_aba_and_solve(TraceJob& job, const Values& q, const Values& v, const Values& tau, const Values& b) {
  in_model::ForwardDynamicsInModel<Traced> w(job.view);
  in_model::InverseDynamicsInModel<Traced> inverse(job.view);
  Solved out{job.zeros(job.nv), job.zeros(job.nv)};
  const auto at = [](const Values& x) -> const Traced* { return x.data(); };
  in_model::aba(job.view, w, inverse, at(q), at(v), at(tau), no_forces, out.a.data());
  if (job.view.coupling.trivial())
    aba_solve(job.view.tree, w.aba, at(b), out.x.data());
  else
    lissom::solve(job.view.sparsity, w.factor, at(b), out.x.data());
  return out;
}

std::vector<Program> trace_aba_vjp(const Model& model, const std::string& meaning, const TraceOptions& options) {
  std::vector<Program> stages;
  stages.push_back(stage(model, "aba_vjp_1", meaning, options, [](TraceJob& job) {
    const auto q = job.q(), v = job.v(), tau = job.tau(), weights = vector(job, "weights", "weights");
    const auto solved = trace_aba_and_solve(job, q, v, tau, weights);
    job.output_v("a", solved.a, "acceleration");
    job.output_v("gradient_tau", solved.x, "with respect to tau");
  }));
  stages.push_back(stage(model, "aba_vjp_2", meaning, options, [](TraceJob& job) { trace_rnea_vjp(job, true); }));
  return stages;
}
std::vector<Program> trace_aba_jvp(const Model& model, const std::string& meaning, const TraceOptions& options) {
  std::vector<Program> stages;
  stages.push_back(codegen::trace(model, codegen::Algorithm::aba, options));
  stages.push_back(stage(model, "aba_jvp_2", meaning, options, [](TraceJob& job) { trace_rnea_jvp(job, true); }));
  stages.push_back(stage(model, "aba_jvp_3", meaning, options, [](TraceJob& job) {
    const auto q = job.q(), b = vector(job, "aba_jvp_rest", "right-hand side");
    const auto zero = job.zeros(job.nv);
    job.output_v("da", trace_aba_and_solve(job, q, zero, zero, b).x, "change of a");
  }));
  return stages;
}

std::vector<BatchAlgorithm> all_algorithms() {
  std::vector<BatchAlgorithm> list;
  for (const auto& row : codegen::algorithms()) list.push_back({row.name, row.alias, row.meaning});
  for (const auto& row : products)
    if (std::ranges::none_of(list, [&](const auto& known) { return std::string_view(known.name) == row.name; }))
      list.push_back(row);
  return list;
}

}  // namespace

std::span<const BatchAlgorithm> batch_algorithms() {
  static const auto list = all_algorithms();
  return list;
}

std::string batch_algorithm(std::string_view name) {
  std::vector<std::string_view> names;
  std::string list;
  for (const auto& row : batch_algorithms()) {
    if (name == row.name || (*row.alias && name == row.alias)) return row.name;
    names.push_back(row.name);
    if (*row.alias) names.push_back(row.alias);
    list += (list.empty() ? "" : ", ") + std::string(row.name);
  }
  const auto hint = did_you_mean(name, names);
  throw Error("no algorithm " + in_quotes(name) + "; " + hint + (hint.empty() ? "" : " ") + "algorithms: " + list);
}

std::vector<Program> trace_stages(const Model& model, const std::string& algorithm, const TraceOptions& options) {
  for (const auto& row : products) {
    if (algorithm != row.name) continue;
    if (model.nv() == 0) break;  // codegen::trace has the words for it
    if (algorithm == "aba_vjp") return trace_aba_vjp(model, row.meaning, options);
    if (algorithm == "aba_jvp") return trace_aba_jvp(model, row.meaning, options);
    std::vector<Program> one;
    one.push_back(stage(model, algorithm, row.meaning, options, [&](TraceJob& job) {
      algorithm == "rnea_jvp" ? trace_rnea_jvp(job, false) : trace_rnea_vjp(job, false);
    }));
    return one;
  }
  std::vector<Program> one;
  one.push_back(
      codegen::trace(model, model.nv() == 0 ? codegen::Algorithm::rnea : codegen::algorithm_of(algorithm), options));
  return one;
}

}  // namespace lissom::gpu
