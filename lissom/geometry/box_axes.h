#pragma once
// The axis along which two boxes are farthest apart, or overlap least (separating axes: Gottschalk 1996). Not for
// users.
#include "lissom/geometry/placed.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

struct BoxAxis {
  enum class Of { face_of_a, face_of_b, edges };
  double separation;  ///< at most the distance; exactly the depth if the boxes overlap
  Vec normal;         ///< from b to a
  Of of;
  int edge_a, edge_b;  ///< axes of the edges, if these
};
/// Returns as soon as an axis with a separation above `cutoff` is found.
BoxAxis best_axis(const Core& a, const Core& b, double cutoff);

/// The nearest points of the edges of an axis, and whether they lie between the ends of the edges.
struct EdgePoints {
  Vec on_a, on_b;
  bool between_ends;
};
EdgePoints edge_points(const Core& a, const Core& b, const BoxAxis& axis);

}  // namespace lissom::collision
