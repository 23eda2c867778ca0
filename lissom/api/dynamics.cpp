#include "lissom/api/dynamics.h"

#include <cstring>

#include "lissom/api/external_forces.h"
#include "lissom/api/unchecked.h"
#include "lissom/api/write_columns.h"

namespace lissom {

struct DynamicsResults {
  explicit DynamicsResults(const Model& model) {
    const int nv = model.nv();
    for (auto* const vector : {&inverse_dynamics, &forward_dynamics, &bias_forces, &gravity_forces})
      vector->setZero(nv);
    mass_matrix = Array<double>(padded_square(nv));
    centroidal_map.setZero(6, nv);
  }
  Eigen::VectorXd inverse_dynamics, forward_dynamics, bias_forces, gravity_forces;
  Array<double> mass_matrix;
  Columns6 centroidal_map;
  Vector6 centroidal_momentum = Vector6::Zero(), centroidal_momentum_rate = Vector6::Zero();
};
std::shared_ptr<DynamicsResults> make_dynamics_results(const Model& model) {
  return std::make_shared<DynamicsResults>(model);
}

namespace {

WorkspaceMemory& checked(const Model& model, Workspace& work, const VectorIn& q) {
  return WorkspaceMemory::checked(model, work, q);
}

// Eigen's assignment looks at the alignment of every row, which takes longer than copying it.
void copy_rows(const MatrixView& from, MatrixOut& to) {
  const auto n = std::size_t(from.cols());
  if (from.outerStride() == from.cols() && to.outerStride() == to.cols()) {
    std::memcpy(to.data(), from.data(), std::size_t(from.rows()) * n * sizeof(double));
    return;
  }
  for (Eigen::Index i = 0; i < from.rows(); ++i)
    std::memcpy(to.data() + i * to.outerStride(), from.data() + i * from.outerStride(), n * sizeof(double));
}

}  // namespace

void inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
                      std::span<const ExternalForce> external, VectorOut tau) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.check_v("a", a);
  expect_size("tau", tau.size(), w.nv);
  const double* const forces = body_forces(model, work, q, external);
  Unchecked(model, work).rnea(q.data(), v.data(), a.data(), forces, tau.data());
}
const Eigen::VectorXd& inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a, std::span<const ExternalForce> external) {
  auto& tau = WorkspaceMemory::checked(model, work).dynamics->inverse_dynamics;
  inverse_dynamics(model, work, q, v, a, external, tau);
  return tau;
}

void forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                      std::span<const ExternalForce> external, VectorOut a) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.check_v("tau", tau);
  expect_size("a", a.size(), w.nv);
  const double* const forces = body_forces(model, work, q, external);
  Unchecked(model, work).aba(q.data(), v.data(), tau.data(), forces, a.data());
}
const Eigen::VectorXd& forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& tau, std::span<const ExternalForce> external) {
  auto& a = WorkspaceMemory::checked(model, work).dynamics->forward_dynamics;
  forward_dynamics(model, work, q, v, tau, external, a);
  return a;
}

void prepare_matrices(const Model& model, Workspace& work) {
  WorkspaceMemory::checked(model, work).prepared_matrices(model);
}

MatrixView mass_matrix(const Model& model, Workspace& work, const VectorIn& q) {
  auto& w = checked(model, work, q);
  Unchecked(model, work).crba(q.data(), w.dynamics->mass_matrix.data());
  dense::mirror_upper(w.dynamics->mass_matrix.data(), w.nv, w.stride);
  return w.view(w.dynamics->mass_matrix);
}
void mass_matrix(const Model& model, Workspace& work, const VectorIn& q, MatrixOut M) {
  WorkspaceMemory::checked(model, work).check_square("M", M);
  copy_rows(mass_matrix(model, work, q), M);
}

void bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, VectorOut h) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  expect_size("h", h.size(), w.nv);
  Unchecked(model, work).bias(q.data(), v.data(), h.data());
}
const Eigen::VectorXd& bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  auto& h = WorkspaceMemory::checked(model, work).dynamics->bias_forces;
  bias_forces(model, work, q, v, h);
  return h;
}

void gravity_forces(const Model& model, Workspace& work, const VectorIn& q, VectorOut g) {
  auto& w = checked(model, work, q);
  expect_size("g", g.size(), w.nv);
  Unchecked(model, work).bias(q.data(), w.zero.data(), g.data());
}
const Eigen::VectorXd& gravity_forces(const Model& model, Workspace& work, const VectorIn& q) {
  auto& g = WorkspaceMemory::checked(model, work).dynamics->gravity_forces;
  gravity_forces(model, work, q, g);
  return g;
}

MatrixView coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  auto& m = w.prepared_matrices(model);
  w.kernels.coriolis(ModelView<double>(model), *m.scratch, q.data(), v.data(), m.coriolis_matrix.data(), w.stride);
  return w.view(m.coriolis_matrix);
}
void coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, MatrixOut C) {
  WorkspaceMemory::checked(model, work).check_square("C", C);
  copy_rows(coriolis_matrix(model, work, q, v), C);
}

