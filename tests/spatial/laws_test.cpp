// The laws of spatial algebra (RBDA chapter 2), on every kind of scalar, against dense 6×6 arithmetic.
#include "dense.h"
#include "lissom/api/eigen.h"

namespace lissom::test {
namespace {

template <class T>
class SpatialLaws : public ::testing::Test {};
TYPED_TEST_SUITE(SpatialLaws, EveryKindOfScalar);

constexpr int times = 50;

TYPED_TEST(SpatialLaws, CrossProductsAreTheirMatrices) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto v = make.motion(), m = make.motion();
    const auto f = make.force();
    EXPECT_EQUAL_IN_LANES(T, cross(v, m), motion_cross(in_lane(v, lane)) * in_lane(m, lane));
    EXPECT_EQUAL_IN_LANES(T, cross(v, f), force_cross(in_lane(v, lane)) * in_lane(f, lane));
    // (v×)ᵀ = -v×*: the power of f on v × m is that of -(v ×* f) on m
    in_lanes<T>([&](int i) {
      EXPECT_TRUE(close(in_lane(dot(f, cross(v, m)), i), -in_lane(dot(cross(v, f), m), i), rounding<T>));
    });
    EXPECT_EQUAL_IN_LANES(T, cross(v, v), V6::Zero());
    EXPECT_EQUAL_IN_LANES(T, v + m, in_lane(v, lane) + in_lane(m, lane));
    EXPECT_EQUAL_IN_LANES(T, v - m, in_lane(v, lane) - in_lane(m, lane));
    EXPECT_EQUAL_IN_LANES(T, -v, -in_lane(v, lane));
  }
}

TYPED_TEST(SpatialLaws, JacobiIdentity) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto u = make.motion(), v = make.motion(), m = make.motion();
    const auto f = make.force();
    const auto sum = cross(u, cross(v, m)) + cross(v, cross(m, u)) + cross(m, cross(u, v));
    EXPECT_EQUAL_IN_LANES(T, sum, V6::Zero());
    const auto force_sum = cross(u, cross(v, f)) - cross(v, cross(u, f)) - cross(cross(u, v), f);
    EXPECT_EQUAL_IN_LANES(T, force_sum, V6::Zero());
  }
}

TYPED_TEST(SpatialLaws, TransformsCarryMotionsForcesAndTheirProducts) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto R = make.rotation();
    const auto p = make.vec3();
    const Transform X{MatrixRotation<T>{R}, p};
    const auto v = make.motion(), m = make.motion();
    const auto f = make.force();
    const auto dense = [&](int i) { return motion_transform(in_lane(R, i), in_lane(p, i)); };
    EXPECT_EQUAL_IN_LANES(T, X.to_child(v), dense(lane) * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, X.to_parent(f), dense(lane).transpose() * in_lane(f, lane));
    // X (v × m) = X v × X m
    EXPECT_EQUAL_IN_LANES(T, X.to_child(cross(v, m)), in_lane(cross(X.to_child(v), X.to_child(m)), lane));
    // The power of a force does not depend on the frame.
    in_lanes<T>([&](int i) {
      EXPECT_TRUE(close(in_lane(dot(X.to_parent(f), v), i), in_lane(dot(f, X.to_child(v)), i), rounding<T>));
    });
    // The inverse is the transform of the inverse pose.
    const Pose<T> pose{R, p}, back = inverse(pose);
    const Transform X_inverse{MatrixRotation<T>{back.R}, back.p};
    EXPECT_EQUAL_IN_LANES(T, X_inverse.to_child(X.to_child(v)), in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, X.to_parent(X_inverse.to_parent(f)), in_lane(f, lane));
    EXPECT_EQUAL_IN_LANES(T, (pose * back).p, V3::Zero());
    EXPECT_EQUAL_IN_LANES(T, (pose * back).R, M3::Identity());
    EXPECT_EQUAL_IN_LANES(T, pose * (back * p), in_lane(p, lane));
    // Expressed in the world: the inverse transform.
    EXPECT_EQUAL_IN_LANES(T, to_world(pose, v), in_lane(X_inverse.to_child(v), lane));
    EXPECT_EQUAL_IN_LANES(T, to_world(pose, f), in_lane(X.to_parent(f), lane));
    // A pose times a transform.
    const Pose<T> parent{make.rotation(), make.vec3()};
    EXPECT_EQUAL_IN_LANES(T, (parent * X).R, in_lane(parent.R, lane) * in_lane(R, lane));
    EXPECT_EQUAL_IN_LANES(T, (parent * X).p, in_lane(parent * p, lane));
  }
}

