#include "lissom/api/dynamics.h"

#include "lissom/api/inside.h"

namespace lissom {
namespace {

using View = ModelView<double>;

// The checks that almost every call makes, and the inside of its workspace.
Workspace::Inside& checked(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = work.inside();
  w.check(model);
  w.check_q(q);
  return w;
}

void check_finite(const Vec3<double>& x, std::size_t index, const char* what) {
  if (!std::isfinite(x.x + x.y + x.z))
    throw Error("external[" + std::to_string(index) + "]." + what + " is not finite; expected three numbers");
}

}  // namespace

const double* body_forces(const Model& model, Workspace& work, const VectorIn& q,
                          std::span<const ExternalForce> external) {
  if (external.empty()) return nullptr;
  auto& w = work.inside();
  for (std::size_t i = 0; i < external.size(); ++i) {
    for (const FrameId frame : {external[i].on, external[i].at.frame, external[i].in})
      if (frame.index < 0 || frame.index >= int(model.frames().size()))
        throw Error("external[" + std::to_string(i) + "]: model '" + model.name() + "' has no frame number " +
                    std::to_string(frame.index) + "; get frames from model.frame(\"name\")");
    check_finite(external[i].force, i, "force");
    check_finite(external[i].torque, i, "torque");
    check_finite(external[i].at.position, i, "at");
  }
  forward_kinematics(model, work, q);
  for (auto& number : w.external) number = 0;
  auto* const sum = reinterpret_cast<Force<double>*>(w.external.data());
  const auto* const X = reinterpret_cast<const Pose<double>*>(w.kernels.poses(*w.scratch));
  for (const auto& e : external) {
    const auto X_WE = placement(model, work, e.in);
    const auto p = placement(model, work, e.at.frame) * e.at.position;
    const int body = model.frames()[std::size_t(e.on.index)].body;
    const auto& X_WB = X[body];
    const auto force = transpose_times(X_WB.R, X_WE.R * e.force);
    const auto arm = transpose_times(X_WB.R, p - X_WB.p);
    sum[body] += Force<double>{transpose_times(X_WB.R, X_WE.R * e.torque) + cross(arm, force), force};
  }
  return w.external.data();
}

const Eigen::VectorXd& inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a, std::span<const ExternalForce> external) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.check_v("a", a);
  const double* const forces = body_forces(model, work, q, external);
  w.kernels.rnea(View(model), *w.scratch, q.data(), v.data(), a.data(), forces, w.tau.data());
  return w.tau;
}

const Eigen::VectorXd& forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& tau, std::span<const ExternalForce> external) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.check_v("tau", tau);
  const double* const forces = body_forces(model, work, q, external);
  w.kernels.aba(View(model), *w.scratch, q.data(), v.data(), tau.data(), forces, w.a.data());
  return w.a;
}

MatrixView mass_matrix(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = checked(model, work, q);
  w.kernels.crba(View(model), *w.scratch, q.data(), w.M.data(), w.stride);
  w.make_symmetric(w.M);
  return w.view(w.M);
}

const Eigen::VectorXd& bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.kernels.bias(View(model), *w.scratch, q.data(), v.data(), w.tau.data());
  return w.tau;
}

const Eigen::VectorXd& gravity_forces(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = checked(model, work, q);
  w.kernels.bias(View(model), *w.scratch, q.data(), w.zero.data(), w.tau.data());
  return w.tau;
}

MatrixView coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.kernels.coriolis(View(model), *w.matrix_scratch, q.data(), v.data(), w.C.data(), w.stride);
  return w.view(w.C);
}

MassMatrixFactor factorize_mass_matrix(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = checked(model, work, q);
  w.kernels.crba(View(model), *w.scratch, q.data(), w.M.data(), w.stride);
  w.kernels.factorize(View(model), *w.factor, w.M.data(), w.stride);
  w.factorized = true;
  w.kernels.factor_rows(View(model), *w.factor, w.L.data(), w.D.data(), w.stride);
  return {w.view(w.L), w.D};
}

const Eigen::VectorXd& solve(const Model& model, Workspace& work, const VectorIn& b) {
  auto& w = work.inside();
  w.check(model);
  w.check_v("b", b);
  if (!w.factorized)
    throw Error("workspace: solve() finds no factor; call factorize_mass_matrix(model, work, q) before it");
  w.kernels.solve(View(model), *w.factor, b.data(), w.x.data());
  return w.x;
}

MatrixView inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = checked(model, work, q);
  w.kernels.crba(View(model), *w.scratch, q.data(), w.M.data(), w.stride);
  w.kernels.factorize(View(model), *w.factor, w.M.data(), w.stride);
  w.factorized = true;
  w.kernels.invert(View(model), *w.factor, *w.matrix_scratch, w.M_inverse.data(), w.stride);
  w.make_symmetric(w.M_inverse);
  return w.view(w.M_inverse);
}

const Columns6& centroidal_map(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = checked(model, work, q);
  w.kernels.placements(View(model), *w.scratch, q.data());
  w.kernels.centroidal_map(View(model), *w.scratch, w.A.data());
  return w.A;
}

const Vector6& centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  forward_kinematics(model, work, q, v);
  auto& w = work.inside();
  w.kernels.momentum(View(model), *w.scratch, w.h.data());
  return w.h;
}

const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a) {
  forward_kinematics(model, work, q, v, a);
  auto& w = work.inside();
  w.kernels.momentum_rate(View(model), *w.scratch, w.h.data());
  return w.h;
}

double kinetic_energy(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  forward_kinematics(model, work, q, v);
  auto& w = work.inside();
  double energy = 0;
  w.kernels.kinetic_energy(View(model), *w.scratch, v.data(), &energy);
  return energy;
}

double potential_energy(const Model& model, Workspace& work, const VectorIn& q) {
  forward_kinematics(model, work, q);
  auto& w = work.inside();
  double energy = 0;
  w.kernels.potential_energy(View(model), *w.scratch, &energy);
  return energy;
}

const Eigen::MatrixXd& regressor(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                 const VectorIn& a) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.check_v("a", a);
  w.kernels.regressor(View(model), *w.matrix_scratch, q.data(), v.data(), a.data(), w.Y.data());
  return w.Y;
}

Eigen::VectorXd inertial_parameters(const Model& model) {
  Eigen::VectorXd parameters(10 * model.body_count());
  for (const auto& body : model.tree<double>().outward()) {
    const auto& b = body.inertia;
    parameters.segment<10>(10 * (body.index - 1)) << b.mass, b.h.x, b.h.y, b.h.z, b.I.xx, b.I.xy, b.I.xz, b.I.yy,
        b.I.yz, b.I.zz;
  }
  return parameters;
}

}  // namespace lissom
