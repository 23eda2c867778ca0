#pragma once
// The memory that calls on one model need, and where their results stay.
#include <memory>

#include <Eigen/Core>

#include "lissom/model/model.h"

namespace lissom {

template <class S>
struct Kernels;
struct WorkspaceMemory;

/// How vectors are taken: any Eigen expression of doubles whose elements lie side by side in memory.
using VectorIn = Eigen::Ref<const Eigen::VectorXd>;
/// How vectors are written: an Eigen vector, or a part of one, that already has the right size.
using VectorOut = Eigen::Ref<Eigen::VectorXd>;
/// Matrices are stored by rows.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// How matrices are written: a Matrix, or a block of one, that already has the right size.
using MatrixOut = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
/// A square matrix inside a workspace. Its rows are padded: it is not one block of memory.
using MatrixView = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
/// Columns of six elements: linear above angular.
using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;
/// How they are written: Columns6, or a block of 6 × nv of an Eigen::MatrixXd.
using Columns6Out = Eigen::Ref<Columns6, 0, Eigen::OuterStride<>>;
/// The same with three rows, and with any number of them.
using Columns3Out = Eigen::Ref<Eigen::Matrix3Xd, 0, Eigen::OuterStride<>>;
using ColumnsOut = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Which quantities of all bodies a workspace holds; each stage includes those before it.
enum class Stage { none, positions, velocities, accelerations };

/// The memory for calls on one model. It belongs to one caller at a time (one per thread). All of it is allocated by
/// the constructor; calls allocate nothing.
///
/// Every function has a result of its own in the workspace. A reference or view that a function returns stays valid
/// until the next call of the same function (any of its overloads) with this workspace; no other function writes it.
/// For several results of one function at once, such as the Jacobians of two frames, pass your own arrays: every
/// function that returns a vector or a matrix has an overload that writes into them.
class Workspace {
 public:
  explicit Workspace(const Model& model);
  /// With a table of kernels of your choice (lissom/kernels/kernels.h, for one robot: width 1) instead of the best that
  /// the processor can run. The table must outlive the workspace.
  Workspace(const Model& model, const Kernels<double>& kernels);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  /// What the last pass over the tree has left: placement(), velocity(), acceleration() and the calls without q read
  /// it. forward_kinematics sets it; so do other calls that move the bodies, as their comments say.
  Stage stage() const;

 private:
  friend struct WorkspaceMemory;
  std::unique_ptr<WorkspaceMemory> memory_;
};

}  // namespace lissom
