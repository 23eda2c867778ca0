#pragma once
// Values that a recursion passes from body to body: outward, the value of the parent; inward, the sum over the
// children.
//
// A value that was just written to memory can be read only seven cycles later, and along a chain of bodies this latency
// is on the critical path of the recursion, once per body. So in a chain these values stay in registers: the inverse
// dynamics of an arm takes 12 % less time. Where limbs are processed side by side there is no wait, and moving values
// to where the next body expects them costs more than it gains; lanes fill the registers by themselves.
#include <type_traits>

#include "lissom/tree/array.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// The values of all bodies, for a recursion from the base outward.
template <class Value, bool in_registers>
class Outward {
 public:
  LISSOM_INLINE explicit Outward(Array<Value>& values) : values_(values.data()) {}
  template <class Real>
  LISSOM_INLINE const Value& of_parent(const Body<Real>& body) {
    if constexpr (!in_registers) return values_[body.parent];
    if (!body.continues) last_ = values_[body.parent];
    return last_;
  }
  /// The value of a body, to be written; pass() hands it on to the next body.
  template <class Real>
  LISSOM_INLINE Value& operator[](const Body<Real>& body) {
    return values_[body.index];
  }
  LISSOM_INLINE void pass(const Value& value) {
    if constexpr (in_registers) last_ = value;
  }

 private:
  Value* const values_;
  Value last_{};
};

/// The values of all bodies, for a recursion from the tips inward in which each body adds to its parent's value.
template <class Value, bool in_registers>
class Inward {
 public:
  LISSOM_INLINE explicit Inward(Array<Value>& values) : values_(values.data()) {}
  /// The sum over a body and its children, which were visited before it.
  template <class Real>
  LISSOM_INLINE const Value& sum(const Body<Real>& body) {
    if constexpr (!in_registers) return values_[body.index];
    last_ = body.continued ? values_[body.index] + last_ : values_[body.index];
    return last_;
  }
  template <class Real>
  LISSOM_INLINE void add_to_parent(const Body<Real>& body, const Value& share) {
    if (in_registers && body.continues)
      last_ = share;
    else
      values_[body.parent] += share;
  }

 private:
  Value* const values_;
  Value last_{};
};

template <bool in_registers>
struct Handover {
  template <class Value>
  LISSOM_INLINE Outward<Value, in_registers> outward(Array<Value>& values) const {
    return Outward<Value, in_registers>(values);
  }
  template <class Value>
  LISSOM_INLINE Inward<Value, in_registers> inward(Array<Value>& values) const {
    return Inward<Value, in_registers>(values);
  }
};

/// Calls f with the Handover that suits the tree.
template <class T, class Real, class F>
LISSOM_INLINE void with_handover(const Tree<Real>& tree, F&& f) {
  if constexpr (is_packable<T>)
    if (tree.is_chain) LISSOM_INLINE_CALL return f(Handover<true>{});
  LISSOM_INLINE_CALL f(Handover<false>{});
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
