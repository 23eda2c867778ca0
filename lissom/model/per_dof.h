#pragma once
// A figure of a joint's degrees of freedom, such as their damping: one for all of them, or one for each.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace lissom {

class PerDof {
 public:
  static constexpr std::size_t max_count = 6;

  /// The same for all degrees of freedom.
  PerDof(double all) : values_{all} {}  // NOLINT(google-explicit-constructor): one number is the usual case
  /// One for each. validate() refuses another count than the joint has degrees of freedom.
  explicit PerDof(std::span<const double> each) : count_(each.size()) {
    std::copy_n(each.begin(), std::min(each.size(), max_count), values_.begin());
  }

  double operator[](int k) const { return count_ == 1 ? values_[0] : values_[std::size_t(k)]; }
  /// How many there are: 1 where one counts for all.
  std::size_t count() const { return count_; }
  std::span<const double> values() const { return std::span(values_).first(std::min(count_, max_count)); }
  /// Whether all of them are this number.
  friend bool operator==(const PerDof& figure, double number) {
    return std::ranges::all_of(figure.values(), [&](double x) { return x == number; });
  }

 private:
  std::size_t count_ = 1;
  std::array<double, max_count> values_{};
};

}  // namespace lissom
