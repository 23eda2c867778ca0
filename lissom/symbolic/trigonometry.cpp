#include "lissom/symbolic/trigonometry.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace lissom::symbolic {
namespace {

using Multiples = std::vector<int>;
using Waves = std::map<TrigFunction, Coefficient>;  // the constant is the cosine of 0

constexpr std::size_t max_rewritten_terms = 2000;  // of a polynomial for which other forms are tried

template <class Key>
void add(std::map<Key, Coefficient>& sum, const Key& key, const Coefficient& c) {
  auto& at = sum[key];
  at = at + c;
  if (at.is_zero()) sum.erase(key);
}

// cos(-x) = cos x, sin(-x) = -sin x, sin 0 = 0.
void add_wave(Waves& waves, TrigFunction f, Coefficient c) {
  const auto first = std::ranges::find_if(f.multiples, [](int k) { return k != 0; });
  if (first == f.multiples.end() && f.sine) return;
  if (first != f.multiples.end() && *first < 0) {
    for (int& k : f.multiples) k = -k;
    if (f.sine) c = -c;
  }
  add(waves, f, c);
}

// Times the sine or cosine of one angle, by the product-to-sum identities.
Waves times(const Waves& waves, std::size_t angle, bool sine) {
  Waves out;
  for (const auto& [f, c] : waves) {
    const auto half = c * Coefficient(1, 2);
    TrigFunction plus = f, minus = f;
    ++plus.multiples[angle], --minus.multiples[angle];
    plus.sine = minus.sine = f.sine != sine;
    const bool falls = sine && f.sine;              // sin A sin B = ½ cos(A - B) - ½ cos(A + B)
    const bool difference_falls = sine && !f.sine;  // cos A sin B = ½ sin(A + B) - ½ sin(A - B)
    add_wave(out, plus, falls ? -half : half);
    add_wave(out, minus, difference_falls ? -half : half);
  }
  return out;
}

// The powers of those angles that belong to the group.
Waves waves_of(const Exponents& exponents, const std::vector<int>& group_of, int group) {
  const auto count = exponents.size() / 2;
  Waves waves{{TrigFunction{Multiples(count), false}, 1}};
  for (std::size_t i = 0; i < count; ++i) {
    if (group >= 0 && group_of[i] != group) continue;
    for (int k = 0; k < exponents[2 * i]; ++k) waves = times(waves, i, true);
    for (int k = 0; k < exponents[2 * i + 1]; ++k) waves = times(waves, i, false);
  }
  return waves;
}

bool is_constant(const TrigFunction& f) {
  return std::ranges::all_of(f.multiples, [](int k) { return k == 0; });
}

// Sums of angles within each group, products between groups.
TrigSum grouped_form(const TrigPolynomial& polynomial, const std::vector<int>& group_of) {
  const int groups = group_of.empty() ? 0 : *std::ranges::max_element(group_of) + 1;
  TrigSum out;
  for (const auto& [exponents, c] : polynomial) {
    TrigSum product{{TrigProduct{}, c}};
    for (int group = 0; group < groups; ++group) {
      const auto waves = waves_of(exponents, group_of, group);
      TrigSum next;
      for (const auto& [before, factor] : product)
        for (const auto& [f, w] : waves) {
          auto powers = before;
          if (!is_constant(f)) powers.push_back({f, 1});
          std::ranges::sort(powers);
          add(next, powers, factor * w);
        }
      product = std::move(next);
    }
    for (const auto& [powers, factor] : product) add(out, powers, factor);
  }
  return out;
}

// Angles φ of which the powers are taken; row i has the multiples of the q that add up to φᵢ. q = φᵢ - φ(before i)
// (or the negative).
struct Variables {
  std::vector<Multiples> sums;
  std::vector<int> before, sign;
};
Variables own_angles(std::size_t count) {
  Variables v{std::vector<Multiples>(count, Multiples(count)), std::vector<int>(count, -1), std::vector<int>(count, 1)};
  for (std::size_t i = 0; i < count; ++i) v.sums[i][i] = 1;
  return v;
}
Variables sums_of_angles(const ParallelAxes& axes, const std::vector<bool>& used) {
  auto v = own_angles(axes.before.size());
  for (std::size_t i = 0; i < v.sums.size(); ++i) {
    int sign = 1, at = int(i);
    for (;;) {
      const int before = axes.before[std::size_t(at)];
      if (before < 0) break;
      sign *= axes.sign[std::size_t(at)];
      at = before;
      if (!used[std::size_t(at)]) break;
      v.sums[i][std::size_t(at)] = sign;
    }
    const int before = axes.before[i];
    if (before >= 0 && used[std::size_t(before)]) v.before[i] = before, v.sign[i] = axes.sign[i];
  }
  return v;
}

// With c² replaced by 1 - s² (of the angles in `keep_sine`), or s² by 1 - c².
TrigPolynomial reduced(const TrigPolynomial& polynomial, const std::vector<bool>& keep_sine) {
  TrigPolynomial out;
  std::vector<std::pair<Exponents, Coefficient>> waiting(polynomial.begin(), polynomial.end());
  while (!waiting.empty()) {
    auto [e, c] = std::move(waiting.back());
    waiting.pop_back();
    std::size_t at = 0;
    while (at < e.size() && !(e[at] >= 2 && (at % 2 == 1) == bool(keep_sine[at / 2]))) ++at;
    if (at == e.size()) {
      add(out, e, c);
      continue;
    }
    e[at] -= 2;
    waiting.emplace_back(e, c);
    e[at ^ 1U] += 2;
    waiting.emplace_back(e, -c);
  }
  return out;
}

// Real and imaginary part of Π exp(i n φ), as powers.
struct CosSin {
  TrigPolynomial cos, sin;
};
CosSin with_angle(const CosSin& t, std::size_t angle, bool forward) {
  CosSin out;
  const auto add_times = [&](TrigPolynomial& to, const TrigPolynomial& from, std::size_t part, bool negative) {
    for (const auto& [exponents, factor] : from) {
      auto e = exponents;
      ++e[part];
      add(to, e, negative ? -factor : factor);
    }
  };
  const auto s = 2 * angle, c = s + 1;
  add_times(out.cos, t.cos, c, false), add_times(out.cos, t.sin, s, forward);
  add_times(out.sin, t.sin, c, false), add_times(out.sin, t.cos, s, !forward);
  return out;
}
TrigPolynomial powers_of(const Waves& waves, const Variables& variables) {
  const auto count = variables.sums.size();
  TrigPolynomial out;
  for (const auto& [f, c] : waves) {
    Multiples n(count);
    for (std::size_t i = 0; i < count; ++i) {
      n[i] += f.multiples[i];
      if (variables.before[i] >= 0) n[std::size_t(variables.before[i])] -= variables.sign[i] * f.multiples[i];
    }
    // In φ = sign (φ before) + q each q is φ - sign (φ before).
    CosSin multiple{{{Exponents(2 * count), 1}}, {}};
    for (std::size_t i = 0; i < count; ++i)
      for (int k = 0; k < std::abs(n[i]); ++k) {
        multiple = with_angle(multiple, i, n[i] > 0);
        multiple.cos = reduced(multiple.cos, std::vector<bool>(count)),
        multiple.sin = reduced(multiple.sin, std::vector<bool>(count));
      }
    for (const auto& [e, w] : f.sine ? multiple.sin : multiple.cos) add(out, e, c * w);
  }
  return out;
}

// Powers of the sines and cosines of φ.
TrigSum as_sum(const TrigPolynomial& polynomial, const Variables& variables) {
  TrigSum out;
  for (const auto& [exponents, coefficient] : polynomial) {
    TrigProduct product;
    auto c = coefficient;
    for (std::size_t k = 0; k < exponents.size(); ++k) {
      if (exponents[k] == 0) continue;
      TrigFunction f{variables.sums[k / 2], k % 2 == 0};
      if (const auto first = std::ranges::find_if(f.multiples, [](int m) { return m != 0; }); *first < 0) {
        for (int& m : f.multiples) m = -m;
        if (f.sine && exponents[k] % 2 == 1) c = -c;
      }
      product.push_back({f, exponents[k]});
    }
    std::ranges::sort(product);
    add(out, product, c);
  }
  return out;
}

// What it takes to read it: functions, terms, and, less so, numbers and the length of sums.
double cost(const TrigSum& sum) {
  double total = 0;
  for (const auto& [product, c] : sum) {
    total += 0.5;
    if (!product.empty() && !c.is_one() && !(-c).is_one()) total += 0.3;
    for (const auto& power : product) {
      total += 1;
      for (const int k : power.of.multiples) total += k == 0 ? 0 : 0.01 + (std::abs(k) > 1 ? 0.3 : 0);
    }
  }
  return total;
}

void keep_shorter(TrigSum& best, TrigSum other) {
  if (cost(other) < cost(best) - 1e-9) best = std::move(other);
}

// Powers of φ; for each φ with sines or cosines alone, whichever is shorter.
void try_powers(TrigSum& best, const TrigPolynomial& polynomial, const Variables& variables) {
  const auto count = variables.sums.size();
  std::vector<bool> keep_sine(count);
  auto mine = as_sum(polynomial, variables);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::ranges::none_of(polynomial, [&](const auto& t) { return t.first[2 * i] + t.first[2 * i + 1] > 1; }))
      continue;
    keep_sine[i] = true;
    auto other = as_sum(reduced(polynomial, keep_sine), variables);
    if (cost(other) < cost(mine) - 1e-9)
      mine = std::move(other);
    else
      keep_sine[i] = false;
  }
  keep_shorter(best, std::move(mine));
}

