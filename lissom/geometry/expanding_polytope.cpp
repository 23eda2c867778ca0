// The depth of overlap: a polytope inside of a - b around the origin grows at its nearest face, until that face lies on
// the boundary (van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001). The
// number of vertices is bounded; what is then left of the error on curved shapes is removed elsewhere (separation.cpp).
#include "lissom/geometry/gjk.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

namespace {

constexpr int max_vertices = 96, max_faces = 2 * max_vertices, max_edges = 3 * max_vertices;
constexpr double no_area = 1e300;  // as the distance of a face without area, which is never the nearest

struct PolytopeFace {
  int v[3];
  Vec normal;  // unit vector, outward
  double distance;
};

bool share_edge(const PolytopeFace& f, const PolytopeFace& g) {
  int common = 0;
  for (const int i : f.v) common += i == g.v[0] || i == g.v[1] || i == g.v[2];
  return common == 2;
}

class Polytope {
 public:
  Polytope(const Core& a, const Core& b, double size) : a_(a), b_(b), size_(size) {}

  // Completes a simplex to a tetrahedron. Returns how many dimensions a - b has, of those that were found.
  int start(const Simplex& simplex);
  void expand(double tolerance);
  Separation result() const;
  Separation flat_result() const;

 private:
  bool add_point(const Vec& direction, double (Polytope::*height)(const Vec&) const);
  double distance_from_point(const Vec& w) const { return norm(w - points_[0].w); }
  double distance_from_line(const Vec& w) const {
    return norm(cross(w - points_[0].w, unit_or(points_[1].w - points_[0].w, {0, 0, 0})));
  }
  double distance_from_plane(const Vec& w) const { return std::abs(dot(plane_normal(), w - points_[0].w)); }
  Vec plane_normal() const {
    return unit_or(cross(points_[1].w - points_[0].w, points_[2].w - points_[0].w), {0, 0, 0});
  }
  void add_face(int i, int j, int k);
  int nearest_face() const;
  bool sees(const DifferencePoint& p, const PolytopeFace& f) const;
  void find_seen(const DifferencePoint& p, int first);
  bool grow(const DifferencePoint& p, int first);
  void take_best_face();
  Vec projection(const PolytopeFace& f) const;

