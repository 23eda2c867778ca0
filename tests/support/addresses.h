#pragma once
// Calls a function with the same arguments at addresses that differ by 0, 8, 16, … 56 bytes from a multiple of 64, and
// expects the same bits of all its results.
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lissom/api/workspace.h"
#include "lissom/spatial/pose.h"

namespace lissom::test {

using Rows = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
using Columns = Eigen::Map<Eigen::MatrixXd>;
using Elements = Eigen::Map<Eigen::VectorXd>;

inline constexpr int per_line = 8;  // doubles in 64 bytes

// Memory for vectors and matrices, each of which begins a number of doubles after a multiple of 64 bytes: the first one
// `offset`, those after it 1, 2, … more.
class Memory {
 public:
  explicit Memory(int offset) : offset_(offset) {}

  Elements vector(long n) { return {take(n), n}; }
  Elements copy(const Eigen::VectorXd& x) {
    auto y = vector(x.size());
    y = x;
    return y;
  }
  Rows rows(long n, long m) { return {take(n * m), n, m, Eigen::OuterStride<>(m)}; }
  Rows rows(const Eigen::MatrixXd& x) {
    auto y = rows(x.rows(), x.cols());
    y = x;
    return y;
  }
  Columns columns(long n, long m) { return {take(n * m), n, m}; }
  Columns columns(const Eigen::MatrixXd& x) {
    auto y = columns(x.rows(), x.cols());
    y = x;
    return y;
  }

 private:
  double* take(long n) {
    blocks_.push_back(std::make_unique<double[]>(std::size_t(n + 2 * per_line)));
    double* first = blocks_.back().get();
    while (reinterpret_cast<std::uintptr_t>(first) % (per_line * sizeof(double)) != 0) ++first;
    return first + offset_++ % per_line;
  }

  int offset_;
  std::vector<std::unique_ptr<double[]>> blocks_;
};

// Everything that a function returns, element by element.
class Results {
 public:
  template <class E>
  void add(const Eigen::DenseBase<E>& x) {
    for (long j = 0; j < x.cols(); ++j)
      for (long i = 0; i < x.rows(); ++i) elements_.push_back(x.derived().coeff(i, j));
  }
  void add(double x) { elements_.push_back(x); }
  void add(const Vec3<double>& x) { add(x.x), add(x.y), add(x.z); }
  void add(const Mat3<double>& x) {
    for (const double* e = &x.xx; e != &x.zz + 1; ++e) add(*e);
  }
  template <class First, class Second, class... More>
  void add(const First& first, const Second& second, const More&... more) {
    add(first), add(second, more...);
  }
  std::size_t size() const { return elements_.size(); }
  // The first element that has other bits; -1 if none.
  long first_difference(const Results& other) const {
    if (elements_.size() != other.elements_.size()) return 0;
    for (std::size_t i = 0; i < elements_.size(); ++i)
      if (std::memcmp(&elements_[i], &other.elements_[i], sizeof(double)) != 0) return long(i);
    return -1;
  }
  double operator[](long i) const { return elements_[std::size_t(i)]; }

 private:
  std::vector<double> elements_;
};

using Call = std::function<void(Memory&, Results&)>;

inline void expect_same_bits(const std::string& name, const Call& call) {
  Results aligned;
  for (int offset = 0; offset < per_line; ++offset) {
    Memory memory(offset);
    Results moved;
    call(memory, moved);
    if (offset == 0) {
      EXPECT_GT(moved.size(), 0u) << name;
      aligned = moved;
    } else if (const long i = aligned.first_difference(moved); i >= 0) {
      ADD_FAILURE() << name << ": result " << i << " of " << moved.size() << " is off by " << moved[i] - aligned[i]
                    << " where the first argument begins " << 8 * offset << " bytes later";
      return;
    }
  }
}

}  // namespace lissom::test
