#include "lissom/geometry/box_axes.h"

#include "lissom/geometry/vectors.h"

namespace lissom::collision {

BoxAxis best_axis(const Core& a, const Core& b, double cutoff) {
  const Vec &ha = a.shape->half(), &hb = b.shape->half();
  const double half_a[3] = {ha.x, ha.y, ha.z}, half_b[3] = {hb.x, hb.y, hb.z};
  const Vec axes_a[3] = {column_x(a.X.R), column_y(a.X.R), column_z(a.X.R)};
  const Vec axes_b[3] = {column_x(b.X.R), column_y(b.X.R), column_z(b.X.R)};
  const Vec t = a.X.p - b.X.p;  // from b to a
  double C[3][3], absolute[3][3], t_a[3], t_b[3];
  for (int i = 0; i < 3; ++i) {
    t_a[i] = dot(axes_a[i], t), t_b[i] = dot(axes_b[i], t);
    for (int j = 0; j < 3; ++j) C[i][j] = dot(axes_a[i], axes_b[j]), absolute[i][j] = std::abs(C[i][j]);
  }
  const double size = half_a[0] + half_a[1] + half_a[2] + half_b[0] + half_b[1] + half_b[2];
  BoxAxis best{-1e300, {0, 0, 1}, BoxAxis::Of::face_of_a, 0, 0};
  // If two faces are equally good within rounding, a's is taken, so that the choice does not flicker.
  const double tolerance = 1e-9 * size;
  for (int i = 0; i < 3; ++i) {
    const double s = std::abs(t_a[i]) - half_a[i] - absolute[i][0] * half_b[0] - absolute[i][1] * half_b[1] -
                     absolute[i][2] * half_b[2];
    if (s > best.separation) best = {s, (t_a[i] < 0 ? -1. : 1.) * axes_a[i], BoxAxis::Of::face_of_a, 0, 0};
  }
  if (best.separation > cutoff) return best;
  for (int j = 0; j < 3; ++j) {
    const double s = std::abs(t_b[j]) - half_b[j] - absolute[0][j] * half_a[0] - absolute[1][j] * half_a[1] -
                     absolute[2][j] * half_a[2];
    if (s > best.separation + tolerance) best = {s, (t_b[j] < 0 ? -1. : 1.) * axes_b[j], BoxAxis::Of::face_of_b, 0, 0};
  }
  if (best.separation > cutoff) return best;
  // Along edge i of a × edge j of b. An edge has to be clearly better: faces give more points.
  const double faces = best.separation;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double length2 = 1 - C[i][j] * C[i][j];
      if (length2 < 1e-14) continue;  // parallel: faces tell the same
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // t · (a_i × b_j) = (t · a_i2)(a_i1 · b_j) - (t · a_i1)(a_i2 · b_j)
      const double along = t_a[i2] * C[i1][j] - t_a[i1] * C[i2][j];
      const double radii = half_a[i1] * absolute[i2][j] + half_a[i2] * absolute[i1][j] + half_b[j1] * absolute[i][j2] +
                           half_b[j2] * absolute[i][j1];
      const double length = std::sqrt(length2), s = (std::abs(along) - radii) / length;
      if (s > best.separation && s > faces + tolerance) {
        const Vec n = cross(axes_a[i], axes_b[j]);
        best = {s, (along < 0 ? -1 : 1) / norm(n) * n, BoxAxis::Of::edges, i, j};
      }
    }
  return best;
}

EdgePoints edge_points(const Core& a, const Core& b, const BoxAxis& axis) {
  // The middles of the two edges that face each other.
  const auto middle = [](const Core& c, const Vec& d, int edge) {
    Vec p = transpose_times(c.X.R, d);
    const Vec& h = c.shape->half();
    p = {p.x < 0 ? -h.x : h.x, p.y < 0 ? -h.y : h.y, p.z < 0 ? -h.z : h.z};
    set_element(p, edge, 0);
    return c.X * p;
  };
  const Vec p = middle(a, -axis.normal, axis.edge_a), q = middle(b, axis.normal, axis.edge_b);
  const Vec u = column(a.X.R, axis.edge_a), w = column(b.X.R, axis.edge_b), r = p - q;
  const double uw = dot(u, w), bottom = std::max(1 - uw * uw, 1e-300);
  const double s = (uw * dot(w, r) - dot(u, r)) / bottom, t = (dot(w, r) - uw * dot(u, r)) / bottom;
  const double half_a = element(a.shape->half(), axis.edge_a), half_b = element(b.shape->half(), axis.edge_b);
  const double slack = 1e-9 * (half_a + half_b);
  return {p + std::clamp(s, -half_a, half_a) * u, q + std::clamp(t, -half_b, half_b) * w,
          std::abs(s) <= half_a + slack && std::abs(t) <= half_b + slack};
}

}  // namespace lissom::collision
