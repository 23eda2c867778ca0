// Forces on links as an input of programs.
#include "lissom/codegen/trace_job.h"

namespace lissom::codegen {
namespace {

Vec3<Traced> three(const Traced* x) {
  return {x[0], x[1], x[2]};
}
}  // namespace

Array<Force<Traced>> TraceJob::external_forces() {
  if (!options.external_forces) return {};
  const auto joints = moving_joints();
  std::vector<int> of;
  for (const auto* joint : joints) of.insert(of.end(), 6, limbs.of_body[std::size_t(joint->body)]);
  std::vector<Frame> moved;
  for (const auto* joint : joints) moved.push_back(model.frame_at(model.frame(joint->child)));
  const auto f = input("f", of,
                       "forces on links: for each, force (N), then torque about its frame's origin (N m), along "
                       "its own axes: " +
                           names_of(moved));
  Array<Force<Traced>> forces(view.tree.bodies.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto& X = moved[i].placement;
    const Traced* const six = f.data() + 6 * i;
    forces[moved[i].body] = to_world(Pose<Traced>{cast<Traced>(X.R), cast<Traced>(X.p)}, {three(six + 3), three(six)});
  }
  return forces;
}

}  // namespace lissom::codegen
