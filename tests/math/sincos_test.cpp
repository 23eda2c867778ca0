// sincos: at most 2 ulp off, in every width, over the whole range of finite arguments.
#include "lissom/math/sincos.h"

#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "largest.h"

namespace lissom {
namespace {

using test::larger;

// The distance of x from the exact value, in units of the last place of the result type.
template <class S>
double ulps(S x, long double exact) {
  const S rounded = S(exact);
  const S next = std::nextafter(std::abs(rounded), std::numeric_limits<S>::infinity());
  return double(std::abs((long double)(x)-exact) / ((long double)(next)-std::abs((long double)(rounded))));
}

template <class S>
std::vector<S> arguments() {
  std::mt19937_64 random(1);
  std::vector<S> x{0, S(-0.0), std::numeric_limits<S>::denorm_min(), std::numeric_limits<S>::min(), S(1e-20)};
  std::uniform_real_distribution<double> small(-4, 4), wide(-500, 500), large(-40000, 40000);
  std::uniform_real_distribution<double> exponent(-60, std::log(double(std::numeric_limits<S>::max())) - 1);
  for (int i = 0; i < 200000; ++i) {
    x.push_back(S(small(random)));
    x.push_back(S(wide(random)));
    x.push_back(S(large(random)));
    x.push_back(S(std::exp(exponent(random)) * (i % 2 ? 1 : -1)));
  }
  // Next to the multiples of π/2, where the reduction cancels.
  for (int k = -70000; k <= 70000; ++k) {
    const S at = S(k * (std::numbers::pi_v<long double> / 2));
    x.insert(x.end(), {at, std::nextafter(at, S(1e9)), std::nextafter(at, S(-1e9))});
  }
  while (x.size() % 16) x.push_back(1);
  return x;
}

template <class L>
class SinCosOf : public ::testing::Test {};
using Widths = ::testing::Types<Lanes<double, 2>, Lanes<double, 4>, Lanes<double, 8>, Lanes<float, 4>, Lanes<float, 8>,
                                Lanes<float, 16>>;
TYPED_TEST_SUITE(SinCosOf, Widths);

TYPED_TEST(SinCosOf, IsWithinTwoUlps) {
  using S = Number<TypeParam>;
  double worst_sin = 0, worst_cos = 0;
  const auto x = arguments<S>();
  for (std::size_t i = 0; i < x.size(); i += lanes_of<TypeParam>) {
    const auto a = sincos(TypeParam::load(&x[i]));
    for (int k = 0; k < lanes_of<TypeParam>; ++k) {
      worst_sin = larger(worst_sin, ulps(a.sin[k], std::sin((long double)x[i + k])));
      worst_cos = larger(worst_cos, ulps(a.cos[k], std::cos((long double)x[i + k])));
    }
  }
  EXPECT_LE(worst_sin, 2);
  EXPECT_LE(worst_cos, 2);
  ::testing::Test::RecordProperty("worst_sin_ulps", std::to_string(worst_sin));
  ::testing::Test::RecordProperty("worst_cos_ulps", std::to_string(worst_cos));
}

TYPED_TEST(SinCosOf, NanAndInfinityGiveNan) {
  using S = Number<TypeParam>;
  for (const S bad : {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::infinity()}) {
    TypeParam x(S(0.5));
    x.set(1, bad);
    const auto a = sincos(x);
    EXPECT_TRUE(std::isnan(a.sin[1]) && std::isnan(a.cos[1]));
    EXPECT_NEAR(double(a.sin[0]), std::sin(0.5), 1e-6);
  }
}

TEST(SinCos, OneNumberGivesTheSameAsLanes) {
  for (double x = -50; x < 50; x += 0.37) {
    EXPECT_EQ(sincos(x).sin, sincos(Lanes<double, 8>(x)).sin[3]);
    EXPECT_EQ(sincos(x).cos, sincos(Lanes<double, 8>(x)).cos[3]);
  }
}

TEST(SinCos, OfADualNumberCarriesTheSlope) {
  const auto a = sincos(Dual<double>(0.7, 2.0));
  EXPECT_DOUBLE_EQ(a.sin.slope, 2 * std::cos(0.7));
  EXPECT_DOUBLE_EQ(a.cos.slope, -2 * std::sin(0.7));
}

}  // namespace
}  // namespace lissom
