#pragma once
// Memory that begins at a cache line and is filled with zeros when it is allocated, so that its first use causes no
// page faults. Its functions are always inlined: files compiled for several instruction sets share this class, and the
// linker must not take the code of one set for that of another.
//
// Contract: the elements are made of plain numbers. No constructor and no destructor runs; all bits zero has to be the
// number zero, and any such element may be overwritten by assignment. (They need not be trivially copyable: 3-vectors
// copy member by member to stay in registers.)
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace lissom {

/// Constant memory does not make its elements constant, as with pointers.
template <class T>
class AlignedMemory {
 public:
  [[gnu::always_inline]] AlignedMemory() {}
  [[gnu::always_inline]] explicit AlignedMemory(std::size_t n)
      : data_(static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64)))) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T> && alignof(T) <= 64);
    std::memset(static_cast<void*>(data_), 0, n * sizeof(T));
  }
  [[gnu::always_inline]] ~AlignedMemory() { ::operator delete(data_, std::align_val_t(64)); }
  [[gnu::always_inline]] AlignedMemory(AlignedMemory&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
  [[gnu::always_inline]] AlignedMemory& operator=(AlignedMemory&& other) noexcept {
    T* const before = data_;
    data_ = other.data_;
    other.data_ = before;
    return *this;
  }
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;

  [[gnu::always_inline]] T* data() const { return data_; }
  [[gnu::always_inline]] operator T*() const { return data_; }  // NOLINT(google-explicit-constructor): an array

 private:
  T* data_ = nullptr;
};

}  // namespace lissom
