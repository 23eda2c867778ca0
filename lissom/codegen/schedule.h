#pragma once
// An order of evaluation that keeps few values alive: limb after limb, so that between two limbs only sums over the
// finished limbs and the state of their common parent live. Within a limb, operations stay in the order of the
// algorithm, which runs outward and back along it.
//
// An algorithm goes through the tree several times: outward and inward, and outward again. Between two limbs of one
// phase (outward and back) only sums at their common parent live, and what waits for the next phase. In each phase an
// operation belongs to the last limb that it depends on.
#include <vector>

#include "lissom/codegen/program.h"

namespace lissom::codegen {

/// Consecutive operations that belong together; only few values live from one to the next.
struct Segment {
  int begin = 0, end = 0;  ///< in Schedule::order
  int limb = 0;
  bool outward_again = false;  ///< after values went to the base, and out again
};
struct Schedule {
  std::vector<NodeId> order;  ///< all operations; neither constants nor inputs
  std::vector<Segment> segments;
};
/// Limb by limb; or as traced, in one segment, where fewer values live at once that way.
Schedule schedule(const Program& program);
/// The same operations in the order of the algorithm, in one segment.
Schedule in_order_of_trace(const Program& program);

/// How many computed values live at once, at most, and how many from one segment to the next.
struct Liveness {
  int peak = 0;
  std::vector<int> between_segments;
};
Liveness liveness(const Program& program, const Schedule& schedule);

}  // namespace lissom::codegen
