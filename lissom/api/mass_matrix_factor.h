#pragma once
// The sparse factorization of the mass matrix, for solving and inverting (Featherstone, RBDA section 6.5).
#include "lissom/api/workspace.h"

namespace lissom {

/// M(q) = Lᵀ D L, with the sparsity of the tree. A factor has its own memory, allocated by the constructor; only its
/// own functions change it. Like a Workspace it belongs to one caller at a time. References and views that it returns
/// stay valid until the next call of the same function.
class MassMatrixFactor {
 public:
  explicit MassMatrixFactor(const Model& model);
  /// With a chosen table of kernels, as for Workspace.
  MassMatrixFactor(const Model& model, const Kernels<double>& kernels);
  ~MassMatrixFactor();
  MassMatrixFactor(MassMatrixFactor&&) noexcept;
  MassMatrixFactor& operator=(MassMatrixFactor&&) noexcept;

  /// Factorizes M(q). Allocates nothing.
  void factorize(const Model& model, Workspace& work, const VectorIn& q);
  /// Whether factorize has been called.
  bool factorized() const;

  /// M⁻¹ b. Throws Error before factorize. x may be b.
  const Eigen::VectorXd& solve(const VectorIn& b);
  void solve(const VectorIn& b, VectorOut x) const;
  /// M⁻¹, both triangles; uses buffers of the workspace (prepare_matrices). Throws Error before factorize.
  MatrixView inverse(Workspace& work);
  void inverse(Workspace& work, MatrixOut M_inverse);
  /// The unit lower triangular matrix L, with its zeros, and the diagonal of D. Throw Error before factorize.
  MatrixView L();
  void L(MatrixOut L);
  const Eigen::VectorXd& D();
  void D(VectorOut D);

 private:
  friend class Unchecked;
  struct Memory;
  Memory& checked(const char* reader) const;
  std::unique_ptr<Memory> memory_;
};

/// A new factor of M(q).
MassMatrixFactor factorize_mass_matrix(const Model& model, Workspace& work, const VectorIn& q);

}  // namespace lissom
