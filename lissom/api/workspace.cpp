#include <algorithm>

#include "lissom/api/workspace_memory.h"

namespace lissom {

WorkspaceMemory::WorkspaceMemory(const Model& model, const Kernels<double>& table)
    : kernels(table),
      scratch(kernels.scratch(ModelView<double>(model))),
      nq(model.nq()),
      nv(model.nv()),
      bodies(model.body_count()),
      stride(row_stride(nv)),
      structure_id(model.structure_id()),
      model_name(model.name()),
      kinematics(make_kinematics_results(model)),
      dynamics(make_dynamics_results(model)),
      zero(Eigen::VectorXd::Zero(nv)),
      v(zero),
      columns(Columns6::Zero(6, nv)),
      M(std::size_t(nv * stride + padding)),
      external(std::size_t(6 * (bodies + 1))) {}

MatrixMemory::MatrixMemory(const Model& model, const Kernels<double>& kernels)
    : scratch(kernels.matrix_scratch(ModelView<double>(model))),
      factor(model, kernels),
      coriolis_matrix(padded_square(model.nv())),
      regressor(Eigen::MatrixXd::Zero(model.nv(), 10 * model.body_count())) {}

MatrixMemory& WorkspaceMemory::prepared_matrices(const Model& model) {
  if (!matrices) matrices = std::make_shared<MatrixMemory>(model, kernels);
  return *matrices;
}

void WorkspaceMemory::check(const Model& model) const {
  if (model.structure_id() == structure_id) return;
  throw Error("workspace is for model '" + model_name + "' (nv = " + std::to_string(nv) + "), expected model '" +
              model.name() + "' (nv = " + std::to_string(model.nv()) + "); make a Workspace for each model");
}

void WorkspaceMemory::check_q(const Model& model, const VectorIn& q) const {
  expect_size("q", q.size(), nq);
  if (!kernels.finite(q.data(), nq)) expect_finite("q", q.data(), nq);
  expect_unit_quaternions("q", model, q.data());
}

void WorkspaceMemory::check_v(const char* name, const VectorIn& x) const {
  expect_size(name, x.size(), nv);
  if (!kernels.finite(x.data(), nv)) expect_finite(name, x.data(), nv);
}

void WorkspaceMemory::check_stage(Stage needed, const char* reader) const {
  if (stage >= needed) return;
  constexpr const char* available[] = {"nothing yet", "positions only", "positions and velocities"};
  constexpr const char* call[] = {"", "q", "q, v", "q, v, a"};
  throw Error(std::string(reader) + ": the workspace has " + available[int(stage)] +
              "; call forward_kinematics(model, work, " + call[int(needed)] + ") first");
}

Workspace::Workspace(const Model& model) : Workspace(model, single_kernels()) {}
Workspace::Workspace(const Model& model, const Kernels<double>& kernels) {
  if (kernels.width != 1)
    throw Error("kernels.width is " + std::to_string(kernels.width) + ", expected 1 for a Workspace");
  memory_ = std::make_unique<WorkspaceMemory>(model, kernels);
}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Stage Workspace::stage() const {
  return memory_->stage;
}

}  // namespace lissom
