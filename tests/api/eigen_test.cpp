// Conversions between the library's small types and Eigen's.
#include "close.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

TEST(EigenConversions, ThereAndBackIsTheSame) {
  Random random(1);
  const auto X = random.pose();
  const auto T = to_eigen(X);
  const auto back = from_eigen(T);
  EXPECT_TRUE(identical(to_eigen(back.R), to_eigen(X.R)));
  EXPECT_TRUE(identical(to_eigen(back.p), to_eigen(X.p)));
  EXPECT_TRUE(identical(to_eigen(from_eigen(to_eigen(X.R), to_eigen(X.p)).R), to_eigen(X.R)));
  const Eigen::Quaterniond q(T.linear());
  EXPECT_TRUE(close(to_eigen(from_eigen(q, T.translation()).R), to_eigen(X.R), 1e-15));
  EXPECT_TRUE(identical(to_eigen(from_eigen(q)).coeffs(), q.coeffs()));
  Vector6 six;
  six << 1, 2, 3, 4, 5, 6;
  const SpatialVector x = from_eigen(six);
  EXPECT_EQ(x.linear.z, 3);
  EXPECT_EQ(x.angular.x, 4);
  EXPECT_TRUE(identical(to_eigen(x), six));
  EXPECT_TRUE(identical(to_eigen(from_eigen(six.head<3>() + six.tail<3>())), Eigen::Vector3d(5, 7, 9)));
}

TEST(EigenConversions, ProductsAreTheSame) {
  Random random(2);
  const auto X = random.pose(), Y = random.pose();
  const auto p = random.vec3(1);
  EXPECT_TRUE(close(to_eigen(X * p), to_eigen(X) * to_eigen(p), 1e-15));
  EXPECT_TRUE(close(to_eigen(X * Y).matrix(), (to_eigen(X) * isometry(Y)).matrix(), 1e-15));
  EXPECT_TRUE(close(to_eigen(X.R * p), to_eigen(X.R) * to_eigen(p), 1e-15));
  const Sym3<double> s(1, 2, 3, 4, 5, 6);
  EXPECT_TRUE(close(to_eigen(s * p), to_eigen(s) * to_eigen(p), 1e-15));
}

}  // namespace
}  // namespace lissom::test
