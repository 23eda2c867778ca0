#pragma once
// Joint types that a format does not have, as chains of those that it has. Not installed.
#include <functional>
#include <vector>

#include "lissom/io/extras.h"

namespace lissom::io::write {

// Replaces the joints for which `splits` is true: universal, cylindrical, planar, helical and free ones become chains
// of revolute, prismatic and spherical joints, with massless links that connect them; a helical joint also a coupling
// "JOINT/pitch". Actuators and postures follow. Returns what io::join needs to undo it.
std::vector<JoinedJoint> split_joints(Description& description,
                                      const std::function<bool(const JointDescription&)>& splits);

}  // namespace lissom::io::write
