// Derivatives of inverse and forward dynamics, and products with them, over Traced scalars.
#include "lissom/codegen/trace_job.h"
#include "lissom/kernels/derivatives.h"

namespace lissom::codegen {
namespace {

namespace in_model = in_model_coordinates;
using Values = TraceJob::Values;
using Part = TraceJob::Part;

constexpr const char* by_rows = "nv by nv, by rows; ";

Values direction(TraceJob& job, const char* name, const char* meaning) {
  return job.input(name, job.limbs.of_v, meaning);
}

void trace_inverse(TraceJob& job) {
  in_model::RneaDerivativesInModel<Traced> w(job.view);
  const int stride = row_stride(job.nv);
  const auto q = job.q(), v = job.v(), a = job.a();
  const auto forces = job.external_forces();
  Values dq(padded_square(job.nv)), dv(padded_square(job.nv)), M(padded_square(job.nv));
  in_model::rnea_derivatives(job.view, w, q.data(), v.data(), a.data(), forces.data(), dq.data(), dv.data(), M.data(),
                             stride);
  job.output_matrix("dtau_dq", dq, stride, Part::all, std::string(by_rows) + "q moves along v");
  job.output_matrix("dtau_dv", dv, stride, Part::all, by_rows);
  job.output_matrix("M", M, stride, Part::upper, "dtau/da, nv by nv, by rows; symmetric");
}

void trace_forward(TraceJob& job) {
  in_model::RneaDerivativesInModel<Traced> inverse(job.view);
  in_model::AbaDerivativesInModel<Traced> w(job.view);
  const int stride = row_stride(job.nv);
  const auto q = job.q(), v = job.v(), tau = job.tau();
  const auto forces = job.external_forces();
  auto a = job.zeros(job.nv);
  Values dq(padded_square(job.nv)), dv(padded_square(job.nv)), M_inverse(padded_square(job.nv));
  in_model::aba_derivatives(job.view, w, inverse, q.data(), v.data(), tau.data(), forces.data(), a.data(), dq.data(),
                            dv.data(), M_inverse.data(), stride);
  job.output_v("a", a, "acceleration");
  job.output_matrix("da_dq", dq, stride, Part::all, std::string(by_rows) + "q moves along v");
  job.output_matrix("da_dv", dv, stride, Part::all, by_rows);
  job.output_matrix("da_dtau", M_inverse, stride, Part::all, "the inverse of M, nv by nv, by rows");
}

void trace_inverse_products(TraceJob& job, bool along) {
  in_model::ProductsInModel<Traced> w(job.view);
  const auto q = job.q(), v = job.v(), a = job.a();
  const auto forces = job.external_forces();
  auto x = job.zeros(job.nv), y = job.zeros(job.nv), z = job.zeros(job.nv);
  if (along) {
    const auto dq = direction(job, "dq", "change of q, along v"), dv = direction(job, "dv", "change of v"),
               da = direction(job, "da", "change of a");
    in_model::rnea_jvp(job.view, w, q.data(), v.data(), a.data(), forces.data(), dq.data(), dv.data(), da.data(),
                       x.data());
    return job.output_v("dtau", x, "change of the generalized forces");
  }
  const auto weights = direction(job, "weights", "of the elements of tau");
  in_model::rnea_vjp(job.view, w, q.data(), v.data(), a.data(), forces.data(), weights.data(), x.data(), y.data(),
                     z.data());
  job.output_v("gradient_q", x, "with respect to q, along v");
  job.output_v("gradient_v", y, "with respect to v");
  job.output_v("gradient_a", z, "with respect to a");
}

void trace_forward_products(TraceJob& job, bool along) {
  in_model::ProductsInModel<Traced> w(job.view);
  in_model::ForwardDynamicsInModel<Traced> forward(job.view);
  in_model::InverseDynamicsInModel<Traced> inverse(job.view);
  const auto q = job.q(), v = job.v(), tau = job.tau();
  const auto forces = job.external_forces();
  auto a = job.zeros(job.nv), x = job.zeros(job.nv), y = job.zeros(job.nv), z = job.zeros(job.nv);
  if (along) {
    const auto dq = direction(job, "dq", "change of q, along v"), dv = direction(job, "dv", "change of v"),
               dtau = direction(job, "dtau", "change of tau");
    in_model::aba_jvp(job.view, w, forward, inverse, q.data(), v.data(), tau.data(), forces.data(), dq.data(),
                      dv.data(), dtau.data(), a.data(), x.data());
    job.output_v("a", a, "acceleration");
    return job.output_v("da", x, "change of the acceleration");
  }
  const auto weights = direction(job, "weights", "of the elements of a");
  in_model::aba_vjp(job.view, w, forward, inverse, q.data(), v.data(), tau.data(), forces.data(), weights.data(),
                    a.data(), x.data(), y.data(), z.data());
  job.output_v("a", a, "acceleration");
  job.output_v("gradient_q", x, "with respect to q, along v");
  job.output_v("gradient_v", y, "with respect to v");
  job.output_v("gradient_tau", z, "with respect to tau");
}

}  // namespace

void trace_derivatives(TraceJob& job, Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::d_rnea:
      return trace_inverse(job);
    case Algorithm::d_aba:
      return trace_forward(job);
    case Algorithm::rnea_jvp:
    case Algorithm::rnea_vjp:
      return trace_inverse_products(job, algorithm == Algorithm::rnea_jvp);
    default:
      return trace_forward_products(job, algorithm == Algorithm::aba_jvp);
  }
}

}  // namespace lissom::codegen
