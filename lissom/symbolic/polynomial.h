#pragma once
// A scalar for the algorithms whose values are polynomials: in the sines and cosines of joint angles, coordinates,
// velocities and parameters such as masses. An algorithm run on it gives its result in closed form.
//
// Buffers of the algorithms hold plain numbers, of which all bits zero is zero (tree/array.h). So a Polynomial is the
// index of a list of terms in an Arena, 0 for the polynomial zero; the arena of a thread is the one that the last
// ArenaScope opened. Polynomials are kept in a normal form: sin² is replaced by 1 - cos², and the square of the real
// part of a unit quaternion likewise, so that what is equal has the same terms, and what vanishes has none.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "lissom/math/sincos.h"
#include "lissom/symbolic/coefficient.h"

namespace lissom::symbolic {

class Arena;

class Polynomial {
 public:
  Polynomial() = default;
  Polynomial(double constant);
  Polynomial(int constant);
  Polynomial(const Coefficient& constant);

  friend Polynomial operator-(Polynomial a);
  friend Polynomial operator+(Polynomial a, Polynomial b);
  friend Polynomial operator-(Polynomial a, Polynomial b);
  friend Polynomial operator*(Polynomial a, Polynomial b);
  Polynomial& operator+=(Polynomial b) { return *this = *this + b; }
  Polynomial& operator-=(Polynomial b) { return *this = *this - b; }
  Polynomial& operator*=(Polynomial b) { return *this = *this * b; }
  /// The argument is c q + δ, with one coordinate q that is an angle.
  friend SinCos<Polynomial> sincos(Polynomial a);

  bool is_zero() const { return index_ == 0; }

 private:
  friend class Arena;
  explicit Polynomial(std::uint32_t index, Arena*) : index_(index) {}
  std::uint32_t index_;
};

/// What terms are made of. An Atom is a symbol (a coordinate, a velocity, a parameter), or the sine or the cosine of an
/// angle.
using Atom = std::uint16_t;
struct AtomInfo {
  enum class Kind { symbol, sine, cosine } kind = Kind::symbol;
  int index = 0;  ///< of the symbol or of the angle
  /// Its square is replaced by 1 - Σ of the squares of these; none if it stays.
  std::vector<Atom> complements = {};
};
/// The argument of sines and cosines: ratio · (symbol) + offset, ratio > 0.
struct Angle {
  int symbol;
  Coefficient ratio;
  Coefficient offset;
  bool operator==(const Angle&) const = default;
};

using MonomialId = std::uint32_t;
struct Power {
  Atom atom;
  std::uint16_t exponent;
  auto operator<=>(const Power&) const = default;
};
using Monomial = std::vector<Power>;  // sorted by atom; empty: 1
struct PolynomialTerm {
  MonomialId monomial;
  Coefficient coefficient;
};

/// Thrown when polynomials have more terms than the arena may hold.
struct TooManyTerms {
  std::size_t terms;  ///< of the largest polynomial so far
};

class Arena {
 public:
  /// max_terms bounds the terms of all polynomials together, intermediate ones included.
  explicit Arena(std::size_t max_terms);
  /// Called now and then while polynomials are made. What it throws ends the computation.
  void watch(std::function<void()> check) { check_ = std::move(check); }

  Atom symbol_atom(int symbol);
  /// The atom of the sine; that of the cosine is the next one.
  Atom sine_atom(const Angle& angle);
  /// w² + x² + y² + z² = 1 for these atoms.
  void make_unit_quaternion(Atom w, Atom x, Atom y, Atom z);

  Polynomial constant(const Coefficient& c);
  Polynomial variable(Atom atom);
  Polynomial negated(Polynomial a);
  Polynomial sum(Polynomial a, Polynomial b, bool subtract);
  Polynomial product(Polynomial a, Polynomial b);
  SinCos<Polynomial> sine_and_cosine(Polynomial a);

  std::span<const PolynomialTerm> terms(Polynomial a) const;
  const Monomial& monomial(MonomialId id) const { return monomials_[id]; }
  const AtomInfo& atom(Atom atom) const { return atoms_[atom]; }
  const std::vector<Angle>& angles() const { return angles_; }

 private:
  using Expansion = std::vector<std::pair<MonomialId, std::int64_t>>;
  MonomialId intern(const Monomial& monomial);
  const Expansion& product(MonomialId a, MonomialId b);
  Polynomial store(std::size_t begin);

  std::size_t max_terms_, max_size_ = 0, stores_ = 0;
  std::function<void()> check_;
  std::vector<AtomInfo> atoms_;
  std::vector<Angle> angles_;
  std::map<int, Atom> symbol_atoms_;
  std::vector<Monomial> monomials_;
  std::map<Monomial, MonomialId> monomial_ids_;
  std::map<std::pair<MonomialId, MonomialId>, Expansion> products_;
  // Polynomial i has the terms starts_[i] … starts_[i + 1], sorted by monomial.
  std::vector<PolynomialTerm> terms_, scratch_;
  std::vector<std::size_t> starts_;
};

/// Makes an arena that of this thread, as long as it lives.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena);
  ~ArenaScope();
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena* before_;
};

}  // namespace lissom::symbolic
