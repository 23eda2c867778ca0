#pragma once
// Maxima that NaN cannot slip through. std::max(worst, NaN) is `worst`, and Eigen's maxCoeff() may skip NaN, so that an
// assertion "at most" on them passes; these return NaN, with which every comparison fails.
#include <cmath>

#include <Eigen/Core>

namespace lissom::test {

// The larger number; NaN if one of them is NaN.
inline double larger(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}
// The largest absolute value of an element, 0 without elements; NaN if an element is NaN.
template <class Derived>
double largest(const Eigen::MatrixBase<Derived>& x) {
  return x.size() == 0 ? 0 : double(x.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>());
}

}  // namespace lissom::test
