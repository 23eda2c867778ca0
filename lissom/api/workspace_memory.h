#pragma once
// The content of a Workspace, for the functions of api/ and for Unchecked (unchecked.h). Not installed.
#include "lissom/api/mass_matrix_factor.h"
#include "lissom/api/workspace.h"
#include "lissom/kernels/kernels.h"
#include "lissom/math/dense.h"
#include "lissom/model/arguments.h"
#include "lissom/spatial/pose.h"
#include "lissom/tree/array.h"

namespace lissom {

// The results that a workspace keeps, defined beside the functions they belong to: api/kinematics.cpp,
// api/dynamics.cpp, api/derivatives.cpp.
struct KinematicsResults;
struct DynamicsResults;
struct DerivativeResults;
struct SecondOrderMemory;
struct MatrixMemory;
std::shared_ptr<KinematicsResults> make_kinematics_results(const Model& model);
std::shared_ptr<DynamicsResults> make_dynamics_results(const Model& model);

struct WorkspaceMemory {
  const Kernels<double>& kernels;
  std::unique_ptr<KernelScratch> scratch;
  Stage stage = Stage::none;  // which of the bodies' poses, velocities and accelerations are in the scratch
  int nq, nv, bodies, stride;
  std::shared_ptr<const void> structure_id;  // of the model it was made for
  std::string model_name;

  // One result for each function.
  std::shared_ptr<KinematicsResults> kinematics;
  std::shared_ptr<DynamicsResults> dynamics;
  // Made at the first call that needs them.
  std::shared_ptr<MatrixMemory> matrices;
  std::shared_ptr<DerivativeResults> derivatives;
  std::shared_ptr<SecondOrderMemory> second_order;

  // Buffers. Only crba writes M: the elements that it does not write must stay zero.
  Eigen::VectorXd zero, v;  // v belongs to the velocities in the scratch
  Columns6 columns;
  Array<double> M, external;

  WorkspaceMemory(const Model& model, const Kernels<double>& table);

  static WorkspaceMemory& of(Workspace& work) { return *work.memory_; }
  static const WorkspaceMemory& of(const Workspace& work) { return *work.memory_; }
  // The memory; throws Error if the workspace was made for another model.
  static WorkspaceMemory& checked(const Model& model, Workspace& work) {
    work.memory_->check(model);
    return *work.memory_;
  }
  static const WorkspaceMemory& checked(const Model& model, const Workspace& work) {
    work.memory_->check(model);
    return *work.memory_;
  }
  // The same; also checks that q is a configuration of the model.
  static WorkspaceMemory& checked(const Model& model, Workspace& work, const VectorIn& q) {
    auto& w = checked(model, work);
    w.check_q(model, q);
    return w;
  }

  // That of coriolis_matrix, inverse_mass_matrix and regressor, which most users never call: it is a multiple of the
  // rest.
  MatrixMemory& prepared_matrices(const Model& model);

  void check(const Model& model) const;
  // Throw Error if a vector has the wrong size or is not finite, or if a quaternion of q does not have norm 1.
  void check_q(const Model& model, const VectorIn& q) const;
  void check_v(const char* name, const VectorIn& v) const;
  // Throws Error if a result is not nv × nv.
  void check_square(const char* name, const MatrixOut& matrix) const {
    expect_shape(name, matrix.rows(), matrix.cols(), nv, nv);
  }
  // Throws Error if the stage is lower than needed. `reader` is the name of the calling function.
  void check_stage(Stage needed, const char* reader) const;

  // X_WB; velocities and accelerations are in the body's frame about its origin. The stage tells which of them belong
  // to the last state.
  const Pose<double>& pose(int body) const {
    return reinterpret_cast<const Pose<double>*>(kernels.poses(*scratch))[body];
  }
  const Motion<double>& velocity(int body) const {
    return reinterpret_cast<const Motion<double>*>(kernels.twists(*scratch))[body];
  }
  const Motion<double>& acceleration(int body) const {
    return reinterpret_cast<const Motion<double>*>(kernels.spatial_accelerations(*scratch))[body];
  }

  MatrixView view(const Array<double>& matrix) const { return {matrix.data(), nv, nv, Eigen::OuterStride<>(stride)}; }
};

struct MassMatrixFactor::Memory {
  Model model;
  const Kernels<double>& kernels;
  std::unique_ptr<KernelFactor> factor;
  bool factorized = false;
  int stride;
  Eigen::VectorXd x, D;
  Array<double> inverse, L;

  Memory(const Model& of, const Kernels<double>& table);
  MatrixView view(const Array<double>& matrix) const {
    return {matrix.data(), model.nv(), model.nv(), Eigen::OuterStride<>(stride)};
  }
};

// Scratch memory and results of the calls that prepare_matrices names.
struct MatrixMemory {
  MatrixMemory(const Model& model, const Kernels<double>& kernels);
  std::unique_ptr<KernelScratch> scratch;
  MassMatrixFactor factor;  // for inverse_mass_matrix
  Array<double> coriolis_matrix;
  Eigen::MatrixXd regressor;
};

}  // namespace lissom
