#include "lissom/symbolic/polynomial.h"

#include <algorithm>

#include "lissom/model/diagnostic.h"

namespace lissom::symbolic {
namespace {

thread_local Arena* current = nullptr;

Monomial merged(const Monomial& a, const Monomial& b) {
  Monomial out;
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->atom < j->atom))
      out.push_back(*i++);
    else if (i == a.end() || j->atom < i->atom)
      out.push_back(*j++);
    else
      out.push_back({i->atom, std::uint16_t((i++)->exponent + (j++)->exponent)});
  }
  return out;
}

}  // namespace

Polynomial::Polynomial(double constant) : Polynomial(Coefficient::recognized(constant)) {}
Polynomial::Polynomial(int constant) : Polynomial(Coefficient(constant)) {}
Polynomial::Polynomial(const Coefficient& constant)
    : index_(constant.is_zero() ? 0 : current->constant(constant).index_) {}

Polynomial operator-(Polynomial a) {
  return current->negated(a);
}
Polynomial operator+(Polynomial a, Polynomial b) {
  return current->sum(a, b, false);
}
Polynomial operator-(Polynomial a, Polynomial b) {
  return current->sum(a, b, true);
}
Polynomial operator*(Polynomial a, Polynomial b) {
  return current->product(a, b);
}
SinCos<Polynomial> sincos(Polynomial a) {
  return current->sine_and_cosine(a);
}

ArenaScope::ArenaScope(Arena& arena) : before_(std::exchange(current, &arena)) {}
ArenaScope::~ArenaScope() {
  current = before_;
}

Arena::Arena(std::size_t max_terms) : max_terms_(max_terms), starts_{0, 0} {
  intern({});  // the monomial 1 is number 0
}

Atom Arena::symbol_atom(int symbol) {
  const auto [at, is_new] = symbol_atoms_.try_emplace(symbol, Atom(atoms_.size()));
  if (is_new) atoms_.push_back({.kind = AtomInfo::Kind::symbol, .index = symbol});
  return at->second;
}

Atom Arena::sine_atom(const Angle& angle) {
  for (std::size_t i = 0; i < atoms_.size(); ++i)
    if (atoms_[i].kind == AtomInfo::Kind::sine && angles_[std::size_t(atoms_[i].index)] == angle) return Atom(i);
  const auto sine = Atom(atoms_.size());
  const int index = int(angles_.size());
  angles_.push_back(angle);
  atoms_.push_back({.kind = AtomInfo::Kind::sine, .index = index, .complements = {Atom(sine + 1)}});
  atoms_.push_back({.kind = AtomInfo::Kind::cosine, .index = index});
  return sine;
}

void Arena::make_unit_quaternion(Atom w, Atom x, Atom y, Atom z) {
  atoms_[w].complements = {x, y, z};
}

MonomialId Arena::intern(const Monomial& monomial) {
  const auto [at, is_new] = monomial_ids_.try_emplace(monomial, MonomialId(monomials_.size()));
  if (is_new) monomials_.push_back(monomial);
  return at->second;
}

// The product of two monomials in normal form: several monomials where squares are replaced.
const Arena::Expansion& Arena::product(MonomialId a, MonomialId b) {
  const auto key = std::minmax(a, b);
  if (const auto at = products_.find(key); at != products_.end()) return at->second;
  std::vector<std::pair<Monomial, std::int64_t>> waiting{{merged(monomials_[a], monomials_[b]), 1}};
  std::map<MonomialId, std::int64_t> sum;
  while (!waiting.empty()) {
    auto [monomial, factor] = std::move(waiting.back());
    waiting.pop_back();
    const auto square = std::ranges::find_if(
        monomial, [&](const Power& p) { return p.exponent >= 2 && !atoms_[p.atom].complements.empty(); });
    if (square == monomial.end()) {
      sum[intern(monomial)] += factor;
      continue;
    }
    const auto complements = atoms_[square->atom].complements;
    square->exponent = std::uint16_t(square->exponent - 2);
    if (square->exponent == 0) monomial.erase(square);
    waiting.emplace_back(monomial, factor);  // x² = 1 - Σ complement²
    for (const auto complement : complements) waiting.emplace_back(merged(monomial, {{complement, 2}}), -factor);
  }
  auto& expansion = products_[key];
  for (const auto& [id, factor] : sum)
    if (factor != 0) expansion.emplace_back(id, factor);
  return expansion;
}

