#include "lissom/gpu/stages.h"

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

}  // namespace

std::vector<Program> trace_stages(const Model& model, Algorithm algorithm, const TraceOptions& options) {
  if (algorithm == Algorithm::aba_vjp && model.nv() > 0) return stages_of_aba_vjp(model, options);
  if (algorithm == Algorithm::aba_jvp && model.nv() > 0) return stages_of_aba_jvp(model, options);
  std::vector<Program> one;
  one.push_back(codegen::trace(model, algorithm, options));
  return one;
}

}  // namespace lissom::gpu
