#pragma once
// The buffers of the algorithms: n elements, all bits zero, beginning at a cache line, allocated once at set-up. This
// is a class of our own because it lives in the namespace of the instruction set: the linker must not mix its code with
// that of another set, as it would with std::vector's.
//
// Contract: the elements are made of plain numbers. No constructor and no destructor runs; all bits zero has to be the
// number zero, and any such element may be overwritten by assignment. (They need not be trivially copyable: 3-vectors
// copy member by member to stay in registers.)
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "lissom/math/inline.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
class Array {
  static_assert(std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T> && alignof(T) <= 64);

 public:
  Array() = default;
  explicit Array(std::size_t n) : size_(n) {
    if (n == 0) return;
    void* const memory = ::operator new(n * sizeof(T), std::align_val_t(64));
    std::memset(memory, 0, n * sizeof(T));
    data_ = static_cast<T*>(memory);
  }
  ~Array() { ::operator delete(data_, std::align_val_t(64)); }
  Array(Array&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  LISSOM_INLINE T* data() { return data_; }
  LISSOM_INLINE const T* data() const { return data_; }
  LISSOM_INLINE std::size_t size() const { return size_; }
  template <class Index>
  LISSOM_INLINE T& operator[](Index i) {
    return data_[i];
  }
  template <class Index>
  LISSOM_INLINE const T& operator[](Index i) const {
    return data_[i];
  }
  LISSOM_INLINE T* begin() { return data_; }
  LISSOM_INLINE T* end() { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
