#pragma once
// The kernels on a model and its workspace, without checks. The folders that build on api/ (constraints/, sim/,
// control/ …) use it where the checked functions would check or compute the same things twice. Not installed.
//
// The caller guarantees that the workspace was made for the model, that arrays have the stated sizes, that elements are
// finite and quaternions have norm 1, and that the stage is reached if a comment says "after". In return nothing is
// checked, allocated or thrown, and
//  - the stage of the workspace stays correct: placement(), velocity(), jacobian() … of api/ read what was computed
//  here;
//  - no result that a checked function returned is overwritten.
// An Unchecked is a pair of references, constructed where it is needed.
#include "lissom/api/workspace_memory.h"

namespace lissom {

class Unchecked {
 public:
  Unchecked(const Model& model, Workspace& work) : view_(model), w_(WorkspaceMemory::of(work)) {}

  const double* zero() const { return w_.zero.data(); }  // nv zeros
  bool finite(const double* x, long n) const { return w_.kernels.finite(x, n); }

  // Compute the poses of all bodies; also their velocities; also their accelerations.
  void placements(const double* q) {
    w_.kernels.placements(view_, *w_.scratch, q);
    w_.stage = Stage::positions;
  }
  void velocities(const double* q, const double* v) {
    w_.kernels.velocities(view_, *w_.scratch, q, v);
    keep(v);
    w_.stage = Stage::velocities;
  }
  void accelerations(const double* q, const double* v, const double* a) {
    w_.kernels.accelerations(view_, *w_.scratch, q, v, a);
    keep(v);
    w_.stage = Stage::accelerations;
  }
  // X_WB, velocity and acceleration (without gravity) of a body, the latter two in its frame about its origin. After
  // the functions above.
  const Pose<double>& pose(int body) const { return w_.pose(body); }
  const Motion<double>& velocity(int body) const { return w_.velocity(body); }
  const Motion<double>& acceleration(int body) const { return w_.acceleration(body); }

  // After placements: the Jacobian of a body at a point given in the world, along the axes of R; 6 × nv, by columns.
  // jacobian_rate, after velocities, also takes the point's velocity and the angular velocity of the axes.
  void jacobian(int body, const Vec3<double>& point, const Mat3<double>& R, double* J) {
    w_.kernels.jacobian(view_, *w_.scratch, body, &point.x, &R.xx, J);
  }
  void jacobian_rate(int body, const Vec3<double>& point, const Vec3<double>& point_velocity, const Mat3<double>& R,
                     const Vec3<double>& omega, double* J_dot) {
    w_.kernels.jacobian_rate(view_, *w_.scratch, body, &point.x, &point_velocity.x, &R.xx, &omega.x, J_dot);
  }
  // The motion vectors of all degrees of freedom; computes the poses of the bodies itself.
  void joint_jacobians(const double* q, double* J) {
    w_.kernels.jacobians(view_, *w_.scratch, q, J);
    w_.stage = Stage::positions;
  }

  // After placements, velocities or accelerations, as the quantity requires.
  Vec3<double> center_of_mass() {
    Vec3<double> com;
    w_.kernels.center_of_mass(view_, *w_.scratch, &com.x);
    return com;
  }
  void centroidal_map(double* A) { w_.kernels.centroidal_map(view_, *w_.scratch, A); }
  double potential_energy() {
    double energy = 0;
    w_.kernels.potential_energy(view_, *w_.scratch, &energy);
    return energy;
  }
  double kinetic_energy() {
    double energy = 0;
    w_.kernels.kinetic_energy(view_, *w_.scratch, w_.v.data(), &energy);
    return energy;
  }
  void momentum(double* h) { w_.kernels.momentum(view_, *w_.scratch, h); }
  void momentum_rate(double* h_dot) { w_.kernels.momentum_rate(view_, *w_.scratch, h_dot); }

  // Dynamics. external: nullptr, or a spatial force for each body, the world's first: 6 elements (angular, linear), in
  // the body's frame about its origin. These functions do not change the kinematics in the workspace.
  void rnea(const double* q, const double* v, const double* a, const double* external, double* tau) {
    w_.kernels.rnea(view_, *w_.scratch, q, v, a, external, tau);
  }
  void bias(const double* q, const double* v, double* h) { w_.kernels.bias(view_, *w_.scratch, q, v, h); }
  void aba(const double* q, const double* v, const double* tau, const double* external, double* a) {
    w_.kernels.aba(view_, *w_.scratch, q, v, tau, external, a);
  }
  // Memory for rnea_derivatives, of the caller.
  std::unique_ptr<KernelScratch> derivative_scratch() const { return w_.kernels.derivative_scratch(view_); }
  // ∂tau/∂q, ∂tau/∂v and the upper triangle of M, of padded_square(nv) elements by rows row_stride(nv) apart. Elements
  // that are zero by the structure of the tree are not written.
  void rnea_derivatives(KernelScratch& scratch, const double* q, const double* v, const double* a, double* dq,
                        double* dv, double* M) const {
    w_.kernels.rnea_derivatives(view_, scratch, q, v, a, nullptr, dq, dv, M, w_.stride);
  }
  // The upper triangle of M(q) with padded rows, in the given array or in the buffer M of the workspace.
  void crba(const double* q) { crba(q, w_.M.data()); }
  void crba(const double* q, double* M) { w_.kernels.crba(view_, *w_.scratch, q, M, w_.stride); }
  // All terms of one state in one outward and one inward pass: M in the buffer, the bias forces h, the centroidal map,
  // momentum and Ȧ v. The stage is `accelerations` afterwards, those for a = 0.
  void all_terms(const double* q, const double* v, double* h, double* A, double* momentum, double* momentum_rate) {
    w_.kernels.all_terms(view_, *w_.scratch, q, v, w_.M.data(), w_.stride, h, A, momentum, momentum_rate);
    keep(v);
    w_.stage = Stage::accelerations;
  }
  double& M(int i, int j) { return w_.M[i * w_.stride + j]; }
  // M, both triangles.
  MatrixView full_M() {
    dense::mirror_upper(w_.M.data(), w_.nv, w_.stride);
    return w_.view(w_.M);
  }

  // On the manifold of configurations.
  void integrate(const double* q, const double* v, double dt, double* result) const {
    w_.kernels.integrate(view_, q, v, dt, result);
  }
  void coordinate_rate(const double* q, const double* v, double* rate) const {
    w_.kernels.coordinate_rate(view_, q, v, rate);
  }

  // Factorizes M in the buffer, which the caller may have changed since crba (M + h D, with the same sparsity).
  void factorize(MassMatrixFactor& factor) const {
    auto& f = *factor.memory_;
    f.kernels.factorize(view_, *f.factor, w_.M.data(), w_.stride);
    f.factorized = true;
  }
  // After factorize: L, with its zeros, by rows `stride` apart, and the diagonal of D.
  static void write_out(const MassMatrixFactor& factor, double* L, double* D, int stride) {
    const auto& f = *factor.memory_;
    f.kernels.factor_rows(ModelView<double>(f.model), *f.factor, L, D, stride);
  }
  // After factorize. x may be b.
  static void solve(const MassMatrixFactor& factor, const double* b, double* x) {
    const auto& f = *factor.memory_;
    f.kernels.solve(ModelView<double>(f.model), *f.factor, b, x);
  }

 private:
  void keep(const double* v) {
    for (int i = 0; i < w_.nv; ++i) w_.v[i] = v[i];
  }

  ModelView<double> view_;
  WorkspaceMemory& w_;
};

}  // namespace lissom