TYPED_TEST(SpatialLaws, RotationsOfEveryKindAreTheirMatrices) {
  using T = TypeParam;
  const auto check = [](auto rotation, const auto& R, Make<T>& make) {
    const auto v = make.vec3();
    const auto s = make.positive();
    const auto m = make.mat3();
    const auto I = make.articulated();
    EXPECT_EQUAL_IN_LANES(T, rotation.to_child(v), R(lane).transpose() * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, rotation.to_parent(v), R(lane) * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, rotation.to_parent(s), R(lane) * in_lane(s, lane) * R(lane).transpose());
    EXPECT_EQUAL_IN_LANES(T, rotation.to_parent(m), R(lane) * in_lane(m, lane) * R(lane).transpose());
    in_lanes<T>([&](int i) {
      M6 E = M6::Zero();
      E.topLeftCorner<3, 3>() = E.bottomRightCorner<3, 3>() = R(i);
      EXPECT_TRUE(close(in_lane(rotation.to_parent(I), i), E * in_lane(I, i) * E.transpose(), rounding<T>));
    });
  };
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto matrix = make.rotation(), other = make.rotation();
    check(NoRotation{}, [](int) { return M3(M3::Identity()); }, make);
    check(MatrixRotation<T>{matrix}, [&](int i) { return in_lane(matrix, i); }, make);
    check(
        Composed{MatrixRotation<T>{matrix}, MatrixRotation<T>{other}},
        [&](int i) { return M3(in_lane(matrix, i) * in_lane(other, i)); }, make);
    const auto turn = sincos(make.scalar(3));
    const auto about = [&](const V3& axis) {
      return [&turn, axis](int i) {
        const double c = in_lane(turn.cos, i), s = in_lane(turn.sin, i);
        return M3(c * M3::Identity() + s * skew_of(axis) + (1 - c) * axis * axis.transpose());
      };
    };
    check(AxisRotation<Axis::x, T>{turn.sin, turn.cos}, about(V3::UnitX()), make);
    check(AxisRotation<Axis::y, T>{turn.sin, turn.cos}, about(V3::UnitY()), make);
    check(AxisRotation<Axis::z, T>{turn.sin, turn.cos}, about(V3::UnitZ()), make);
  }
}

TYPED_TEST(SpatialLaws, InertiasAreTheirMatrices) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto b = make.rigid();
    const auto I = make.articulated();
    const auto v = make.motion(), a = make.motion();
    const auto R = make.rotation();
    const auto p = make.vec3();
    const Transform X{MatrixRotation<T>{R}, p};
    const M6 body = in_lane(b, 0);
    const auto dense = [&](int i) { return motion_transform(in_lane(R, i), in_lane(p, i)); };

    EXPECT_EQUAL_IN_LANES(T, b * v, body * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, I * v, in_lane(I, lane) * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, ArticulatedInertia<T>(b), body);
    EXPECT_EQUAL_IN_LANES(T, (composite<T>(b)), body);
    EXPECT_EQUAL_IN_LANES(T, I + b, in_lane(I, lane) + body);
    EXPECT_EQUAL_IN_LANES(T, (composite<T>(b) + b), 2 * body);
    // v ×* I v, and the equation of motion
    const auto bias = [&](int i) { return V6(force_cross(in_lane(v, i)) * body * in_lane(v, i)); };
    EXPECT_EQUAL_IN_LANES(T, bias_force(b, v), bias(lane));
    EXPECT_EQUAL_IN_LANES(T, newton_euler(b, v, a), body * in_lane(a, lane) + bias(lane));
    // Xᵀ I X
    EXPECT_EQUAL_IN_LANES(T, X.to_parent(composite<T>(b)), dense(lane).transpose() * body * dense(lane));
    EXPECT_EQUAL_IN_LANES(T, X.to_parent(I), dense(lane).transpose() * in_lane(I, lane) * dense(lane));
    // A sum over children starts with the first.
    auto sum = composite<T>(b);
    gather(sum, X.to_parent(composite<T>(b)), false);
    EXPECT_EQUAL_IN_LANES(T, sum, body + dense(lane).transpose() * body * dense(lane));
    gather(sum, composite<T>(b), true);
    EXPECT_EQUAL_IN_LANES(T, sum, body);
  }
}

