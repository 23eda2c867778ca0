// Lanes: every operation does in each lane what the plain number does.
#include "lissom/math/lanes.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "lissom/math/functions.h"
#include "lissom/math/transpose_square.h"

namespace lissom {
namespace {

template <class L>
class LanesOf : public ::testing::Test {
 public:
  static L make(double from, double step) {
    L x(Number<L>(0));
    for (int i = 0; i < lanes_of<L>; ++i) x.set(i, Number<L>(from + step * i));
    return x;
  }
  // f on lanes against g on numbers, in every lane.
  template <class F, class G>
  static void expect_same(const F& f, const G& g) {
    const L a = make(-1.3, 0.7), b = make(2.9, -0.37);
    const L found = f(a, b);
    for (int i = 0; i < lanes_of<L>; ++i) EXPECT_EQ(found[i], g(a[i], b[i])) << "lane " << i;
  }
};
using Widths = ::testing::Types<Lanes<double, 2>, Lanes<double, 4>, Lanes<double, 8>, Lanes<float, 4>, Lanes<float, 8>,
                                Lanes<float, 16>>;
TYPED_TEST_SUITE(LanesOf, Widths);

TYPED_TEST(LanesOf, ArithmeticIsThatOfNumbers) {
  using L = TypeParam;
  using S = Number<L>;
  const auto both = [](auto f) { LanesOf<L>::expect_same(f, f); };
  both([](auto a, auto b) { return a + b; });
  both([](auto a, auto b) { return a - b; });
  both([](auto a, auto b) { return a * b; });
  both([](auto a, auto b) { return a / b; });
  both([](auto a, auto) { return -a; });
  both([](auto a, auto) { return a + S(0.3); });
  both([](auto a, auto) { return S(0.3) + a; });
  both([](auto a, auto) { return a - S(0.3); });
  both([](auto a, auto) { return S(0.3) - a; });
  both([](auto a, auto) { return a * S(0.3); });
  both([](auto a, auto) { return S(0.3) * a; });
  both([](auto a, auto) { return a / S(0.3); });
  both([](auto a, auto) { return S(0.3) / a; });
  both([](auto a, auto b) { return a += b; });
  both([](auto a, auto b) { return a -= b; });
  both([](auto a, auto b) { return a *= b; });
}

TYPED_TEST(LanesOf, SquaresAreTransposed) {
  constexpr int n = lanes_of<TypeParam>;
  TypeParam x[n];
  for (int r = 0; r < n; ++r) x[r] = LanesOf<TypeParam>::make(100 * r, 1);
  transpose_square(x);
  for (int r = 0; r < n; ++r)
    for (int l = 0; l < n; ++l) EXPECT_EQ(x[r][l], 100 * l + r) << "row " << r << ", lane " << l;
}

TYPED_TEST(LanesOf, FunctionsAreThoseOfNumbers) {
  using L = TypeParam;
  const auto both = [](auto f) { LanesOf<L>::expect_same(f, f); };
  both([](auto a, auto) { return sqrt(a * a); });
  both([](auto a, auto) { return abs(a); });
  both([](auto a, auto b) { return atan2(a, b); });
  both([](auto a, auto b) { return select(a < b, a, b); });
  both([](auto a, auto b) { return select(a > b, a, b); });
  both([](auto a, auto b) { return select(a <= b, a, b); });
  both([](auto a, auto b) { return select(a >= b, a, b); });
}

TYPED_TEST(LanesOf, AbsoluteValueDropsTheSignAlsoOfZero) {
  using L = TypeParam;
  EXPECT_FALSE(std::signbit(abs(L(Number<L>(-0.0)))[0]));
  EXPECT_TRUE(std::isnan(abs(L(-std::numeric_limits<Number<L>>::quiet_NaN()))[1]));
}

TYPED_TEST(LanesOf, MasksOfOneLane) {
  using L = TypeParam;
  using S = Number<L>;
  for (int i = 0; i < lanes_of<L>; ++i) {
    L x(S(0));
    EXPECT_FALSE(any(x > L(S(1))));
    EXPECT_TRUE(all(x < L(S(1))));
    x.set(i, S(2));
    EXPECT_TRUE(any(x > L(S(1)))) << i;
    EXPECT_FALSE(all(x > L(S(1))));
    EXPECT_FALSE(all(x < L(S(1)))) << i;
    const L chosen = select(x > L(S(1)), L(S(5)), L(S(7)));
    for (int k = 0; k < lanes_of<L>; ++k) EXPECT_EQ(chosen[k], k == i ? S(5) : S(7));
  }
}

TYPED_TEST(LanesOf, ComparisonsWithNanAreFalse) {
  using L = TypeParam;
  using S = Number<L>;
  L x(S(0));
  x.set(1, std::numeric_limits<S>::quiet_NaN());
  const L chosen = select(x < L(S(1)), L(S(1)), L(S(2)));
  EXPECT_EQ(chosen[0], S(1));
  EXPECT_EQ(chosen[1], S(2));
}

TYPED_TEST(LanesOf, LoadAndStoreNeedNoAlignment) {
  using L = TypeParam;
  using S = Number<L>;
  std::vector<S> memory(std::size_t(lanes_of<L>) + 2, S(-1));
  for (int i = 0; i < lanes_of<L>; ++i) memory[std::size_t(i) + 1] = S(i);
  const L x = L::load(&memory[1]);
  for (int i = 0; i < lanes_of<L>; ++i) EXPECT_EQ(x[i], S(i));
  (x + S(1)).store(&memory[1]);
  EXPECT_EQ(memory.front(), S(-1));
  EXPECT_EQ(memory.back(), S(-1));
  EXPECT_EQ(memory[2], S(2));
  EXPECT_EQ(lane_numbers<L>()[1], 1);
  EXPECT_EQ((load<S>(&memory[1])), S(1));
  EXPECT_EQ((load<L>(&memory[1]))[1], S(2));
}

TYPED_TEST(LanesOf, ANumberIsBroadcast) {
  using L = TypeParam;
  for (const double x : {-0.0, 3.25, std::numeric_limits<double>::infinity()}) {
    const L lanes(x);
    for (int i = 0; i < lanes_of<L>; ++i) EXPECT_EQ(lanes[i], Number<L>(x));
  }
  for (int i = 0; i < lanes_of<L>; ++i) EXPECT_EQ(L(3)[i], Number<L>(3));
  static_assert(Scalar<L>);
}

}  // namespace
}  // namespace lissom
