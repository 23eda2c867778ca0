#include "close.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "largest.h"

namespace lissom::test {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

AssertionResult close(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance, double scale) {
  if (a.rows() != b.rows() || a.cols() != b.cols())
    return AssertionFailure() << a.rows() << " × " << a.cols() << " against " << b.rows() << " × " << b.cols();
  const double size = larger(scale, largest(b));
  double worst = 0;
  Eigen::Index at = 0;
  // The first NaN is reported: every comparison with a NaN in `worst` is false, and the next element would replace it.
  for (Eigen::Index k = 0; k < a.size() && !std::isnan(worst); ++k) {
    const double off = std::abs(a.data()[k] - b.data()[k]) / size;
    if (!(off <= worst)) worst = off, at = k;
  }
  if (!std::isfinite(size) && !std::isnan(worst))  // everything is close relative to infinity
    return AssertionFailure() << "the scale is " << size;
  if (worst <= tolerance) return AssertionSuccess();
  return AssertionFailure() << "off by " << worst << " (relative to " << size << ", tolerance " << tolerance << ") at ("
                            << at % a.rows() << ", " << at / a.rows() << "): found " << a.data()[at] << ", expected "
                            << b.data()[at];
}
AssertionResult close(double a, double b, double tolerance, double scale) {
  return close(Eigen::MatrixXd::Constant(1, 1, a), Eigen::MatrixXd::Constant(1, 1, b), tolerance, scale);
}

AssertionResult identical(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return AssertionFailure() << "of different size";
  for (Eigen::Index k = 0; k < a.size(); ++k)
    if (std::isnan(a.data()[k]) ||
        std::bit_cast<std::uint64_t>(a.data()[k]) != std::bit_cast<std::uint64_t>(b.data()[k]))
      return AssertionFailure() << "(" << k % a.rows() << ", " << k / a.rows() << "): " << a.data()[k] << " and "
                                << b.data()[k];
  return AssertionSuccess();
}

}  // namespace lissom::test
