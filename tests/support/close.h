#pragma once
// Comparisons with a stated tolerance. (They take plain matrices, not expressions, and are compiled once.)
#include <Eigen/Core>
#include <gtest/gtest.h>

namespace lissom::test {

// |a - b| <= tolerance * max(scale, |b|) in the largest entry; NaN is never close.
::testing::AssertionResult close(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance,
                                 double scale = 1);
::testing::AssertionResult close(double a, double b, double tolerance, double scale = 1);
// Whether all elements are the same, to the last bit.
::testing::AssertionResult identical(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace lissom::test
