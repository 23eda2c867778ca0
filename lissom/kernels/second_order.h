#pragma once
// Derivatives of kinematics and of the gradient of inverse dynamics, for one robot in double. They are compiled for
// each instruction set as the other tables are, but not for lanes.
#include "lissom/kernels/kernels.h"

namespace lissom {

struct SecondOrderKernels {
  using View = const ModelView<double>&;

  std::unique_ptr<KernelScratch> (*scratch)(View);
  // The derivatives of the Jacobian of a body at a point that moves with it, given in the world, along the world's
  // axes: nv matrices of 6 × nv elements by columns, one after another.
  void (*jacobian_derivatives)(View, KernelScratch&, const double* q, int body, const double* point_in_body, double* H);
  // ∂h/∂q of the centroidal momentum, 6 × nv by columns.
  void (*centroidal_derivatives)(View, KernelScratch&, const double* q, const double* v, double* dh);
  // The derivative of the gradient that rnea_vjp gives, for constant weights: 3 nv × 3 nv elements by rows. Rows are
  // gradients, columns directions, both with respect to q (in the tangent space), v and a. It comes from dual numbers
  // over the product, in as many directions at once as fill the registers.
  void (*rnea_second_order)(View, KernelScratch&, const double* q, const double* v, const double* a,
                            const double* weights, double* H);
};

const SecondOrderKernels& second_order_kernels();

}  // namespace lissom
