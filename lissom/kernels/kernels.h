#pragma once
// The algorithms, compiled: tables of functions, one for each kind of scalar, compiled once for every instruction set
// that the library was built for. The best one for the processor is chosen at the first call.
//
// A table works on `width` robots at once. Every array holds `width` numbers side by side for each element: q is nq ×
// width, M is nv × stride × width, and so on; with width 1 these are plain arrays. Arrays of a table wider than 1 begin
// at multiples of 64 bytes. Functions neither throw, nor allocate, nor check: that is done at the public edge (api/,
// batch/).
//
// Tables come in groups, each compiled by itself, with scratch memory of its own: core (core.cpp), matrices
// (matrices.cpp) and derivatives (derivatives.cpp); inverse kinematics and integrators have theirs (ik/kernels.h,
// integrators.h).
#include <memory>

#include "lissom/kernels/model_view.h"

namespace lissom {

// Memory for intermediate results of a group; its contents depend on the table.
struct KernelScratch {
  virtual ~KernelScratch() = default;
};
// The factor Lᵀ D L of a mass matrix.
struct KernelFactor {
  virtual ~KernelFactor() = default;
};

// Kinematics, inverse and forward dynamics, mass matrix.
template <class S>
struct CoreKernels {
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;

  const char* instruction_set;
  int width;
  std::unique_ptr<KernelScratch> (*scratch)(View);

  // Whether none of n numbers is infinite or NaN.
  bool (*finite)(const S* x, long n);
  // From `robots` rows of n numbers, `stride` apart, to n × width numbers, and back. Lanes without a robot repeat the
  // last one.
  void (*to_lanes)(const S* rows, long stride, int robots, int n, S* lanes);
  void (*to_rows)(const S* lanes, int robots, int n, S* rows, long stride);

  // The first three leave poses (rotation by rows, origin: 12 numbers per body), spatial velocities and accelerations
  // (angular, linear: 6 per body, in its frame) in the scratch, where poses(), twists() and spatial_accelerations()
  // find them.
  void (*placements)(View, Scratch, const S* q);
  void (*velocities)(View, Scratch, const S* q, const S* v);
  void (*accelerations)(View, Scratch, const S* q, const S* v, const S* a);
  const S* (*poses)(Scratch);
  const S* (*twists)(Scratch);
  const S* (*spatial_accelerations)(Scratch);
  // The columns of all joints at once; leaves the poses in the scratch, too.
  void (*jacobians)(View, Scratch, const S* q, S* J);
  // After placements: the Jacobian of a body, at a point, along the axes of a rotation; see kinematics/jacobians.h.
  void (*jacobian)(View, Scratch, int body, const S* point, const S* rotation, S* J);
  void (*jacobian_rate)(View, Scratch, int body, const S* point, const S* point_velocity, const S* rotation,
                        const S* omega, S* J_dot);

  // After placements, velocities or accelerations, as each needs.
  void (*center_of_mass)(View, Scratch, S* com);
  void (*centroidal_map)(View, Scratch, S* A);
  void (*momentum)(View, Scratch, S* h);
  void (*momentum_rate)(View, Scratch, S* h_dot);
  void (*kinetic_energy)(View, Scratch, const S* v, S* energy);
  void (*potential_energy)(View, Scratch, S* energy);

  // external: nullptr, or a force per body (angular, linear: 6 numbers, in its frame about its origin), the world's
  // first.
  void (*rnea)(View, Scratch, const S* q, const S* v, const S* a, const S* external, S* tau);
  void (*bias)(View, Scratch, const S* q, const S* v, S* h);  // rnea with a = 0
  void (*aba)(View, Scratch, const S* q, const S* v, const S* tau, const S* external, S* a);
  void (*crba)(View, Scratch, const S* q, S* M, int stride);  // the upper triangle
  // The upper triangle of M, the bias forces h, the centroidal map, momentum and Ȧ v of one state, in one outward and
  // one inward pass; leaves poses, velocities and accelerations (of a = 0) in the scratch.
  void (*all_terms)(View, Scratch, const S* q, const S* v, S* M, int stride, S* h, S* A, S* momentum, S* momentum_rate);
  // Σ Jᵀ f of a force per body, as for rnea.
  void (*generalized_forces)(View, Scratch, const S* q, const S* forces, S* tau);

