#include "lissom/api/derivatives.h"

#include "lissom/api/external_forces.h"
#include "lissom/api/unchecked.h"
#include "lissom/api/workspace_memory.h"

namespace lissom {

struct DerivativeResults {
  DerivativeResults(const Model& model, const Kernels<double>& kernels)
      : scratch(kernels.derivative_scratch(ModelView<double>(model))), factor(model) {
    const int nv = model.nv();
    for (auto* const matrix : {&dtau_dq, &dtau_dv, &M, &da_dq, &da_dv, &M_inverse, &integrate_dq, &integrate_dv})
      *matrix = Array<double>(padded_square(nv));
    for (auto* const vector : {&a, &dtau, &da, &inverse_gradient.q, &inverse_gradient.v, &inverse_gradient.last,
                               &forward_gradient.q, &forward_gradient.v, &forward_gradient.last})
      vector->setZero(nv);
    buffer.setZero(nv + padding);
  }
  std::unique_ptr<KernelScratch> scratch;
  Array<double> dtau_dq, dtau_dv, M, da_dq, da_dv, M_inverse, integrate_dq, integrate_dv;
  Eigen::VectorXd a, dtau, da, buffer;
  MassMatrixFactor factor;
  DynamicsGradient inverse_gradient, forward_gradient;
};

namespace {

// The memory of the workspace, with that of derivatives in it; q, v and the third argument are checked.
struct Checked {
  WorkspaceMemory& w;
  DerivativeResults& d;
  ModelView<double> view;
  const double* external;
};
DerivativeResults& prepared(const Model& model, WorkspaceMemory& w) {
  if (!w.derivatives) w.derivatives = std::make_shared<DerivativeResults>(model, w.kernels);
  return *w.derivatives;
}
Checked checked(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const char* name,
                const VectorIn& third, std::span<const ExternalForce> external) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  w.check_v("v", v);
  w.check_v(name, third);
  return {w, prepared(model, w), ModelView<double>(model), body_forces(model, work, q, external)};
}
void check_direction(const WorkspaceMemory& w, const DynamicsDirection& direction, const char* last) {
  w.check_v("dq", direction.dq);
  w.check_v("dv", direction.dv);
  w.check_v(last, direction.last);
}

}  // namespace

void prepare_derivatives(const Model& model, Workspace& work) {
  prepared(model, WorkspaceMemory::checked(model, work));
}

InverseDynamicsDerivatives inverse_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q,
                                                        const VectorIn& v, const VectorIn& a,
                                                        std::span<const ExternalForce> external) {
  const auto [w, d, view, forces] = checked(model, work, q, v, "a", a, external);
  w.kernels.rnea_derivatives(view, *d.scratch, q.data(), v.data(), a.data(), forces, d.dtau_dq.data(), d.dtau_dv.data(),
                             d.M.data(), w.stride);
  dense::mirror_upper(d.M.data(), w.nv, w.stride);
  return {w.view(d.dtau_dq), w.view(d.dtau_dv), w.view(d.M)};
}
void inverse_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                  const VectorIn& a, std::span<const ExternalForce> external, MatrixOut dtau_dq,
                                  MatrixOut dtau_dv, MatrixOut M) {
  const auto& w = WorkspaceMemory::checked(model, work);
  w.check_square("dtau_dq", dtau_dq);
  w.check_square("dtau_dv", dtau_dv);
  w.check_square("M", M);
  const auto d = inverse_dynamics_derivatives(model, work, q, v, a, external);
  dtau_dq = d.dtau_dq, dtau_dv = d.dtau_dv, M = d.M;
}

ForwardDynamicsDerivatives forward_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q,
                                                        const VectorIn& v, const VectorIn& tau,
                                                        std::span<const ExternalForce> external) {
  const auto [w, d, view, forces] = checked(model, work, q, v, "tau", tau, external);
  w.kernels.aba_derivatives(view, *d.scratch, q.data(), v.data(), tau.data(), forces, d.a.data(), d.da_dq.data(),
                            d.da_dv.data(), d.M_inverse.data(), w.stride);
  return {d.a, w.view(d.da_dq), w.view(d.da_dv), w.view(d.M_inverse)};
}
void forward_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                  const VectorIn& tau, std::span<const ExternalForce> external, VectorOut a,
                                  MatrixOut da_dq, MatrixOut da_dv, MatrixOut M_inverse) {
  const auto& w = WorkspaceMemory::checked(model, work);
  expect_size("a", a.size(), w.nv);
  w.check_square("da_dq", da_dq);
  w.check_square("da_dv", da_dv);
  w.check_square("M_inverse", M_inverse);
  const auto d = forward_dynamics_derivatives(model, work, q, v, tau, external);
  a = d.a, da_dq = d.da_dq, da_dv = d.da_dv, M_inverse = d.M_inverse;
}

