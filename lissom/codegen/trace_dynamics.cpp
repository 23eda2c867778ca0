// Inverse and forward dynamics, the mass matrix and its factor, over Traced scalars.
#include "lissom/codegen/trace_job.h"
#include "lissom/kernels/in_model_coordinates.h"

namespace lissom::codegen {
namespace {

namespace in_model = in_model_coordinates;
using Values = TraceJob::Values;

constexpr const char* tau_meaning = "generalized forces";
constexpr const char* M_meaning = "nv by nv, by rows; symmetric";

void trace_inverse(TraceJob& job, Algorithm algorithm) {
  in_model::InverseDynamicsInModel<Traced> w(job.view);
  const auto q = job.q();
  const auto v = algorithm == Algorithm::gravity ? job.zeros(job.nv) : job.v();
  auto tau = job.zeros(job.nv);
  if (algorithm == Algorithm::rnea) {
    const auto a = job.a();
    const auto forces = job.external_forces();
    in_model::rnea(job.view, w, q.data(), v.data(), a.data(), forces.data(), tau.data());
    return job.output_v("tau", tau, tau_meaning);
  }
  const Force<Traced>* const none = nullptr;
  in_model::rnea(job.view, w, q.data(), v.data(), Nothing{}, none, tau.data());
  if (algorithm == Algorithm::bias) return job.output_v("h", tau, "bias forces, gravity included");
  job.output_v("g", tau, "gravity forces");
}

void trace_mass_matrix(TraceJob& job, Algorithm algorithm) {
  in_model::ForwardDynamicsInModel<Traced> w(job.view);
  const int stride = row_stride(job.nv);
  const auto q = job.q();
  auto M = job.zeros(job.nv * stride);
  in_model::crba(job.view, w, q.data(), M.data(), stride);
  if (algorithm == Algorithm::crba) return job.output_matrix("M", M, stride, TraceJob::Part::upper, M_meaning);

  LtdlFactor<Traced> factor(job.view.sparsity);
  factorize(job.view.sparsity, factor, M.data(), stride);
  auto L = job.zeros(job.nv * stride), D = job.zeros(job.nv);
  write_out(job.view.sparsity, factor, L.data(), D.data(), stride);
  job.output_matrix("L", L, stride, TraceJob::Part::lower, "nv by nv, by rows; unit lower triangular");
  job.output_v("D", D, "the diagonal of D");
}

Values forward_dynamics(TraceJob& job, const Values& q, const Values& v) {
  in_model::ForwardDynamicsInModel<Traced> w(job.view);
  in_model::InverseDynamicsInModel<Traced> inverse(job.view);
  const auto tau = job.tau();
  const auto forces = job.external_forces();
  auto a = job.zeros(job.nv);
  in_model::aba(job.view, w, inverse, q.data(), v.data(), tau.data(), forces.data(), a.data());
  return a;
}

void trace_step(TraceJob& job) {
  const auto q = job.q(), v = job.v();
  const auto a = forward_dynamics(job, q, v);
  const int base[] = {0};
  const auto dt = job.input("dt", base, "duration of the step (s)");
  auto q1 = job.zeros(job.nq), v1 = job.zeros(job.nv);
  for (int i = 0; i < job.nv; ++i) v1[i] = v[i] + dt[0] * a[i];
  integrate(job.view.manifold, q.data(), v1.data(), dt[0], q1.data());
  job.output("q1", q1.data(), job.limbs.of_q, "configuration after the step");
  job.output_v("v1", v1, "velocity after the step");
}

}  // namespace

void trace_dynamics(TraceJob& job, Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::crba:
    case Algorithm::factor:
      return trace_mass_matrix(job, algorithm);
    case Algorithm::aba: {
      const auto q = job.q(), v = job.v();
      return job.output_v("a", forward_dynamics(job, q, v), "acceleration");
    }
    case Algorithm::step:
      return trace_step(job);
    default:
      return trace_inverse(job, algorithm);
  }
}

}  // namespace lissom::codegen
