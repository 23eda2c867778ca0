#include "lissom/api/mass_matrix_factor.h"

#include "lissom/api/unchecked.h"

namespace lissom {

MassMatrixFactor::Memory::Memory(const Model& of, const Kernels<double>& table)
    : model(of),
      kernels(table),
      factor(kernels.make_factor(ModelView<double>(of))),
      stride(row_stride(of.nv())),
      x(Eigen::VectorXd::Zero(of.nv())),
      D(x),
      inverse(std::size_t(of.nv() * stride + padding)),
      L(inverse.size()) {}

MassMatrixFactor::MassMatrixFactor(const Model& model) : MassMatrixFactor(model, single_kernels()) {}
MassMatrixFactor::MassMatrixFactor(const Model& model, const Kernels<double>& kernels)
    : memory_(std::make_unique<Memory>(model, kernels)) {}
MassMatrixFactor::~MassMatrixFactor() = default;
MassMatrixFactor::MassMatrixFactor(MassMatrixFactor&&) noexcept = default;
MassMatrixFactor& MassMatrixFactor::operator=(MassMatrixFactor&&) noexcept = default;

bool MassMatrixFactor::factorized() const {
  return memory_->factorized;
}

MassMatrixFactor::Memory& MassMatrixFactor::checked(const char* reader) const {
  if (!memory_->factorized)
    throw Error(std::string(reader) + ": this MassMatrixFactor is empty; call factorize(model, work, q) first");
  return *memory_;
}

void MassMatrixFactor::factorize(const Model& model, Workspace& work, const VectorIn& q) {
  if (model.structure_id() != memory_->model.structure_id())
    throw Error("factor is for model '" + memory_->model.name() + "', expected model '" + model.name() +
                "'; make a MassMatrixFactor for each model");
  WorkspaceMemory::checked(model, work, q);
  Unchecked kernels(model, work);
  kernels.crba(q.data());
  kernels.factorize(*this);
}

void MassMatrixFactor::solve(const VectorIn& b, VectorOut x) const {
  const auto& m = checked("solve");
  expect_size("b", b.size(), m.model.nv());
  expect_size("x", x.size(), m.model.nv());
  if (!m.kernels.finite(b.data(), b.size())) expect_finite("b", b.data(), b.size());
  Unchecked::solve(*this, b.data(), x.data());
}
const Eigen::VectorXd& MassMatrixFactor::solve(const VectorIn& b) {
  solve(b, memory_->x);
  return memory_->x;
}

MatrixView MassMatrixFactor::inverse(Workspace& work) {
  auto& m = checked("inverse");
  auto& w = WorkspaceMemory::checked(m.model, work);
  auto& scratch = *w.prepared_matrices(m.model).scratch;
  w.kernels.invert(ModelView<double>(m.model), *m.factor, scratch, m.inverse.data(), m.stride);
  dense::mirror_upper(m.inverse.data(), m.model.nv(), m.stride);
  return m.view(m.inverse);
}
void MassMatrixFactor::inverse(Workspace& work, MatrixOut M_inverse) {
  expect_shape("M_inverse", M_inverse.rows(), M_inverse.cols(), memory_->model.nv(), memory_->model.nv());
  M_inverse = inverse(work);
}

MatrixView MassMatrixFactor::L() {
  auto& m = checked("L");
  m.kernels.factor_rows(ModelView<double>(m.model), *m.factor, m.L.data(), m.D.data(), m.stride);
  return m.view(m.L);
}
void MassMatrixFactor::L(MatrixOut to) {
  expect_shape("L", to.rows(), to.cols(), memory_->model.nv(), memory_->model.nv());
  to = L();
}
const Eigen::VectorXd& MassMatrixFactor::D() {
  auto& m = checked("D");
  m.kernels.factor_rows(ModelView<double>(m.model), *m.factor, m.L.data(), m.D.data(), m.stride);
  return m.D;
}
void MassMatrixFactor::D(VectorOut to) {
  expect_size("D", to.size(), memory_->model.nv());
  to = D();
}

MassMatrixFactor factorize_mass_matrix(const Model& model, Workspace& work, const VectorIn& q) {
  MassMatrixFactor factor(model);
  factor.factorize(model, work, q);
  return factor;
}

}  // namespace lissom
