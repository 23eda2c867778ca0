#pragma once
// Lanes<S, N>: N numbers to which every operation applies alike, for N robots in one call or N columns of a matrix.
// It is a thin wrapper over the compilers' vector types (docs/decisions/0002-lanes.md tells why not
// std::experimental::simd); mixed operations with a plain S broadcast it.
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lissom/math/scalar.h"

namespace lissom {

// This typedef stands outside of Lanes because g++ ignores the attribute on a dependent type inside.
template <class S, int N>
struct VectorOf {
  typedef S type __attribute__((vector_size(sizeof(S) * N)));
};

template <class S, int N>
struct Lanes {
  using Int = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
  using Vector = typename VectorOf<S, N>::type;
  using Mask = typename VectorOf<Int, N>::type;  ///< all bits of a lane are set where the condition holds

  Vector v;

  Lanes() = default;
  LISSOM_INLINE Lanes(Vector a) : v(a) {}
  // This compiles to one broadcast; of a loop over the lanes g++ makes N masked ones.
  LISSOM_INLINE Lanes(S a) : v(a - Vector{}) {}
  template <class A>
    requires(std::is_arithmetic_v<A> && !std::is_same_v<A, S>)
  LISSOM_INLINE explicit Lanes(A a) : Lanes(S(a)) {}

  LISSOM_INLINE static Lanes load(const S* p) {
    Lanes r;
    std::memcpy(&r.v, p, sizeof(Vector));
    return r;
  }
  LISSOM_INLINE void store(S* p) const { std::memcpy(p, &v, sizeof(Vector)); }
  LISSOM_INLINE S operator[](int i) const { return v[i]; }
  LISSOM_INLINE void set(int i, S a) { v[i] = a; }

  LISSOM_INLINE Lanes& operator+=(Lanes b) {
    v += b.v;
    return *this;
  }
  LISSOM_INLINE Lanes& operator-=(Lanes b) {
    v -= b.v;
    return *this;
  }
  LISSOM_INLINE Lanes& operator*=(Lanes b) {
    v *= b.v;
    return *this;
  }
  LISSOM_INLINE friend Lanes operator-(Lanes a) { return -a.v; }
  LISSOM_INLINE friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
  LISSOM_INLINE friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
  LISSOM_INLINE friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
  LISSOM_INLINE friend Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
  LISSOM_INLINE friend Lanes operator+(Lanes a, S b) { return a.v + b; }
  LISSOM_INLINE friend Lanes operator+(S a, Lanes b) { return a + b.v; }
  LISSOM_INLINE friend Lanes operator-(Lanes a, S b) { return a.v - b; }
  LISSOM_INLINE friend Lanes operator-(S a, Lanes b) { return a - b.v; }
  LISSOM_INLINE friend Lanes operator*(Lanes a, S b) { return a.v * b; }
  LISSOM_INLINE friend Lanes operator*(S a, Lanes b) { return a * b.v; }
  LISSOM_INLINE friend Lanes operator/(Lanes a, S b) { return a.v / b; }
  LISSOM_INLINE friend Lanes operator/(S a, Lanes b) { return a / b.v; }
  LISSOM_INLINE friend Mask operator<(Lanes a, Lanes b) { return a.v < b.v; }
  LISSOM_INLINE friend Mask operator>(Lanes a, Lanes b) { return a.v > b.v; }
  LISSOM_INLINE friend Mask operator<=(Lanes a, Lanes b) { return a.v <= b.v; }
  LISSOM_INLINE friend Mask operator>=(Lanes a, Lanes b) { return a.v >= b.v; }

  LISSOM_INLINE friend Lanes select(Mask m, Lanes a, Lanes b) { return m ? a.v : b.v; }
};

template <class S, int N>
struct ScalarTraits<Lanes<S, N>> {
  using Number = S;
  static constexpr int lanes = N;
};

/// Whether a mask is set in any lane. Its halves are combined by `or` until 64 bits are left.
template <class Mask>
  requires(!std::is_same_v<Mask, bool>)
LISSOM_INLINE bool any(const Mask& m) {
  if constexpr (sizeof(Mask) > 8) {
    using Half = typename VectorOf<std::int64_t, int(sizeof(Mask) / 16)>::type;
    Half low, high;
    std::memcpy(&low, &m, sizeof(Half));
    std::memcpy(&high, reinterpret_cast<const char*>(&m) + sizeof(Half), sizeof(Half));
    return any(Half(low | high));
  } else {
    std::int64_t bits;
    std::memcpy(&bits, &m, sizeof bits);
    return bits != 0;
  }
}
template <class Mask>
  requires(!std::is_same_v<Mask, bool>)
LISSOM_INLINE bool all(Mask m) {
  return !any(~m);
}

/// 0, 1, 2, … in the lanes of a mask.
template <class L>
LISSOM_INLINE typename L::Mask lane_numbers() {
  typename L::Mask m{};
  for (int i = 0; i < int(sizeof(m) / sizeof(typename L::Int)); ++i) m[i] = i;
  return m;
}

/// The width of a register of the machine compiled for. Wider vectors than the machine has are correct, but g++ sends
/// them through memory (5 to 10 times slower), so every width is derived from this one.
inline namespace LISSOM_ISA_NAMESPACE {
inline constexpr int register_bytes = LISSOM_REGISTER_BYTES;
}  // namespace LISSOM_ISA_NAMESPACE

/// Returns x, and makes g++ keep it in a register; else g++ reads it from memory again for each of several products.
template <class T>
LISSOM_INLINE T keep_in_register(T x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
  if constexpr (std::is_floating_point_v<T>)
    asm("" : "+x"(x));
  else if constexpr (requires { typename T::Vector; })
    if constexpr (int(sizeof(T)) <= register_bytes) asm("" : "+v"(x.v));
#endif
  return x;
}

/// Loads a block of numbers from memory: one scalar, or as many as a Lanes holds.
template <class Block, class T>
LISSOM_INLINE Block load(const T* p) {
  if constexpr (std::is_same_v<Block, T>)
    return *p;
  else
    return Block::load(p);
}
template <class Block, class T>
LISSOM_INLINE void store(T* p, const Block& b) {
  if constexpr (std::is_same_v<Block, T>)
    *p = b;
  else
    b.store(p);
}

inline namespace LISSOM_ISA_NAMESPACE {
template <class S>
inline constexpr int batch_lanes = register_bytes / int(sizeof(S));
/// Loops over one robot are short, so blocks of at most four doubles waste fewer lanes than blocks of eight.
template <class S>
inline constexpr int natural_lanes = (register_bytes < 32 ? register_bytes : 32) / int(sizeof(S));
}  // namespace LISSOM_ISA_NAMESPACE

}  // namespace lissom