// B = ½ (v×* I - I v× + (I v)×̄*) for a rigid body (Echeandia and Wensing): here from its definition Σ m Jᵀ J̇.
TYPED_TEST(SpatialLaws, BodyCoriolisIsTheMatrixB) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    // The body consists of mass points.
    RigidInertia<Number<T>> b{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    std::vector<std::pair<double, V3>> points;
    double mass = 0;
    V3 h = V3::Zero();
    M3 second = M3::Zero();
    for (int n = 0; n < 5; ++n) {
      const double m = make.random.uniform(0.1, 1);
      const V3 x = to_eigen(make.random.vec3(1));
      points.emplace_back(m, x);
      mass += m, h += m * x, second += m * (x.squaredNorm() * M3::Identity() - x * x.transpose());
    }
    b.mass = Number<T>(mass);
    b.h = cast<Number<T>>(Vec3(h.x(), h.y(), h.z()));
    b.I = cast<Number<T>>(Sym3(second(0, 0), second(0, 1), second(0, 2), second(1, 1), second(1, 2), second(2, 2)));
    const auto v = make.motion(), s = make.motion();
    const auto B = body_coriolis(b, v);
    const auto exact = [&](int i) {
      // J = (-x×, 1) and, with the velocity ẋ = v + ω × x of the point, J̇ = (-ẋ×, 0).
      M6 sum = M6::Zero();
      for (const auto& [m, x] : points) {
        const V3 speed = in_lane(v.linear, i) + in_lane(v.angular, i).cross(x);
        Eigen::Matrix<double, 3, 6> J, J_dot;
        J << -skew_of(x), M3::Identity();
        J_dot << -skew_of(speed), M3::Zero();
        sum += m * J.transpose() * J_dot;
      }
      return sum;
    };
    EXPECT_EQUAL_IN_LANES(T, B, exact(lane));
    EXPECT_EQUAL_IN_LANES(T, B * s, exact(lane) * in_lane(s, lane));
    EXPECT_EQUAL_IN_LANES(T, transpose_times(B, s), exact(lane).transpose() * in_lane(s, lane));
    const auto R = make.rotation();
    const auto p = make.vec3();
    const Transform X{MatrixRotation<T>{R}, p};
    EXPECT_EQUAL_IN_LANES(T, X.to_parent(B),
                          motion_transform(in_lane(R, lane), in_lane(p, lane)).transpose() * exact(lane) *
                              motion_transform(in_lane(R, lane), in_lane(p, lane)));
    EXPECT_EQUAL_IN_LANES(T, B + B, 2 * exact(lane));
  }
}

TYPED_TEST(SpatialLaws, SmallMatrices) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto u = make.vec3(), v = make.vec3();
    const auto m = make.mat3(), n = make.mat3();
    const auto s = make.positive();
    EXPECT_EQUAL_IN_LANES(T, cross(u, v), in_lane(u, lane).cross(in_lane(v, lane)));
    EXPECT_EQUAL_IN_LANES(T, plus_cross(u, v, u), in_lane(u, lane) + in_lane(v, lane).cross(in_lane(u, lane)));
    EXPECT_EQUAL_IN_LANES(T, m * n, in_lane(m, lane) * in_lane(n, lane));
    EXPECT_EQUAL_IN_LANES(T, m * v, in_lane(m, lane) * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, transpose_times(m, v), in_lane(m, lane).transpose() * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, s * v, in_lane(s, lane) * in_lane(v, lane));
    EXPECT_EQUAL_IN_LANES(T, outer(u, v), in_lane(u, lane) * in_lane(v, lane).transpose());
    EXPECT_EQUAL_IN_LANES(T, skew(u) * v, in_lane(u, lane).cross(in_lane(v, lane)));
    EXPECT_EQUAL_IN_LANES(T, skew(axial(m)), in_lane(m, lane) - in_lane(m, lane).transpose());
    EXPECT_EQUAL_IN_LANES(T, full(s) * full(inverse(s)), M3::Identity());
    EXPECT_EQUAL_IN_LANES(T, congruence(m, s), in_lane(m, lane) * in_lane(s, lane) * in_lane(m, lane).transpose());
    const auto w = make.vec3(), d = make.vec3();
    EXPECT_EQUAL_IN_LANES(T, acceleration_gradient(w, d),
                          skew_of(in_lane(d, lane)) + skew_of(in_lane(w, lane)) * skew_of(in_lane(w, lane)));
  }
}

}  // namespace
}  // namespace lissom::test
