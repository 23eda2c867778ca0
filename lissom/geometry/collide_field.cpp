// Convex shapes on a height field. Corners of the shape are compared with the triangle above or below them, edges and
// peaks of the field with the whole shape. All is done in the frame of the field.
#include <numbers>

#include "lissom/geometry/collide_pairs.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

namespace {

using Kind = Collider::Kind;

class AboveField {
 public:
  AboveField(const Core& a, const HeightField& field, double max_gap, Manifold& out)
      : a_(a), field_(field), max_gap_(max_gap), out_(out), size_(reach(a) + field.step_x() + field.step_y()) {}

  void add_sunk_corners() {
    for_corners([&](const Vec& p, std::uint32_t label) { add_sunk_corner(p, label); });
  }
  void add_triangles_and_peaks();

 private:
  struct Range {
    int first_column, last_column, first_row, last_row;
  };
  Range cells() const;
  template <class Visit>
  void for_corners(const Visit& visit) const;
  void add_sunk_corner(const Vec& p, std::uint32_t label);
  void add_corners_above(int triangle);
  void add_lowest(int triangle);
  void add_edge(int triangle);
  void add_peak(int column, int row);
  bool is_local_minimum(const Vec& q, const Vec& normal) const;
  void push(const Vec& on_a, const Vec& normal, double gap, std::uint32_t feature);

  const Core& a_;
  const HeightField& field_;
  double max_gap_;
  Manifold& out_;
  double size_;
};

Vec triangle_normal(const std::array<Vec, 3>& t) {
  return unit_or(cross(t[1] - t[0], t[2] - t[0]), {0, 0, 1});
}

// Whether the projection of a point to the plane of a triangle lies in it.
bool above_triangle(const std::array<Vec, 3>& t, const Vec& normal, const Vec& p, double slack) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec along = t[(k + 1) % 3] - t[k];
    if (dot(cross(normal, along), p - t[k]) < -slack * norm(along)) return false;
  }
  return true;
}

AboveField::Range AboveField::cells() const {
  const auto b = grown(bounds(*a_.shape, a_.X), std::max(max_gap_, 0.));
  const auto cell = [](double x, double size, double step, int count) {
    return int(std::clamp(std::floor((x + .5 * size) / step), -1., double(count - 1)));
  };
  Range r;
  r.first_column = std::max(cell(b.lower.x, field_.size_x(), field_.step_x(), field_.columns()), 0);
  r.last_column = std::min(cell(b.upper.x, field_.size_x(), field_.step_x(), field_.columns()), field_.columns() - 2);
  r.first_row = std::max(cell(b.lower.y, field_.size_y(), field_.step_y(), field_.rows()), 0);
  r.last_row = std::min(cell(b.upper.y, field_.size_y(), field_.step_y(), field_.rows()), field_.rows() - 2);
  return r;
}

void AboveField::push(const Vec& on_a, const Vec& normal, double gap, std::uint32_t feature) {
  for (int i = 0; i < out_.size; ++i)
    if (squared(out_.points[i].on_a - on_a) < 1e-12 * size_ * size_ && dot(out_.points[i].normal, normal) > .999)
      return;
  // A corner may touch several triangles: they are counted in the order of triangles.
  std::uint32_t count = 0;
  for (int i = 0; i < out_.size; ++i) count += out_.points[i].feature == feature_id(feature, count);
  out_.push({on_a, normal, gap, feature_id(feature, count)});
}

template <class Visit>
void AboveField::for_corners(const Visit& visit) const {
  const Vec& h = a_.shape->half();
  switch (a_.shape->kind()) {
    case Kind::sphere:
      return visit(a_.X.p, 0u);
    case Kind::capsule:
      visit(a_.X * Vec(0, 0, -h.z), 0u);
      return visit(a_.X * Vec(0, 0, h.z), 1u);
    case Kind::box:
      for (std::uint32_t i = 0; i < 8; ++i)
        visit(a_.X * Vec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z), i);
      return;
    case Kind::hull:
      for (std::uint32_t i = 0; i < a_.shape->hull().vertices().size(); ++i)
        visit(a_.X * a_.shape->hull().vertices()[i], i);
      return;
    case Kind::cylinder:
      for (std::uint32_t i = 0; i < 16; ++i) {
        const double angle = std::numbers::pi / 4 * double(i >> 1);
        visit(a_.X * Vec(h.x * std::cos(angle), h.x * std::sin(angle), i & 1 ? h.z : -h.z), i);
      }
      return;
    default:
      return;
  }
}

// A corner inside of the ground, against the triangle above it.
void AboveField::add_sunk_corner(const Vec& p, std::uint32_t label) {
  const int index = field_.triangle_at(p.x, p.y);
  if (index < 0) return;
  const auto t = field_.triangle(index);
  const Vec normal = triangle_normal(t);
  if (const double gap = dot(normal, p - t[0]); gap <= std::min(max_gap_, 0.)) push(p, normal, gap, label);
}

