// Computes derivatives of one group of robots, one robot per lane.
#include <algorithm>

#include "lissom/batch/memory.h"

namespace lissom::batch {
namespace {

// One group of robots, with its memory.
template <class S>
struct DerivativesOfGroup {
  typename Workspace<S>::Memory& w;
  GroupScratch<S>& s;
  typename GroupScratch<S>::Derivatives& d;
  ModelView<S> view;
  const S* external;

  // The matrices that several outputs read are computed once for each group.
  void inverse() {
    if (d.has_inverse) return;
    w.kernels.rnea_derivatives(view, *d.scratch, s.q.data(), s.v.data(), s.a.data(), external, d.dtau_dq.data(),
                               d.dtau_dv.data(), d.dtau_da.data(), w.stride);
    d.has_inverse = true;
  }
  void forward() {
    if (d.has_forward) return;
    w.kernels.aba_derivatives(view, *d.scratch, s.q.data(), s.v.data(), s.tau.data(), external, d.a.data(),
                              d.da_dq.data(), d.da_dv.data(), d.M_inverse.data(), w.stride);
    d.has_forward = true;
  }
  // Products write into s.result.
  void product(Quantity quantity) {
    const auto& k = w.kernels;
    const S *const q = s.q.data(), *const v = s.v.data(), *const a = s.a.data(), *const tau = s.tau.data();
    S *const first = s.result.data(), *const second = first + w.nv * k.width, *const third = second + w.nv * k.width;
    switch (quantity) {
      case Quantity::inverse_dynamics_jvp:
        return k.rnea_jvp(view, *d.scratch, q, v, a, external, d.dq.data(), d.dv.data(), d.last.data(), first);
      case Quantity::forward_dynamics_jvp:
        return k.aba_jvp(view, *d.scratch, q, v, tau, external, d.dq.data(), d.dv.data(), d.last.data(), d.a.data(),
                         first);
      case Quantity::inverse_dynamics_vjp:
        return k.rnea_vjp(view, *d.scratch, q, v, a, external, d.weights.data(), first, second, third);
      default:  // forward_dynamics_vjp
        return k.aba_vjp(view, *d.scratch, q, v, tau, external, d.weights.data(), d.a.data(), first, second, third);
    }
  }
};

}  // namespace

template <class S>
void compute_derivative(const Model& model, typename Workspace<S>::Memory& w, GroupScratch<S>& s, const S* external,
                        const Inputs<S>& inputs, const Output<S>& output, long first, int count) {
  auto& d = *s.derivatives;
  DerivativesOfGroup<S> group{w, s, d, ModelView<S>(model), external};
  RowsOut<S> to = output.rows;
  S* const rows = to.data() + first * to.outerStride();
  const auto write_matrix = [&](const Array<S>& matrix) {
    for (int i = 0; i < w.nv; ++i)
      w.kernels.to_rows(matrix.data() + i * w.stride * w.kernels.width, count, w.nv, rows + i * w.nv, to.outerStride());
  };
  switch (output.quantity) {
    case Quantity::inverse_dynamics_dq:
      group.inverse();
      return write_matrix(d.dtau_dq);
    case Quantity::inverse_dynamics_dv:
      group.inverse();
      return write_matrix(d.dtau_dv);
    case Quantity::inverse_dynamics_da:
      group.inverse();
      for (int i = 0; i < w.nv; ++i)  // both triangles from the upper one
        for (int j = 0; j < i; ++j)
          std::copy_n(&d.dtau_da[(j * w.stride + i) * w.kernels.width], w.kernels.width,
                      &d.dtau_da[(i * w.stride + j) * w.kernels.width]);
      return write_matrix(d.dtau_da);
    case Quantity::forward_dynamics_dq:
      group.forward();
      return write_matrix(d.da_dq);
    case Quantity::forward_dynamics_dv:
      group.forward();
      return write_matrix(d.da_dv);
    case Quantity::forward_dynamics_dtau:
      group.forward();
      return write_matrix(d.M_inverse);
    default:
      break;
  }
  const auto reads = info(output.quantity);
  if (reads.direction) {
    w.to_lanes(inputs.dq, first, count, d.dq);
    w.to_lanes(inputs.dv, first, count, d.dv);
    w.to_lanes(reads.a ? inputs.da : inputs.dtau, first, count, d.last);
  }
  if (reads.weights) w.to_lanes(inputs.weights, first, count, d.weights);
  group.product(output.quantity);
  w.kernels.to_rows(s.result.data(), count, int(to.cols()), rows, to.outerStride());
}

template void compute_derivative<double>(const Model&, Workspace<double>::Memory&, GroupScratch<double>&, const double*,
                                         const Inputs<double>&, const Output<double>&, long, int);
template void compute_derivative<float>(const Model&, Workspace<float>::Memory&, GroupScratch<float>&, const float*,
                                        const Inputs<float>&, const Output<float>&, long, int);

}  // namespace lissom::batch
