#include "lissom/control/inside.h"

namespace lissom::control {
void solve_charted(WholeBody::Inside& inside) {
  inside.solve_reduced();
}
}  // namespace lissom::control