// The groups of angles with parallel axes, one after another in the chain.
std::vector<int> parallel_groups(const ParallelAxes& axes) {
  std::vector<int> group(axes.before.size(), -1);
  int count = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    int root = int(i);
    while (axes.before[std::size_t(root)] >= 0) root = axes.before[std::size_t(root)];
    if (group[std::size_t(root)] < 0) group[std::size_t(root)] = count++;
    group[i] = group[std::size_t(root)];
  }
  return group;
}

TrigSum shortest_of_class(const TrigPolynomial& polynomial, const ParallelAxes& axes) {
  const auto count = axes.before.size();
  const auto own = own_angles(count);
  TrigSum best = as_sum(polynomial, own);
  if (polynomial.size() > max_rewritten_terms || (polynomial.size() == 1 && best.begin()->first.size() <= 1))
    return best;
  std::vector<bool> used(count);
  for (const auto& [e, c] : polynomial)
    for (std::size_t i = 0; i < count; ++i) used[i] = used[i] || e[2 * i] + e[2 * i + 1] > 0;
  const auto axes_groups = parallel_groups(axes);
  const std::vector<int> together(count, 0);
  keep_shorter(best, grouped_form(polynomial, axes_groups));
  if (std::ranges::count(used, true) <= 8) {
    keep_shorter(best, grouped_form(polynomial, together));
    Waves waves;
    for (const auto& [e, c] : polynomial)
      for (const auto& [f, w] : waves_of(e, together, -1)) add(waves, f, c * w);
    try_powers(best, powers_of(waves, sums_of_angles(axes, used)), sums_of_angles(axes, used));
  }
  try_powers(best, polynomial, own);
  return best;
}

}  // namespace

TrigSum shortest_form(const TrigPolynomial& polynomial, const ParallelAxes& axes) {
  std::map<std::vector<bool>, TrigPolynomial> classes;
  for (const auto& [e, c] : polynomial) {
    std::vector<bool> odd;
    for (std::size_t i = 0; i + 1 < e.size(); i += 2) odd.push_back((e[i] + e[i + 1]) % 2 != 0);
    classes[odd].emplace(e, c);
  }
  TrigSum out;
  for (const auto& [odd, part] : classes)
    for (const auto& [product, c] : shortest_of_class(part, axes)) add(out, product, c);
  return out;
}

}  // namespace lissom::symbolic
