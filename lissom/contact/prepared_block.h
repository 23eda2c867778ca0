#pragma once
// What sweeps and residuals read of a block, besides its law.
#include "lissom/contact/one_contact.h"
#include "lissom/contact/problem.h"

namespace lissom::contact {

/// What is computed once for a block.
template <class T>
struct PreparedBlock {
  T g;          // mean of the diagonal of G_ii, at least tiny
  T g_inverse;  // 0 where nothing moves
  T lambda;     // slip multiplier of the last visit
  union {
    struct {
      T own[6];  // G_ii: nn, n0, n1, t00, t01, t11
      ContactFrame<T> frame;
    };
    T factor[max_free_rows * (max_free_rows + 1) / 2];  // free: Cholesky, by rows, inverse diagonal
  };
};

}  // namespace lissom::contact
