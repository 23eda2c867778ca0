// Quaternions, the exponential map, its inverse and its Jacobian, from tiny angles to π.
#include <numbers>

#include "dense.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::test {
namespace {

template <class T>
class QuaternionOf : public ::testing::Test {};
TYPED_TEST_SUITE(QuaternionOf, EveryKindOfScalar);

const double angles[] = {0,
                         1e-300,
                         1e-160,
                         1e-30,
                         1e-10,
                         1e-7,
                         1e-5,
                         1e-4,
                         0.00999,
                         0.01,
                         0.0101,
                         0.05,
                         0.09,
                         0.1,
                         0.11,
                         0.5,
                         1,
                         2,
                         3,
                         3.1,
                         3.14,
                         3.1415,
                         std::numbers::pi - 1e-6};

// A vector of the given length, in another direction in each lane.
template <class T>
Vec3<T> vector_of_length(double length, Make<T>& make) {
  const auto axis = make.vec3();
  const auto direction = inverse(sqrt(dot(axis, axis)));
  return (T(Number<T>(length)) * direction) * axis;
}

TYPED_TEST(QuaternionOf, AMatrixGivesBackItsQuaternion) {
  using T = TypeParam;
  for (const double angle : angles)
    for (int k = 0; k < 5; ++k) {
      Make<T> make(k);
      const auto R = matrix(exponential(vector_of_length(angle, make)));
      const auto again = matrix(quaternion(R));
      in_lanes<T>([&](int i) { EXPECT_TRUE(close(in_lane(again, i), in_lane(R, i), 20 * rounding<T>)) << angle; });
    }
}

TYPED_TEST(QuaternionOf, TheLogarithmUndoesTheExponential) {
  using T = TypeParam;
  for (const double angle : angles)
    for (int k = 0; k < 5; ++k) {
      Make<T> make(k);
      const auto phi = vector_of_length(angle, make);
      const auto q = exponential(phi);
      in_lanes<T>([&](int i) {
        const double tiny = std::max(angle, 1e-300);
        const V3 back = in_lane(logarithm(q), i), exact = in_lane(phi, i);
        if (sizeof(Number<T>) == 8 || angle > 1e-30) {
          EXPECT_TRUE(close(back / tiny, exact / tiny, 10 * rounding<T>)) << angle;
        }
        // q and -q are the same rotation
        const auto minus = logarithm(Quaternion<T>{-q.w, -q.x, -q.y, -q.z});
        EXPECT_TRUE(close(in_lane(minus, i), exact, 10 * rounding<T>)) << angle;
        const double length = in_lane(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, i);
        EXPECT_NEAR(length, 1, 10 * rounding<T>);
      });
    }
}

// Rodrigues' formula in double; Taylor series where its quotients cancel.
struct Coefficients {
  double a, b, c;  // sin θ/θ, (1 - cos θ)/θ², (θ - sin θ)/θ³
};
Coefficients coefficients(double t) {
  if (t < 1e-2) {
    const double s = t * t;
    return {1 - s / 6 * (1 - s / 20), 0.5 - s / 24 * (1 - s / 30), 1. / 6 - s / 120 * (1 - s / 42)};
  }
  return {std::sin(t) / t, (1 - std::cos(t)) / (t * t), (t - std::sin(t)) / (t * t * t)};
}

TYPED_TEST(QuaternionOf, TheMatrixOfTheExponentialIsRodrigues) {
  using T = TypeParam;
  for (const double angle : angles)
    for (int k = 0; k < 5; ++k) {
      Make<T> make(k);
      const auto phi = vector_of_length(angle, make);
      in_lanes<T>([&](int i) {
        const V3 p = in_lane(phi, i);
        const auto [a, b, c] = coefficients(p.norm());
        const M3 R = M3::Identity() + a * skew_of(p) + b * skew_of(p) * skew_of(p);
        EXPECT_TRUE(close(in_lane(matrix(exponential(phi)), i), R, 10 * rounding<T>)) << angle;
      });
    }
}

TYPED_TEST(QuaternionOf, TheLeftJacobianIsTheIntegralOfTheRotation) {
  using T = TypeParam;
  for (const double angle : angles)
    for (int k = 0; k < 5; ++k) {
      Make<T> make(k);
      const auto phi = vector_of_length(angle, make), u = make.vec3();
      in_lanes<T>([&](int i) {
        const V3 p = in_lane(phi, i);
        const auto [a, b, c] = coefficients(p.norm());
        const M3 V = M3::Identity() + b * skew_of(p) + c * skew_of(p) * skew_of(p);
        EXPECT_TRUE(close(in_lane(left_jacobian_times(phi, u), i), V * in_lane(u, i), 10 * rounding<T>)) << angle;
        EXPECT_TRUE(
            close(in_lane(left_jacobian_solve(phi, left_jacobian_times(phi, u)), i), in_lane(u, i), 20 * rounding<T>))
            << angle;
      });
    }
}

TYPED_TEST(QuaternionOf, ProductsAreProductsOfMatrices) {
  using T = TypeParam;
  for (int k = 0; k < 50; ++k) {
    Make<T> make(k);
    const auto a = make.quaternion(), b = make.quaternion();
    EXPECT_EQUAL_IN_LANES(T, matrix(a * b), in_lane(matrix(a), lane) * in_lane(matrix(b), lane));
    EXPECT_EQUAL_IN_LANES(T, matrix(conjugate(a)), in_lane(matrix(a), lane).transpose());
    EXPECT_EQUAL_IN_LANES(T, matrix(a) * transpose(matrix(a)), M3::Identity());
  }
}

// The derivative of the exponential is right, too, at the smallest angles and where series give way to quotients: it
// has no 0/0.
TEST(Quaternion, SlopesOfTheExponentialMapAreFiniteEverywhere) {
  for (const double angle : angles) {
    const Vec3<Dual<double>> phi{Dual<double>(angle, 1), Dual<double>(0, 0.5), Dual<double>(0, -0.25)};
    const auto q = exponential(phi);
    EXPECT_NEAR(q.w.slope, -0.5 * std::sin(angle / 2), 1e-9);
    EXPECT_NEAR(q.x.slope, 0.5 * std::cos(angle / 2), 1e-9);
    const double k = angle < 1e-8 ? 0.5 : std::sin(angle / 2) / angle;
    EXPECT_NEAR(q.y.slope, 0.5 * k, 1e-9);
    const auto back = logarithm(q);
    EXPECT_NEAR(back.x.slope, 1, 1e-6) << angle;
    EXPECT_NEAR(back.y.slope, 0.5, 1e-6) << angle;
    EXPECT_NEAR(back.z.slope, -0.25, 1e-6) << angle;
  }
}

TEST(Rotation, IsToldFromOtherMatrices) {
  const auto R = matrix(exponential(Vec3<double>{0.3, -0.5, 1.1}));
  EXPECT_TRUE(is_rotation(R));
  const auto with = [&](double xx) {
    auto changed = R;
    changed.xx = xx;
    return changed;
  };
  EXPECT_TRUE(is_rotation(with(R.xx + 1e-8)));
  EXPECT_FALSE(is_rotation(with(R.xx + 1e-5)));
  EXPECT_FALSE(is_rotation(with(std::nan(""))));
  EXPECT_FALSE(is_rotation(from_rows(row_y(R), row_x(R), row_z(R))));  // mirrored
  EXPECT_FALSE(is_rotation(Mat3<double>{}));
  EXPECT_TRUE(is_rotation(orthonormal(with(R.xx + 1e-3))));
}

// At the angle π there are two rotation vectors; the logarithm must be one of them.
TEST(Quaternion, LogarithmOfARotationByPi) {
  const double pi = std::numbers::pi;
  for (const auto& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, -0.6, 0.8}}) {
    const auto phi = logarithm(Quaternion<double>{0, axis.x, axis.y, axis.z});
    EXPECT_NEAR(std::sqrt(dot(phi, phi)), pi, 1e-14);
    EXPECT_NEAR(std::abs(dot(phi, axis)), pi, 1e-14);
  }
}

}  // namespace
}  // namespace lissom::test
