#include "lissom/geometry/polish.h"

namespace lissom::collision {

void polish(const Core& a, const Core& b, Separation& s) {
  (void)a, (void)b, (void)s;
}

}  // namespace lissom::collision
