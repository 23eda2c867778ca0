#include "lissom/geometry/collide_pairs.h"

namespace lissom::collision {

void collide_with_field(const Core& a, const Core& b, double max_gap, Manifold& out) {
  (void)a, (void)b, (void)max_gap, (void)out;
}

}  // namespace lissom::collision
