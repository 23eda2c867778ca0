#pragma once
// The surroundings of a robot as the planner sees them: flat faces on which it may put its limbs, and solids that it
// keeps away from.
#include <string>
#include <vector>

#include "lissom/scenes/scene.h"
#include "lissom/stance/stance.h"

namespace lissom::plan {

/// A flat face on which limbs may be placed.
struct Surface {
  std::string name;       ///< "step1/top"
  StancePolygon polygon;  ///< its z axis points out of the solid
  int obstacle = -1;      ///< the solid that it is a face of, as an index in Environment::obstacles
  double friction = 1;
};

/// The surfaces on which limbs may be placed, and the solids that the robot keeps away from.
struct Environment {
  std::vector<Surface> surfaces;
  std::vector<StanceObstacle> obstacles;
};

/// The faces of the fixed boxes of a scene, planes and the ground; all fixed shapes are obstacles. Faces that look
/// downward, and those of bodies that move, are left out. Error if there is no face at all.
Environment environment_of(const scenes::Scene& scene);

}  // namespace lissom::plan
