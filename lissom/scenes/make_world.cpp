#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/api/kinematics.h"
#include "lissom/api/state.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/model/text.h"
#include "lissom/scenes/scene.h"
#include "lissom/world/collider_of.h"

namespace lissom::scenes {
namespace {

// The joint by which a robot floats; nullptr if none does.
const Joint* free_base(const Model& model) {
  const auto& all = model.joints();
  const auto found = std::ranges::find_if(
      all, [&](const Joint& joint) { return joint.type == JointType::free && model.is_root_joint(joint); });
  return found == all.end() ? nullptr : &*found;
}

// Looks at everything that moves and touches. Infinite where there is nothing.
double lowest_point(const Model& model, const Workspace& work) {
  double lowest = std::numeric_limits<double>::infinity();
  const CollisionGeometry geometry(model);
  for (const auto& s : geometry.shapes()) {
    if (s.body == 0) continue;
    const auto collider = worlds::collider_of(s.shape);
    if (collider && collider->is_convex())
      lowest = std::min(lowest, bounds(*collider, placement(model, work, s.frame) * s.in_link).lower.z);
  }
  return lowest;
}

}  // namespace

World make_world(const Scene& scene) {
  World world(scene.options);
  if (scene.ground) world.add_ground(*scene.ground);
  for (const auto& one : scene.fixed) world.add_fixed(one.name, one.shape, one.pose, one.rounding);
  for (const auto& one : scene.bodies) {
    world.add(one.body);
    world.tau(one.body.name).head<3>() << one.force.x, one.force.y, one.force.z;
  }
  for (const auto& one : scene.robots) {
    world.add(one.name, one.model, one.q, one.settings);
    if (one.v.size() > 0) world.v(one.name) = one.v;
    if (one.servos.empty()) continue;
    Servos servos;
    one.servos.at(one.model, 0, servos, world.tau(one.name));
    if (one.servos.stiffness.size() > 0) world.set_servos(one.name, servos);
  }
  for (const auto& pair : scene.pairs) world.set_properties(pair.a, pair.b, pair.properties);
  for (const auto& [a, b] : scene.exclusions) world.exclude(a, b);
  return world;
}

double put_on_ground(const Model& model, Eigen::VectorXd& q) {
  const auto* const base = free_base(model);
  if (!base)
    throw Error("robot " + in_quotes(model.name()) + " has no free base, so it cannot be put on the ground; load it " +
                "with a free base");
  Workspace work(model);
  forward_kinematics(model, work, q);
  const double lowest = lowest_point(model, work);
  if (!std::isfinite(lowest))
    throw Error("robot " + in_quotes(model.name()) +
                " has no collision shapes, or only meshes whose files could not be read, so its lowest point is not " +
                "known; give the pose of its base");
  // A file may place the joint of the base such that its z is not the world's.
  Eigen::VectorXd raised = q;
  raised[base->q_index + 2] += 1;
  const auto link = model.frame(base->child);
  const double before = placement(model, work, link).p.z;
  forward_kinematics(model, work, raised);
  if (std::abs(placement(model, work, link).p.z - before - 1) > 1e-9)
    throw Error("the base joint of robot " + in_quotes(model.name()) +
                " does not move along the world's z axis; give " + "the pose of its base");
  q[base->q_index + 2] -= lowest;
  return -lowest;
}

bool base_is_neutral(const Model& model, const Eigen::VectorXd& q) {
  const auto* const base = free_base(model);
  if (!base) return false;
  return q.segment(base->q_index, base->nq) == neutral(model).segment(base->q_index, base->nq);
}

}  // namespace lissom::scenes
