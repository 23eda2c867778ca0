// A body bounded by triangles is the sum of the tetrahedra between a point and the triangles, with the sign of the side
// from which the point sees each of them. With corners a, b, c relative to the point, d = a·(b × c), s = a + b + c:
//   volume d/6,   first moment d/24 s,   second moment ∫ r rᵀ = d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ).
// Two passes, as in MuJoCo: about the center of the surface, to find the center of mass; then about that, so that
// nothing cancels. Only where the surface is open, or tetrahedra are taken as positive, does the point matter.
#include "lissom/mesh/mass_properties.h"

#include <array>
#include <cmath>

#include "lissom/mesh/convex_hull.h"

namespace lissom::mesh {
namespace {

struct Moments {
  double zeroth = 0;
  Vec3<double> first{0, 0, 0};
  Sym3<double> second{0, 0, 0, 0, 0, 0};
};

// weight · (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c
void add_second_moment(Sym3<double>& sum, double weight, const Vec3<double>& a, const Vec3<double>& b,
                       const Vec3<double>& c) {
  const auto s = a + b + c;
  for (const auto& r : {a, b, c, s}) sum += symmetric_outer(weight * r, r);
}

Moments volume_moments(const TriangleMesh& mesh, const Vec3<double>& point, bool absolute) {
  Moments sum;
  for (const auto& t : mesh.triangles) {
    const auto a = mesh.vertices[t[0]] - point, b = mesh.vertices[t[1]] - point, c = mesh.vertices[t[2]] - point;
    const double signed_d = dot(a, cross(b, c)), d = absolute ? std::abs(signed_d) : signed_d;
    sum.zeroth += d / 6;
    sum.first += (d / 24) * (a + b + c);
    add_second_moment(sum.second, d / 120, a, b, c);
  }
  return sum;
}

Moments surface_moments(const TriangleMesh& mesh, const Vec3<double>& point) {
  Moments sum;
  for (const auto& t : mesh.triangles) {
    const auto a = mesh.vertices[t[0]] - point, b = mesh.vertices[t[1]] - point, c = mesh.vertices[t[2]] - point;
    const auto n = cross(b - a, c - a);
    const double area = 0.5 * std::sqrt(dot(n, n));
    sum.zeroth += area;
    sum.first += (area / 3) * (a + b + c);
    add_second_moment(sum.second, area / 12, a, b, c);
  }
  return sum;
}

// I = tr(S) 1 - S, for the second moment S
Sym3<double> inertia_of(const Sym3<double>& S) {
  return {S.yy + S.zz, -S.xy, -S.xz, S.xx + S.zz, -S.yz, S.xx + S.yy};
}

Vec3<double> center_of(const Moments& moments, const Vec3<double>& point) {
  return point + (1 / moments.zeroth) * moments.first;
}

// A point near the surface, against cancellation in the first pass of all.
Vec3<double> middle(const TriangleMesh& mesh) {
  const auto box = bounds(mesh);
  return 0.5 * (box.lower + box.upper);
}

}  // namespace

const char* to_string(InertiaKind kind) {
  constexpr std::array names{"exact", "convex", "legacy", "shell"};
  return names[std::size_t(kind)];
}

MassProperties mass_properties(const TriangleMesh& mesh, InertiaKind kind) {
  if (kind == InertiaKind::convex || (mesh.empty() && kind != InertiaKind::shell)) {
    const auto hull = convex_hull(mesh);
    return hull.kind == HullKind::solid ? mass_properties(hull.mesh, InertiaKind::exact) : MassProperties{};
  }
  const auto near = middle(mesh);
  const auto surface = surface_moments(mesh, near);
  if (!(surface.zeroth > 0)) return {};
  const auto center_of_surface = center_of(surface, near);
  if (kind == InertiaKind::shell) {
    const auto about_center = surface_moments(mesh, center_of_surface);
    return {about_center.zeroth, center_of_surface, inertia_of(about_center.second)};
  }
  const bool absolute = kind == InertiaKind::legacy;
  const auto first = volume_moments(mesh, center_of_surface, absolute);
  if (first.zeroth == 0) return {};
  const auto center = center_of(first, center_of_surface);
  if (!std::isfinite(center.x) || !std::isfinite(center.y) || !std::isfinite(center.z)) return {};
  const auto second = volume_moments(mesh, center, absolute);
  return {second.zeroth, center, inertia_of(second.second)};
}

double surface_area(const TriangleMesh& mesh) {
  return surface_moments(mesh, middle(mesh)).zeroth;
}

}  // namespace lissom::mesh
