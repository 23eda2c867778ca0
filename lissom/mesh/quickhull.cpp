#include "lissom/mesh/quickhull.h"

#include <limits>
#include <tuple>
#include <utility>

namespace lissom::mesh {
namespace {

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Quickhull::Quickhull(const HullPoints& points, std::array<std::uint32_t, 4> simplex, double tolerance)
    : points_(points),
      tolerance_(tolerance),
      next_point_(points.size(), nothing),
      face_at_start_(points.size(), nothing) {
  auto [a, b, c, d] = simplex;
  if (HullPlane(points_, a, b, c).sees(points_[d])) std::swap(b, c);
  // The fourth corner lies below the first three.
  add_face(a, b, c);
  add_face(a, d, b);
  add_face(b, d, c);
  add_face(c, d, a);
  faces_[0].neighbors = {1, 2, 3};
  faces_[1].neighbors = {3, 2, 0};
  faces_[2].neighbors = {1, 3, 0};
  faces_[3].neighbors = {2, 1, 0};
  new_faces_ = {0, 1, 2, 3};
  for (std::uint32_t i = 0; i < points_.size(); ++i)
    if (i != a && i != b && i != c && i != d) distribute(i);
  for (const auto face : new_faces_)
    if (faces_[face].first_point != nothing) candidates_.push({faces_[face].distance, face});
}

std::uint32_t Quickhull::add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Face face;
  face.corners = {a, b, c};
  face.plane = HullPlane(points_, a, b, c);
  face.first_point = nothing;
  if (unused_.empty()) {
    faces_.push_back(face);
    return std::uint32_t(faces_.size() - 1);
  }
  const auto index = unused_.back();
  unused_.pop_back();
  faces_[index] = face;
  return index;
}

void Quickhull::add_point(std::uint32_t index, std::uint32_t point, double distance) {
  auto& face = faces_[index];
  next_point_[point] = face.first_point;
  face.first_point = point;
  if (distance > face.distance) face.distance = distance, face.farthest = point;
}

void Quickhull::drop_stale_candidates() {
  while (!candidates_.empty()) {
    const auto& face = faces_[candidates_.top().face];
    if (!face.removed && face.distance == candidates_.top().distance) return;
    candidates_.pop();
  }
}

double Quickhull::max_distance() {
  drop_stale_candidates();
  return candidates_.empty() ? 0 : candidates_.top().distance;
}

bool Quickhull::grow() {
  drop_stale_candidates();
  if (candidates_.empty()) return false;
  const auto start = candidates_.top().face;
  candidates_.pop();
  const auto point = faces_[start].farthest;
  remove_seen_faces(point, start);
  close_hole(point);
  for (const auto orphan : orphans_)
    if (orphan != point) distribute(orphan);
  for (const auto face : new_faces_)
    if (faces_[face].first_point != nothing) candidates_.push({faces_[face].distance, face});
  return true;
}

// Marks the faces that the point sees, which hang together, and collects the edges around them and the points above.
void Quickhull::remove_seen_faces(std::uint32_t point, std::uint32_t start) {
  rim_.clear();
  orphans_.clear();
  seen_.assign(1, start);
  faces_[start].removed = true;
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    for (auto p = faces_[seen_[k]].first_point; p != nothing; p = next_point_[p]) orphans_.push_back(p);
    for (const auto index : faces_[seen_[k]].neighbors) {
      auto& neighbor = faces_[index];
      if (neighbor.removed || !neighbor.plane.sees(points_[point])) continue;
      neighbor.removed = true;
      seen_.push_back(index);
    }
  }
  for (const auto index : seen_)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& face = faces_[index];
      if (!faces_[face.neighbors[i]].removed)
        rim_.push_back({face.corners[i], face.corners[(i + 1) % 3], face.neighbors[i]});
    }
  unused_.insert(unused_.end(), seen_.begin(), seen_.end());
}

void Quickhull::close_hole(std::uint32_t point) {
  new_faces_.clear();
  for (const auto& edge : rim_) {
    const auto index = add_face(edge.from, edge.to, point);
    new_faces_.push_back(index);
    face_at_start_[edge.from] = index;
    faces_[index].neighbors[0] = edge.outside;
    auto& outside = faces_[edge.outside];
    for (std::size_t i = 0; i < 3; ++i)
      if (outside.corners[i] == edge.to && outside.corners[(i + 1) % 3] == edge.from) outside.neighbors[i] = index;
  }
  // The edge from `to` to the point is shared with the new face that starts at `to`.
  for (const auto index : new_faces_) {
    const auto after = face_at_start_[faces_[index].corners[1]];
    faces_[index].neighbors[1] = after;
    faces_[after].neighbors[2] = index;
  }
}

// Gives a point to the new face that it lies farthest above. Where it lies above none by more than the tolerance, but
// sees one, it may still lie farther above another that it sees.
void Quickhull::distribute(std::uint32_t point) {
  const auto& p = points_[point];
  std::uint32_t best = nothing, seen = nothing;
  double largest = tolerance_;
  for (const auto index : new_faces_) {
    const double d = faces_[index].plane.distance(p);
    if (d > largest) largest = d, best = index;
    if (d > -HullPlane::distance_error && seen == nothing && faces_[index].plane.sees(p)) seen = index;
  }
  const bool search = best == nothing && seen != nothing;
  if (search) std::tie(best, largest) = search_from(seen, p);
  if (best == nothing) return;
  add_point(best, point, largest);
  if (search) candidates_.push({faces_[best].distance, best});
}

// A face that lies farther below the point than the tolerance, among those that it sees.
std::pair<std::uint32_t, double> Quickhull::search_from(std::uint32_t start, const HullPoint& point) {
  const auto visit = ++visits_;
  stack_.assign(1, start);
  faces_[start].visit = visit;
  while (!stack_.empty()) {
    const auto index = stack_.back();
    stack_.pop_back();
    const double d = faces_[index].plane.distance(point);
    if (d > tolerance_) return {index, d};
    for (const auto neighbor : faces_[index].neighbors)
      if (faces_[neighbor].visit != visit && faces_[neighbor].plane.sees(point))
        faces_[neighbor].visit = visit, stack_.push_back(neighbor);
  }
  return {nothing, 0};
}

std::vector<Triangle> Quickhull::triangles() const {
  std::vector<Triangle> all;
  for (const auto& face : faces_)
    if (!face.removed) all.push_back(face.corners);
  return all;
}

}  // namespace lissom::mesh
