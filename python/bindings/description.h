#pragma once
// Descriptions as Python has them: their lists are those of Python, so that `description.links.append(…)` and
// `description.links[0].mass = 2` change the description, and no element goes away while Python holds it.
#include "items.h"
#include "lissom/model/description.h"

namespace lissom::python {

struct BoundLinkDescription {
  std::string name = {};
  double mass = 0;
  Vec3<double> com{0, 0, 0};
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};
  Items<Geometry> visuals = {}, collisions = {};
  int line = 0;
  bool connects_joints = false;
};

struct BoundDescription {
  std::string name = {}, file = {};
  Items<BoundLinkDescription> links = {};
  Items<JointDescription> joints = {};
  Items<FrameDescription> frames = {};
  Items<LoopDescription> loops = {};
  Items<JointCoupling> couplings = {};
  Items<SpringDescription> springs = {};
  Items<ActuatorDescription> actuators = {};
  Items<ContactMaterial> contact_materials = {};
  Vec3<double> gravity{0, 0, -9.81};
  Items<RootDescription> roots = {};
  Items<TendonDescription> tendons = {};
  Items<PostureDescription> postures = {};
  Items<ContactExclusion> contact_exclusions = {};
  Items<ContactPair> contact_pairs = {};
  Items<KeptAttribute> kept = {};
  std::optional<double> time_step = {};
  Items<SourceFile> sources = {};
};

/// Tendons, postures, contact filters and what else a file may say besides links and joints.
void bind_file_extras(nb::module_& m);

/// Throws a TypeError that names the element where a list holds something else.
Description to_description(const BoundDescription& description);
BoundDescription from_description(const Description& description);

}  // namespace lissom::python
