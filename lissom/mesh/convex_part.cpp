#include "lissom/mesh/convex_part.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lissom/mesh/mass_properties.h"

namespace lissom::mesh {
namespace {

double coordinate_of(const Vec3<double>& p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}
void set_coordinate(Vec3<double>& p, int axis, double value) {
  (axis == 0 ? p.x : axis == 1 ? p.y : p.z) = value;
}

// Keeps the part of a polygon on one side of a plane (Sutherland and Hodgman 1974); points in the plane stay.
void clip(std::vector<Vec3<double>>& polygon, int axis, double bound, bool keep_below,
          std::vector<Vec3<double>>& clipped) {
  clipped.clear();
  const auto depth = [&](const Vec3<double>& p) {
    return keep_below ? bound - coordinate_of(p, axis) : coordinate_of(p, axis) - bound;
  };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double from = depth(p), to = depth(q);
    if (from >= 0) clipped.push_back(p);
    if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
      auto crossing = p + (from / (from - to)) * (q - p);
      set_coordinate(crossing, axis, bound);
      clipped.push_back(crossing);
    }
  }
  polygon.swap(clipped);
}

// Whether a polygon lies in a face of the box and does not belong there: because the triangle that it was cut from only
// touches the face, or is the surface of what lies beyond.
bool belongs_elsewhere(const std::vector<Vec3<double>>& polygon, const Bounds& box, const Vec3<double>& normal) {
  for (int axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      const double bound = coordinate_of(upper ? box.upper : box.lower, axis);
      const auto in_face = [&](const Vec3<double>& p) { return coordinate_of(p, axis) == bound; };
      if (!std::ranges::all_of(polygon, in_face)) continue;
      const double n = coordinate_of(normal, axis), length = std::sqrt(dot(normal, normal));
      const bool faces_outward = upper ? n > 0 : n < 0;
      if (!faces_outward || std::abs(n) < (1 - 1e-9) * length) return true;
    }
  return false;
}

// 4π times how often the surface goes around a point, by the solid angles of the triangles (van Oosterom, Strackee
// 1983).
double solid_angle(const TriangleMesh& mesh, const Vec3<double>& point) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto a = mesh.vertices[t[0]] - point, b = mesh.vertices[t[1]] - point, c = mesh.vertices[t[2]] - point;
    const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
    const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += 2 * std::atan2(dot(a, cross(b, c)), denominator);
  }
  return sum;
}

}  // namespace

double volume_of(const TriangleMesh& mesh) {
  return mesh.empty() ? 0 : mass_properties(mesh, InertiaKind::exact).mass;
}

PartMaker::PartMaker(const TriangleMesh& mesh, int resolution) : mesh_(mesh), voxels_(mesh, resolution) {
  // Where the surface is closed, the volume is known better than the cells tell.
  const double exact = volume_of(mesh), by_cells = voxels_.volume(whole().box);
  knows_volume_ = count_edges(mesh).open == 0 && exact > 0.8 * by_cells && exact < 1.25 * by_cells;
  if (knows_volume_) volume_factor_ = exact / by_cells;
}

ConvexPart PartMaker::whole() const {
  Bounds box{{0, 0, 0}, {0, 0, 0}};
  for (int axis = 0; axis < 3; ++axis) {
    set_coordinate(box.lower, axis, voxels_.lower(axis, 0));
    set_coordinate(box.upper, axis, voxels_.lower(axis, voxels_.count(axis)));
  }
  std::vector<std::uint32_t> all(mesh_.triangles.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  return make(box, all);
}

// Corners of the box that lie inside of the body are corners of the part, too.
void PartMaker::add_inner_corners(const Bounds& box, std::vector<Vec3<double>>& points) const {
  for (int i = 0; i < 8; ++i) {
    const Vec3<double> corner{i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
                              i & 4 ? box.upper.z : box.lower.z};
    const auto cell = voxels_.at(corner);
    if (cell == Voxels::Cell::inside ||
        (cell == Voxels::Cell::surface && std::abs(solid_angle(mesh_, corner)) > 2 * M_PI))
      points.push_back(corner);
  }
}

ConvexPart PartMaker::make(const Bounds& box, const std::vector<std::uint32_t>& candidates) const {
  ConvexPart part;
  part.box = box;
  std::vector<Vec3<double>> points, polygon, scratch;
  for (const auto index : candidates) {
    const auto& t = mesh_.triangles[index];
    polygon.assign({mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]});
    for (int axis = 0; axis < 3 && !polygon.empty(); ++axis) {
      clip(polygon, axis, coordinate_of(box.lower, axis), false, scratch);
      clip(polygon, axis, coordinate_of(box.upper, axis), true, scratch);
    }
    const auto normal = cross(mesh_.vertices[t[1]] - mesh_.vertices[t[0]], mesh_.vertices[t[2]] - mesh_.vertices[t[0]]);
    if (polygon.empty() || belongs_elsewhere(polygon, box, normal)) continue;
    part.triangles.push_back(index);
    points.insert(points.end(), polygon.begin(), polygon.end());
  }
  add_inner_corners(box, points);
  auto hull = convex_hull(points);
  if (hull.kind == HullKind::solid) part.hull_volume = volume_of(hull.mesh);
  part.hull = std::move(hull.mesh);
  part.volume = std::min(volume_factor_ * voxels_.volume(box), part.hull_volume);
  return part;
}