  // Motion on the manifold of configurations (tree/manifold.h).
  void (*integrate)(View, const S* q, const S* v, S dt, S* result);
  void (*increment_rate)(View, const S* u, const S* v, S* rate);
  void (*coordinate_rate)(View, const S* q, const S* v, S* rate);
  // A whole step of semi-implicit Euler: v1 = v + dt aba(q, v, tau), q1 = q exp(dt v1). The results may be the
  // arguments.
  void (*step)(View, Scratch, const S* q, const S* v, const S* tau, const S* external, S dt, S* q1, S* v1);
};

// Factor, solutions and inverse of a mass matrix, and other matrices of the equations of motion.
template <class S>
struct MatrixKernels {
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;

  std::unique_ptr<KernelScratch> (*matrix_scratch)(View);
  std::unique_ptr<KernelFactor> (*make_factor)(View);
  void (*factorize)(View, KernelFactor&, const S* M, int stride);  // reads the upper triangle
  void (*solve)(View, const KernelFactor&, const S* b, S* x);      // x may be b
  void (*invert)(View, const KernelFactor&, Scratch, S* M_inverse, int stride);
  void (*factor_rows)(View, const KernelFactor&, S* L, S* D, int stride);  // the factor written out
  void (*coriolis)(View, Scratch, const S* q, const S* v, S* C, int stride);
  void (*regressor)(View, Scratch, const S* q, const S* v, const S* a, S* Y);
};

// Derivatives of inverse and forward dynamics, and products with them in O(n), which need no matrices. Changes of q,
// and derivatives with respect to it, are in the tangent space, along v. External forces (nullptr, or as for rnea) move
// with their bodies.
template <class S>
struct DerivativeKernels {
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;

  std::unique_ptr<KernelScratch> (*derivative_scratch)(View);
  // ∂tau/∂q, ∂tau/∂v and the upper triangle of M = ∂tau/∂a, of padded_square(nv) elements. Elements that are zero by
  // the structure of the tree are not written.
  void (*rnea_derivatives)(View, Scratch, const S* q, const S* v, const S* a, const S* external, S* dq, S* dv, S* M,
                           int stride);
  // The acceleration a, ∂a/∂q, ∂a/∂v and M⁻¹ = ∂a/∂tau; all elements are written.
  void (*aba_derivatives)(View, Scratch, const S* q, const S* v, const S* tau, const S* external, S* a, S* dq, S* dv,
                          S* M_inverse, int stride);
  // The change of tau along (dq, dv, da), and the gradient of weightsᵀ tau.
  void (*rnea_jvp)(View, Scratch, const S* q, const S* v, const S* a, const S* external, const S* dq, const S* dv,
                   const S* da, S* dtau);
  void (*rnea_vjp)(View, Scratch, const S* q, const S* v, const S* a, const S* external, const S* weights,
                   S* gradient_q, S* gradient_v, S* gradient_a);
  // The same of forward dynamics; they also give the acceleration a.
  void (*aba_jvp)(View, Scratch, const S* q, const S* v, const S* tau, const S* external, const S* dq, const S* dv,
                  const S* dtau, S* a, S* da);
  void (*aba_vjp)(View, Scratch, const S* q, const S* v, const S* tau, const S* external, const S* weights, S* a,
                  S* gradient_q, S* gradient_v, S* gradient_tau);
  // The derivatives of integrate(q, v, dt), in the tangent space of the result. All elements are written.
  void (*integrate_derivatives)(View, const S* q, const S* v, S dt, S* dq, S* dv, int stride);
};

template <class S>
struct Kernels : CoreKernels<S>, MatrixKernels<S>, DerivativeKernels<S> {
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;
};

// Tables for one robot per call, in double; and for as many as fill the registers, in double or float.
const Kernels<double>& single_kernels();
template <class S>
const Kernels<S>& lane_kernels();

}  // namespace lissom
