#pragma once
// Comparisons with a stated tolerance. (They take plain matrices, not expressions, and are compiled once.)
#include <Eigen/Core>
#include <gtest/gtest.h>

namespace lissom::test {

// |a - b| <= tolerance * max(scale, |b|) in every element, where |b| is the largest element. NaN is never close, to NaN
// neither, nor is anything at an infinite scale.
::testing::AssertionResult close(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance,
                                 double scale = 1);
::testing::AssertionResult close(double a, double b, double tolerance, double scale = 1);
// Whether all elements are the same, to the last bit: 0 and -0 differ. NaN is never identical, since what was not
// written may be NaN in both.
::testing::AssertionResult identical(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace lissom::test
