// Terms to expressions: common factors are put before parentheses where that makes a sum shorter.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "lissom/symbolic/terms.h"

namespace lissom::symbolic {
namespace {

using Rank = Factor::Rank;
using Terms = std::vector<Term>;

// Beyond this many terms nobody reads a sum, and looking for common factors takes long.
constexpr std::size_t max_terms = 600;

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
    if (sum.kind == Expression::Kind::sum) e.parts.push_back(std::move(sum));
    if (sum.kind != Expression::Kind::product) return;
    e.number = e.number * sum.number;
    for (auto& part : sum.parts) e.parts.push_back(std::move(part));
  };
  add_some([](const Factor& f) { return f.is_parameter(); });
  add_sum(parameter_sum);
  add_some([](const Factor& f) { return !f.is_parameter() && f.rank != Rank::trigonometric; });
  add_sum(other_sum);
  add_some([](const Factor& f) { return f.rank == Rank::trigonometric; });
  return e.parts.empty() ? number(e.number) : e;
}

int size_of(const Factors& factors) {
  return int(factors.size());
}

// The number by which all coefficients are divided: then they are whole numbers without a common divisor. Decimals are
// left alone but for the sign of the first.
Coefficient content(const Terms& terms) {
  std::int64_t numerator = 0, denominator = 1;
  for (const auto& term : terms) {
    const auto& c = term.coefficient;
    if (!c.is_exact() || c.denominator() > 64 || denominator > 64) return terms[0].coefficient.is_negative() ? -1 : 1;
    numerator = std::gcd(numerator, c.numerator());
    denominator = std::lcm(denominator, c.denominator());
  }
  return {terms[0].coefficient.is_negative() ? -numerator : numerator, denominator};
}

// Splits a sum by candidates for common factors.
struct Split {
  Factors common;
  std::vector<std::size_t> members;
  int saving = 0;
};

Factors common_factors(const Terms& terms, const std::vector<std::size_t>& members, const Factor& of) {
  Factors common;
  for (const auto& [factor, exponent] : terms[members[0]].factors) {
    // Velocities stay inside. Before the sum that a mass multiplies there are no lengths: m (a² + a c cos q).
    if (factor.rank == Rank::velocity) continue;
    if (of.rank == Rank::mass && factor.is_parameter() && factor != of) continue;
    int least = exponent;
    for (const auto m : members) {
      const auto at = terms[m].factors.find(factor);
      least = at == terms[m].factors.end() ? 0 : std::min(least, at->second);
    }
    if (least > 0) common[factor] = least;
  }
  return common;
}

// The common factor that makes the sum shortest: a sine, a cosine or a mass, and what its terms have in common besides.
std::optional<Split> best_split(const Terms& terms) {
  std::map<Factor, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (const auto& [factor, exponent] : terms[i].factors)
      if (factor.rank == Rank::trigonometric || factor.rank == Rank::mass) members[factor].push_back(i);
  std::optional<Split> best;
  for (const auto& [factor, of] : members) {
    if (of.size() < 2) continue;
    Split split{common_factors(terms, of, factor), of, 0};
    split.saving = (int(of.size()) - 1) * size_of(split.common) - 1;
    const int least = factor.rank == Rank::mass ? 0 : 1;
    const bool is_new_rank =
        best && factor.rank == Rank::trigonometric && best->common.rbegin()->first.rank != Rank::trigonometric;
    if (split.saving < least) continue;
    if (!best || split.saving > best->saving || (split.saving == best->saving && is_new_rank)) best = std::move(split);
  }
  return best;
}

Factors without(const Factors& factors, const Factors& common) {
  Factors rest = factors;
  for (const auto& [factor, exponent] : common)
    if ((rest[factor] -= exponent) == 0) rest.erase(factor);
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

class Factoring {
 public:
  explicit Factoring(const std::vector<Angle>& angles) : angles_(angles) {}

  Expression sum(Terms terms) const {
    if (terms.empty()) return number(0);
    if (terms.size() == 1) return product(terms[0].coefficient, terms[0].factors, angles_);
    std::map<std::size_t, Expression> parts;  // by the position of their first term
    std::vector<std::size_t> position(terms.size());
    std::iota(position.begin(), position.end(), 0U);
    const auto whole = groups_of(terms);
    const bool is_product = whole.size() == 1 && whole[0].others.size() > 1 && whole[0].parameters.size() > 1;
    while (!is_product && terms.size() <= max_terms) {
      const auto split = best_split(terms);
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
  // common · (the members divided by it)
  Expression pulled(const Terms& terms, const Split& split) const {
    Terms inside;
    for (const auto m : split.members) inside.push_back(terms[m]);
    const auto c = content(inside);
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

Expression factored(const std::vector<Term>& terms, const std::vector<Angle>& angles) {
  return Factoring(angles).sum(terms);
}

}  // namespace lissom::symbolic
