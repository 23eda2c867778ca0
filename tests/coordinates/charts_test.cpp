// Compares every chart of SO(3) with finite differences, with closed forms, and with all other charts.
#include "lissom/coordinates/charts.h"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/eigen.h"
#include "lissom/model/diagnostic.h"
#include "lissom/spatial/rotation_checks.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
constexpr double pi = std::numbers::pi;

Matrix3d skew_of(const Vector3d& a) {
  return to_eigen(skew(Vec3<double>(a.x(), a.y(), a.z())));
}
double off(const MatrixXd& a, const MatrixXd& b) {
  return largest(a - b);
}
// θ of a random rotation at which the chart is well conditioned, and rates that satisfy the constraints.
struct Sample {
  VectorXd theta, rates;
};
Sample sample(const Chart& chart, Random& random) {
  for (;;) {
    const VectorXd theta = chart.coordinates(random.rotation());
    if (chart.inverse_condition(theta) < 0.05) continue;
    return {theta, chart.rates(theta, random.vec3(1))};
  }
}
// θ after a time t on a path with the given rates, projected to the constraint by a few Newton steps.
VectorXd along(const Chart& chart, const Sample& s, double t) {
  VectorXd theta = s.theta + t * s.rates;
  for (int k = 0; k < 4 && chart.constraints() > 0; ++k) {
    const MatrixXd C = chart.constraint_jacobian(s.theta);
    theta -= C.transpose() * (C * C.transpose()).inverse() * chart.constraint(theta);
  }
  return theta;
}

class EveryChart : public testing::TestWithParam<std::string> {
 protected:
  Chart chart_ = lissom::chart(GetParam());
};

TEST_P(EveryChart, NamesEveryRotation) {
  Random random(1);
  for (int k = 0; k < 300; ++k) {
    const auto R = random.rotation();
    const VectorXd theta = chart_.coordinates(R);
    EXPECT_NO_THROW(chart_.check(theta, 1e-12));
    EXPECT_LT(off(to_eigen(chart_.rotation(theta)), to_eigen(R)), 1e-13);
  }
  for (const auto& R :
       {identity3<double>(), Mat3<double>{-1, 0, 0, 0, -1, 0, 0, 0, 1}, Mat3<double>{1, 0, 0, 0, -1, 0, 0, 0, -1},
        Mat3<double>{0, 0, 1, 0, 1, 0, -1, 0, 0}})  // also at singularities
    EXPECT_LT(off(to_eigen(chart_.rotation(chart_.coordinates(R))), to_eigen(R)), 1e-13);
}

TEST_P(EveryChart, ConvertsToEveryOther) {
  Random random(2);
  for (const auto& name : chart_names()) {
    const auto other = lissom::chart(name);
    const auto R = random.rotation();
    const VectorXd there = other.coordinates(chart_.rotation(chart_.coordinates(R)));
    EXPECT_LT(off(to_eigen(other.rotation(there)), to_eigen(R)), 1e-13) << name;
  }
}

TEST_P(EveryChart, MapsRatesToAngularVelocity) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    const auto s = sample(chart_, random);
    const double h = 1e-5;
    const Matrix3d R = to_eigen(chart_.rotation(s.theta));
    const Matrix3d R_rate =
        (to_eigen(chart_.rotation(along(chart_, s, h))) - to_eigen(chart_.rotation(along(chart_, s, -h)))) / (2 * h);
    const Vector3d omega = chart_.rate_map(s.theta) * s.rates,
                   omega_body = chart_.rate_map(s.theta, ExpressedIn::body_axes) * s.rates;
    EXPECT_LT(off(skew_of(omega), R_rate * R.transpose()), 1e-8);
    EXPECT_LT(off(omega_body, R.transpose() * omega), 1e-13);
    // The inverse, which satisfies the constraints.
    EXPECT_LT(off(chart_.rates(s.theta, {omega.x(), omega.y(), omega.z()}), s.rates), 1e-12);
    EXPECT_LT(
        off(chart_.rates(s.theta, {omega_body.x(), omega_body.y(), omega_body.z()}, ExpressedIn::body_axes), s.rates),
        1e-12);
    if (chart_.constraints()) {
      EXPECT_LT(off(chart_.constraint_jacobian(s.theta) * s.rates, VectorXd::Zero(chart_.constraints())), 1e-13);
    }
  }
}

TEST_P(EveryChart, KnowsTheRatesOfItsMaps) {
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    const auto s = sample(chart_, random);
    const double h = 1e-5;
    for (const auto frame : {ExpressedIn::world_axes, ExpressedIn::body_axes}) {
      const MatrixXd slope =
          (chart_.rate_map(s.theta + h * s.rates, frame) - chart_.rate_map(s.theta - h * s.rates, frame)) / (2 * h);
      EXPECT_LT(off(chart_.rate_map_rate(s.theta, s.rates, frame), slope), 1e-6);
    }
    if (chart_.constraints() == 0) continue;
    MatrixXd C_slope(chart_.constraints(), chart_.size());
    for (int j = 0; j < chart_.size(); ++j) {
      const VectorXd e = VectorXd::Unit(chart_.size(), j) * h;
      C_slope.col(j) = (chart_.constraint(s.theta + e) - chart_.constraint(s.theta - e)) / (2 * h);
    }
    EXPECT_LT(off(chart_.constraint_jacobian(s.theta), C_slope), 1e-9);
    const VectorXd bias =
        (chart_.constraint_jacobian(s.theta + h * s.rates) - chart_.constraint_jacobian(s.theta - h * s.rates)) *
        s.rates / (2 * h);
    EXPECT_LT(off(chart_.constraint_bias(s.theta, s.rates), bias), 1e-7);
  }
}

