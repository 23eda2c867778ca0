#pragma once
// Parts of worlds as Python has them.
#include "description.h"
#include "lissom/world/world.h"

LISSOM_ENUM(lissom::ContactProperties::Law, "newton", "impulse")
LISSOM_ENUM(lissom::World::Options::Stepping, "trapezoid", "semi_implicit_euler")
LISSOM_ENUM(lissom::StepParameter::Kind, "friction", "mass")
LISSOM_ENUM(lissom::ContactMode, "separated", "sticks", "slides")

namespace lissom::python {

/// Its list of shapes is one of Python, as that of a LinkDescription.
struct BoundRigidBody {
  std::string name = {};
  double mass = 1;
  Sym3<double> inertia{1, 0, 0, 1, 0, 1};
  Vec3<double> com{0, 0, 0};
  Items<Geometry> shapes = {};
  Pose<double> pose{};
  Vec3<double> velocity{0, 0, 0}, angular_velocity{0, 0, 0};
  double rounding = 0;
};
RigidBody to_rigid_body(const BoundRigidBody& body);

void bind_world_parts(nb::module_& m);

}  // namespace lissom::python
