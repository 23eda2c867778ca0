// Motion subspaces of sparse types against dense ones: S as a 6×K matrix, U = I S, D = Sᵀ U, I - U D⁻¹ Uᵀ.
#include <Eigen/LU>

#include "dense.h"

namespace lissom::test::sparse {
namespace {

template <class T>
class Sparse : public ::testing::Test {};
TYPED_TEST_SUITE(Sparse, EveryKindOfScalar);
constexpr int times = 20;

V6 unit(bool turn, Axis axis) {
  return V6::Unit((turn ? 0 : 3) + int(axis));
}

// Checks every operation of the algorithms with a one-component subspace.
template <class T, class Subspace>
void check_axis(Subspace s, const V6& dense, Make<T>& make) {
  const auto v = make.motion(), a = make.motion();
  const auto f = make.force();
  const auto I = make.articulated();
  const auto b = make.rigid();
  const T rate = make.scalar();
  const auto r = [&](int i) { return in_lane(rate, i); };
  EXPECT_EQUAL_IN_LANES(T, as_motion<T>(s), dense);
  EXPECT_EQUAL_IN_LANES(T, v + s * rate, in_lane(v, lane) + r(lane) * dense);
  EXPECT_EQUAL_IN_LANES(T, a + cross(v, s * rate), in_lane(a, lane) + motion_cross(in_lane(v, lane)) * dense * r(lane));
  EXPECT_EQUAL_IN_LANES(T, cross(v, s), motion_cross(in_lane(v, lane)) * dense);
  in_lanes<T>([&](int i) { EXPECT_TRUE(close(in_lane(dot(s, f), i), dense.dot(in_lane(f, i)), rounding<T>)); });
  EXPECT_EQUAL_IN_LANES(T, composite<T>(b) * s, in_lane(b, 0) * dense);
  const Pose<T> X{make.rotation(), make.vec3()};
  EXPECT_EQUAL_IN_LANES(T, to_world(X, s), in_lane(to_world(X, as_motion<T>(s)), lane));

  const auto U = I * s;
  EXPECT_EQUAL_IN_LANES(T, (static_cast<const Force<T>&>(U)), in_lane(I, lane) * dense);
  const T D = inverse(dot(s, U));
  const Force<T> W = U * D;
  const auto left = I - outer(U, W);
  const auto exact = [&](int i) {
    const V6 u = in_lane(I, i) * dense;
    return M6(in_lane(I, i) - u * u.transpose() / dense.dot(u));
  };
  EXPECT_EQUAL_IN_LANES(T, left, exact(lane));
}

TYPED_TEST(Sparse, TurningAboutAndSlidingAlongAnAxis) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    check_axis<T>(AxisTurn<Axis::x>{}, unit(true, Axis::x), make);
    check_axis<T>(AxisTurn<Axis::y>{}, unit(true, Axis::y), make);
    check_axis<T>(AxisTurn<Axis::z>{}, unit(true, Axis::z), make);
    check_axis<T>(AxisSlide<Axis::x>{}, unit(false, Axis::x), make);
    check_axis<T>(AxisSlide<Axis::y>{}, unit(false, Axis::y), make);
    check_axis<T>(AxisSlide<Axis::z>{}, unit(false, Axis::z), make);
  }
}

template <Axis A, class T>
void check_turn_free_transform(Make<T>& make) {
  const auto I = make.articulated();
  const auto U = I * AxisTurn<A>{};
  const Force<T> W = U * inverse(dot(AxisTurn<A>{}, U));
  const auto left = I - outer(U, W);
  const auto turn = sincos(make.scalar(3));
  const auto p = make.vec3();
  const Transform X{AxisRotation<A, T>{turn.sin, turn.cos}, p};
  in_lanes<T>([&](int i) {
    const double c = in_lane(turn.cos, i), s = in_lane(turn.sin, i);
    const V3 axis = V3::Unit(int(A));
    const M3 R = c * M3::Identity() + s * skew_of(axis) + (1 - c) * axis * axis.transpose();
    const M6 dense = motion_transform(R, in_lane(p, i));
    EXPECT_TRUE(close(in_lane(X.to_parent(left), i), dense.transpose() * in_lane(left, i) * dense, rounding<T>));
  });
}
TYPED_TEST(Sparse, InertiaBeyondAFreelyTurningAxisIsCarriedToTheParent) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    check_turn_free_transform<Axis::x, T>(make);
    check_turn_free_transform<Axis::y, T>(make);
    check_turn_free_transform<Axis::z, T>(make);
  }
}

