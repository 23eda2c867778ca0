// Dual numbers: their slope is the derivative.
#include "lissom/math/dual.h"

#include <cmath>

#include <gtest/gtest.h>

#include "lissom/math/sincos.h"

namespace lissom {
namespace {

using D = Dual<double>;
static_assert(Scalar<D> && Scalar<Dual<Lanes<double, 4>>> && Scalar<double> && Scalar<float>);

// f'(x) by differences over h and 2h, against the slope.
template <class F>
void expect_derivative(const F& f, double x) {
  const double h = 1e-3;
  const auto at = [&](double t) { return f(D(t)).value; };
  const double expected = (8 * (at(x + h) - at(x - h)) - (at(x + 2 * h) - at(x - 2 * h))) / (12 * h);
  const D found = f(D(x, 1));
  EXPECT_NEAR(found.slope, expected, 1e-9 * (1 + std::abs(expected))) << "at " << x;
  EXPECT_EQ(found.value, f(D(x)).value);
  // Twice the slope of the argument gives twice the slope of the result.
  EXPECT_NEAR(f(D(x, 2)).slope, 2 * found.slope, 1e-12 * (1 + std::abs(expected)));
  // The same holds in lanes, with another slope in each.
  using L = Lanes<double, 4>;
  L slope(0.0);
  for (int i = 0; i < 4; ++i) slope.set(i, i - 1.0);
  const auto lanes = f(Dual<L>(L(x), slope));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(lanes.slope[i], (i - 1) * found.slope, 1e-12 * (1 + std::abs(expected)));
}

TEST(Dual, RulesOfDifferentiation) {
  for (const double x : {-1.7, -0.4, 0.3, 1.1, 2.6}) {
    expect_derivative([](auto a) { return a * a + 3.0 * a - 2.0; }, x);
    expect_derivative([](auto a) { return 2.0 - a; }, x);
    expect_derivative([](auto a) { return a - 2.0; }, x);
    expect_derivative([](auto a) { return -a; }, x);
    expect_derivative([](auto a) { return (a + 2.0) / (a * a + 1.0); }, x);
    expect_derivative([](auto a) { return 1.0 / (a + 5.0); }, x);
    expect_derivative([](auto a) { return a / 5.0; }, x);
    expect_derivative([](auto a) { return sqrt(a * a + 1.0); }, x);
    expect_derivative([](auto a) { return abs(a) * a; }, x);
    expect_derivative([](auto a) { return atan2(a, a + 4.0); }, x);
    expect_derivative([](auto a) { return atan2(a * a - 1.0, a - 0.7); }, x);
    expect_derivative([](auto a) { return sincos(a).sin * sincos(2.0 * a).cos; }, x);
    expect_derivative([](auto a) { return select(a < zero<decltype(a)>(), a * a, 3.0 * a); }, x);
    expect_derivative([](auto a) { return inverse(a); }, x);
    expect_derivative(
        [](auto a) {
          auto b = a;
          b += a * a, b -= one<decltype(a)>(), b *= a;
          return b;
        },
        x);
  }
}

TEST(Dual, ComparesValues) {
  EXPECT_TRUE(D(1, 5) < D(2, -5));
  EXPECT_TRUE(D(2, 0) > D(1, 9));
  EXPECT_TRUE(D(1, 5) <= D(1, 2));
  EXPECT_TRUE(D(1, 2) >= D(1, 5));
}

}  // namespace
}  // namespace lissom
