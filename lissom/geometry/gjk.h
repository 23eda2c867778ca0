#pragma once
// The nearest points of two convex cores, from their support functions alone (Gilbert, Johnson, Keerthi 1988), and the
// depth of overlap by an expanding polytope (van den Bergen 2001). Not for users.
#include "lissom/geometry/placed.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

/// A point of a - b, with the points that it is the difference of.
struct DifferencePoint {
  Vec w, a, b;
};
inline DifferencePoint difference_support(const Core& a, const Core& b, const Vec& d) {
  DifferencePoint p;
  p.a = support(a, d), p.b = support(b, -d);
  p.w = p.a - p.b;
  return p;
}

/// Up to four points of a - b; the point of their hull that is nearest to the origin is Σ weight · w.
struct Simplex {
  DifferencePoint points[4];
  double weights[4];
  int size = 0;
};

/// Keeps the points of a simplex that its point nearest to the origin is made of. False if the origin lies inside.
bool reduce_to_nearest(Simplex& simplex);

struct GjkResult {
  bool apart;          ///< false: the cores overlap, or are nearer than rounding can tell
  Separation nearest;  ///< if apart
  Simplex simplex;     ///< contains the origin if the cores overlap
  Vec direction;       ///< unit vector, the last one from b to a; a good guess of the normal if they overlap little
};
/// Stops early when the distance is known to be above `cutoff` ≥ 0; what it returns then is above it, too.
/// With a `tolerance`, the distance is only known to be below it within that; then `apart` is no more than a guess.
GjkResult gjk(const Core& a, const Core& b, double cutoff, double tolerance = 0);

/// The smallest translation that separates overlapping cores. `simplex` is what gjk() found.
Separation expanding_polytope(const Core& a, const Core& b, const Simplex& simplex);

}  // namespace lissom::collision
