// Computes second derivatives, derivatives of kinematics and those with respect to inertial parameters of one group of
// robots, one robot per lane.
#include "lissom/batch/memory.h"
#include "lissom/kernels/second_order_lanes.h"

namespace lissom::batch {
namespace {

template <class S>
struct SecondOrderOfGroup {
  typename Workspace<S>::Memory& w;
  GroupScratch<S>& s;
  typename GroupScratch<S>::Derivatives& d;
  typename GroupScratch<S>::SecondOrder& x;
  ModelView<S> view;
  const SecondOrderLaneKernels<S>& kernels = second_order_lane_kernels<S>();

  // Second derivatives of forward dynamics: docs/derivatives.md.
  void forward() {
    const S *const q = s.q.data(), *const v = s.v.data(), *const tau = s.tau.data(), *const no_external = nullptr;
    S* const unused = x.gradient.data();
    w.kernels.aba_vjp(view, *d.scratch, q, v, tau, no_external, d.weights.data(), d.a.data(), unused,
                      unused + (w.nv + padding) * w.kernels.width, x.mu.data());
    w.kernels.aba_derivatives(view, *d.scratch, q, v, tau, no_external, d.a.data(), d.da_dq.data(), d.da_dv.data(),
                              d.M_inverse.data(), w.stride);
    d.has_forward = false;  // outputs of first order may have external forces
    kernels.aba_second_order(view, *x.scratch, q, v, d.a.data(), x.mu.data(), d.da_dq.data(), d.da_dv.data(),
                             d.M_inverse.data(), w.stride, x.buffer.data(), x.H.data());
  }
  // tau = Y π at the acceleration a, so that M ∂a/∂π = -Y for constant tau.
  void forward_parameters(const S* external, int parameters) {
    const S *const q = s.q.data(), *const v = s.v.data();
    w.kernels.aba(view, *s.scratch, q, v, s.tau.data(), external, d.a.data());
    w.kernels.regressor(view, *s.matrix_scratch, q, v, d.a.data(), x.Y.data());
    if (!s.has_M) w.kernels.crba(view, *s.scratch, q, s.M.data(), w.stride);
    s.has_M = true;
    w.kernels.factorize(view, *s.factor, s.M.data(), w.stride);
    const int size = w.nv * w.kernels.width;
    for (int i = 0; i < parameters * size; ++i) x.Y[i] = -x.Y[i];
    for (int c = 0; c < parameters; ++c) {
      S* const column = x.Y.data() + c * size;
      w.kernels.solve(view, *s.factor, column, column);
    }
  }
};

}  // namespace

bool is_second_order(Quantity quantity) {
  return quantity >= Quantity::inverse_dynamics_dparameters;
}

template <class S>
void compute_second_order(const Model& model, typename Workspace<S>::Memory& w, GroupScratch<S>& s, const S* external,
                          const Inputs<S>& inputs, const Output<S>& output, long first, int count) {
  SecondOrderOfGroup<S> group{w, s, *s.derivatives, *s.second_order, ModelView<S>(model)};
  const auto& kernels = group.kernels;
  auto& x = group.x;
  const int nv = w.nv, parameters = 10 * model.body_count();
  RowsOut<S> to = output.rows;
  const auto write = [&](const S* values, auto source) {
    write_rows(values, w.kernels.width, to, first, count, source);
  };
  const auto write_H = [&] {
    w.kernels.to_rows(x.H.data(), count, 9 * nv * nv, to.data() + first * to.outerStride(), to.outerStride());
  };
  if (info(output.quantity).weights) w.to_lanes(inputs.weights, first, count, group.d.weights);
  switch (output.quantity) {
    case Quantity::inverse_dynamics_dparameters:
      w.kernels.regressor(group.view, *s.matrix_scratch, s.q.data(), s.v.data(), s.a.data(), x.Y.data());
      return write(x.Y.data(), [=](int i) { return i % parameters * nv + i / parameters; });
    case Quantity::forward_dynamics_dparameters:
      group.forward_parameters(external, parameters);
      return write(x.Y.data(), [=](int i) { return i % parameters * nv + i / parameters; });
    case Quantity::inverse_dynamics_second_order:
      kernels.rnea_second_order(group.view, *x.scratch, s.q.data(), s.v.data(), s.a.data(), group.d.weights.data(),
                                x.H.data());
      return write_H();
    case Quantity::forward_dynamics_second_order:
      group.forward();
      return write_H();
    case Quantity::jacobian_derivatives: {
      const auto& frame = model.frames()[std::size_t(output.frame.index)];
      const S point[] = {S(frame.placement.p.x), S(frame.placement.p.y), S(frame.placement.p.z)};
      kernels.jacobian_derivatives(group.view, *x.scratch, s.q.data(), frame.body, point, x.H.data());
      return write(x.H.data(), [nv](int i) { return (i % nv * nv + i / nv % nv) * 6 + i / (nv * nv); });
    }
    default:  // centroidal_momentum_derivatives
      kernels.centroidal_derivatives(group.view, *x.scratch, s.q.data(), s.v.data(), s.result.data());
      return write(s.result.data(), [nv](int i) { return i % nv * 6 + i / nv; });
  }
}

template void compute_second_order<double>(const Model&, Workspace<double>::Memory&, GroupScratch<double>&,
                                           const double*, const Inputs<double>&, const Output<double>&, long, int);
template void compute_second_order<float>(const Model&, Workspace<float>::Memory&, GroupScratch<float>&, const float*,
                                          const Inputs<float>&, const Output<float>&, long, int);

}  // namespace lissom::batch
