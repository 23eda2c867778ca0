#pragma once
// Derivatives of kinematics and second derivatives of dynamics for as many robots as fill the lanes: the table that
// batches use beside kernels.h, with the same layout of arrays. (second_order.h is for one robot, whose directions fill
// the lanes instead.)
#include "lissom/kernels/tables.h"

namespace lissom {

template <class S>
struct SecondOrderLaneKernels {
  using View = const ModelView<S>&;

  std::unique_ptr<KernelScratch> (*scratch)(View);
  // As in second_order.h. point_in_body: three plain numbers, the same in all lanes.
  void (*jacobian_derivatives)(View, KernelScratch&, const S* q, int body, const S* point_in_body, S* H);
  void (*centroidal_derivatives)(View, KernelScratch&, const S* q, const S* v, S* dh);
  void (*rnea_second_order)(View, KernelScratch&, const S* q, const S* v, const S* a, const S* weights, S* H);
  // -Zᵀ H Z with that H for the weights μ and Z = ∂(q, v, a)/∂(q, v, tau), of which da_dq, da_dv and M_inverse are the
  // lower rows, `stride` apart. buffer: 3 nv² elements.
  void (*aba_second_order)(View, KernelScratch&, const S* q, const S* v, const S* a, const S* mu, const S* da_dq,
                           const S* da_dv, const S* M_inverse, int stride, S* buffer, S* H);
};

template <class S>
const SecondOrderLaneKernels<S>& second_order_lane_kernels();

LISSOM_DECLARE_FOR_SETS(template <class Kind>
                        const SecondOrderLaneKernels<typename Kind::Number>& second_order_lane_table();)

}  // namespace lissom
