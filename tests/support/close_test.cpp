// What the other tests compare with: NaN never passes, wherever it stands.
#include "close.h"

#include <limits>

#include "largest.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

TEST(Close, MeansWithinTheToleranceOfTheLargestElement) {
  EXPECT_TRUE(close(Vector3d(1, 2, 3), Vector3d(1, 2, 3), 0));
  EXPECT_TRUE(close(Vector3d(100, 0, 1e-9), Vector3d(100, 0, 0), 1e-10));
  EXPECT_FALSE(close(Vector3d(100, 0, 1e-7), Vector3d(100, 0, 0), 1e-10));
  EXPECT_TRUE(close(0, 1e-11, 1e-10));
  EXPECT_FALSE(close(0, 1e-9, 1e-10));
  EXPECT_TRUE(close(0, 1e-9, 1e-10, 100));
  EXPECT_TRUE(close(VectorXd(0), VectorXd(0), 0));
}
TEST(Close, NeedsTheSameSize) {
  EXPECT_FALSE(close(MatrixXd::Zero(2, 3), MatrixXd::Zero(3, 2), 1));
  EXPECT_FALSE(identical(MatrixXd::Zero(2, 3), MatrixXd::Zero(3, 2)));
}
TEST(Close, NanIsNeverClose) {
  for (int k = 0; k < 3; ++k) {
    Vector3d bad(0, 0, 0);
    bad[k] = nan;
    EXPECT_FALSE(close(bad, Vector3d::Zero(), 1e9)) << k;
    EXPECT_FALSE(close(Vector3d::Zero(), bad, 1e9)) << k;
    EXPECT_FALSE(close(bad, bad, 1e9)) << k;
    EXPECT_FALSE(identical(bad, bad)) << k;
    Vector3d wrong(5, 5, 5);  // errors before and after the NaN
    wrong[k] = nan;
    EXPECT_FALSE(close(wrong, Vector3d::Zero(), 1e-10)) << k;
  }
  EXPECT_FALSE(close(nan, nan, 1));
  EXPECT_FALSE(close(1, 1, nan));
  EXPECT_FALSE(close(1, 1, 1, nan));
}
TEST(Close, NothingIsCloseAtAnInfiniteScale) {
  EXPECT_FALSE(close(infinity, infinity, 1));
  EXPECT_FALSE(close(Vector3d(infinity, 1, 1), Vector3d(1, 1, 1), 1));
  EXPECT_FALSE(close(Vector3d(1, 1, 1), Vector3d(infinity, 1, 1), 1));
  EXPECT_FALSE(close(5, 1, 1e-10, infinity));
}
TEST(Close, SaysWhereAndByHowMuch) {
  const std::string said = close(Vector3d(0, nan, 7), Vector3d(0, 0, 0), 1e-10).message();
  EXPECT_NE(said.find("(1, 0)"), std::string::npos) << said;
  EXPECT_NE(said.find("nan"), std::string::npos) << said;
}
TEST(Identical, ComparesBits) {
  EXPECT_TRUE(identical(Vector3d(1, 0, infinity), Vector3d(1, 0, infinity)));
  EXPECT_FALSE(identical(Vector3d(1, 0, 0), Vector3d(1, -0.0, 0)));
  EXPECT_FALSE(identical(Vector3d(1, 0, 0), Vector3d(1 + 1e-15, 0, 0)));
}
TEST(Largest, KeepsNan) {
  EXPECT_EQ(larger(1, 2), 2);
  EXPECT_EQ(larger(2, 1), 2);
  EXPECT_TRUE(std::isnan(larger(nan, 1)));
  EXPECT_TRUE(std::isnan(larger(1, nan)));
  EXPECT_EQ(smaller(1, 2), 1);
  EXPECT_EQ(smaller(2, 1), 1);
  EXPECT_TRUE(std::isnan(smaller(nan, 1)));
  EXPECT_TRUE(std::isnan(smaller(1, nan)));
  EXPECT_EQ(largest(VectorXd(0)), 0);
  EXPECT_EQ(largest(Vector3d(1, -3, 2)), 3);
  for (int size = 1; size < 40; ++size)  // by packets and one by one
    for (int k = 0; k < size; ++k) {
      VectorXd x = VectorXd::Ones(size);
      x[k] = nan;
      EXPECT_TRUE(std::isnan(largest(x))) << k << " of " << size;
      EXPECT_TRUE(std::isnan(largest(x.transpose() * 2))) << k << " of " << size;
    }
}

}  // namespace
}  // namespace lissom::test
