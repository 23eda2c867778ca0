#include "lissom/walking/support_polygon.h"

#include <algorithm>
#include <limits>

#include "lissom/math/monotone_chain.h"

namespace lissom::walking {

namespace {

// Twice the signed area of the triangle a b c.
double doubled_area(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}
Vec2 nearest_of_edge(const Vec2& a, const Vec2& b, const Vec2& point) {
  const Vec2 along = b - a;
  const double length = along.squaredNorm();
  return length > 0 ? Vec2(a + std::clamp(along.dot(point - a) / length, 0.0, 1.0) * along) : a;
}

}  // namespace

SupportPolygon::SupportPolygon(std::size_t max_points) : max_points_(max_points) {
  points_.reserve(max_points), hull_.reserve(2 * max_points + 2);
}

void SupportPolygon::add(const Vec2& point) {
  if (points_.size() < max_points_) points_.push_back(point);
}

void SupportPolygon::close() {
  std::sort(points_.begin(), points_.end(),
            [](const Vec2& a, const Vec2& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  if (points_.size() < 3)
    hull_.assign(points_.begin(), points_.end());
  else
    monotone_chain(
        points_, [](const Vec2& a, const Vec2& b, const Vec2& c) { return doubled_area(a, b, c) > 0; }, hull_);
}

Vec2 SupportPolygon::center() const {
  Vec2 sum = Vec2::Zero();
  for (const auto& p : hull_) sum += p;
  return hull_.empty() ? sum : Vec2(sum / double(hull_.size()));
}

bool SupportPolygon::contains(const Vec2& point) const {
  if (hull_.size() < 3) return false;
  for (std::size_t i = 0; i < hull_.size(); ++i)
    if (doubled_area(hull_[i], hull_[(i + 1) % hull_.size()], point) < 0) return false;
  return true;
}

Vec2 SupportPolygon::nearest(const Vec2& point) const {
  if (hull_.empty() || contains(point)) return point;
  Vec2 best = hull_[0];
  for (std::size_t i = 0; i < hull_.size(); ++i) {
    const Vec2 candidate = nearest_of_edge(hull_[i], hull_[(i + 1) % hull_.size()], point);
    if ((candidate - point).squaredNorm() < (best - point).squaredNorm()) best = candidate;
  }
  return best;
}

double SupportPolygon::distance(const Vec2& point) const {
  if (hull_.empty()) return std::numeric_limits<double>::infinity();
  if (!contains(point)) return (nearest(point) - point).norm();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < hull_.size(); ++i)
    least = std::min(least, (nearest_of_edge(hull_[i], hull_[(i + 1) % hull_.size()], point) - point).norm());
  return -least;
}

}  // namespace lissom::walking
