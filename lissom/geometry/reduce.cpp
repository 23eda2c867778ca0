// Fewer points that support a body nearly as well.
#include <array>

#include "lissom/geometry/collide_pairs.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

void reduce(Manifold& m, int count) {
  Vec normal(0, 0, 0), center(0, 0, 0);
  for (int i = 0; i < m.size; ++i) normal += m.points[i].normal, center += (1. / m.size) * m.points[i].on_a;
  double extent = 0;  // squared
  for (int i = 0; i < m.size; ++i) extent = std::max(extent, squared(m.points[i].on_a - center));
  int deepest = 0;  // the first one, of those that are equally deep within rounding
  for (int i = 0; i < m.size; ++i)
    if (m.points[i].gap < m.points[deepest].gap - 1e-9 * std::sqrt(extent)) deepest = i;
  normal = unit_or(normal, m.points[deepest].normal);
  const Vec u = perpendicular(normal), w = cross(normal, u);
  struct Flat {
    double x, y, angle;
    int index;
  };
  std::array<Flat, std::size_t(Manifold::capacity)> flat;
  int size = m.size;
  for (int i = 0; i < size; ++i) {
    const Vec p = m.points[i].on_a - center;
    flat[std::size_t(i)] = {dot(u, p), dot(w, p), std::atan2(dot(w, p), dot(u, p)), i};
  }
  std::sort(flat.begin(), flat.begin() + size, [](const Flat& a, const Flat& b) {
    return a.angle < b.angle || (a.angle == b.angle && a.index < b.index);
  });
  // Again and again, the point goes without which the polygon loses the least area.
  while (size > count) {
    int least = -1;
    double lost = 0;
    for (int i = 0; i < size; ++i) {
      const auto &p = flat[std::size_t(i)], &before = flat[std::size_t((i + size - 1) % size)],
                 &after = flat[std::size_t((i + 1) % size)];
      if (p.index == deepest) continue;
      // Negative for points inside of the polygon, which go first.
      const double area = (p.x - before.x) * (after.y - before.y) - (p.y - before.y) * (after.x - before.x);
      // If points matter the same, within rounding, the last one that was found goes.
      const double tie = 1e-9 * extent;
      if (least < 0 || area < lost - tie || (area <= lost + tie && p.index > flat[std::size_t(least)].index))
        least = i, lost = area;
    }
    std::copy(flat.begin() + least + 1, flat.begin() + size, flat.begin() + least);
    --size;
  }
  std::sort(flat.begin(), flat.begin() + size, [](const Flat& a, const Flat& b) { return a.index < b.index; });
  for (int i = 0; i < size; ++i) m.points[i] = m.points[flat[std::size_t(i)].index];
  m.size = size;
}

}  // namespace lissom::collision
