#pragma once
// The sparse factor of the mass matrix, for solving with it and inverting it (Featherstone, RBDA section 6.5).
#include "lissom/api/workspace.h"

namespace lissom {

/// M(q) = Lᵀ D L, as sparse as the tree. A factor has memory of its own, allocated by the constructor: no call but its
/// own changes it. Like a Workspace it belongs to one caller at a time. References and views that it returns stay valid
/// until the next call of the same function.
class MassMatrixFactor {
 public:
  explicit MassMatrixFactor(const Model& model);
  /// With a table of kernels of your choice, as for Workspace.
  MassMatrixFactor(const Model& model, const Kernels<double>& kernels);
  ~MassMatrixFactor();
  MassMatrixFactor(MassMatrixFactor&&) noexcept;
  MassMatrixFactor& operator=(MassMatrixFactor&&) noexcept;

  /// Factorizes M(q). Allocates nothing.
  void factorize(const Model& model, Workspace& work, const VectorIn& q);
  /// Whether there is anything to solve with.
  bool factorized() const;

  /// M⁻¹ b. Error before factorize. x may be b.
  const Eigen::VectorXd& solve(const VectorIn& b);
  void solve(const VectorIn& b, VectorOut x) const;
  /// M⁻¹, whole; the workspace lends its buffers. Error before factorize.
  MatrixView inverse(Workspace& work);
  void inverse(Workspace& work, MatrixOut M_inverse);
  /// Unit lower triangular L, whole, and the diagonal of D. Error before factorize.
  MatrixView L();
  const Eigen::VectorXd& D();

 private:
  friend class Unchecked;
  struct Memory;
  Memory& checked(const char* reader) const;
  std::unique_ptr<Memory> memory_;
};

/// A new factor of M(q).
MassMatrixFactor factorize_mass_matrix(const Model& model, Workspace& work, const VectorIn& q);

}  // namespace lissom
