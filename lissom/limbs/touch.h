#pragma once
// The face or the ball with which the end of a limb touches. Not for users.
#include "lissom/constraints/contact.h"
#include "lissom/limbs/body_tree.h"

namespace lissom::limbs {

struct Touch {
  ContactKind kind = ContactKind::point;
  Pose<double> frame = {};                // in the body
  std::vector<Vec3<double>> points = {};  // corners in the frame
  double radius = 0;
  std::string why = {};
  std::vector<std::string> remarks = {};
};

// What a leg with so many joints stands on. The robot is upright, in the configuration of the tree.
Touch find_foot(const BodyTree& tree, const Limb& leg, int joints);
// What an arm leans on.
Touch find_hand(const BodyTree& tree, const Limb& arm);

// A polygon: the part of a body's surface whose outward normal is n.
struct Face {
  Vec3<double> normal;                     // outward
  std::vector<Vec3<double>> corners = {};  // in the body, in one plane
  double area = 0, height = 0;             // height: of the plane, along the normal
};
// The face that looks down, within 45°, and of these the largest; without corners if there is none.
Face lowest_face(const BodyShape& shape, const Vec3<double>& down);
// The corners of `points` that are farthest along `normal`, within `tolerance`.
Face face_along(const std::vector<Core>& points, const Vec3<double>& normal, double tolerance);
// A contact of that face: x along `forward`, its corners at most eight.
Touch surface(const Face& face, const Vec3<double>& forward);

}  // namespace lissom::limbs