  const Core &a_, &b_;
  double size_;
  DifferencePoint points_[max_vertices];
  int count_ = 0;
  PolytopeFace faces_[max_faces];
  int face_count_ = 0;
  int edges_[max_edges][2];
  bool seen_[max_faces];
};

bool Polytope::add_point(const Vec& direction, double (Polytope::*height)(const Vec&) const) {
  for (const double sign : {1., -1.}) {
    const auto p = difference_support(a_, b_, sign * direction);
    if ((this->*height)(p.w) > 1e-10 * size_) {
      points_[count_++] = p;
      return true;
    }
  }
  return false;
}

int Polytope::start(const Simplex& simplex) {
  // Points of the simplex that span as many dimensions as they can.
  for (int i = 0; i < simplex.size && count_ < 4; ++i) {
    const auto& p = simplex.points[i];
    const double height = count_ == 0   ? size_
                          : count_ == 1 ? distance_from_point(p.w)
                          : count_ == 2 ? distance_from_line(p.w)
                                        : distance_from_plane(p.w);
    if (height > 1e-10 * size_) points_[count_++] = p;
  }
  if (count_ == 1)
    for (int i = 0; i < 3 && count_ == 1; ++i) add_point(axis_vector(i), &Polytope::distance_from_point);
  if (count_ == 1) return 0;
  if (count_ == 2) {
    const Vec along = points_[1].w - points_[0].w, u = perpendicular(along);
    if (!add_point(u, &Polytope::distance_from_line))
      add_point(unit_or(cross(along, u), u), &Polytope::distance_from_line);
  }
  if (count_ == 2) return 1;
  if (count_ == 3) add_point(plane_normal(), &Polytope::distance_from_plane);
  if (count_ == 3) return 2;
  if (dot(plane_normal(), points_[3].w - points_[0].w) > 0) std::swap(points_[1], points_[2]);
  add_face(0, 1, 2), add_face(0, 3, 1), add_face(1, 3, 2), add_face(2, 3, 0);
  return 3;
}

void Polytope::add_face(int i, int j, int k) {
  if (face_count_ == max_faces) return;
  PolytopeFace f{{i, j, k}, {0, 0, 0}, 0};
  f.normal = unit_or(cross(points_[j].w - points_[i].w, points_[k].w - points_[i].w), {0, 0, 0});
  f.distance = squared(f.normal) > 0 ? dot(f.normal, points_[i].w) : no_area;
  faces_[face_count_++] = f;
}

int Polytope::nearest_face() const {
  int best = 0;
  for (int i = 1; i < face_count_; ++i)
    if (faces_[i].distance < faces_[best].distance) best = i;
  return best;
}

// Whether the point lies above the plane of a face.
bool Polytope::sees(const DifferencePoint& p, const PolytopeFace& f) const {
  if (f.distance < no_area) return dot(f.normal, p.w) - f.distance > 1e-14 * size_;
  const Vec &a = points_[f.v[0]].w, &b = points_[f.v[1]].w, &c = points_[f.v[2]].w;
  return dot(cross(b - a, c - a), p.w - a) > 0;
}

// Marks the faces that the point sees and that are connected with the first one, so that there is one hole.
void Polytope::find_seen(const DifferencePoint& p, int first) {
  for (int i = 0; i < face_count_; ++i) seen_[i] = i == first;
  int stack[max_faces], depth = 0;
  stack[depth++] = first;
  while (depth > 0) {
    const auto& f = faces_[stack[--depth]];
    for (int i = 0; i < face_count_; ++i) {
      if (seen_[i] || !share_edge(f, faces_[i]) || !sees(p, faces_[i])) continue;
      seen_[i] = true, stack[depth++] = i;
    }
  }
}

// Removes the faces that the point sees, and closes the hole with faces to the point. False if that is not possible.
bool Polytope::grow(const DifferencePoint& p, int first) {
  if (count_ == max_vertices) return false;
  find_seen(p, first);
  int edge_count = 0, kept = 0;
  for (int i = 0; i < face_count_; ++i) {
    if (!seen_[i]) {
      ++kept;
      continue;
    }
    for (int e = 0; e < 3; ++e) {
      const int from = faces_[i].v[e], to = faces_[i].v[(e + 1) % 3];
      int twin = 0;
      while (twin < edge_count && !(edges_[twin][0] == to && edges_[twin][1] == from)) ++twin;
      if (twin < edge_count) {  // between two faces that go
        --edge_count;
        edges_[twin][0] = edges_[edge_count][0], edges_[twin][1] = edges_[edge_count][1];
      } else if (edge_count < max_edges) {
        edges_[edge_count][0] = from, edges_[edge_count][1] = to, ++edge_count;
      }
    }
  }
  if (edge_count < 3 || kept + edge_count > max_faces) return false;
  kept = 0;
  for (int i = 0; i < face_count_; ++i)
    if (!seen_[i]) faces_[kept++] = faces_[i];
  face_count_ = kept;
  points_[count_] = p;
  for (int e = 0; e < edge_count; ++e) add_face(edges_[e][0], edges_[e][1], count_);
  ++count_;
  return true;
}

void Polytope::expand(double tolerance) {
  for (int iteration = 0; iteration < max_vertices; ++iteration) {
    const int nearest = nearest_face();
    const auto& f = faces_[nearest];
    if (f.distance >= no_area) return;
    const auto p = difference_support(a_, b_, f.normal);
    if (dot(f.normal, p.w) - f.distance <= tolerance) return;
    if (!grow(p, nearest)) return take_best_face();
  }
}

// There is no room for more: the face through whose normal the cores really are separated soonest.
void Polytope::take_best_face() {
  int best = 0;
  double least = no_area;
  for (int i = 0; i < face_count_; ++i) {
    if (faces_[i].distance >= least) continue;
    if (const double depth = dot(faces_[i].normal, difference_support(a_, b_, faces_[i].normal).w); depth < least)
      least = depth, best = i;
  }
  faces_[0] = faces_[best], face_count_ = 1;
}

// Barycentric coordinates of the origin's projection on the plane of a face, not yet divided by their sum.
Vec Polytope::projection(const PolytopeFace& f) const {
  const Vec o = f.distance * f.normal;
  const Vec p = points_[f.v[0]].w - o, q = points_[f.v[1]].w - o, r = points_[f.v[2]].w - o;
  return {dot(f.normal, cross(q, r)), dot(f.normal, cross(r, p)), dot(f.normal, cross(p, q))};
}

Separation Polytope::result() const {
  const PolytopeFace* best = &faces_[nearest_face()];
  if (best->distance >= no_area) return flat_result();
  // If there are several triangles in that plane, it is the one above the origin.
  const double distance = best->distance;
  const Vec normal = best->normal;
  double inside = -1e300;
  for (int i = 0; i < face_count_; ++i) {
    if (faces_[i].distance > distance + 1e-11 * size_ || dot(faces_[i].normal, normal) < 1 - 1e-12) continue;
    const Vec x = projection(faces_[i]);
    if (const double least = std::min({x.x, x.y, x.z}); least > inside) inside = least, best = &faces_[i];
  }
  const auto &p = points_[best->v[0]], &q = points_[best->v[1]], &r = points_[best->v[2]];
  Vec x = projection(*best);
  x = {std::max(x.x, 0.), std::max(x.y, 0.), std::max(x.z, 0.)};
  const double sum = x.x + x.y + x.z;
  x = sum > 0 ? (1 / sum) * x : Vec(1, 0, 0);
  return {-best->distance, -best->normal, x.x * p.a + x.y * q.a + x.z * r.a, x.x * p.b + x.y * q.b + x.z * r.b};
}

// Where a - b is flat (a polygon, a segment or a point), moving across it separates at once.
Separation Polytope::flat_result() const {
  Separation s;
  s.distance = 0;
  s.normal = count_ >= 3   ? unit_or(plane_normal(), {0, 0, 1})
             : count_ == 2 ? perpendicular(points_[1].w - points_[0].w)
                           : Vec(0, 0, 1);
  // Either direction would do; the one from b's center to a's is taken.
  if (dot(s.normal, a_.X.p - b_.X.p) < 0) s.normal = -s.normal;
  s.point_a = points_[0].a, s.point_b = points_[0].b;
  return s;
}

}  // namespace

Separation expanding_polytope(const Core& a, const Core& b, const Simplex& simplex) {
  Polytope polytope(a, b, std::max(reach(a) + reach(b) + norm(a.X.p - b.X.p), 1e-100));
  if (polytope.start(simplex) < 3) {
    auto s = polytope.flat_result();
    // The origin lies within the simplex, so its points of a and b are the common point.
    Vec pa(0, 0, 0), pb(0, 0, 0);
    for (int i = 0; i < simplex.size; ++i)
      pa += simplex.weights[i] * simplex.points[i].a, pb += simplex.weights[i] * simplex.points[i].b;
    s.point_a = pa, s.point_b = pb;
    return s;
  }
  // Curved shapes are polished afterwards.
  const double size = reach(a) + reach(b);
  polytope.expand((is_curved(a) || is_curved(b) ? 1e-5 : 1e-12) * size);
  return polytope.result();
}

}  // namespace lissom::collision
