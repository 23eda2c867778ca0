#pragma once
// What a body hands to the next. Memory gives back what was just written only after seven cycles, and in a chain of
// bodies they come once per body into the longest path of a recursion. So along a chain values are kept in registers:
// the inverse dynamics of an arm takes 12 % less time. Where limbs are worked off side by side, there is no wait, and
// moving values to where the next body expects them costs more than it gains; lanes fill the registers by themselves.
#include <type_traits>

#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

// Calls f with std::true_type where values are to stay in registers, with std::false_type where they go through memory.
template <class T, class Real, class F>
LISSOM_INLINE void in_registers_or_memory(const Tree<Real>& tree, F&& f) {
  if constexpr (std::is_floating_point_v<T>)
    if (tree.is_chain) LISSOM_INLINE_CALL return f(std::true_type{});
  LISSOM_INLINE_CALL f(std::false_type{});
}

// Outward: the value of a body's parent, which may be the body just done.
template <class Value, bool in_registers>
class FromParent {
 public:
  template <class Real>
  LISSOM_INLINE const Value& of(const Body<Real>& body, const Value& stored) {
    if constexpr (!in_registers) return stored;
    if (!body.continues) last_ = stored;
    return last_;
  }
  LISSOM_INLINE void pass(const Value& value) {
    if constexpr (in_registers) last_ = value;
  }

 private:
  Value last_{};
};

// Inward: the sum of a body's own value and of what its children hand in, stored but for the share of the body just
// done.
template <class Value, bool in_registers>
class FromChildren {
 public:
  template <class Real>
  LISSOM_INLINE const Value& of(const Body<Real>& body, const Value& stored) {
    if constexpr (!in_registers) return stored;
    last_ = body.continued ? stored + last_ : stored;
    return last_;
  }
  template <class Real>
  LISSOM_INLINE void pass(const Body<Real>& body, const Value& share, Value& stored) {
    if (in_registers && body.continues)
      last_ = share;
    else
      stored += share;
  }

 private:
  Value last_{};
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
