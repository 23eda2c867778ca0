#pragma once
// Points at which two shapes touch, or soon may.
#include <array>
#include <cstdint>

#include "lissom/math/vec3.h"

namespace lissom {

/// One point of contact of a pair (a, b), in coordinates of the world.
struct ContactPoint {
  /// On the surface of the rounder shape of the two (Collider::roundness); if none is rounder, in the middle between
  /// both surfaces. The nearest point of a is in any case on the line through `point` along `normal`, and so is that
  /// of b, `gap` below it.
  Vec3<double> point;
  Vec3<double> normal;    ///< unit vector from b to a
  double gap;             ///< signed distance along the normal: negative where the shapes overlap
  std::uint32_t feature;  ///< tells the points of a pair apart, and is the same from one step to the next
};

/// The points of one pair: a list of fixed capacity, without heap.
class ContactPoints {
 public:
  static constexpr int capacity = 8;

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { size_ = 0; }
  const ContactPoint& operator[](int i) const { return points_[std::size_t(i)]; }
  ContactPoint& operator[](int i) { return points_[std::size_t(i)]; }
  const ContactPoint* begin() const { return points_.data(); }
  const ContactPoint* end() const { return points_.data() + size_; }
  ContactPoint* begin() { return points_.data(); }
  ContactPoint* end() { return points_.data() + size_; }
  /// Appends a point; a full list stays as it is.
  void push(const ContactPoint& p) {
    if (size_ < capacity) points_[std::size_t(size_++)] = p;
  }

 private:
  std::array<ContactPoint, std::size_t(capacity)> points_;
  int size_ = 0;
};

}  // namespace lissom