void forward_dynamics_parameter_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                            const VectorIn& tau, std::span<const ExternalForce> external,
                                            ColumnsOut da) {
  const auto [w, d, view, forces] = checked(model, work, q, v, "tau", tau, external);
  expect_shape("da", da.rows(), da.cols(), w.nv, 10 * model.body_count());
  Unchecked(model, work).aba(q.data(), v.data(), tau.data(), forces, d.a.data());
  const auto& Y = regressor(model, work, q, v, d.a);
  d.factor.factorize(model, work, q);
  for (Eigen::Index c = 0; c < Y.cols(); ++c) {
    d.buffer.head(w.nv) = -Y.col(c);
    Unchecked::solve(d.factor, d.buffer.data(), d.buffer.data());
    da.col(c) = d.buffer.head(w.nv);
  }
}
Eigen::MatrixXd forward_dynamics_parameter_derivatives(const Model& model, Workspace& work, const VectorIn& q,
                                                       const VectorIn& v, const VectorIn& tau,
                                                       std::span<const ExternalForce> external) {
  Eigen::MatrixXd da(model.nv(), 10 * model.body_count());
  forward_dynamics_parameter_derivatives(model, work, q, v, tau, external, da);
  return da;
}

void inverse_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
                          const DynamicsDirection& direction, std::span<const ExternalForce> external, VectorOut dtau) {
  const auto [w, d, view, forces] = checked(model, work, q, v, "a", a, external);
  check_direction(w, direction, "da");
  expect_size("dtau", dtau.size(), w.nv);
  w.kernels.rnea_jvp(view, *d.scratch, q.data(), v.data(), a.data(), forces, direction.dq.data(), direction.dv.data(),
                     direction.last.data(), dtau.data());
}
const Eigen::VectorXd& inverse_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                            const VectorIn& a, const DynamicsDirection& direction,
                                            std::span<const ExternalForce> external) {
  auto& dtau = prepared(model, WorkspaceMemory::checked(model, work)).dtau;
  inverse_dynamics_jvp(model, work, q, v, a, direction, external, dtau);
  return dtau;
}

void inverse_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
                          const VectorIn& weights, std::span<const ExternalForce> external, VectorOut gradient_q,
                          VectorOut gradient_v, VectorOut gradient_a) {
  const auto [w, d, view, forces] = checked(model, work, q, v, "a", a, external);
  w.check_v("weights", weights);
  expect_size("gradient_q", gradient_q.size(), w.nv);
  expect_size("gradient_v", gradient_v.size(), w.nv);
  expect_size("gradient_a", gradient_a.size(), w.nv);
  w.kernels.rnea_vjp(view, *d.scratch, q.data(), v.data(), a.data(), forces, weights.data(), gradient_q.data(),
                     gradient_v.data(), gradient_a.data());
}
const DynamicsGradient& inverse_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                             const VectorIn& a, const VectorIn& weights,
                                             std::span<const ExternalForce> external) {
  auto& g = prepared(model, WorkspaceMemory::checked(model, work)).inverse_gradient;
  inverse_dynamics_vjp(model, work, q, v, a, weights, external, g.q, g.v, g.last);
  return g;
}

void forward_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                          const VectorIn& tau, const DynamicsDirection& direction,
                          std::span<const ExternalForce> external, VectorOut da) {
  const auto [w, d, view, forces] = checked(model, work, q, v, "tau", tau, external);
  check_direction(w, direction, "dtau");
  expect_size("da", da.size(), w.nv);
  w.kernels.aba_jvp(view, *d.scratch, q.data(), v.data(), tau.data(), forces, direction.dq.data(), direction.dv.data(),
                    direction.last.data(), d.buffer.data(), da.data());
}
const Eigen::VectorXd& forward_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                            const VectorIn& tau, const DynamicsDirection& direction,
                                            std::span<const ExternalForce> external) {
  auto& da = prepared(model, WorkspaceMemory::checked(model, work)).da;
  forward_dynamics_jvp(model, work, q, v, tau, direction, external, da);
  return da;
}

void forward_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                          const VectorIn& tau, const VectorIn& weights, std::span<const ExternalForce> external,
                          VectorOut gradient_q, VectorOut gradient_v, VectorOut gradient_tau) {
  const auto [w, d, view, forces] = checked(model, work, q, v, "tau", tau, external);
  w.check_v("weights", weights);
  expect_size("gradient_q", gradient_q.size(), w.nv);
  expect_size("gradient_v", gradient_v.size(), w.nv);
  expect_size("gradient_tau", gradient_tau.size(), w.nv);
  w.kernels.aba_vjp(view, *d.scratch, q.data(), v.data(), tau.data(), forces, weights.data(), d.buffer.data(),
                    gradient_q.data(), gradient_v.data(), gradient_tau.data());
}
const DynamicsGradient& forward_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                             const VectorIn& tau, const VectorIn& weights,
                                             std::span<const ExternalForce> external) {
  auto& g = prepared(model, WorkspaceMemory::checked(model, work)).forward_gradient;
  forward_dynamics_vjp(model, work, q, v, tau, weights, external, g.q, g.v, g.last);
  return g;
}

IntegrateDerivatives integrate_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                           double dt) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  w.check_v("v", v);
  expect_finite("dt", dt);
  auto& d = prepared(model, w);
  w.kernels.integrate_derivatives(ModelView<double>(model), q.data(), v.data(), dt, d.integrate_dq.data(),
                                  d.integrate_dv.data(), w.stride);
  return {w.view(d.integrate_dq), w.view(d.integrate_dv)};
}
void integrate_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, double dt,
                           MatrixOut dq, MatrixOut dv) {
  const auto& w = WorkspaceMemory::checked(model, work);
  w.check_square("dq", dq);
  w.check_square("dv", dv);
  const auto d = integrate_derivatives(model, work, q, v, dt);
  dq = d.dq, dv = d.dv;
}

}  // namespace lissom
