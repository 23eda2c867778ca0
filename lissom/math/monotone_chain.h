#pragma once
#include <cstddef>

namespace lissom {

/// The convex hull of points in a plane, counterclockwise, by Andrew's monotone chains. `sorted` has at least three
/// points, in lexicographic order; turns_left(a, b, c) says whether b stays a corner on the way from a to c, with the
/// tolerance that suits the points. Only `hull` grows, to at most twice as many points and two more.
template <class Points, class TurnsLeft, class Hull>
void monotone_chain(const Points& sorted, const TurnsLeft& turns_left, Hull& hull) {
  hull.clear();
  const auto append = [&](const auto& p, std::size_t first) {
    while (hull.size() >= first + 2 && !turns_left(hull[hull.size() - 2], hull.back(), p)) hull.pop_back();
    hull.push_back(p);
  };
  for (const auto& p : sorted) append(p, 0);
  const std::size_t upper = hull.size() - 1;
  for (std::size_t i = sorted.size() - 1; i-- > 0;) append(sorted[i], upper);
  hull.pop_back();  // the first point again
}

}  // namespace lissom
