#pragma once
#include <cstddef>
#include <span>

namespace lissom {

/// Returns the one of sorted values below which this fraction of them lies: 0.5 gives the median, 1 the largest; 0 if
/// there are none.
inline double quantile(std::span<const double> sorted, double fraction) {
  return sorted.empty() ? 0 : sorted[std::size_t(fraction * double(sorted.size() - 1))];
}

}  // namespace lissom
