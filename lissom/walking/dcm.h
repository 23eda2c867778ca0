#pragma once
// The divergent component of motion ξ = c + ċ/ω of the center of mass c (Hof's extrapolated center of mass, Pratt's
// capture point), in the plane. Of a pendulum of constant height h, ω = √(g/h), it moves away from the center of
// pressure p,
//   ξ̇ = ω (ξ - p),
// and the center of mass follows it. So a walk is planned backwards: from where ξ has to be at the end, through the
// segments in which p moves on a straight line (Englsberger, Ott, Albu-Schäffer 2015). docs/walking.md.
#include <cmath>

#include <Eigen/Core>

namespace lissom::walking {

using Vec2 = Eigen::Vector2d;

/// The center of pressure moves from one point to another with constant speed.
struct PressureSegment {
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();
  double seconds = 0;
};

/// Where ξ is at the beginning of a segment if it is at `end` when the segment ends.
inline Vec2 dcm_before(const PressureSegment& s, double omega, const Vec2& end) {
  if (s.seconds <= 0) return end;
  const Vec2 lead = (s.to - s.from) / (omega * s.seconds);  // ξ - p of the particular solution
  return s.from + lead + std::exp(-omega * s.seconds) * (end - s.to - lead);
}

/// Segments of the center of pressure from now on, and what they demand of ξ. Allocates nothing.
class DcmPlan {
 public:
  static constexpr int max_segments = 16;
  void clear() { count_ = 0; }
  /// Appends a segment; segments beyond max_segments are left out.
  void add(const PressureSegment& segment) {
    if (count_ < max_segments) segments_[count_++] = segment;
  }
  int size() const { return count_; }
  /// Solves backwards from ξ = `end` behind the last segment.
  void solve(double omega, const Vec2& end) {
    dcm_[count_] = end;
    for (int i = count_ - 1; i >= 0; --i) dcm_[i] = dcm_before(segments_[i], omega, dcm_[i + 1]);
  }
  /// ξ at the beginning of a segment; that of size() is the end.
  const Vec2& dcm(int segment) const { return dcm_[segment]; }
  /// The planned center of pressure now.
  const Vec2& pressure() const { return segments_[0].from; }

 private:
  PressureSegment segments_[max_segments];
  Vec2 dcm_[max_segments + 1];
  int count_ = 0;
};

}  // namespace lissom::walking
