#include "lissom/geometry/hull.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "lissom/geometry/vectors.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

namespace {

using collision::norm;
using collision::squared;
using collision::Vec;

constexpr double max_coordinate = 1e9;        // m: squares of squares stay far from overflow
constexpr double flatness = 1e-6;             // triangles this near to a plane, relative to the size, are one face
constexpr double convexity = 1e-5;            // so far a vertex may lie outside of a face, relative to the size
constexpr std::size_t scanned_vertices = 24;  // a hull of so few is faster searched from end to end

// A triangle with its plane.
struct Facet {
  Hull::Triangle corners;
  Vec normal;  // not yet of length 1: twice the area
  double size;
};

std::vector<Facet> facets(const std::vector<Vec>& p, std::span<const Hull::Triangle> triangles, double reach) {
  std::vector<Facet> found;
  for (const auto& t : triangles) {
    const Vec normal = cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
    if (const double size = norm(normal); size > 1e-14 * reach * reach) found.push_back({t, normal, size});
  }
  // Large triangles define the planes of faces best.
  std::stable_sort(found.begin(), found.end(), [](const Facet& a, const Facet& b) { return a.size > b.size; });
  return found;
}

// Sorts the corners of a convex polygon counterclockwise about its normal.
void sort_around(const std::vector<Vec>& p, const Vec& normal, std::vector<std::uint32_t>& corners) {
  Vec center(0, 0, 0);
  for (const auto i : corners) center += (1 / double(corners.size())) * p[i];
  const Vec u = collision::perpendicular(normal), w = cross(normal, u);
  const auto angle = [&](std::uint32_t i) { return std::atan2(dot(w, p[i] - center), dot(u, p[i] - center)); };
  std::sort(corners.begin(), corners.end(), [&](std::uint32_t a, std::uint32_t b) { return angle(a) < angle(b); });
}

}  // namespace

Hull::Hull(std::span<const Vec3<double>> vertices, std::span<const Triangle> triangles)
    : vertices_(vertices.begin(), vertices.end()) {
  if (vertices_.empty()) throw Error("hull has no vertices, expected at least one");
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const auto& p = vertices_[i];
    if (!(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= max_coordinate))
      throw Error("vertex " + std::to_string(i) + " of a hull is not finite, or farther than 1e9 m from the origin");
    reach_ = std::max(reach_, norm(p));
  }
  for (const auto& triangle : triangles)
    for (const auto i : triangle)
      if (i >= vertices_.size())
        throw Error("a triangle of a hull has vertex " + std::to_string(i) + ", but there are " +
                    std::to_string(vertices_.size()));
  find_faces(triangles);
  check();
  first_neighbor_.assign(vertices_.size() + 1, 0);
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (const auto& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = t[k], b = t[(k + 1) % 3];
      if (a != b) pairs.push_back({a, b}), pairs.push_back({b, a});
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [a, b] : pairs) ++first_neighbor_[a + 1], neighbors_.push_back(b);
  std::partial_sum(first_neighbor_.begin(), first_neighbor_.end(), first_neighbor_.begin());
  find_starts();
}

void Hull::find_faces(std::span<const Triangle> triangles) {
  std::vector<std::vector<std::uint32_t>> members;
  for (const auto& facet : facets(vertices_, triangles, reach_)) {
    const Vec normal = (1 / facet.size) * facet.normal;
    const auto belongs_to = [&](const Face& face) {
      return dot(face.normal, normal) > .999 && std::all_of(facet.corners.begin(), facet.corners.end(), [&](auto i) {
               return std::abs(dot(face.normal, vertices_[i]) - face.offset) <= flatness * reach_;
             });
    };
    const auto face = std::size_t(std::find_if(faces_.begin(), faces_.end(), belongs_to) - faces_.begin());
    if (face == faces_.size()) {
      faces_.push_back({normal, dot(normal, vertices_[facet.corners[0]]), 0, 0});
      members.emplace_back();
    }
    members[face].insert(members[face].end(), facet.corners.begin(), facet.corners.end());
  }
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    auto& corners = members[f];
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    sort_around(vertices_, faces_[f].normal, corners);
    faces_[f].first = std::uint32_t(corners_.size()), faces_[f].count = std::uint32_t(corners.size());
    for (const auto i : corners) faces_[f].offset = std::max(faces_[f].offset, dot(faces_[f].normal, vertices_[i]));
    corners_.insert(corners_.end(), corners.begin(), corners.end());
  }
}

void Hull::check() const {
  for (const auto& face : faces_)
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      if (dot(face.normal, vertices_[i]) > face.offset + convexity * reach_)
        throw Error("the surface of a hull is not convex, or inside out: vertex " + std::to_string(i) +
                    " lies outside of a face; give the convex hull of the mesh");
}

void Hull::find_starts() {
  starts_.fill(0);
  if (neighbors_.empty()) return;
  for (std::uint32_t k = 0; k < 6; ++k) {
    const Vec d = (k < 3 ? 1. : -1.) * collision::axis_vector(int(k % 3));
    bool any = false;
    for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
      if (neighbors(i).empty()) continue;  // in no triangle: nothing leads on from it
      if (!any || dot(d, vertices_[i]) > dot(d, vertices_[starts_[k]])) starts_[k] = i, any = true;
    }
  }
}

std::uint32_t Hull::support(const Vec3<double>& d) const {
  if (vertices_.size() <= scanned_vertices || neighbors_.empty()) {
    std::uint32_t best = 0;
    double most = dot(d, vertices_[0]);
    for (std::uint32_t i = 1; i < vertices_.size(); ++i)
      if (const double along = dot(d, vertices_[i]); along > most) most = along, best = i;
    return best;
  }
  // Uphill from vertex to vertex: on a convex surface there is one summit.
  const double x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  std::uint32_t best = starts_[std::size_t(collision::element(d, axis) < 0 ? axis + 3 : axis)];
  double most = dot(d, vertices_[best]);
  for (std::uint32_t at = best;; at = best) {
    for (const auto i : neighbors(at))
      if (const double along = dot(d, vertices_[i]); along > most) most = along, best = i;
    if (best == at) return best;
  }
}

std::uint32_t Hull::nearest_face(const Vec3<double>& d) const {
  std::uint32_t best = 0;
  double most = -2 * norm(d) - 1;
  for (std::uint32_t i = 0; i < faces_.size(); ++i)
    if (const double along = dot(d, faces_[i].normal); along > most) most = along, best = i;
  return best;
}

}  // namespace lissom
