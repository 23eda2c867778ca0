// Terms to expressions: common factors are put before parentheses where that makes a sum shorter.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>

#include "lissom/symbolic/terms.h"

namespace lissom::symbolic {
namespace {

using Rank = Factor::Rank;
using Terms = std::vector<Term>;

// Beyond this many terms nobody reads a sum, and looking for common factors takes long.
constexpr std::size_t max_factored_terms = 600;

Expression leaf(const Factor& factor, int exponent, const std::vector<Angle>& angles) {
  Expression e;
  e.exponent = exponent;
  if (factor.rank != Rank::trigonometric) {
    e.kind = Expression::Kind::symbol, e.symbol = factor.symbol;
    return e;
  }
  e.kind = factor.function.sine ? Expression::Kind::sine : Expression::Kind::cosine;
  std::map<int, Coefficient> ratios;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Coefficient k(factor.function.multiples[i]);
    if (k.is_zero()) continue;
    ratios[angles[i].symbol] = ratios[angles[i].symbol] + k * angles[i].ratio;
    e.angle.offset = e.angle.offset + k * angles[i].offset;
  }
  for (const auto& [symbol, ratio] : ratios)
    if (!ratio.is_zero()) e.angle.coordinates.emplace_back(symbol, ratio);
  return e;
}

Expression number(const Coefficient& c) {
  Expression e;
  e.number = c;
  return e;
}

// The angle that comes first in the chain first, then the fewest angles: sin q1 cos q1 sin(q1 + q2).
std::vector<std::pair<Factor, int>> functions_in_order(const Factors& factors) {
  std::vector<std::pair<Factor, int>> functions;
  for (const auto& f : factors)
    if (f.first.rank == Rank::trigonometric) functions.emplace_back(f);
  std::ranges::sort(functions, {}, [](const auto& f) {
    const auto& m = f.first.function.multiples;
    const auto first = std::ranges::find_if(m, [](int k) { return k != 0; }) - m.begin();
    int size = 0;
    for (const int k : m) size += std::abs(k);
    return std::tuple(first, size, !f.first.function.sine, m);
  });
  return functions;
}

// number · factors · sums, in the order: parameters, sums of parameters, g, coordinates, velocities, other sums,
// functions. What is no sum but a product joins it.
Expression product(const Coefficient& c, const Factors& factors, const std::vector<Angle>& angles,
                   Expression parameter_sum = {}, Expression other_sum = {}) {
  Expression e;
  e.kind = Expression::Kind::product, e.number = c;
  const auto add_some = [&](auto&& condition) {
    for (const auto& [factor, exponent] : factors)
      if (condition(factor)) e.parts.push_back(leaf(factor, exponent, angles));
  };
  const auto add_sum = [&](Expression& sum) {
    if (sum.kind == Expression::Kind::product) {
      e.number = e.number * sum.number;
      for (auto& part : sum.parts) e.parts.push_back(std::move(part));
    } else if (sum.kind == Expression::Kind::sum) {
      e.parts.push_back(std::move(sum));
    }
  };
  add_some([](const Factor& f) { return f.is_parameter(); });
  add_sum(parameter_sum);
  add_some([](const Factor& f) { return !f.is_parameter() && f.rank != Rank::trigonometric; });
  add_sum(other_sum);
  for (const auto& [factor, exponent] : functions_in_order(factors)) e.parts.push_back(leaf(factor, exponent, angles));
  return e.parts.empty() ? number(e.number) : e;
}

int size_of(const Factors& factors) {
  return int(factors.size());
}

// The number by which all coefficients are divided: then they are whole numbers without a common divisor, and not more
// of them negative than positive. Decimals are left alone but for the sign, and fractions stay beside a mass:
// m (5/4 + cos q).
Coefficient content(const Terms& terms, bool fractions = true) {
  const auto negative = 2 * std::ranges::count_if(terms, [](const Term& t) { return t.coefficient.is_negative(); });
  const auto size = std::ptrdiff_t(terms.size());
  const int sign = negative > size || (negative == size && terms[0].coefficient.is_negative()) ? -1 : 1;
  std::int64_t numerator = 0, denominator = 1;
  for (const auto& term : terms) {
    const auto& c = term.coefficient;
    if (!c.is_exact() || c.denominator() > 64 || denominator > 64) return sign;
    numerator = std::gcd(numerator, c.numerator());
    denominator = std::lcm(denominator, c.denominator());
  }
  if (!fractions && denominator > 1) return sign;
  return {sign * numerator, denominator};
}

// Splits a sum by candidates for common factors.
struct Split {
  Factors common;
  std::vector<std::size_t> members;
  int saving = 0;
};

Factors velocities(const Term& term) {
  Factors out;
  std::ranges::copy_if(term.factors, std::inserter(out, out.end()),
                       [](const auto& f) { return f.first.rank == Rank::velocity; });
  return out;
}

Factors common_factors(const Terms& terms, const std::vector<std::size_t>& members, const Factor& of) {
  Factors common;
  const auto& first = terms[members[0]];
  const bool same_velocities =
      std::ranges::all_of(members, [&](std::size_t m) { return velocities(terms[m]) == velocities(first); });
  for (const auto& [factor, exponent] : first.factors) {
    // Velocities that are not those of all terms stay inside.
    if (factor.rank == Rank::velocity && !same_velocities) continue;
    int least = exponent, most = exponent;
    for (const auto m : members) {
      const auto at = terms[m].factors.find(factor);
      const int here = at == terms[m].factors.end() ? 0 : at->second;
      least = std::min(least, here), most = std::max(most, here);
    }
    // Before the sum that a mass multiplies, lengths are not split: m (a² + a c cos q).
    if (of.rank == Rank::mass && factor.is_parameter() && factor != of && most > least) continue;
    if (least > 0) common[factor] = least;
  }
  return common;
}

// How much shorter a common factor has to make a sum. Two terms with the sine of an angle stay as they are, three do
// not; where others were factored already (`consistent`), two are, too. A function that multiplies others is factored:
// (a2 cos q2 + a3 cos(q2 + q3)) sin q1; one that multiplies numbers alone hardly ever.
int min_saving(const Terms& terms, const std::vector<std::size_t>& members, const Factor& of, bool consistent) {
  if (of.rank == Rank::mass) return 0;
  const auto functions = [&](std::size_t m) {
    return std::ranges::count_if(terms[m].factors, [](const auto& f) { return f.first.rank == Rank::trigonometric; });
  };
  if (consistent || std::ranges::all_of(members, [&](std::size_t m) { return functions(m) > 1; })) return 0;
  const bool plain =
      std::ranges::all_of(members, [&](std::size_t m) { return functions(m) == std::ssize(terms[m].factors); });
  return plain ? 3 : 1;
}

// The common factor that makes the sum shortest: a sine, a cosine or a mass, and what its terms have in common besides.
std::optional<Split> best_split(const Terms& terms, bool consistent) {
  std::map<Factor, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (const auto& [factor, exponent] : terms[i].factors)
      if (factor.rank == Rank::trigonometric || factor.rank == Rank::mass) members[factor].push_back(i);
  std::optional<Split> best;
  for (const auto& [factor, of] : members) {
    if (of.size() < 2) continue;
    Split split{common_factors(terms, of, factor), of, 0};
    split.saving = (int(of.size()) - 1) * size_of(split.common) - 1;
    if (split.saving < min_saving(terms, of, factor, consistent)) continue;
    const bool is_function =
        factor.rank == Rank::trigonometric && best && best->common.rbegin()->first.rank != Rank::trigonometric;
    if (!best || split.saving > best->saving || (split.saving == best->saving && is_function)) best = std::move(split);
  }
  return best;
}

Factors without(const Factors& factors, const Factors& common) {
  Factors rest = factors;
  for (const auto& [factor, exponent] : common)
    if (const auto at = rest.find(factor); at->second == exponent)
      rest.erase(at);
    else
      at->second -= exponent;
  return rest;
}

// (Σ parameters) (Σ others): others whose parameters are the same but for a number.
struct Group {
  Terms parameters, others;
  std::size_t first = 0;  // the position of its first term
};

std::vector<Group> groups_of(const Terms& terms) {
  struct Row {
    Factors other;
    Terms parameters;
    std::size_t first;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Factors parameters, other;
    for (const auto& [factor, exponent] : terms[i].factors)
      (factor.is_parameter() ? parameters : other)[factor] = exponent;
    auto row = std::ranges::find(rows, other, &Row::other);
    if (row == rows.end()) row = rows.insert(rows.end(), {other, {}, i});
    row->parameters.push_back({terms[i].coefficient, parameters});
  }
  std::vector<Group> groups;
  for (auto& row : rows) {
    std::ranges::sort(row.parameters, {}, &Term::factors);
    const auto scale = row.parameters[0].coefficient;
    const auto is_alike = [&](const Group& g) {
      return std::ranges::equal(g.parameters, row.parameters, [&](const Term& a, const Term& b) {
        return a.factors == b.factors &&
               nearly_equal(a.coefficient * scale, b.coefficient * g.parameters[0].coefficient);
      });
    };
    auto group = std::ranges::find_if(groups, is_alike);
    if (group == groups.end() || row.parameters.size() < 2)
      group = groups.insert(groups.end(), {row.parameters, {}, row.first});
    group->others.push_back({scale / group->parameters[0].coefficient, row.other});
  }
  return groups;
}

// q̇1² + 2 q̇1 q̇2 + q̇2² is (q̇1 + q̇2)²: the terms of the root, or none.
Terms square_root(const Terms& terms) {
  Terms root;
  for (const auto& term : terms) {
    const auto& f = term.factors;
    if (std::ranges::any_of(f, [](const auto& x) { return x.first.rank != Rank::velocity; })) return {};
    if (f.size() == 1 && f.begin()->second == 2 && term.coefficient.is_one())
      root.push_back({1, {{f.begin()->first, 1}}});
  }
  const auto n = root.size();
  if (n < 2 || terms.size() != n * (n + 1) / 2) return {};
  const auto is_in_root = [&](const auto& f) {
    return std::ranges::any_of(root, [&](const Term& r) { return r.factors.begin()->first == f.first; });
  };
  const auto is_cross_term = [&](const Term& t) {
    return t.factors.size() == 2 && t.coefficient == Coefficient(2) && std::ranges::all_of(t.factors, is_in_root);
  };
  const auto crosses = std::ranges::count_if(terms, is_cross_term);
  return std::size_t(crosses) == n * (n - 1) / 2 ? root : Terms{};
}

class Factoring {
 public:
  explicit Factoring(const std::vector<Angle>& angles) : angles_(angles) {}

