#include "lissom/model/description.h"

namespace lissom {

const char* to_string(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::helical:
      return "helical";
    case JointType::cylindrical:
      return "cylindrical";
    case JointType::universal:
      return "universal";
    case JointType::planar:
      return "planar";
    case JointType::spherical:
      return "spherical";
    case JointType::free:
      return "free";
  }
  return "unknown";
}

int configuration_size(JointType type) {
  switch (type) {
    case JointType::fixed:
      return 0;
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
    case JointType::helical:
      return 1;
    case JointType::cylindrical:
    case JointType::universal:
      return 2;
    case JointType::planar:
      return 3;
    case JointType::spherical:
      return 4;
    case JointType::free:
      return 7;
  }
  return 0;
}

int velocity_size(JointType type) {
  // Only a unit quaternion takes more numbers than it has freedoms.
  const bool quaternion = type == JointType::spherical || type == JointType::free;
  return configuration_size(type) - (quaternion ? 1 : 0);
}

}  // namespace lissom
