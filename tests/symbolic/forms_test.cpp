// The parts of closed forms: exact numbers, normal forms of polynomials, the shortest forms of sines and cosines.
#include <random>

#include "close.h"
#include "lissom/symbolic/coefficient.h"
#include "lissom/symbolic/expression.h"
#include "lissom/symbolic/polynomial.h"
#include "lissom/symbolic/terms.h"
#include "lissom/symbolic/trigonometry.h"

namespace lissom::symbolic {
namespace {

TEST(Coefficient, RecognizesSmallFractions) {
  EXPECT_EQ(Coefficient::recognized(0.1 * 3), Coefficient(3, 10));
  EXPECT_EQ(Coefficient::recognized(-1.0 / 3), Coefficient(-1, 3));
  EXPECT_EQ(Coefficient::recognized(0), Coefficient(0));
  EXPECT_EQ(Coefficient::recognized(9.81), Coefficient(981, 100));
  EXPECT_FALSE(Coefficient::recognized(std::sqrt(0.5)).is_exact());
  EXPECT_FALSE(Coefficient::recognized(0.0833333333).is_exact());  // ten digits are not a twelfth
  EXPECT_FALSE(Coefficient::recognized(6e-17).is_exact());
  EXPECT_EQ(Coefficient::recognized(0.0833333333).value(), 0.0833333333);
}

TEST(Coefficient, CalculatesExactlyAndFallsBackToDoubles) {
  EXPECT_EQ(Coefficient(1, 3) + Coefficient(1, 6), Coefficient(1, 2));
  EXPECT_EQ(Coefficient(2, 3) * Coefficient(3, 4), Coefficient(1, 2));
  EXPECT_EQ(Coefficient(1, 2) / Coefficient(-3), Coefficient(-1, 6));
  Coefficient huge(99'991);
  for (int i = 0; i < 5; ++i) huge = huge * huge;
  EXPECT_FALSE(huge.is_exact());
  EXPECT_NEAR(huge.value() / std::pow(99'991.0, 32), 1, 1e-13);
  const auto root = Coefficient::recognized(std::sqrt(2.0)),
             other = Coefficient::recognized(std::sqrt(2.0) * (1 + 1e-15));
  EXPECT_TRUE((root - other).is_zero());  // what is left is rounding
}

TEST(Numbers, ArePrintedAsTextbooksDo) {
  EXPECT_EQ(number_text({1, 2}, 6), "½");
  EXPECT_EQ(number_text({-7, 2}, 6), "7/2");
  EXPECT_EQ(number_text({3, 10}, 6), "0.3");
  EXPECT_EQ(number_text({981, 100}, 6), "9.81");
  EXPECT_EQ(number_text(Coefficient::recognized(0.123456789), 6), "0.123457");
  EXPECT_EQ(number_latex({7, 2}, 6), "\\tfrac{7}{2}");
  EXPECT_EQ(number_latex(Coefficient::recognized(7.128e-05), 6), "7.128 \\cdot 10^{-5}");
}

TEST(Polynomials, AreInNormalForm) {
  Arena arena(10'000);
  const ArenaScope scope(arena);
  const auto q = arena.variable(arena.symbol_atom(0));
  const auto [s, c] = sincos(q);
  EXPECT_TRUE((s * s + c * c - Polynomial(1)).is_zero());
  EXPECT_TRUE((s * s * s - s + c * c * s).is_zero());
  const auto minus = sincos(-q);
  EXPECT_TRUE((minus.sin + s).is_zero() && (minus.cos - c).is_zero());
  EXPECT_TRUE((q * Polynomial(0)).is_zero());
  EXPECT_FALSE((q * q - Polynomial(1)).is_zero());
}

TEST(Polynomials, OfUnitQuaternionsAreReduced) {
  Arena arena(10'000);
  const ArenaScope scope(arena);
  Atom atoms[4];
  Polynomial e[4];
  for (int i = 0; i < 4; ++i) atoms[i] = arena.symbol_atom(i), e[i] = arena.variable(atoms[i]);
  arena.make_unit_quaternion(atoms[0], atoms[1], atoms[2], atoms[3]);
  const auto norm = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
  EXPECT_TRUE((norm - Polynomial(1)).is_zero());
  EXPECT_TRUE((norm * norm * e[0] - e[0]).is_zero());
}

TEST(Polynomials, StopWhereTheyGrowTooLong) {
  Arena arena(1000);
  const ArenaScope scope(arena);
  Polynomial sum = 1;
  for (int i = 0; i < 8; ++i) sum += arena.variable(arena.symbol_atom(i));
  EXPECT_THROW(sum * sum * sum * sum, TooManyTerms);
}

double value(const TrigSum& sum, const std::vector<double>& q) {
  double total = 0;
  for (const auto& [product, c] : sum) {
    double term = c.value();
    for (const auto& power : product) {
      double angle = 0;
      for (std::size_t i = 0; i < q.size(); ++i) angle += power.of.multiples[i] * q[i];
      term *= std::pow(power.of.sine ? std::sin(angle) : std::cos(angle), power.exponent);
    }
    total += term;
  }
  return total;
}

TEST(Trigonometry, FindsSumsOfAngles) {
  const ParallelAxes axes{{-1, 0}, {1, 1}};
  // c1 c2 - s1 s2 + 3 c1
  const auto sum = shortest_form({{{0, 1, 0, 1}, 1}, {{1, 0, 1, 0}, -1}, {{0, 1, 0, 0}, 3}}, axes);
  const TrigSum expected{{{{{{1, 1}, false}, 1}}, 1}, {{{{{1, 0}, false}, 1}}, 3}};
  EXPECT_EQ(sum, expected);
  // 1 - c1² = s1²
  EXPECT_EQ(shortest_form({{{0, 0, 0, 0}, 1}, {{0, 2, 0, 0}, -1}}, axes), (TrigSum{{{{{{1, 0}, true}, 2}}, 1}}));
}

TEST(Trigonometry, FindsPowersOfSumsOfAngles) {
  // (c1 c2 ∓ s1 s2)², reduced; the axes are parallel, or opposite.
  for (const int sign : {1, -1}) {
    const ParallelAxes axes{{-1, 0}, {1, sign}};
    const TrigPolynomial square{
        {{0, 2, 0, 2}, 2}, {{1, 1, 1, 1}, -2 * sign}, {{0, 0, 0, 0}, 1}, {{0, 2, 0, 0}, -1}, {{0, 0, 0, 2}, -1}};
    EXPECT_EQ(shortest_form(square, axes), (TrigSum{{{{{{1, sign}, false}, 2}}, 1}}));
  }
}

TEST(Trigonometry, FormsHaveTheSameValue) {
  std::mt19937 random(7);
  const auto any = [&](int count) { return int(random() % unsigned(count)); };
  for (int k = 0; k < 500; ++k) {
    const std::size_t n = 1 + unsigned(any(4));
    ParallelAxes axes{std::vector<int>(n, -1), std::vector<int>(n, 1)};
    for (std::size_t i = 1; i < n; ++i)
      if (any(2) == 0) axes.before[i] = any(int(i)), axes.sign[i] = any(2) == 0 ? 1 : -1;
    TrigPolynomial polynomial;
    for (int t = 0; t < 1 + any(6); ++t) {
      Exponents e(2 * n);
      for (std::size_t i = 0; i < n; ++i) e[2 * i] = any(2), e[2 * i + 1] = any(3);
      polynomial[e] = Coefficient(1 + any(7), 1 + any(3));
    }
    std::vector<double> q(n);
    for (auto& x : q) x = any(1000) * 0.006;
    double direct = 0;
    for (const auto& [e, c] : polynomial) {
      double term = c.value();
      for (std::size_t i = 0; i < n; ++i)
        term *= std::pow(std::sin(q[i]), e[2 * i]) * std::pow(std::cos(q[i]), e[2 * i + 1]);
      direct += term;
    }
    ASSERT_TRUE(lissom::test::close(value(shortest_form(polynomial, axes), q), direct, 1e-12)) << k;
  }
}

// Terms with few different factors, so that many are common.
TEST(Factoring, KeepsTheValue) {
  using Rank = Factor::Rank;
  std::mt19937 random(11);
  const auto any = [&](int count) { return int(random() % unsigned(count)); };
  const std::vector<Angle> angles{{0, 1, 0}, {1, 1, 0}};
  std::vector<Factor> factors;
  for (int i = 0; i < 2; ++i)
    for (const auto rank : {Rank::mass, Rank::length, Rank::velocity})
      factors.push_back({rank, 2 + int(factors.size())});
  for (const bool sine : {false, true})
    for (const auto& multiples : {std::vector{1, 0}, std::vector{1, 1}})
      factors.push_back({Rank::trigonometric, -1, {multiples, sine}});
  for (int k = 0; k < 3000; ++k) {
    std::map<Factors, Coefficient> terms;
    for (int t = 0; t < 1 + any(8); ++t) {
      Factors f;
      for (int i = 0; i < any(4); ++i) f[factors[std::size_t(any(int(factors.size())))]] = 1 + any(2);
      terms[f] = Coefficient(any(2) == 0 ? 1 : 2 - 4 * any(2), 1 + any(2));
    }
    std::vector<Term> list;
    for (const auto& [f, c] : terms) list.push_back({c, f});
    std::vector<double> values(2 + 6);
    for (auto& x : values) x = 0.1 + 0.001 * any(1000);
    double direct = 0;
    for (const auto& [c, f] : list) {
      double term = c.value();
      for (const auto& [factor, exponent] : f) {
        const auto& m = factor.function.multiples;
        const double x = factor.symbol >= 0     ? values[std::size_t(factor.symbol)]
                         : factor.function.sine ? std::sin(m[0] * values[0] + m[1] * values[1])
                                                : std::cos(m[0] * values[0] + m[1] * values[1]);
        term *= std::pow(x, exponent);
      }
      direct += term;
    }
    ASSERT_TRUE(lissom::test::close(evaluate(factored(list, angles), values), direct, 1e-12)) << k;
  }
}

TEST(Factoring, FindsSquaresOfSums) {
  const auto rate = [](int i) { return Factor{Factor::Rank::velocity, i}; };
  const std::vector<Symbol> symbols{{.base = "a"}, {.base = "b"}, {.base = "c"}};
  const auto print = [&](const Factors& cross) {
    return text(factored({{1, {{rate(0), 2}}}, {2, cross}, {1, {{rate(1), 2}}}}, {}), symbols, 6);
  };
  EXPECT_EQ(print({{rate(0), 1}, {rate(1), 1}}), "(a + b)²");
  EXPECT_EQ(print({{rate(0), 1}, {rate(2), 1}}), "a² + 2 a c + b²");
}

}  // namespace
}  // namespace lissom::symbolic
