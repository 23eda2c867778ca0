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
// More than this are so even where equal limbs are computed in a loop.
constexpr int too_large = 12000;

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

// The outputs of some limbs of a program; which[l] says whether limb l is one of them.
using Limbs = std::vector<bool>;
Program part_of(const Program& whole, const Limbs& which) {
  auto part = whole;
  for (std::size_t i = 0; i < part.results.size(); ++i)
    if (!which[std::size_t(part.output_limb[i])]) part.results[i] = codegen::no_node;
  part.graph.keep(part.results);
  return part;
}

// Merges parts that have much in common, as long as the code does not become too large.
void merge(std::vector<Limbs>& parts, const Program& whole) {
  const auto operations = [&](const Limbs& limbs) { return part_of(whole, limbs).counts().arithmetic(); };
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size();) {
      auto both = parts[i];
      for (std::size_t l = 0; l < both.size(); ++l) both[l] = both[l] || parts[j][l];
      const int together = operations(both), apart = operations(parts[i]) + operations(parts[j]);
      if (together <= large && together < .85 * apart) {
        parts[i] = both;
        parts.erase(parts.begin() + std::ptrdiff_t(j));
      } else {
        ++j;
      }
    }
}

// How a program is divided: limbs that have the same structure come together, because they may share their code, unless
// that would still be too much.
std::vector<Limbs> division(const Program& whole) {
  const auto outputs_of = [&](int limb) { return std::ranges::count(whole.output_limb, limb); };
  const int limbs = int(whole.limbs.size());
  Limbs taken(std::size_t(limbs), false);
  std::vector<Limbs> parts;
  for (int first = 0; first < limbs; ++first) {
    if (taken[std::size_t(first)] || outputs_of(first) == 0) continue;
    Limbs one(std::size_t(limbs), false), equal(std::size_t(limbs), false);
    one[std::size_t(first)] = true;
    for (int limb = first; limb < limbs; ++limb)
      equal[std::size_t(limb)] =
          whole.limbs[std::size_t(limb)].parent == whole.limbs[std::size_t(first)].parent &&
          std::ranges::count(whole.input_limb, limb) == std::ranges::count(whole.input_limb, first);
    const auto& part = parts.emplace_back(part_of(whole, equal).counts().arithmetic() > too_large ? one : equal);
    for (int limb = first; limb < limbs; ++limb)
      if (part[std::size_t(limb)]) taken[std::size_t(limb)] = true;
  }
  merge(parts, whole);
  return parts;
}

// The derivatives of inverse dynamics in parts. What several parts need is computed in each of them, which takes less
// time than to fetch the code of the whole. The division is that of constants without signs, so that it is the same for
// both ways to trace.
std::vector<Program> divided(const Model& model, const TraceOptions& options, const Program& whole) {
  auto unsigned_constants = options;
  unsigned_constants.signed_constants = false;
  const auto measured = codegen::trace(model, Algorithm::d_rnea, unsigned_constants);
  if (measured.counts().arithmetic() <= large) return {whole};
  std::vector<Program> parts;
  for (const auto& limbs : division(measured)) {
    parts.push_back(part_of(whole, limbs));
    parts.back().algorithm += "_" + std::to_string(parts.size());
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

// The names of the arrays of a solution, as those of a program.
Program interface_of(const ColumnSolve& solve) {
  Program program;
  program.algorithm = "d_aba_solve";
  program.meaning = "Solutions of M X = B";
  const auto add = [](std::vector<codegen::Field>& fields, const std::string& name, int count) {
    const int first = fields.empty() ? 0 : fields.back().first + fields.back().count;
    fields.push_back({name, count, first, {}});
  };
  add(program.inputs, solve.L, solve.n * solve.n);
  add(program.inputs, solve.D, solve.n);
  for (const auto& side : solve.sides) {
    if (!side.input.empty()) add(program.inputs, side.input, solve.n * solve.n);
    add(program.outputs, side.output, solve.n * solve.n);
  }
  return program;
}

// da_dq = -M⁻¹ dtau_dq, da_dv = -M⁻¹ dtau_dv, da_dtau = M⁻¹, from the results of `inverse` and `factor`, which are no
// nodes where they are zero.
TracedStage solve_stage(int n, const Program& inverse, const Program& factor) {
  const auto written = [&](const Program& program, int array) {
    std::vector<bool> is(std::size_t(n * n));
    for (int k = 0; k < n * n; ++k)
      is[std::size_t(k)] =
          program.results[std::size_t(program.outputs[std::size_t(array)].first + k)] != codegen::no_node;
    return is;
  };
  ColumnSolve solve{
      .n = n, .L = factor.outputs[0].name, .D = factor.outputs[1].name, .L_entries = {}, .sides = {}, .limb = {}};
  const auto L = written(factor, 0);
  std::vector<bool> diagonal(std::size_t(n * n), false);
  for (int i = 0; i < n; ++i) {
    diagonal[std::size_t(i * n + i)] = true;
    for (int j = 0; j < i; ++j)
      if (L[std::size_t(i * n + j)]) solve.L_entries.emplace_back(i, j);
  }
  const auto D = factor.output_limb.begin() + factor.outputs[1].first;
  solve.limb.assign(D, D + n);
  solve.sides = {{inverse.outputs[0].name, "da_dq", written(inverse, 0)},
                 {inverse.outputs[1].name, "da_dv", written(inverse, 1)},
                 {"", "da_dtau", diagonal}};
  auto program = interface_of(solve);
  return {std::move(program), std::move(solve)};
}

// The derivatives of forward dynamics: a, those of inverse dynamics at a, the factor of M, and M⁻¹ times their columns.
std::vector<TracedStage> stages_of_d_aba(const Model& model, const TraceOptions& options) {
  auto sparse = options;
  sparse.sparse = true;
  std::vector<TracedStage> stages;
  stages.push_back({codegen::trace(model, Algorithm::aba, options), {}});
  const auto inverse = between_stages(codegen::trace(model, Algorithm::d_rnea, sparse), "d_aba_dq", "d_aba_dv");
  auto factor = between_stages(codegen::trace(model, Algorithm::factor, sparse), "d_aba_L", "d_aba_D");
  auto solve = solve_stage(model.nv(), inverse, factor);
  for (auto& part : divided(model, sparse, inverse)) stages.push_back({std::move(part), {}});
  stages.push_back({std::move(factor), {}});
  stages.push_back(std::move(solve));
  return stages;
}

std::vector<TracedStage> as_stages(std::vector<Program> programs) {
  std::vector<TracedStage> stages;
  for (auto& program : programs) stages.push_back({std::move(program), {}});
  return stages;
}

}  // namespace

std::vector<TracedStage> trace_stages(const Model& model, Algorithm algorithm, const TraceOptions& options) {
  if (algorithm == Algorithm::aba_vjp && model.nv() > 0) return as_stages(stages_of_aba_vjp(model, options));
  if (algorithm == Algorithm::aba_jvp && model.nv() > 0) return as_stages(stages_of_aba_jvp(model, options));
  if (algorithm == Algorithm::d_aba && model.nv() > 0) return stages_of_d_aba(model, options);
  auto whole = codegen::trace(model, algorithm, options);
  if (algorithm == Algorithm::d_rnea) return as_stages(divided(model, options, whole));
  std::vector<TracedStage> one;
  one.push_back({std::move(whole), {}});
  return one;
}

}  // namespace lissom::gpu
