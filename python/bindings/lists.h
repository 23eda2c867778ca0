#pragma once
// Lists inside descriptions: Python sees the list itself, so that `description.links.append(…)` and
// `description.links[0].mass = 2` change the description.
#include "casters.h"

#include <nanobind/stl/bind_vector.h>

NB_MAKE_OPAQUE(std::vector<lissom::LinkDescription>)
NB_MAKE_OPAQUE(std::vector<lissom::JointDescription>)
NB_MAKE_OPAQUE(std::vector<lissom::FrameDescription>)
NB_MAKE_OPAQUE(std::vector<lissom::LoopDescription>)
NB_MAKE_OPAQUE(std::vector<lissom::JointCoupling>)
NB_MAKE_OPAQUE(std::vector<lissom::SpringDescription>)
NB_MAKE_OPAQUE(std::vector<lissom::ActuatorDescription>)
NB_MAKE_OPAQUE(std::vector<lissom::ContactMaterial>)
NB_MAKE_OPAQUE(std::vector<lissom::Geometry>)
