#pragma once
// The memory that functions on one model need, and in which their results stay.
#include <memory>

#include <Eigen/Core>

#include "lissom/math/eigen_arguments.h"
#include "lissom/model/model.h"

namespace lissom {

template <class S>
struct Kernels;
struct WorkspaceMemory;

/// A matrix stored by rows.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// A matrix that is read: a Matrix, a block of one, or a MatrixView.
using MatrixIn = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
/// A matrix that is written: a Matrix, or a block of one, that already has the right size.
using MatrixOut = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
/// A square matrix in a workspace. Its rows are padded, so its elements are not contiguous.
using MatrixView = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
/// Columns of six elements: linear above angular.
using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;
/// Such columns that are written: Columns6, or a block of 6 × nv of an Eigen::MatrixXd.
using Columns6Out = ColumnsOutOf<6>;
/// The same with three rows, and with any number of rows.
using Columns3Out = ColumnsOutOf<3>;
using ColumnsOut = ColumnsOutOf<Eigen::Dynamic>;
/// Linear above angular.
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Which quantities of all bodies are in a workspace; each stage includes the previous ones.
enum class Stage { none, positions, velocities, accelerations };

/// The memory for functions on one model. It belongs to one caller at a time (one per thread). The constructor
/// allocates it; the functions allocate nothing, but for the groups of which some users need none, in their first call:
/// see prepare_matrices (dynamics.h), prepare_derivatives (derivatives.h) and second_order.h.
///
/// Every function has its own result in the workspace. A reference or view that a function returns stays valid until
/// the next call of the same function (any of its overloads) with this workspace; no other function overwrites it. For
/// several results of one function at once, such as the Jacobians of two frames, pass your own arrays: every function
/// that returns a vector or a matrix has an overload that writes into them.
class Workspace {
 public:
  explicit Workspace(const Model& model);
  /// With a chosen table of kernels (lissom/kernels/kernels.h, for one robot: width 1) instead of the fastest one that
  /// the processor can run. The table must outlive the workspace.
  Workspace(const Model& model, const Kernels<double>& kernels);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  /// Quantities that the last pass over the tree has computed; placement(), velocity(), acceleration() and the
  /// functions without q read it. forward_kinematics sets it, and so do other functions, as their comments say.
  Stage stage() const;

 private:
  friend struct WorkspaceMemory;
  std::unique_ptr<WorkspaceMemory> memory_;
};

}  // namespace lissom
