#pragma once
// Arrays of scalars that start on a boundary of 64 bytes and are filled with zeros, so that the first solve causes no
// page faults; and their padding.
#include <cstddef>
#include <limits>
#include <memory>
#include <new>

#include "lissom/math/lanes.h"

namespace lissom::contact {

/// Rows of plain numbers are padded to whole blocks of 64 bytes, so that no loop over them has a remainder. Lanes fill
/// registers by themselves.
template <class T>
constexpr int padded(int n) {
  if constexpr (is_packable<T>) {
    constexpr int block = 64 / int(sizeof(T));
    return (n + block - 1) / block * block;
  } else {
    return n;
  }
}

template <class T>
class Memory {
 public:
  Memory() = default;
  // Inlined always: kernels for several instruction sets make such arrays, and no two of them may share the function.
  [[gnu::always_inline]] explicit Memory(std::size_t size)
      : data_(static_cast<T*>(::operator new(sizeof(T) * (size + 1), std::align_val_t(64)))) {
    for (std::size_t i = 0; i < size; ++i) ::new (static_cast<void*>(data_.get() + i)) T();
  }
  T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t(64)); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace lissom::contact
