#pragma once
// Rows of constraints on one mechanism, in its whitened velocities (docs/contact.md, "Whitened velocities"): with
// M = Lᵀ D L and z = D^½ L v, the kinetic energy is ½ zᵀz, and rows J become Y = D^-½ L⁻ᵀ Jᵀ with
//
//   u = Yᵀ z ,   G = Yᵀ Y ,   z⁺ = z + Y p .
//
// Y has one line for each degree of freedom and one column for each row of J, so that loops over columns fill
// registers.
namespace lissom::contact {

/// M = Lᵀ D L of a mechanism, as sparse as its tree.
struct TreeFactor {
  int size = 0;                 ///< degrees of freedom
  const int* parent = nullptr;  ///< of each: the one before it on the way to the base, -1: none
  const double* L = nullptr;    ///< by rows; unit diagonal
  int stride = 0;
  const double* scale = nullptr;  ///< the diagonal of D^-½
};

/// Y, or Jᵀ before whiten(). Lines have `stride` elements, a multiple of 8; elements beyond `columns` are 0.
struct RowMatrix {
  double* Y = nullptr;
  int size = 0, stride = 0, columns = 0;
  /// Elements of line k outside of [first[k], last[k]) are 0; both are multiples of 8.
  const int *first = nullptr, *last = nullptr;
};

}  // namespace lissom::contact
