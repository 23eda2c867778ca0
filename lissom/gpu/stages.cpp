#include "lissom/gpu/stages.h"

#include <algorithm>

#include "lissom/codegen/trace_job.h"
#include "lissom/kernels/derivatives.h"

namespace lissom::gpu {
namespace {

namespace in_model = in_model_coordinates;
using codegen::Algorithm;
using codegen::Program;
using codegen::Traced;
using codegen::TraceJob;
using codegen::TraceOptions;
using Values = TraceJob::Values;

const Force<Traced>* const no_forces = nullptr;
constexpr int large = 9000;  // operations: more are too much code for one kernel

// Traces f(job) as one program.
template <class F>
Program stage(const Model& model, const std::string& name, Algorithm algorithm, const TraceOptions& options, F f) {
  Program program;
  program.graph = codegen::Graph(options.signed_constants);
  program.algorithm = name;
  program.meaning = codegen::traits(algorithm).meaning;
  const codegen::Recording recording(program.graph, name);
  TraceJob job(model, options, program);
  program.limbs = job.limbs.limbs;
  f(job);
  program.graph.keep(program.results);
  return program;
}

Values vector(TraceJob& job, const char* name, const char* meaning) {
  return job.input(name, job.limbs.of_v, meaning);
}
const Traced* at(const Values& x) {
  return x.data();
}

// Forward dynamics, and with the same articulated inertias the solution x of M x = b.
struct Solved {
  Values a, x;
};
Solved aba_and_solve(TraceJob& job, const Values& q, const Values& v, const Values& tau, const Values& b) {
  in_model::ForwardDynamicsInModel<Traced> w(job.view);
  in_model::InverseDynamicsInModel<Traced> inverse(job.view);
  Solved out{job.zeros(job.nv), job.zeros(job.nv)};
  in_model::aba(job.view, w, inverse, at(q), at(v), at(tau), no_forces, out.a.data());
  in_model::solve_after_aba(job.view, w, at(b), out.x.data());
  return out;
}

// The gradient of weights · a: forward dynamics and μ = M⁻¹ weights; then that of -μ · tau of inverse dynamics.
std::vector<Program> stages_of_aba_vjp(const Model& model, const TraceOptions& options) {
  std::vector<Program> stages;
  stages.push_back(stage(model, "aba_vjp_1", Algorithm::aba_vjp, options, [](TraceJob& job) {
    const auto q = job.q(), v = job.v(), tau = job.tau(), weights = vector(job, "weights", "of the elements of a");
    const auto solved = aba_and_solve(job, q, v, tau, weights);
    job.output_v("a", solved.a, "acceleration");
    job.output_v("gradient_tau", solved.x, "with respect to tau");
  }));
  stages.push_back(stage(model, "aba_vjp_2", Algorithm::aba_vjp, options, [](TraceJob& job) {
    in_model::ProductsInModel<Traced> w(job.view);
    const auto q = job.q(), v = job.v(), a = job.a();
    auto mu = vector(job, "gradient_tau", "with respect to tau");
    for (int i = 0; i < job.nv; ++i) mu[i] = -mu[i];
    auto of_q = job.zeros(job.nv), of_v = job.zeros(job.nv), of_a = job.zeros(job.nv);
    in_model::rnea_vjp(job.view, w, at(q), at(v), at(a), no_forces, at(mu), of_q.data(), of_v.data(), of_a.data());
    job.output_v("gradient_q", of_q, "with respect to q, along v");
    job.output_v("gradient_v", of_v, "with respect to v");
  }));
  return stages;
}

// The change of a: forward dynamics; what is left of dtau after the change of inverse dynamics; M⁻¹ times that.
std::vector<Program> stages_of_aba_jvp(const Model& model, const TraceOptions& options) {
  constexpr const char* rest = "aba_jvp_rest";
  std::vector<Program> stages;
  stages.push_back(codegen::trace(model, Algorithm::aba, options));
  stages.push_back(stage(model, "aba_jvp_2", Algorithm::aba_jvp, options, [](TraceJob& job) {
    in_model::ProductsInModel<Traced> w(job.view);
    const auto q = job.q(), v = job.v(), a = job.a(), zero = job.zeros(job.nv);
    const auto dq = vector(job, "dq", "change of q, along v"), dv = vector(job, "dv", "change of v");
    auto change = job.zeros(job.nv);
    in_model::rnea_jvp(job.view, w, at(q), at(v), at(a), no_forces, at(dq), at(dv), at(zero), change.data());
    const auto dtau = vector(job, "dtau", "change of tau");
    for (int i = 0; i < job.nv; ++i) change[i] = dtau[i] - change[i];
    job.output_v(rest, change, "dtau without the change of inverse dynamics");
  }));
  stages.push_back(stage(model, "aba_jvp_3", Algorithm::aba_jvp, options, [](TraceJob& job) {
    const auto q = job.q(), b = vector(job, rest, "right-hand side"), zero = job.zeros(job.nv);
    job.output_v("da", aba_and_solve(job, q, zero, zero, b).x, "change of a");
  }));
  return stages;
}

// A program in parts: each part has the outputs of limbs that have the same structure. What several parts need is
// computed in each of them, which takes less time than to fetch the code of the whole.
std::vector<Program> divided_by_limbs(const Program& whole) {
  const auto outputs_of = [&](int limb) { return std::ranges::count(whole.output_limb, limb); };
  const int limbs = int(whole.limbs.size());
  std::vector<bool> taken(std::size_t(limbs), false);
  std::vector<Program> parts;
  for (int first = 0; first < limbs; ++first) {
    if (taken[std::size_t(first)] || outputs_of(first) == 0) continue;
    std::vector<bool> in_part(std::size_t(limbs), false);
    for (int limb = first; limb < limbs; ++limb)
      if (whole.limbs[std::size_t(limb)].parent == whole.limbs[std::size_t(first)].parent &&
          std::ranges::count(whole.input_limb, limb) == std::ranges::count(whole.input_limb, first))
        in_part[std::size_t(limb)] = taken[std::size_t(limb)] = true;
    auto& part = parts.emplace_back(whole);
    part.algorithm += "_" + std::to_string(parts.size());
    for (std::size_t i = 0; i < part.results.size(); ++i)
      if (!in_part[std::size_t(part.output_limb[i])]) part.results[i] = codegen::no_node;
    part.graph.keep(part.results);
  }
  return parts;
}

// A program whose outputs are arrays between stages of d_aba: their names are changed, and those after the second are
// left out.
Program between_stages(Program program, const char* first, const char* second) {
  program.outputs.resize(2);
  program.outputs[0].name = first, program.outputs[1].name = second;
  const auto count = std::size_t(program.outputs[1].first + program.outputs[1].count);
  program.results.resize(count), program.output_limb.resize(count);
  program.graph.keep(program.results);
  program.algorithm = "d_aba_" + program.algorithm;
  return program;
}

// Columns of ± M⁻¹ B that belong to a limb, with M = Lᵀ D L. `written` has no node where an entry of B, or of L, is
// zero.
Program solve_columns(const Model& model, const TraceOptions& options, int limb, const std::string& name,
                      const std::vector<codegen::NodeId>& L_written, const codegen::NodeId* B_written,
                      const char* B_name) {
  return stage(model, "d_aba_" + name + "_" + std::to_string(limb), Algorithm::d_aba, options, [&](TraceJob& job) {
    const int n = job.nv;
    const std::vector<int> base(std::size_t(n * n), 0);
    const auto L = job.input("d_aba_L", base, "factor of M"), D = job.input("d_aba_D", job.limbs.of_v, "its diagonal");
    const auto B = B_written ? job.input(B_name, base, "right-hand sides") : job.zeros(0);
    const auto l = [&](int i, int j) {
      return L_written[std::size_t(i * n + j)] == codegen::no_node ? Traced(0.) : L[i * n + j];
    };
    // All columns side by side: an entry of L is read once, and then no longer needed.
    struct Column {
      int index;
      Values x;
    };
    std::vector<Column> columns;
    for (int c = 0; c < n; ++c) {
      if (job.limbs.of_v[std::size_t(c)] != limb) continue;
      auto& x = columns.emplace_back(c, job.zeros(n)).x;
      for (int i = 0; i < n; ++i)
        if (!B_written)
          x[i] = Traced(i == c ? 1. : 0.);
        else if (B_written[i * n + c] != codegen::no_node)
          x[i] = -B[i * n + c];
    }
    for (int i = n - 1; i >= 0; --i)
      for (int j = 0; j < i; ++j)
        for (auto& [c, x] : columns) x[j] -= l(i, j) * x[i];
    std::vector<codegen::NodeId> results(std::size_t(n * n), codegen::no_node);
    for (int i = 0; i < n; ++i) {
      const Traced D_inverse = 1. / D[i];
      for (auto& [c, x] : columns) x[i] = D_inverse * x[i];
      for (int j = 0; j < i; ++j)
        for (auto& [c, x] : columns) x[i] -= l(i, j) * x[j];
      for (auto& [c, x] : columns) results[std::size_t(i * n + c)] = x[i].node;
    }
    job.program.add_output(name, results, base, "nv by nv, by rows");
  });
}

// The derivatives of forward dynamics: a, those of inverse dynamics at a, the factor of M, and M⁻¹ times their columns.
std::vector<Program> stages_of_d_aba(const Model& model, const TraceOptions& options) {
  auto sparse = options;
  sparse.sparse = true;
  std::vector<Program> stages;
  stages.push_back(codegen::trace(model, Algorithm::aba, options));
  const auto inverse = between_stages(codegen::trace(model, Algorithm::d_rnea, sparse), "d_aba_dq", "d_aba_dv");
  const auto factor = between_stages(codegen::trace(model, Algorithm::factor, sparse), "d_aba_L", "d_aba_D");
  for (auto& part : divided_by_limbs(inverse)) stages.push_back(std::move(part));
  stages.push_back(factor);
  const auto* const of_v = inverse.results.data() + inverse.outputs[1].first;
  for (int limb = 0; limb < int(inverse.limbs.size()); ++limb) {
    stages.push_back(solve_columns(model, options, limb, "da_dq", factor.results, inverse.results.data(), "d_aba_dq"));
    stages.push_back(solve_columns(model, options, limb, "da_dv", factor.results, of_v, "d_aba_dv"));
    stages.push_back(solve_columns(model, options, limb, "da_dtau", factor.results, nullptr, ""));
  }
  return stages;
}

}  // namespace

std::vector<Program> trace_stages(const Model& model, Algorithm algorithm, const TraceOptions& options) {
  if (algorithm == Algorithm::aba_vjp && model.nv() > 0) return stages_of_aba_vjp(model, options);
  if (algorithm == Algorithm::aba_jvp && model.nv() > 0) return stages_of_aba_jvp(model, options);
  if (algorithm == Algorithm::d_aba && model.nv() > 0) return stages_of_d_aba(model, options);
  std::vector<Program> one;
  one.push_back(codegen::trace(model, algorithm, options));
  if (algorithm == Algorithm::d_rnea && one.front().counts().arithmetic() > large) return divided_by_limbs(one.front());
  return one;
}

}  // namespace lissom::gpu
