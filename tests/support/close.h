#pragma once
// Comparing numbers with a stated tolerance. (Plain matrices, not expressions: compiled once.)
#include <Eigen/Core>
#include <gtest/gtest.h>

namespace lissom::test {

// |a - b| <= tolerance * max(scale, |b|) in the largest entry; NaN is never close.
::testing::AssertionResult close(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance,
                                 double scale = 1);
::testing::AssertionResult close(double a, double b, double tolerance, double scale = 1);
// The same numbers, to the last bit.
::testing::AssertionResult identical(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace lissom::test