  Expression sum(Terms terms) const {
    if (terms.empty()) return number(0);
    if (terms.size() == 1) return product(terms[0].coefficient, terms[0].factors, angles_);
    if (const auto root = square_root(terms); !root.empty()) {
      auto square = sum(root);
      square.exponent = 2;
      return square;
    }
    if (terms.size() > max_factored_terms) return plain_sum(terms);
    std::map<std::size_t, Expression> parts;  // by the position of their first term
    std::vector<std::size_t> position(terms.size());
    std::iota(position.begin(), position.end(), 0U);
    const auto whole = groups_of(terms);
    const bool is_product = whole.size() == 1 && whole[0].others.size() > 1 && whole[0].parameters.size() > 1;
    while (!is_product) {
      const auto split = best_split(terms, !parts.empty());
      if (!split) break;
      if (split->members.size() == terms.size() && parts.empty()) return pulled(terms, *split);
      parts[position[split->members[0]]] = pulled(terms, *split);
      for (auto m = split->members.rbegin(); m != split->members.rend(); ++m)
        terms.erase(terms.begin() + std::ptrdiff_t(*m)), position.erase(position.begin() + std::ptrdiff_t(*m));
    }
    for (const auto& group : groups_of(terms)) add_group(group, terms, position, parts);
    if (parts.size() == 1) return std::move(parts.begin()->second);
    Expression e;
    e.kind = Expression::Kind::sum;
    for (auto& [at, part] : parts) e.parts.push_back(std::move(part));
    return e;
  }