TYPED_TEST(Sparse, AllTurns) {
  using T = TypeParam;
  Eigen::Matrix<double, 6, 3> S = Eigen::Matrix<double, 6, 3>::Zero();
  S.topRows<3>().setIdentity();
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto v = make.motion(), a = make.motion();
    const auto f = make.force();
    const auto I = make.articulated();
    const auto rate = make.vec3();
    EXPECT_EQUAL_IN_LANES(T, v + AllTurns{} * rate, in_lane(v, lane) + S * in_lane(rate, lane));
    EXPECT_EQUAL_IN_LANES(T, cross(v, AllTurns{} * rate), motion_cross(in_lane(v, lane)) * S * in_lane(rate, lane));
    EXPECT_EQUAL_IN_LANES(T, dot(AllTurns{}, f), S.transpose() * in_lane(f, lane));
    const auto U = I * AllTurns{};
    const auto D = inverse(dot(AllTurns{}, U));
    const auto W = U * D;
    const auto u = [&](int i) { return Eigen::Matrix<double, 6, 3>(in_lane(I, i) * S); };
    const auto w = [&](int i) { return Eigen::Matrix<double, 6, 3>(u(i) * (S.transpose() * u(i)).inverse()); };
    EXPECT_EQUAL_IN_LANES(T, U * rate, u(lane) * in_lane(rate, lane));
    EXPECT_EQUAL_IN_LANES(T, I - outer(U, W), in_lane(I, lane) - u(lane) * w(lane).transpose());
    std::array<Force<T>, 3> buffer{};
    TurnsGain<T> gain{buffer.data()};
    gain = W;
    EXPECT_EQUAL_IN_LANES(T, dot(gain, a), w(lane).transpose() * in_lane(a, lane));
  }
}

TYPED_TEST(Sparse, AllMotions) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    const auto a = make.motion();
    const auto f = make.force();
    const auto I = make.articulated();
    const auto U = I * AllMotions{};
    EXPECT_EQUAL_IN_LANES(T, AllMotions{} * a, in_lane(a, lane));
    EXPECT_EQUAL_IN_LANES(T, dot(AllMotions{}, f), in_lane(f, lane));
    EXPECT_EQUAL_IN_LANES(T, U * a, in_lane(I, lane) * in_lane(a, lane));
    const auto D = inverse(dot(AllMotions{}, U));
    EXPECT_EQUAL_IN_LANES(T, D * f, in_lane(I, lane).inverse() * in_lane(f, lane));
    EXPECT_EQUAL_IN_LANES(T, dot(WholeGain{}, a), in_lane(a, lane));
    static_assert(std::is_same_v<decltype(I - outer(U, U * D)), NoInertia>);
    ArticulatedInertia<T> sum = I;
    gather(sum, NoInertia{}, false);
    EXPECT_EQUAL_IN_LANES(T, sum, in_lane(I, lane));
    gather(sum, NoInertia{}, true);
    EXPECT_EQUAL_IN_LANES(T, sum, M6::Zero());
  }
}

template <int K, class T>
void check_columns(Make<T>& make) {
  using S = Number<T>;
  MotionColumns<K, S> s;
  Eigen::Matrix<double, 6, K> dense;
  for (int k = 0; k < K; ++k) {
    s.column[std::size_t(k)] = {cast<S>(make.random.vec3(1)), cast<S>(make.random.vec3(1))};
    dense.col(k) = in_lane(s.column[std::size_t(k)], 0);
  }
  Coordinates<K, T> rate;
  for (auto& e : rate.e) e = make.scalar();
  const auto r = [&](int i) {
    Eigen::Matrix<double, K, 1> x;
    for (int k = 0; k < K; ++k) x[k] = in_lane(rate.e[std::size_t(k)], i);
    return x;
  };
  const auto list = [](const Coordinates<K, T>& c, int i) {
    Eigen::Matrix<double, K, 1> x;
    for (int k = 0; k < K; ++k) x[k] = in_lane(c.e[std::size_t(k)], i);
    return x;
  };
  const auto I = make.articulated();
  const auto f = make.force();
  const auto a = make.motion();
  EXPECT_EQUAL_IN_LANES(T, s * rate, dense * r(lane));
  in_lanes<T>([&](int i) { EXPECT_TRUE(close(list(dot(s, f), i), dense.transpose() * in_lane(f, i), rounding<T>)); });
  const auto U = I * s;
  const auto D = inverse(plus_diagonal(dot(s, U), S(0.5)));
  const auto W = U * D;
  in_lanes<T>([&](int i) {
    const double loose = 100 * rounding<T>;  // through the inverse of D
    const Eigen::Matrix<double, 6, K> u = in_lane(I, i) * dense;
    const Eigen::Matrix<double, K, K> d =
        (dense.transpose() * u + 0.5 * Eigen::Matrix<double, K, K>::Identity()).inverse();
    EXPECT_TRUE(close(in_lane(U * rate, i), u * r(i), rounding<T>));
    EXPECT_TRUE(close(list(D * rate, i), d * r(i), loose));
    EXPECT_TRUE(close(in_lane(I - outer(U, W), i), in_lane(I, i) - u * d * u.transpose(), loose));
    std::array<Force<T>, K> buffer{};
    ColumnsGain<K, T> gain{buffer.data()};
    gain = W;
    EXPECT_TRUE(close(list(dot(gain, a), i), d * u.transpose() * in_lane(a, i), loose));
  });
}
TYPED_TEST(Sparse, ColumnsOfConstants) {
  using T = TypeParam;
  for (int k = 0; k < times; ++k) {
    Make<T> make(k);
    check_columns<1, T>(make);
    check_columns<2, T>(make);
    check_columns<3, T>(make);
  }
}

}  // namespace
}  // namespace lissom::test::sparse
