#pragma once
// A property of a joint's degrees of freedom, such as damping: one value for all of them, or one for each.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace lissom {

/// One value for all degrees of freedom of a joint, or one for each.
class PerDof {
 public:
  static constexpr std::size_t max_count = 6;

  /// The same for all degrees of freedom.
  PerDof(double all) : values_{all} {}  // NOLINT(google-explicit-constructor): one number is the usual case
  /// One value for each. validate() reports a count that differs from the degrees of freedom of the joint.
  explicit PerDof(std::span<const double> each) : count_(each.size()) {
    std::copy_n(each.begin(), std::min(each.size(), max_count), values_.begin());
  }

  /// The value for degree of freedom k.
  double operator[](int k) const { return count_ == 1 ? values_[0] : values_[std::size_t(k)]; }
  /// Number of values; 1 if one value is for all.
  std::size_t count() const { return count_; }
  std::span<const double> values() const { return std::span(values_).first(std::min(count_, max_count)); }
  /// Whether all values are equal to this number.
  friend bool operator==(const PerDof& values, double number) {
    return std::ranges::all_of(values.values(), [&](double x) { return x == number; });
  }

 private:
  std::size_t count_ = 1;
  std::array<double, max_count> values_{};
};

}  // namespace lissom
