#pragma once
// The buffers of the algorithms: n elements of AlignedMemory, all bits zero, allocated once at set-up. This is a class
// of our own because it lives in the namespace of the instruction set: the linker must not mix its code with that of
// another set, as it would with std::vector's.
#include <utility>

#include "lissom/math/aligned_memory.h"
#include "lissom/math/inline.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::size_t n) : size_(n) {
    if (n > 0) memory_ = AlignedMemory<T>(n);
  }
  Array(Array&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    memory_ = std::move(other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  LISSOM_INLINE T* data() { return memory_.data(); }
  LISSOM_INLINE const T* data() const { return memory_.data(); }
  LISSOM_INLINE std::size_t size() const { return size_; }
  template <class Index>
  LISSOM_INLINE T& operator[](Index i) {
    return data()[i];
  }
  template <class Index>
  LISSOM_INLINE const T& operator[](Index i) const {
    return data()[i];
  }
  LISSOM_INLINE T* begin() { return data(); }
  LISSOM_INLINE T* end() { return data() + size_; }

 private:
  AlignedMemory<T> memory_;
  std::size_t size_ = 0;
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
