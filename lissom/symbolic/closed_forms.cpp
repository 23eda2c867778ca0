#include "lissom/symbolic/closed_forms.h"

#include "lissom/kernels/in_model_coordinates.h"

namespace lissom::symbolic {
namespace {

using View = ModelView<Polynomial>;

View view(const Model& model, const SymbolicModel& symbolic) {
  return View(symbolic.tree, symbolic.coupling, model.sparsity(), model.manifold());
}

// Inverse dynamics without acceleration.
Polynomials bias(const View& m, const Polynomials& q, const Polynomials& v) {
  in_model_coordinates::InverseDynamicsInModel<Polynomial> scratch(m);
  Polynomials tau(std::size_t(m.coupling.nv + padding), Polynomial(0));
  const Force<Polynomial>* const no_external = nullptr;
  in_model_coordinates::rnea(m, scratch, q.data(), v.data(), Nothing{}, no_external, tau.data());
  tau.resize(std::size_t(m.coupling.nv));
  return tau;
}

}  // namespace

Polynomials mass_matrix(const Model& model, const SymbolicModel& symbolic) {
  const auto m = view(model, symbolic);
  const int nv = m.coupling.nv, stride = row_stride(nv);
  in_model_coordinates::ForwardDynamicsInModel<Polynomial> scratch(m);
  Polynomials upper(std::size_t(nv * stride + padding), Polynomial(0));
  in_model_coordinates::crba(m, scratch, symbolic.q.data(), upper.data(), stride);
  Polynomials H(std::size_t(nv * nv), Polynomial(0));
  for (int i = 0; i < nv; ++i)
    for (int j = i; j < nv; ++j)
      H[std::size_t(i * nv + j)] = H[std::size_t(j * nv + i)] = upper[std::size_t(i * stride + j)];
  return H;
}

Polynomials coriolis_forces(const Model& model, const SymbolicModel& symbolic) {
  auto weightless = symbolic.tree;
  weightless.gravity = zero_vec3<Polynomial>();
  return bias(View(weightless, symbolic.coupling, model.sparsity(), model.manifold()), symbolic.q, symbolic.v);
}

Polynomials gravity_forces(const Model& model, const SymbolicModel& symbolic) {
  return bias(view(model, symbolic), symbolic.q, Polynomials(symbolic.v.size(), Polynomial(0)));
}

Polynomial kinetic_energy(const Model& model, const SymbolicModel& symbolic) {
  const auto H = mass_matrix(model, symbolic);
  const auto nv = std::size_t(model.nv());
  Polynomial twice = 0;
  for (std::size_t i = 0; i < nv; ++i)
    for (std::size_t j = 0; j < nv; ++j) twice += H[i * nv + j] * (symbolic.v[i] * symbolic.v[j]);
  return Polynomial(0.5) * twice;
}

Polynomial potential_energy(const Model& model, const SymbolicModel& symbolic) {
  const auto m = view(model, symbolic);
  in_model_coordinates::KinematicsInModel<Polynomial> scratch(m);
  in_model_coordinates::placements(m, scratch, symbolic.q.data());
  Polynomial energy = 0;
  for (const auto& body : symbolic.tree.outward()) {
    const auto& X = scratch.kinematics.X[body.index];
    energy -= dot(symbolic.tree.gravity, X.R * body.inertia.h + body.inertia.mass * X.p);
  }
  return energy;
}

FrameForms frame_forms(const Model& model, const SymbolicModel& symbolic) {
  const auto m = view(model, symbolic);
  in_model_coordinates::KinematicsInModel<Polynomial> scratch(m);
  in_model_coordinates::placements(m, scratch, symbolic.q.data());
  const auto& X = scratch.kinematics.X[symbolic.frame_body];
  const auto p = X.R * symbolic.frame_p + X.p;
  const auto R = X.R * symbolic.frame_R;
  const auto nv = std::size_t(model.nv());
  Polynomials columns(6 * (std::size_t(symbolic.tree.nv) + padding), Polynomial(0));
  in_model_coordinates::jacobian(m, scratch, symbolic.frame_body, p, identity3<Polynomial>(), columns.data());
  FrameForms out{{p.x, p.y, p.z}, {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz}, {}};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < nv; ++j) out.jacobian.push_back(columns[6 * j + i]);
  return out;
}

}  // namespace lissom::symbolic
