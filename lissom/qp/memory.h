#pragma once
// Arrays of doubles for kernels.h: they start on a boundary of 64 bytes. They are filled with zeros when allocated, so
// that the first solve causes no page faults. Not for users.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <new>

namespace lissom::qp {

class Numbers {
 public:
  Numbers() = default;
  explicit Numbers(int size)
      : data_(static_cast<double*>(::operator new(sizeof(double) * std::size_t(size), std::align_val_t(64)))) {
    std::fill_n(data_.get(), size, 0.0);
  }
  double* data() const { return data_.get(); }
  operator double*() const { return data_.get(); }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete(p, std::align_val_t(64)); }
  };
  std::unique_ptr<double, Free> data_;
};

// Whether all elements are zero. (Compilers vectorize the comparison of bits.)
inline bool all_zero(const double* begin, const double* end) {
  std::uint64_t any = 0;
  for (; begin < end; ++begin) any |= std::bit_cast<std::uint64_t>(*begin) << 1;  // without the sign
  return any == 0;
}

}  // namespace lissom::qp
