// The module math of Python 3.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "lissom/io/xacro/functions.h"
#include "lissom/io/xacro/operators.h"

namespace lissom::io::xacro {
namespace {

// What is no number, or infinite, though the arguments are finite, is an error in Python.
double checked(double result, bool finite_arguments, const std::string& function) {
  if (!finite_arguments) return result;
  if (std::isnan(result))
    fail_expression(function + "() is not defined for this argument", "check the range of the argument");
  if (std::isinf(result)) fail_expression("the result of " + function + "() is too large", "check the argument");
  return result;
}

using OneNumber = double (*)(double);
struct Named {
  const char* name;
  OneNumber function;
};
// (Lambdas, because functions of <cmath> are overloaded.)
constexpr Named functions_of_one[] = {
    {"acos", [](double x) { return std::acos(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atanh", [](double x) { return std::abs(x) == 1 ? NAN : std::atanh(x); }},
    {"cbrt", [](double x) { return std::cbrt(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"degrees", [](double x) { return x * (180 / std::numbers::pi); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"erfc", [](double x) { return std::erfc(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"fabs", [](double x) { return std::fabs(x); }},
    {"gamma", [](double x) { return x <= 0 && x == std::floor(x) ? NAN : std::tgamma(x); }},
    {"lgamma", [](double x) { return x <= 0 && x == std::floor(x) ? NAN : std::lgamma(x); }},
    {"log10", [](double x) { return x <= 0 ? NAN : std::log10(x); }},
    {"log1p", [](double x) { return x <= -1 ? NAN : std::log1p(x); }},
    {"log2", [](double x) { return x <= 0 ? NAN : std::log2(x); }},
    {"radians", [](double x) { return x * (std::numbers::pi / 180); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"ulp",
     [](double x) {
       x = std::abs(x);
       const double next = std::nextafter(x, std::numeric_limits<double>::infinity());
       return std::isinf(next) ? x - std::nextafter(x, 0.0) : next - x;
     }},
};
constexpr bool (*predicates[])(double) = {[](double x) { return static_cast<bool>(std::isfinite(x)); },
                                          [](double x) { return static_cast<bool>(std::isinf(x)); },
                                          [](double x) { return static_cast<bool>(std::isnan(x)); }};

using TwoNumbers = double (*)(double, double);
struct NamedPair {
  const char* name;
  TwoNumbers function;
};
constexpr NamedPair functions_of_two[] = {
    {"atan2", [](double y, double x) { return std::atan2(y, x); }},
    {"copysign", [](double x, double y) { return std::copysign(x, y); }},
    {"fmod", [](double x, double y) { return y == 0 ? NAN : std::fmod(x, y); }},
    {"nextafter", [](double x, double y) { return std::nextafter(x, y); }},
    {"pow", [](double x, double y) { return x == 0 && y < 0 ? NAN : std::pow(x, y); }},
    {"remainder", [](double x, double y) { return y == 0 ? NAN : std::remainder(x, y); }},
};

// With more digits than double has, so that the last one is right.
double length_of(const std::vector<double>& x) {
  long double sum = 0;
  for (const double each : x) sum += static_cast<long double>(each) * each;
  return static_cast<double>(std::sqrt(sum));
}

std::vector<double> reals(const Values& values, const std::string& function) {
  std::vector<double> out;
  for (const Value& value : values) {
    if (!value.is_number())
      fail_expression(function + "() has a value of type " + type_name(value) + ", expected numbers");
    out.push_back(value.real());
  }
  return out;
}

// The exact sum, rounded once: Shewchuk's partial sums, which do not overlap.
double exact_sum(const std::vector<double>& x) {
  std::vector<double> partials;
  for (double each : x) {
    std::size_t kept = 0;
    for (double partial : partials) {
      if (std::abs(each) < std::abs(partial)) std::swap(each, partial);
      const double high = each + partial;
      const double low = partial - (high - each);
      if (low != 0) partials[kept++] = low;
      each = high;
    }
    partials.resize(kept);
    partials.push_back(each);
  }
  long double sum = 0;
  for (auto partial = partials.rbegin(); partial != partials.rend(); ++partial) sum += *partial;
  return static_cast<double>(sum);
}

std::int64_t factorial(std::int64_t n) {
  if (n < 0) fail_expression("factorial() of a negative number");
  if (n > 20) fail_overflow();
  std::int64_t product = 1;
  for (std::int64_t i = 2; i <= n; ++i) product *= i;
  return product;
}

// n! / (n - k)!, divided by k! on the way for the number of combinations.
std::int64_t arrangements(std::int64_t n, std::int64_t k, bool ordered) {
  if (n < 0 || k < 0) fail_expression("the number of arrangements of a negative number");
  if (k > n) return 0;
  if (!ordered) k = std::min(k, n - k);
  if (k > 70) fail_overflow();
  __extension__ __int128 product = 1;
  for (std::int64_t i = 0; i < k; ++i) {
    product *= n - i;
    if (!ordered) product /= i + 1;
    if (product > std::numeric_limits<std::int64_t>::max()) fail_overflow();
  }
  return static_cast<std::int64_t>(product);
}

std::int64_t integer_root(std::int64_t n) {
  if (n < 0) fail_expression("isqrt() of a negative number");
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<long double>(n)));
  while (root * root > n) --root;
  return root;
}

void add_rounding(Symbols& symbols) {
  const auto whole = [&](const std::string& name, double (*function)(double)) {
    symbols[name] = make_function(name, [name, function](Call& call) -> Value {
      expect_arguments(call, name, 1, 1);
      if (call.positional[0].is_integer()) return call.positional[0].integer();
      return to_integer(function(real_argument(call, 0, name)));
    });
  };
  whole("ceil", [](double x) { return std::ceil(x); });
  whole("floor", [](double x) { return std::floor(x); });
  whole("trunc", [](double x) { return std::trunc(x); });
  symbols["modf"] = make_function("modf", [](Call& call) {
    expect_arguments(call, "modf", 1, 1);
    double part = 0;
    const double rest = std::modf(real_argument(call, 0, "modf"), &part);
    return make_tuple({rest, part}, call.budget);
  });
  symbols["frexp"] = make_function("frexp", [](Call& call) {
    expect_arguments(call, "frexp", 1, 1);
    int exponent = 0;
    const double mantissa = std::frexp(real_argument(call, 0, "frexp"), &exponent);
    return make_tuple({mantissa, exponent}, call.budget);
  });
  symbols["ldexp"] = make_function("ldexp", [](Call& call) -> Value {
    expect_arguments(call, "ldexp", 2, 2);
    const auto exponent = std::clamp<std::int64_t>(integer_argument(call, 1, "ldexp"), -10'000, 10'000);
    return checked(std::ldexp(real_argument(call, 0, "ldexp"), static_cast<int>(exponent)),
                   std::isfinite(real_argument(call, 0, "ldexp")), "ldexp");
  });
}

void add_integers(Symbols& symbols) {
  symbols["factorial"] = make_function("factorial", [](Call& call) -> Value {
    expect_arguments(call, "factorial", 1, 1);
    return factorial(integer_argument(call, 0, "factorial"));
  });
  symbols["isqrt"] = make_function("isqrt", [](Call& call) -> Value {
    expect_arguments(call, "isqrt", 1, 1);
    return integer_root(integer_argument(call, 0, "isqrt"));
  });
  symbols["comb"] = make_function("comb", [](Call& call) -> Value {
    expect_arguments(call, "comb", 2, 2);
    return arrangements(integer_argument(call, 0, "comb"), integer_argument(call, 1, "comb"), false);
  });
  symbols["perm"] = make_function("perm", [](Call& call) -> Value {
    expect_arguments(call, "perm", 1, 2);
    const auto n = integer_argument(call, 0, "perm");
    return arrangements(n, call.positional.size() > 1 ? integer_argument(call, 1, "perm") : n, true);
  });
  const auto fold = [&](const std::string& name, std::int64_t start, auto join) {
    symbols[name] = make_function(name, [name, start, join](Call& call) -> Value {
      std::int64_t result = start;
      for (std::size_t i = 0; i < call.positional.size(); ++i) {
        const std::int64_t number = integer_argument(call, i, name);
        if (number == std::numeric_limits<std::int64_t>::min()) fail_overflow();
        result = join(result, number);
      }
      return result;
    });
  };
  fold("gcd", 0, [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); });
  fold("lcm", 1, [](std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0) return std::int64_t{0};
    std::int64_t result = 0;
    if (__builtin_mul_overflow(std::abs(a) / std::gcd(a, b), std::abs(b), &result)) fail_overflow();
    return result;
  });
}

void add_sums(Symbols& symbols) {
  symbols["hypot"] = make_function("hypot", [](Call& call) -> Value {
    expect_arguments(call, "hypot", 0, 1000);
    return length_of(reals(call.positional, "hypot"));
  });
  symbols["dist"] = make_function("dist", [](Call& call) -> Value {
    expect_arguments(call, "dist", 2, 2);
    auto a = reals(iterate(call.positional[0], call.budget), "dist");
    const auto b = reals(iterate(call.positional[1], call.budget), "dist");
    if (a.size() != b.size()) fail_expression("the points of dist() have different dimensions");
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return length_of(a);
  });
  symbols["fsum"] = make_function("fsum", [](Call& call) -> Value {
    expect_arguments(call, "fsum", 1, 1);
    return exact_sum(reals(iterate(call.positional[0], call.budget), "fsum"));
  });
  symbols["prod"] = make_function("prod", [](Call& call) {
    Value product = take_named(call, "start").value_or(Value(1));
    expect_arguments(call, "prod", 1, 1);
    for (const Value& item : iterate(call.positional[0], call.budget))
      product = apply_binary("*", product, item, call.budget);
    return product;
  });
}

void add_others(Symbols& symbols) {
  symbols["log"] = make_function("log", [](Call& call) -> Value {
    expect_arguments(call, "log", 1, 2);
    const auto log = [&](std::size_t i) {
      const double x = real_argument(call, i, "log");
      return checked(x <= 0 ? NAN : std::log(x), std::isfinite(x), "log");
    };
    if (call.positional.size() == 1) return log(0);
    return apply_binary("/", log(0), log(1), call.budget);
  });
  symbols["isclose"] = make_function("isclose", [](Call& call) -> Value {
    const Values tolerances{take_named(call, "rel_tol").value_or(Value(1e-9)),
                            take_named(call, "abs_tol").value_or(Value(0.0))};
    expect_arguments(call, "isclose", 2, 2);
    const double relative = reals(tolerances, "isclose")[0], absolute = reals(tolerances, "isclose")[1];
    const double a = real_argument(call, 0, "isclose"), b = real_argument(call, 1, "isclose");
    if (a == b) return true;
    if (std::isinf(a) || std::isinf(b)) return false;
    return std::abs(a - b) <= std::max(relative * std::max(std::abs(a), std::abs(b)), absolute);
  });
}

}  // namespace

Symbols math_symbols() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Symbols symbols{{"pi", std::numbers::pi},
                  {"e", std::numbers::e},
                  {"tau", 2 * std::numbers::pi},
                  {"inf", infinity},
                  {"nan", std::numeric_limits<double>::quiet_NaN()}};
  for (const auto& [known, function] : functions_of_one)
    symbols[known] = make_function(known, [name = std::string(known), function](Call& call) -> Value {
      expect_arguments(call, name, 1, 1);
      const double x = real_argument(call, 0, name);
      // Functions without a value at infinity: sine, cosine, …
      const double result = function(x);
      return checked(result, std::isfinite(x) || (std::isinf(x) && std::isnan(result)), name);
    });
  for (const auto& [known, function] : functions_of_two)
    symbols[known] = make_function(known, [name = std::string(known), function](Call& call) -> Value {
      expect_arguments(call, name, 2, 2);
      const double x = real_argument(call, 0, name), y = real_argument(call, 1, name);
      const double result = function(x, y);
      return name == "nextafter" ? result : checked(result, std::isfinite(x) && std::isfinite(y), name);
    });
  constexpr const char* names[] = {"isfinite", "isinf", "isnan"};
  for (std::size_t i = 0; i < 3; ++i)
    symbols[names[i]] =
        make_function(names[i], [name = std::string(names[i]), test = predicates[i]](Call& call) -> Value {
          expect_arguments(call, name, 1, 1);
          return test(real_argument(call, 0, name));
        });
  add_rounding(symbols);
  add_integers(symbols);
  add_sums(symbols);
  add_others(symbols);
  return symbols;
}

}  // namespace lissom::io::xacro
