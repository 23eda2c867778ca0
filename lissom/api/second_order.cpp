#include "lissom/api/second_order.h"

#include "lissom/api/workspace_memory.h"
#include "lissom/kernels/second_order.h"

namespace lissom {

struct SecondOrderMemory {
  explicit SecondOrderMemory(const Model& model)
      : scratch(second_order_kernels().scratch(ModelView<double>(model))),
        columns(std::size_t(6 * (model.nv() + padding))),
        H(3 * model.nv(), 3 * model.nv()),
        da(model.nv(), 3 * model.nv()),
        HZ(3 * model.nv(), 3 * model.nv()) {}
  std::unique_ptr<KernelScratch> scratch;
  Array<double> columns;
  Matrix H, da, HZ;
};

namespace {

SecondOrderMemory& second_order_memory(const Model& model, WorkspaceMemory& w) {
  if (!w.second_order) w.second_order = std::make_shared<SecondOrderMemory>(model);
  return *w.second_order;
}

}  // namespace

void jacobian_derivatives(const Model& model, Workspace& work, const VectorIn& q, FrameId of, ColumnsOut H) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  expect_frame("of", model, of);
  expect_shape("H", H.rows(), H.cols(), 6 * w.nv, w.nv);
  if (H.outerStride() != H.rows())
    throw Error("H has gaps between its columns, expected a matrix whose elements are contiguous");
  const auto& frame = model.frames()[std::size_t(of.index)];
  second_order_kernels().jacobian_derivatives(ModelView<double>(model), *second_order_memory(model, w).scratch,
                                              q.data(), frame.body, &frame.placement.p.x, H.data());
}
Eigen::MatrixXd jacobian_derivatives(const Model& model, Workspace& work, const VectorIn& q, FrameId of) {
  Eigen::MatrixXd H(6 * model.nv(), model.nv());
  jacobian_derivatives(model, work, q, of, H);
  return H;
}

void centroidal_momentum_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                     Columns6Out dh_dq) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  w.check_v("v", v);
  expect_shape("dh_dq", dh_dq.rows(), dh_dq.cols(), 6, w.nv);
  auto& m = second_order_memory(model, w);
  second_order_kernels().centroidal_derivatives(ModelView<double>(model), *m.scratch, q.data(), v.data(),
                                                m.columns.data());
  dh_dq = Eigen::Map<const Columns6>(m.columns.data(), 6, w.nv);
}
Columns6 centroidal_momentum_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  Columns6 dh_dq(6, model.nv());
  centroidal_momentum_derivatives(model, work, q, v, dh_dq);
  return dh_dq;
}

void inverse_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                   const VectorIn& a, const VectorIn& weights, MatrixOut H) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  w.check_v("v", v);
  w.check_v("a", a);
  w.check_v("weights", weights);
  expect_shape("H", H.rows(), H.cols(), 3 * w.nv, 3 * w.nv);
  auto& m = second_order_memory(model, w);
  second_order_kernels().rnea_second_order(ModelView<double>(model), *m.scratch, q.data(), v.data(), a.data(),
                                           weights.data(), m.H.data());
  H = m.H;
}
Matrix inverse_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                     const VectorIn& a, const VectorIn& weights) {
  Matrix H(3 * model.nv(), 3 * model.nv());
  inverse_dynamics_second_order(model, work, q, v, a, weights, H);
  return H;
}

// Inverse dynamics along z = (q, v, a(q, v, tau)) is tau. Differentiated twice, and contracted with μ = M⁻¹ weights,
// this gives -Zᵀ H Z, with the second derivatives H of μᵀ tau(z) and Z = ∂z/∂(q, v, tau). All rows of Z but the last,
// ∂a/∂(q, v, tau), are those of the identity or zero. The products are taken row by row: those of whole matrices would
// allocate their blocks.
void forward_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                   const VectorIn& tau, const VectorIn& weights, MatrixOut H) {
  auto& w = WorkspaceMemory::checked(model, work, q);
  w.check_v("weights", weights);
  const int nv = w.nv;
  expect_shape("H", H.rows(), H.cols(), 3 * nv, 3 * nv);
  const auto first = forward_dynamics_derivatives(model, work, q, v, tau);
  auto& m = second_order_memory(model, w);
  m.da << first.da_dq, first.da_dv, first.M_inverse;
  const auto& mu = forward_dynamics_vjp(model, work, q, v, tau, weights).last;
  second_order_kernels().rnea_second_order(ModelView<double>(model), *m.scratch, q.data(), v.data(), first.a.data(),
                                           mu.data(), m.H.data());
  for (int i = 0; i < 3 * nv; ++i) {
    m.HZ.row(i).noalias() = m.H.row(i).tail(nv) * m.da;
    m.HZ.row(i).head(2 * nv) += m.H.row(i).head(2 * nv);
  }
  for (int i = 0; i < 3 * nv; ++i) {
    H.row(i).noalias() = -m.da.col(i).transpose() * m.HZ.bottomRows(nv);
    if (i < 2 * nv) H.row(i) -= m.HZ.row(i);
  }
}
Matrix forward_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                     const VectorIn& tau, const VectorIn& weights) {
  Matrix H(3 * model.nv(), 3 * model.nv());
  forward_dynamics_second_order(model, work, q, v, tau, weights, H);
  return H;
}

}  // namespace lissom