// The terms from `begin` on become a new polynomial.
Polynomial Arena::store(std::size_t begin) {
  constexpr std::size_t stores_between = 256;  // some of them have a thousand terms
  if (check_ && ++stores_ % stores_between == 0) check_();
  max_size_ = std::max(max_size_, terms_.size() - begin);
  if (terms_.size() == begin) return Polynomial(0, this);
  if (terms_.size() > max_terms_) throw TooManyTerms{max_size_};
  starts_.push_back(terms_.size());
  return Polynomial(std::uint32_t(starts_.size() - 2), this);
}

std::span<const PolynomialTerm> Arena::terms(Polynomial a) const {
  return std::span(terms_).subspan(starts_[a.index_], starts_[a.index_ + 1] - starts_[a.index_]);
}

Polynomial Arena::constant(const Coefficient& c) {
  const auto begin = terms_.size();
  if (!c.is_zero()) terms_.push_back({0, c});
  return store(begin);
}

Polynomial Arena::variable(Atom atom) {
  const auto begin = terms_.size();
  terms_.push_back({intern({{atom, 1}}), 1});
  return store(begin);
}

Polynomial Arena::negated(Polynomial a) {
  const auto begin = terms_.size(), from = starts_[a.index_], count = starts_[a.index_ + 1] - from;
  for (std::size_t i = 0; i < count; ++i) {
    const auto term = terms_[from + i];
    terms_.push_back({term.monomial, -term.coefficient});
  }
  return store(begin);
}

Polynomial Arena::sum(Polynomial a, Polynomial b, bool subtract) {
  if (b.is_zero()) return a;
  if (a.is_zero()) return subtract ? negated(b) : b;
  const auto begin = terms_.size();
  auto i = starts_[a.index_], j = starts_[b.index_];
  const auto i_end = starts_[a.index_ + 1], j_end = starts_[b.index_ + 1];
  terms_.reserve(begin + (i_end - i) + (j_end - j));
  while (i < i_end || j < j_end) {
    if (j == j_end || (i < i_end && terms_[i].monomial < terms_[j].monomial)) {
      terms_.push_back(PolynomialTerm(terms_[i++]));
    } else {
      PolynomialTerm term = terms_[j++];
      if (subtract) term.coefficient = -term.coefficient;
      if (i < i_end && terms_[i].monomial == term.monomial)
        term.coefficient = terms_[i++].coefficient + term.coefficient;
      if (!term.coefficient.is_zero()) terms_.push_back(term);
    }
  }
  return store(begin);
}

Polynomial Arena::product(Polynomial a, Polynomial b) {
  if (a.is_zero() || b.is_zero()) return Polynomial(0, this);
  scratch_.clear();
  const auto left = terms(a), right = terms(b);
  if (left.size() * right.size() > max_terms_) throw TooManyTerms{std::max(max_size_, left.size() * right.size())};
  for (const auto& x : left)
    for (const auto& y : right) {
      const auto c = x.coefficient * y.coefficient;
      for (const auto& [monomial, factor] : product(x.monomial, y.monomial)) scratch_.push_back({monomial, c * factor});
    }
  std::ranges::stable_sort(scratch_, {}, &PolynomialTerm::monomial);
  const auto begin = terms_.size();
  for (const auto& term : scratch_) {
    if (terms_.size() > begin && terms_.back().monomial == term.monomial)
      terms_.back().coefficient = terms_.back().coefficient + term.coefficient;
    else {
      if (terms_.size() > begin && terms_.back().coefficient.is_zero()) terms_.pop_back();
      terms_.push_back(term);
    }
  }
  if (terms_.size() > begin && terms_.back().coefficient.is_zero()) terms_.pop_back();
  return store(begin);
}

SinCos<Polynomial> Arena::sine_and_cosine(Polynomial a) {
  Coefficient offset, ratio;
  int symbol = -1;
  for (const auto& term : terms(a)) {
    const auto& monomial = monomials_[term.monomial];
    if (monomial.empty())
      offset = term.coefficient;
    else if (monomial.size() == 1 && monomial[0].exponent == 1 && symbol < 0)
      symbol = atoms_[monomial[0].atom].index, ratio = term.coefficient;
    else
      symbol = -2;
  }
  if (symbol < 0) throw Error("the argument of a sine is not a joint angle; please report this");
  const bool negative = ratio.is_negative();
  const auto sine = sine_atom(negative ? Angle{symbol, -ratio, -offset} : Angle{symbol, ratio, offset});
  const auto sin = variable(sine), cos = variable(Atom(sine + 1));
  return {negative ? negated(sin) : sin, cos};
}

}  // namespace lissom::symbolic
