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

TEST(EigenConversions, SmallTypesAreMadeOfEigens) {
  Random random(3);
  const auto X = random.pose();
  const Eigen::Matrix3d R = to_eigen(X.R), I = R * Eigen::Vector3d(1, 2, 3).asDiagonal() * R.transpose();
  const Eigen::Vector3d p = to_eigen(X.p);
  const Pose<double> same{R, p};
  EXPECT_TRUE(identical(to_eigen(same).matrix(), to_eigen(X).matrix()));
  const Vec3<double> product = R * p, part = Eigen::VectorXd::LinSpaced(5, 1, 5).segment<3>(1);
  EXPECT_TRUE(identical(to_eigen(product), Eigen::Vector3d(R * p)));
  EXPECT_TRUE(identical(to_eigen(part), Eigen::Vector3d(2, 3, 4)));
  const Point at{world_frame, p};
  EXPECT_EQ(at.position.y, p.y());
  LinkDescription link;
  link.inertia = Sym3<double>(I);
  EXPECT_TRUE(close(to_eigen(link.inertia), I, 1e-15));
  EXPECT_EQ(link.inertia.xz, I(0, 2));
  // Sizes are those of the type.
  static_assert(
      !std::is_convertible_v<Eigen::VectorXd, Vec3<double>> && !std::is_convertible_v<Eigen::Matrix3d, Vec3<double>> &&
      !std::is_convertible_v<Eigen::MatrixXd, Mat3<double>> && !std::is_convertible_v<Eigen::Matrix3d, Sym3<double>>);
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
