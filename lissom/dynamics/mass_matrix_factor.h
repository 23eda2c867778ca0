#pragma once
// The factor M = Lᵀ D L of a mass matrix, in the version that suits the scalar type: factorize(), solve(), invert(),
// solve_columns() and write_out() are overloaded for both.
#include <type_traits>

#include "lissom/dynamics/blocked/inverse_of_factor.h"
#include "lissom/dynamics/blocked/solve_columns.h"
#include "lissom/dynamics/ltdl.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
inline constexpr bool has_blocked_factor = is_packable<T>;
template <class S, int N>
inline constexpr bool has_blocked_factor<Lanes<S, N>> = true;

template <class T>
using Factor = std::conditional_t<has_blocked_factor<T>, BlockedFactor<T>, LtdlFactor<T>>;
template <class T>
using InverseScratch = std::conditional_t<has_blocked_factor<T>, BlockedInverseScratch<T>, LtdlInverseScratch<T>>;
template <class T>
using SolveScratch = std::conditional_t<has_blocked_factor<T>, BlockedSolveScratch<T>, LtdlSolveScratch<T>>;

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