// The first and the last index of cells in a part. Those that touch its faces are left out: the surface on the other
// side may have marked them.
std::pair<int, int> PartMaker::cells_of(const ConvexPart& part, int axis) const {
  const double margin = 1.01 * voxels_.size();
  return {voxels_.index_at(axis, coordinate_of(part.box.lower, axis) + margin),
          voxels_.index_at(axis, coordinate_of(part.box.upper, axis) - margin)};
}

// The outermost cells of a slab, as points on both of its faces.
void PartMaker::add_slab(const ConvexPart& part, int axis, int index, std::vector<Vec3<double>>& points) const {
  const int across = (axis + 1) % 3, along = (axis + 2) % 3;
  const auto [first_row, last_row] = cells_of(part, across);
  const auto [begin, end] = cells_of(part, along);
  const auto filled = [&](int row, int k) {
    std::array<int, 3> cell{};
    cell[std::size_t(axis)] = index, cell[std::size_t(across)] = row, cell[std::size_t(along)] = k;
    return voxels_.at(cell[0], cell[1], cell[2]) != Voxels::Cell::outside;
  };
  const auto add = [&](int row, int k) {
    Vec3<double> p{0, 0, 0};
    set_coordinate(p, across, voxels_.lower(across, row) + 0.5 * voxels_.size());
    set_coordinate(p, along, voxels_.lower(along, k) + 0.5 * voxels_.size());
    for (const int face : {index, index + 1}) {
      set_coordinate(p, axis, voxels_.lower(axis, face));
      points.push_back(p);
    }
  };
  for (int row = first_row; row <= last_row; ++row) {
    int low = begin, high = end;
    while (low <= high && !filled(row, low)) ++low;
    while (high > low && !filled(row, high)) --high;
    if (low > high) continue;
    add(row, low);
    if (high > low) add(row, high);
  }
}

// Volumes of the hulls of the first, the first two, … slabs of cells, from either end.
std::vector<double> PartMaker::sweep(const ConvexPart& part, int axis, bool forward) const {
  const auto [first, last] = cells_of(part, axis);
  std::vector<double> volumes;
  std::vector<Vec3<double>> points;
  for (int i = 0; i <= last - first; ++i) {
    const std::size_t before = points.size();
    add_slab(part, axis, forward ? first + i : last - i, points);
    if (points.size() == before) {
      volumes.push_back(volumes.empty() ? 0 : volumes.back());
      continue;
    }
    const auto hull = convex_hull(points);
    volumes.push_back(hull.kind == HullKind::solid ? volume_of(hull.mesh) : 0);
    points = hull.mesh.vertices;
  }
  return volumes;
}

std::optional<PartMaker::Plane> PartMaker::best_plane(const ConvexPart& part) const {
  std::optional<Plane> best;
  double best_score = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto below = sweep(part, axis, true);
    auto above = sweep(part, axis, false);
    std::reverse(above.begin(), above.end());
    const int first = cells_of(part, axis).first;
    for (std::size_t i = 0; i + 1 < below.size(); ++i) {
      const double both = below[i] + above[i + 1];
      if (below[i] <= 0 || above[i + 1] <= 0) continue;
      // Where cuts are about as good, the one in the middle leaves parts that are easier to cut further. A ring has
      // to be cut twice before its hulls become smaller.
      const double off_middle = std::abs(double(i + 1) / double(below.size()) - 0.5);
      const double score = both + 1e-2 * off_middle * below.back();
      if (!best || score < best_score) {
        best_score = score;
        best = Plane{axis, voxels_.lower(axis, first + int(i) + 1), both};
      }
    }
  }
  return best;
}

// Coordinates of vertices near a plane, where edges of the body are; those that most vertices share.
std::vector<double> PartMaker::coordinates_near(const ConvexPart& part, const Plane& plane) const {
  constexpr std::size_t max_count = 6;
  std::vector<double> near;
  for (const auto index : part.triangles)
    for (const auto corner : mesh_.triangles[index]) {
      const double x = coordinate_of(mesh_.vertices[corner], plane.axis);
      if (std::abs(x - plane.coordinate) <= 2.01 * voxels_.size()) near.push_back(x);
    }
  std::sort(near.begin(), near.end());
  std::vector<std::pair<std::size_t, double>> counts;
  for (const double x : near) {
    if (counts.empty() || counts.back().second != x) counts.push_back({0, x});
    ++counts.back().first;
  }
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<double> coordinates{plane.coordinate};
  for (std::size_t i = 0; i < std::min(counts.size(), max_count); ++i) coordinates.push_back(counts[i].second);
  return coordinates;
}

std::pair<ConvexPart, ConvexPart> PartMaker::divided(const ConvexPart& part, int axis, double coordinate) const {
  auto below = part.box, above = part.box;
  set_coordinate(below.upper, axis, coordinate);
  set_coordinate(above.lower, axis, coordinate);
  return {make(below, part.triangles), make(above, part.triangles)};
}

std::optional<std::pair<ConvexPart, ConvexPart>> PartMaker::cut(const ConvexPart& part) const {
  const auto plane = best_plane(part);
  if (!plane) return {};
  std::optional<std::pair<ConvexPart, ConvexPart>> best;
  double least = part.hull_volume * (1 + 1e-6);
  for (const double coordinate : coordinates_near(part, *plane)) {
    auto sides = divided(part, plane->axis, coordinate);
    const double both = sides.first.hull_volume + sides.second.hull_volume;
    if (!(sides.first.hull_volume > 0) || !(sides.second.hull_volume > 0) || both >= least) continue;
    least = both * (1 - 1e-9);
    best = std::move(sides);
  }
  return best;
}

}  // namespace lissom::mesh
