// Polynomials to terms.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "lissom/symbolic/terms.h"

namespace lissom::symbolic {
namespace {

using Rank = Factor::Rank;

constexpr double rounding_noise = 1e-12;  // relative to the largest coefficient: what rounding leaves of a zero

Factor symbol_factor(int index, const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::mass:
      return {Rank::mass, index};
    case SymbolKind::inertia:
      return {Rank::inertia, index};
    case SymbolKind::length:
      return {Rank::length, index};
    case SymbolKind::gravity:
      return {Rank::gravity, index};
    case SymbolKind::coordinate:
      return {Rank::coordinate, index};
    case SymbolKind::velocity:
      break;
  }
  return {Rank::velocity, index};
}

// Where a term stands in a sum. Velocities count first: q̇1², q̇1 q̇2, …, q̇2², …; then terms without sines and cosines;
// sums of few angles before those of many, but with gravity the other way round: torques add up from the tip inward.
struct Position {
  std::vector<int> velocities;
  bool trigonometric = false;
  int length = 0;
  Factors functions, others;
  auto operator<=>(const Position&) const = default;
};
Position position_of(const Term& term) {
  Position p;
  bool has_gravity = false;
  for (const auto& [factor, exponent] : term.factors) {
    if (factor.rank == Factor::Rank::velocity) {
      p.velocities.insert(p.velocities.end(), std::size_t(exponent), factor.symbol);
    } else if (factor.rank == Factor::Rank::trigonometric) {
      p.trigonometric = true;
      p.functions[factor] = -exponent;
      for (const int k : factor.function.multiples) p.length += std::abs(k) * exponent;
    } else {
      p.others[factor] = -exponent;
      has_gravity |= factor.rank == Factor::Rank::gravity;
    }
  }
  if (has_gravity) p.length = -p.length;
  // Cosines of angles that come first in the chain come first.
  Factors reversed;
  for (const auto& [factor, exponent] : p.functions) {
    auto f = factor;
    for (int& k : f.function.multiples) k = -k;
    reversed[f] = exponent;
  }
  p.functions = std::move(reversed);
  return p;
}

}  // namespace

std::vector<Term> folded(const Arena& arena, Polynomial polynomial, std::span<const Symbol> symbols,
                         const ParallelAxes& axes) {
  const auto terms = arena.terms(polynomial);
  double largest = 0;
  for (const auto& term : terms) largest = std::max(largest, std::abs(term.coefficient.value()));
  // By everything but sines and cosines.
  std::map<Factors, TrigPolynomial> groups;
  for (const auto& term : terms) {
    if (!term.coefficient.is_exact() && std::abs(term.coefficient.value()) <= rounding_noise * largest) continue;
    Factors factors;
    Exponents exponents(2 * axes.before.size());
    for (const auto& power : arena.monomial(term.monomial)) {
      const auto& atom = arena.atom(power.atom);
      if (atom.kind == AtomInfo::Kind::symbol)
        factors[symbol_factor(atom.index, symbols[std::size_t(atom.index)])] = power.exponent;
      else
        exponents[2 * std::size_t(atom.index) + (atom.kind == AtomInfo::Kind::cosine)] = power.exponent;
    }
    groups[factors][exponents] = term.coefficient;
  }
  std::vector<Term> out;
  for (const auto& [factors, trigonometric] : groups)
    for (const auto& [product, c] : shortest_form(trigonometric, axes)) {
      if (!c.is_exact() && std::abs(c.value()) <= rounding_noise * largest) continue;
      Term term{c, factors};
      for (const auto& power : product) term.factors[{Factor::Rank::trigonometric, -1, power.of}] = power.exponent;
      out.push_back(std::move(term));
    }
  std::ranges::sort(out, {}, position_of);
  return out;
}

}  // namespace lissom::symbolic