 private:
  Expression plain_sum(const Terms& terms) const {
    Expression e;
    e.kind = Expression::Kind::sum;
    for (const auto& term : terms) e.parts.push_back(product(term.coefficient, term.factors, angles_));
    return e;
  }
  // common · (the members divided by it)
  Expression pulled(const Terms& terms, const Split& split) const {
    Terms inside;
    for (const auto m : split.members) inside.push_back(terms[m]);
    const auto c = content(inside, split.common.rbegin()->first.rank == Rank::trigonometric);
    for (auto& term : inside) term = {term.coefficient / c, without(term.factors, split.common)};
    const bool parameters = std::ranges::all_of(inside, [](const Term& t) {
      return std::ranges::all_of(t.factors, [](const auto& f) { return f.first.is_parameter(); });
    });
    return parameters ? product(c, split.common, angles_, sum(inside))
                      : product(c, split.common, angles_, {}, sum(inside));
  }

  void add_group(const Group& group, const Terms& terms, const std::vector<std::size_t>& position,
                 std::map<std::size_t, Expression>& parts) const {
    const bool is_sum = group.parameters.size() > 1 && (group.others.size() > 1 || !group.others[0].factors.empty());
    if (!is_sum) {
      for (const auto& other : group.others)
        for (const auto& parameter : group.parameters) {
          auto factors = other.factors;
          factors.insert(parameter.factors.begin(), parameter.factors.end());
          const auto at = std::ranges::find(terms, factors, &Term::factors);
          parts[position[std::size_t(at - terms.begin())]] = product(at->coefficient, factors, angles_);
        }
      return;
    }
    auto parameters = group.parameters, others = group.others;
    const auto c = content(parameters), d = content(others);
    for (auto& term : parameters) term.coefficient = term.coefficient / c;
    for (auto& term : others) term.coefficient = term.coefficient / d;
    auto& part = parts[position[group.first]];
    if (others.size() == 1)
      part = product(c * d * others[0].coefficient, others[0].factors, angles_, sum(parameters));
    else
      part = product(c * d, {}, angles_, sum(parameters), sum(others));
  }

