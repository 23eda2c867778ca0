#pragma once
// Maxima and minima that NaN cannot slip through. std::max(worst, NaN) is `worst`, and Eigen's maxCoeff() may skip NaN,
// so that an assertion "at most" on them passes; these return NaN, with which every comparison fails.
// tests/structure/nan_aware.py tells tests to use them.
#include <cmath>
#include <type_traits>

#include <Eigen/Core>

namespace lissom::test {

// The larger number; NaN if one of them is NaN.
template <class A, class B>
std::common_type_t<A, B> larger(A a, B b) {
  const std::common_type_t<A, B> x = a, y = b;
  return std::isnan(x) || x > y ? x : y;
}
// The smaller number; NaN if one of them is NaN.
template <class A, class B>
std::common_type_t<A, B> smaller(A a, B b) {
  const std::common_type_t<A, B> x = a, y = b;
  return std::isnan(x) || x < y ? x : y;
}
// The largest absolute value of an element, 0 without elements; NaN if an element is NaN.
template <class Derived>
double largest(const Eigen::MatrixBase<Derived>& x) {
  return x.size() == 0 ? 0 : double(x.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>());
}

}  // namespace lissom::test