MatrixView inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q) {
  auto& factor = WorkspaceMemory::checked(model, work).prepared_matrices(model).factor;
  factor.factorize(model, work, q);
  return factor.inverse(work);
}
void inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q, MatrixOut M_inverse) {
  WorkspaceMemory::checked(model, work).check_square("M_inverse", M_inverse);
  copy_rows(inverse_mass_matrix(model, work, q), M_inverse);
}

void centroidal_map(const Model& model, Workspace& work, Columns6Out A) {
  auto& w = WorkspaceMemory::checked(model, work);
  w.check_stage(Stage::positions, "centroidal_map");
  write_columns("A", w, A, [&](double* to) { Unchecked(model, work).centroidal_map(to); });
}
const Columns6& centroidal_map(const Model& model, Workspace& work) {
  auto& A = WorkspaceMemory::checked(model, work).dynamics->centroidal_map;
  centroidal_map(model, work, A);
  return A;
}
const Columns6& centroidal_map(const Model& model, Workspace& work, const VectorIn& q) {
  forward_kinematics(model, work, q);
  return centroidal_map(model, work);
}
void centroidal_map(const Model& model, Workspace& work, const VectorIn& q, Columns6Out A) {
  expect_shape("A", A.rows(), A.cols(), 6, model.nv());
  forward_kinematics(model, work, q);
  centroidal_map(model, work, A);
}

void centroidal_momentum(const Model& model, Workspace& work, VectorOut h) {
  WorkspaceMemory::checked(model, work).check_stage(Stage::velocities, "centroidal_momentum");
  expect_size("h", h.size(), 6);
  Unchecked(model, work).momentum(h.data());
}
const Vector6& centroidal_momentum(const Model& model, Workspace& work) {
  auto& h = WorkspaceMemory::checked(model, work).dynamics->centroidal_momentum;
  centroidal_momentum(model, work, h);
  return h;
}
const Vector6& centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  forward_kinematics(model, work, q, v);
  return centroidal_momentum(model, work);
}
void centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, VectorOut h) {
  expect_size("h", h.size(), 6);
  forward_kinematics(model, work, q, v);
  centroidal_momentum(model, work, h);
}

void centroidal_momentum_rate(const Model& model, Workspace& work, VectorOut h_dot) {
  WorkspaceMemory::checked(model, work).check_stage(Stage::accelerations, "centroidal_momentum_rate");
  expect_size("h_dot", h_dot.size(), 6);
  Unchecked(model, work).momentum_rate(h_dot.data());
}
const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work) {
  auto& h_dot = WorkspaceMemory::checked(model, work).dynamics->centroidal_momentum_rate;
  centroidal_momentum_rate(model, work, h_dot);
  return h_dot;
}
const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a) {
  forward_kinematics(model, work, q, v, a);
  return centroidal_momentum_rate(model, work);
}
void centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                              const VectorIn& a, VectorOut h_dot) {
  expect_size("h_dot", h_dot.size(), 6);
  forward_kinematics(model, work, q, v, a);
  centroidal_momentum_rate(model, work, h_dot);
}

double kinetic_energy(const Model& model, Workspace& work) {
  WorkspaceMemory::checked(model, work).check_stage(Stage::velocities, "kinetic_energy");
  return Unchecked(model, work).kinetic_energy();
}
double kinetic_energy(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  forward_kinematics(model, work, q, v);
  return kinetic_energy(model, work);
}
double potential_energy(const Model& model, Workspace& work) {
  WorkspaceMemory::checked(model, work).check_stage(Stage::positions, "potential_energy");
  return Unchecked(model, work).potential_energy();
}
double potential_energy(const Model& model, Workspace& work, const VectorIn& q) {
  forward_kinematics(model, work, q);
  return potential_energy(model, work);
}

const Eigen::MatrixXd& regressor(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                 const VectorIn& a) {
  auto& w = checked(model, work, q);
  w.check_v("v", v);
  w.check_v("a", a);
  auto& m = w.prepared_matrices(model);
  w.kernels.regressor(ModelView<double>(model), *m.scratch, q.data(), v.data(), a.data(), m.regressor.data());
  return m.regressor;
}
void regressor(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
               ColumnsOut Y) {
  expect_shape("Y", Y.rows(), Y.cols(), model.nv(), 10 * model.body_count());
  Y = regressor(model, work, q, v, a);
}

void inertial_parameters(const Model& model, VectorOut parameters) {
  expect_size("parameters", parameters.size(), 10 * model.body_count());
  for (const auto& body : model.tree<double>().outward()) {
    const auto& b = body.inertia;
    parameters.segment<10>(10 * (body.index - 1)) << b.mass, b.h.x, b.h.y, b.h.z, b.I.xx, b.I.xy, b.I.xz, b.I.yy,
        b.I.yz, b.I.zz;
  }
}
Eigen::VectorXd inertial_parameters(const Model& model) {
  Eigen::VectorXd parameters(10 * model.body_count());
  inertial_parameters(model, parameters);
  return parameters;
}

}  // namespace lissom