// Corners above a triangle; each may be above several.
void AboveField::add_corners_above(int triangle) {
  const auto t = field_.triangle(triangle);
  const Vec normal = triangle_normal(t);
  for_corners([&](const Vec& p, std::uint32_t label) {
    const double gap = dot(normal, p - t[0]);
    if (gap > 0 && gap <= max_gap_ && above_triangle(t, normal, p, 1e-9 * size_)) push(p, normal, gap, label);
  });
}

// The point of a curved shape that is deepest below the plane of a triangle.
void AboveField::add_lowest(int triangle) {
  const auto t = field_.triangle(triangle);
  const Vec normal = triangle_normal(t), p = support(a_, -normal);
  const double gap = dot(normal, p - t[0]);
  if (gap <= max_gap_ && above_triangle(t, normal, p, 1e-9 * size_))
    push(p, normal, gap, 0x40000000u + std::uint32_t(triangle));
}

// Whether no triangle at q leads nearer to the shape, in the direction of the normal: false on flat and hollow ground.
bool AboveField::is_local_minimum(const Vec& q, const Vec& normal) const {
  const double u = (q.x + .5 * field_.size_x()) / field_.step_x(), v = (q.y + .5 * field_.size_y()) / field_.step_y();
  const int column = int(std::floor(u)), row = int(std::floor(v));
  for (int r = row - 1; r <= row + 1; ++r)
    for (int c = column - 1; c <= column + 1; ++c) {
      if (r < 0 || c < 0 || r > field_.rows() - 2 || c > field_.columns() - 2) continue;
      for (int k = 0; k < 2; ++k) {
        const auto t = field_.triangle(2 * (r * (field_.columns() - 1) + c) + k);
        const Vec n = triangle_normal(t);
        if (std::abs(dot(n, q - t[0])) > 1e-7 * size_ || !above_triangle(t, n, q, 1e-7 * size_)) continue;
        for (const auto& corner : t)
          if (dot(normal, corner - q) > 1e-6 * size_) return false;
      }
    }
  return true;
}

// Where an edge or a corner of a triangle is nearest to the shape. Faces are left to the shape's corners.
void AboveField::add_edge(int triangle) {
  const auto t = field_.triangle(triangle);
  const Vec face = triangle_normal(t);
  const auto s = separation(a_, {nullptr, {}, t.data()}, max_gap_);
  if (!(s.distance <= max_gap_) || s.distance <= 1e-9 * size_ || dot(s.normal, face) > 1 - 1e-10) return;
  if (!(dot(s.normal, face) > 0) || !is_local_minimum(s.point_b, s.normal)) return;
  push(s.point_a, s.normal, s.distance, 0x80000000u + std::uint32_t(triangle));
}

// A point of the field inside of the shape.
void AboveField::add_peak(int column, int row) {
  const Collider point;
  const Core peak{&point, {identity3<double>(), field_.point(column, row)}};
  const auto s = separation(a_, peak, 0);
  if (!(s.distance <= 0) || !is_local_minimum(peak.X.p, s.normal)) return;
  push(s.point_a, s.normal, s.distance, 0xc0000000u + std::uint32_t(row * field_.columns() + column));
}

void AboveField::add_triangles_and_peaks() {
  const auto range = cells();
  const auto b = grown(bounds(*a_.shape, a_.X), std::max(max_gap_, 0.));
  const bool curved = a_.shape->kind() == Kind::cylinder || a_.shape->kind() == Kind::ellipsoid;
  for (int r = range.first_row; r <= range.last_row; ++r)
    for (int c = range.first_column; c <= range.last_column; ++c)
      for (int k = 0; k < 2; ++k) {
        const int index = 2 * (r * (field_.columns() - 1) + c) + k;
        const auto t = field_.triangle(index);
        if (std::max({t[0].z, t[1].z, t[2].z}) < b.lower.z) continue;
        add_corners_above(index);
        if (curved) add_lowest(index);
        add_edge(index);
      }
  if (a_.shape->kind() == Kind::sphere || a_.shape->kind() == Kind::capsule) return;  // (their cores have no inside)
  for (int r = range.first_row; r <= range.last_row + 1; ++r)
    for (int c = range.first_column; c <= range.last_column + 1; ++c)
      if (const double z = field_.point(c, r).z; z >= b.lower.z && z <= b.upper.z) add_peak(c, r);
}

}  // namespace

void collide_with_field(const Core& a, const Core& b, double max_gap, Manifold& out) {
  const Core local{a.shape, inverse(b.X) * a.X};
  AboveField field(local, b.shape->field(), max_gap, out);
  field.add_sunk_corners();
  field.add_triangles_and_peaks();
  for (int i = 0; i < out.size; ++i) {
    out.points[i].on_a = b.X * out.points[i].on_a;
    out.points[i].normal = b.X.R * out.points[i].normal;
  }
}

}  // namespace lissom::collision
