#pragma once
// What a Workspace holds, for the functions of api/ and for Unchecked (unchecked.h). Not installed.
#include "lissom/api/mass_matrix_factor.h"
#include "lissom/api/workspace.h"
#include "lissom/kernels/kernels.h"
#include "lissom/model/arguments.h"
#include "lissom/spatial/pose.h"
#include "lissom/tree/array.h"

namespace lissom {

struct WorkspaceMemory {
  const Kernels<double>& kernels;
  std::unique_ptr<KernelScratch> scratch, matrix_scratch;
  Stage stage = Stage::none;  // of the bodies' poses, velocities and accelerations in the scratch
  int nq, nv, bodies, stride;
  std::shared_ptr<const void> structure_id;  // of the model it was made for
  std::string model_name;

  // One result for each function.
  struct Results {
    Eigen::VectorXd inverse_dynamics, forward_dynamics, bias_forces, gravity_forces;
    Columns6 jacobian, jacobian_rate, joint_jacobians, centroidal_map;
    Eigen::Matrix3Xd center_of_mass_jacobian;
    Vector6 centroidal_momentum = Vector6::Zero(), centroidal_momentum_rate = Vector6::Zero();
    Eigen::MatrixXd regressor;
    Array<double> mass_matrix, coriolis_matrix;
  } results;

  // Buffers. M is written by crba alone: what that leaves alone must stay zero.
  MassMatrixFactor factor;  // of inverse_mass_matrix
  Eigen::VectorXd zero, v;  // v: of the velocities in the scratch
  Columns6 columns;
  Array<double> M, external;

  WorkspaceMemory(const Model& model, const Kernels<double>& table);

  static WorkspaceMemory& of(Workspace& work) { return *work.memory_; }
  static const WorkspaceMemory& of(const Workspace& work) { return *work.memory_; }
  // The memory, where the workspace was made for this model; Error where it was not.
  static WorkspaceMemory& checked(const Model& model, Workspace& work) {
    work.memory_->check(model);
    return *work.memory_;
  }
  static const WorkspaceMemory& checked(const Model& model, const Workspace& work) {
    work.memory_->check(model);
    return *work.memory_;
  }
  // The same, and that q is a configuration of the model.
  static WorkspaceMemory& checked(const Model& model, Workspace& work, const VectorIn& q) {
    auto& w = checked(model, work);
    w.check_q(model, q);
    return w;
  }

  void check(const Model& model) const;
  // Error where a vector has not the right size or is not finite; q also where a quaternion is not of norm 1.
  void check_q(const Model& model, const VectorIn& q) const;
  void check_v(const char* name, const VectorIn& v) const;
  // Error where the stage is lower. reader: the function that asks.
  void check_stage(Stage needed, const char* reader) const;

  // In the world's axes and about its origin; velocities and accelerations in the body's frame. The stage says which of
  // them are those of the last state.
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

// The upper triangle of an n × n matrix to the lower one.
void mirror_upper(double* matrix, int n, int stride);

}  // namespace lissom
