#pragma once
// The algorithms, compiled: one table of functions for each kind of scalar, made once for every instruction set that
// the library was built for; the best that the processor has is chosen when first asked for.
//
// A table works on `width` robots at once. Every array holds `width` numbers side by side for each entry: q is nq ×
// width, M is nv × stride × width, and so on; with width 1 these are plain arrays. Arrays of a table wider than 1 begin
// at multiples of 64 bytes. Functions neither throw, nor allocate, nor check: that is done at the public edge (api/,
// batch/).
#include <memory>

#include "lissom/kinematics/targets.h"
#include "lissom/model/model.h"
#include "lissom/tree/coupling.h"
#include "lissom/tree/manifold.h"
#include "lissom/tree/sparsity.h"
#include "lissom/tree/tree.h"

namespace lissom {

// A model as the kernels see it.
template <class Real>
struct ModelView {
  const Tree<Real>& tree;
  const Coupling<Real>& coupling;
  const Sparsity& sparsity;
  const Manifold& manifold;
  explicit ModelView(const Model& model)
      : tree(model.tree<Real>()),
        coupling(model.coupling<Real>()),
        sparsity(model.sparsity()),
        manifold(model.manifold()) {}
};

// Room for intermediate results; its inside depends on the table.
struct KernelScratch {
  virtual ~KernelScratch() = default;
};

template <class S>
struct Kernels {
  using View = const ModelView<S>&;
  using Scratch = KernelScratch&;

  const char* instruction_set;
  int width;
  std::unique_ptr<KernelScratch> (*scratch)(View);

  // Whether n numbers are neither infinite nor NaN.
  bool (*finite)(const S* x, long n);
  // From `robots` rows of n numbers, `stride` apart, to n × width numbers, and back. Lanes without a robot repeat the
  // last one.
  void (*to_lanes)(const S* rows, long stride, int robots, int n, S* lanes);
  void (*to_rows)(const S* lanes, int robots, int n, S* rows, long stride);

  // Kinematics. The first three leave poses (rotation by rows, origin: 12 numbers per body), spatial velocities and
  // accelerations (angular, linear: 6 per body, in its frame) in the scratch, where poses(), twists() and
  // spatial_accelerations() find them.
  void (*placements)(View, Scratch, const S* q);
  void (*velocities)(View, Scratch, const S* q, const S* v);
  void (*accelerations)(View, Scratch, const S* q, const S* v, const S* a);
  const S* (*poses)(Scratch);
  const S* (*twists)(Scratch);
  const S* (*spatial_accelerations)(Scratch);
  void (*jacobians)(View, Scratch, const S* q, S* J);
  // After placements: of a body, at a point, along the axes of a rotation; see kinematics/jacobians.h.
  void (*jacobian)(View, Scratch, int body, const S* point, const S* rotation, S* J);
  void (*jacobian_rate)(View, Scratch, int body, const S* point, const S* point_velocity, const S* rotation,
                        const S* omega, S* J_dot);

  // After placements, velocities or accelerations, as each needs.
  void (*centre_of_mass)(View, Scratch, S* com);
  void (*momentum)(View, Scratch, S* h);
  void (*momentum_rate)(View, Scratch, S* h_dot);
  void (*kinetic_energy)(View, Scratch, const S* v, S* energy);
  void (*potential_energy)(View, Scratch, S* energy);

  // Dynamics. external: nullptr, or a force per body (moment, linear: 6 numbers, in its frame about its origin), the
  // world's first.
  void (*rnea)(View, Scratch, const S* q, const S* v, const S* a, const S* external, S* tau);
  void (*bias)(View, Scratch, const S* q, const S* v, S* h);  // rnea with a = 0
  void (*aba)(View, Scratch, const S* q, const S* v, const S* tau, const S* external, S* a);
  void (*crba)(View, Scratch, const S* q, S* M, int stride);
  void (*coriolis)(View, Scratch, const S* q, const S* v, S* C, int stride);
  void (*factorize)(View, Scratch, const S* M, int stride);
  void (*solve)(View, Scratch, const S* b, S* x);  // after factorize
  void (*invert)(View, Scratch, S* M_inverse, int stride);
  void (*factor_rows)(View, Scratch, S* L, S* D, int stride);  // the factor written out
  void (*centroidal)(View, Scratch, const S* q, S* A);
  void (*regressor)(View, Scratch, const S* q, const S* v, const S* a, S* Y);

  // Motion on the manifold of configurations (tree/manifold.h).
  void (*integrate)(View, const S* q, const S* v, S dt, S* result);
  void (*increment_rate)(View, const S* u, const S* v, S* rate);
  void (*coordinate_rate)(View, const S* q, const S* v, S* rate);
  // A whole step of semi-implicit Euler: v1 = v + dt aba(q, v, tau), q1 = q exp(dt v1). The results may be the
  // arguments.
  void (*step)(View, Scratch, const S* q, const S* v, const S* tau, const S* external, S dt, S* q1, S* v1);
  // Statics: tau = Σ Jᵀ f of a force per body, as for rnea.
  void (*joint_forces)(View, Scratch, const S* q, const S* forces, S* tau);

  // Inverse kinematics. After placements(q): a target's rows, for the place X_IP (12 numbers, as poses()) where it
  // shall be; see kinematics/target_rows.h. And a step; see kinematics/damped_step.h.
  void (*target_rows)(View, Scratch, const TargetRows<S>& target, const S* q, const S* place,
                      const ChosenColumns& columns, S* e, S* rows, S* error);
  void (*damped_step)(const DampedStep<S>&);
};

// One robot per call, in double; and as many as fill the registers, in double or float.
const Kernels<double>& single_kernels();
template <class S>
const Kernels<S>& lane_kernels();

}  // namespace lissom