  const std::vector<Angle>& angles_;
};

}  // namespace

Expression collected_by_velocities(const std::vector<Term>& terms, const std::vector<Angle>& angles) {
  std::vector<std::pair<Factors, Terms>> groups;
  for (const auto& term : terms) {
    const auto rates = velocities(term);
    if (groups.empty() || groups.back().first != rates) groups.push_back({rates, {}});  // terms are in their order
    groups.back().second.push_back({term.coefficient, without(term.factors, rates)});
  }
  Expression e;
  e.kind = Expression::Kind::sum;
  for (auto& [rates, inside] : groups) {
    const bool symbols = std::ranges::all_of(inside, [](const Term& t) { return !t.factors.empty(); });
    const auto c = symbols ? content(inside) : Coefficient(1);
    for (auto& term : inside) term.coefficient = term.coefficient / c;
    const auto inner = Factoring(angles).sum(inside);
    const auto factor = inner.kind == Expression::Kind::number ? inner.number : c;
    e.parts.push_back(product(factor, rates, angles, inner));
  }
  if (e.parts.empty()) return number(0);
  if (e.parts.size() == 1) return Expression(e.parts[0]);
  return e;
}

Expression factored(const std::vector<Term>& terms, const std::vector<Angle>& angles) {
  return Factoring(angles).sum(terms);
}

}  // namespace lissom::symbolic
