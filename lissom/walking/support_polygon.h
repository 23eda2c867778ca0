#pragma once
// The convex hull of the points on which a robot stands, seen from above.
#include <vector>

#include "lissom/walking/dcm.h"

namespace lissom::walking {

/// The polygon, with memory for its points. Adding points allocates nothing.
class SupportPolygon {
 public:
  explicit SupportPolygon(std::size_t max_points = 64);
  void clear() { points_.clear(); }
  /// Adds a point; points beyond max_points are left out.
  void add(const Vec2& point);
  /// Finds the hull. It may be a line or a point. Allocates nothing.
  void close();
  /// Corners, counter-clockwise.
  const std::vector<Vec2>& corners() const { return hull_; }
  Vec2 center() const;
  /// Distance of a point from the hull: negative inside, where it is that from the nearest edge.
  double distance(const Vec2& point) const;
  /// The point of the hull that is nearest to `point`; itself if it lies inside.
  Vec2 nearest(const Vec2& point) const;

 private:
  bool contains(const Vec2& point) const;
  std::size_t max_points_;
  std::vector<Vec2> points_, hull_;
};

}  // namespace lissom::walking