TEST_P(EveryChart, RefusesWhatItCannotUse) {
  EXPECT_THROW(chart_.rotation(VectorXd::Zero(chart_.size() + 1)), Error);
  EXPECT_THROW(chart_.rate_map(VectorXd::Constant(chart_.size(), std::nan(""))), Error);
  EXPECT_THROW(chart_.rate_map_rate(VectorXd::Zero(chart_.size()), VectorXd::Zero(1)), Error);
  EXPECT_THROW(chart_.coordinates({1, 0, 0, 0, 1, 0, 0, 0, -1}), Error);  // determinant -1
  EXPECT_THROW(chart_.coordinates({2, 0, 0, 0, 1, 0, 0, 0, 1}), Error);
  EXPECT_THROW(chart_.coordinates({std::nan(""), 0, 0, 0, 1, 0, 0, 0, 1}), Error);
  if (chart_.constraints()) {
    EXPECT_THROW(chart_.check(VectorXd::Constant(chart_.size(), 2)), Error);
  }
}

INSTANTIATE_TEST_SUITE_P(Charts, EveryChart, testing::ValuesIn(chart_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

// Liu & Jain (52): for XYZ the columns are e_x, R_x e_y, R_x R_y e_z; and so for every sequence.
TEST(EulerAngles, HaveTheAxesOfTheTextbook) {
  Random random(5);
  for (const std::string sequence : {"xyz", "zyx", "zxz", "yxy", "xzy"}) {
    const auto angles = chart("euler-" + sequence);
    const Vector3d theta(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
    Matrix3d J, R = Matrix3d::Identity();
    for (int k = 0; k < 3; ++k) {
      const Vector3d axis = Vector3d::Unit(sequence[std::size_t(k)] - 'x');
      J.col(k) = R * axis;
      R = R * Eigen::AngleAxisd(theta[k], axis).toRotationMatrix();
    }
    EXPECT_LT(off(to_eigen(angles.rotation(theta)), R), 1e-15);
    EXPECT_LT(off(angles.rate_map(theta), J), 1e-14);
  }
}
TEST(EulerAngles, RollPitchYawTurnsAboutFixedAxes) {
  const Vector3d rpy(0.3, -0.4, 1.2);
  const Matrix3d R = (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
                      Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
                         .toRotationMatrix();
  EXPECT_LT(off(to_eigen(chart("roll-pitch-yaw").rotation(rpy)), R), 1e-15);
}
TEST(EulerAngles, SayWhereTheyLock) {
  EXPECT_LT(chart("euler-xyz").inverse_condition(Vector3d(0.3, pi / 2, 0.1)), 1e-14);
  EXPECT_LT(chart("euler-zxz").inverse_condition(Vector3d(0.3, 0, 0.1)), 1e-14);
  EXPECT_GT(chart("euler-xyz").inverse_condition(Vector3d(0.3, 0, 0.1)), 0.99);
}

// (53, 54), also near 0, where series replace the quotients.
TEST(ExponentialMap, HasTheMapOfTheTextbook) {
  const auto exponential = chart("exponential");
  Random random(6);
  for (const double angle : {1e-12, 1e-5, 0.09, 0.0999, 0.1001, 0.5, 2.0, 3.1, 5.0, 6.2}) {
    const auto n = random.axis();
    const Vector3d q = angle * Vector3d(n.x, n.y, n.z);
    const Matrix3d S = skew_of(q);
    // (1 - cos)/θ² and (θ - sin)/θ³, in forms without cancellation.
    const double half = std::sin(angle / 2) / (angle / 2), b = half * half / 2;
    const double c = angle < 0.3 ? 1. / 6 - angle * angle / 120 + std::pow(angle, 4) / 5040 -
                                       std::pow(angle, 6) / 362880 + std::pow(angle, 8) / 39916800
                                 : (angle - std::sin(angle)) / (angle * angle * angle);
    EXPECT_LT(off(exponential.rate_map(q), Matrix3d::Identity() + b * S + c * S * S), 4e-15) << angle;
    EXPECT_LT(
        off(to_eigen(exponential.rotation(q)), Eigen::AngleAxisd(angle, Vector3d(n.x, n.y, n.z)).toRotationMatrix()),
        1e-15);
    // J̇ by finite differences.
    const Vector3d rate(0.3, -0.2, 0.5);
    const double h = 1e-4;
    EXPECT_LT(off(exponential.rate_map_rate(q, rate),
                  (exponential.rate_map(q + h * rate) - exponential.rate_map(q - h * rate)) / (2 * h)),
              1e-8)
        << angle;
  }
}
TEST(ExponentialMap, MovesAwayFromItsSingularity) {
  const auto exponential = chart("exponential");
  const Vector3d n = Vector3d(1, 2, -2) / 3;
  for (const double angle : {3.5, 6.28, 6.29, 12.0, 100.0}) {
    const VectorXd theta = angle * n, again = exponential.away_from_singularity(theta);
    EXPECT_LE(again.norm(), pi + 1e-12);
    EXPECT_LT(off(to_eigen(exponential.rotation(again)), to_eigen(exponential.rotation(theta))), 1e-13);
  }
  EXPECT_LT(exponential.inverse_condition(2 * pi * n), 1e-10);
  EXPECT_EQ(off(exponential.away_from_singularity(n), n), 0);
}

TEST(UnitQuaternion, HasTheMapOfEulersParameters) {
  const auto quaternion = chart("quaternion");
  Random random(7);
  const VectorXd w = quaternion.coordinates(random.rotation());
  Eigen::Matrix<double, 3, 4> twice;  // ω = 2 (-x w -z y; -y z w -x; -z -y x w) q̇
  twice << -w[1], w[0], -w[3], w[2], -w[2], w[3], w[0], -w[1], -w[3], -w[2], w[1], w[0];
  // On rates that preserve the norm, the map from ρ alone agrees with the textbook's.
  const VectorXd rates = quaternion.rates(w, {0.3, 0.5, -0.7});
  EXPECT_LT(off(2 * twice * rates, quaternion.rate_map(w) * rates), 1e-15);
}

// A chart without constraints, modified Rodrigues parameters, and one with constraints, two orthonormal columns.
struct ModifiedRodrigues {
  template <class T>
  Mat3<T> operator()(const T* s) const {
    const Vec3<T> v(s[0], s[1], s[2]);
    const T ss = dot(v, v), d = inverse(one<T>() + ss);
    const T a = T(8.0) * d * d, b = T(4.0) * (one<T>() - ss) * d * d;
    const auto S = skew(v);
    const auto SS = S * S;
    const auto entry = [&](const T& i, const T& x, const T& xx) { return i + b * x + a * xx; };
    const T o = zero<T>(), i = one<T>();
    return {entry(i, S.xx, SS.xx), entry(o, S.xy, SS.xy), entry(o, S.xz, SS.xz),
            entry(o, S.yx, SS.yx), entry(i, S.yy, SS.yy), entry(o, S.yz, SS.yz),
            entry(o, S.zx, SS.zx), entry(o, S.zy, SS.zy), entry(i, S.zz, SS.zz)};
  }
};
struct TwoColumns {
  template <class T>
  Mat3<T> operator()(const T* m) const {
    const Vec3<T> x(m[0], m[1], m[2]), y(m[3], m[4], m[5]);
    return transpose(from_rows(x, y, cross(x, y)));
  }
};
struct Orthonormal {
  template <class T>
  void operator()(const T* m, T* C) const {
    const Vec3<T> x(m[0], m[1], m[2]), y(m[3], m[4], m[5]);
    C[0] = dot(x, x) - one<T>(), C[1] = dot(y, y) - one<T>(), C[2] = dot(x, y);
  }
};
TEST(CustomChart, NeedsRhoAndItsConstraintAndNothingElse) {
  Random random(8);
  for (const auto& mine :
       {custom_chart("mrp", 3, ModifiedRodrigues{}), custom_chart("two columns", 6, TwoColumns{}, 3, Orthonormal{})})
    for (int k = 0; k < 20; ++k) {
      const auto R = random.rotation();
      const VectorXd theta = mine.coordinates(R);  // found by search
      EXPECT_LT(off(to_eigen(mine.rotation(theta)), to_eigen(R)), 1e-11) << mine.name();
      mine.check(theta, 1e-11);
      const auto omega = random.vec3(1);
      const auto again = mine.angular_velocity(theta, mine.rates(theta, omega));
      EXPECT_LT(off(Vector3d(omega.x, omega.y, omega.z), Vector3d(again.x, again.y, again.z)), 1e-9);
    }
}

TEST(Charts, AreFoundByName) {
  EXPECT_EQ(chart_names().size(), 29u);
  EXPECT_THROW(chart("euler-xxy"), Error);
  try {
    chart("quarternion");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("quarternion"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("axis-angle"), std::string::npos);
  }
}

TEST(Rotations, AreMadeOrthonormalAgain) {
  Random random(9);
  for (int k = 0; k < 100; ++k) {
    auto R = random.rotation();
    const Matrix3d exact = to_eigen(R);
    R.xy += 1e-4, R.zz -= 1e-4;
    const Matrix3d again = to_eigen(orthonormal(R));
    EXPECT_LT(off(again.transpose() * again, Matrix3d::Identity()), 1e-14);
    EXPECT_LT(off(again, exact), 2e-4);
  }
}

}  // namespace
}  // namespace lissom::test
