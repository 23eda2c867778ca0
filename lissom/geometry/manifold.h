#pragma once
// Contact manifolds: where two cores face each other, given a direction in which they are near. Not for users.
#include <cstdint>

#include "lissom/geometry/placed.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

/// The flat part of a surface that faces a direction: a polygon (counterclockwise as seen from outside), a segment or a
/// point, with labels of its corners that stay the same while the shape moves.
struct Feature {
  static constexpr int capacity = 32;
  Vec points[capacity];
  std::uint32_t labels[capacity];
  int size = 0;
  void push(const Vec& p, std::uint32_t label) {
    if (size < capacity) points[size] = p, labels[size++] = label;
  }
};

/// A pair of points of two cores, at a distance along a normal from b to a.
struct CorePoint {
  Vec on_a, normal;
  double gap;  ///< on_b = on_a - gap · normal
  std::uint32_t feature;
};
/// The points of a pair, before they are reduced.
struct Manifold {
  static constexpr int capacity = 64;
  CorePoint points[capacity];
  int size = 0;
  void push(const CorePoint& p) {
    if (size < capacity) points[size++] = p;
  }
};

/// A flat face of a core: its outward normal, in coordinates of the world; `exists` is false for cores without faces.
struct FaceDirection {
  bool exists;
  Vec normal;
};
/// The face whose normal is nearest to d.
FaceDirection nearest_face(const Core& core, const Vec& d);
/// The polygon of that face.
Feature face_polygon(const Core& core, const Vec& d);
/// What may touch a face that looks into the opposite direction of d: a polygon, a segment or a point.
Feature facing_feature(const Core& core, const Vec& d);

/// An identifier of a point from labels of corners or edges of a and b.
std::uint32_t feature_id(std::uint32_t of_a, std::uint32_t of_b);

/// Adds the points of `incident` above the polygon `face`, with their distances along the face's outward normal;
/// what reaches beyond the sides of the face is cut off. The face belongs to a, or to b.
void add_clipped(const Feature& face, const Vec& normal, bool face_is_of_a, const Feature& incident, double max_gap,
                 double size, Manifold& out);

/// Adds the nearest points at both ends of the common part of two nearly parallel segments.
void add_parallel_segments(const Feature& a, const Feature& b, double max_gap, Manifold& out);

/// Whether the face normal on a or b is as good a direction as that of s: then s takes it, and `of_a`, `of_b` tell
/// whose face it is. Points of s are kept.
struct FaceChoice {
  bool of_a = false, of_b = false;
};
FaceChoice snap_to_face(const Core& a, const Core& b, double size, Separation& s);

}  // namespace lissom::collision
