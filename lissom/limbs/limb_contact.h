#pragma once
// Where a robot can touch its surroundings: soles of feet, palms of hands, balls at the ends of legs. Found from its
// file alone (propose.h), or read from the file beside it (contacts_file.h); stances, controllers and planners share
// them.
#include <map>
#include <string>
#include <vector>

#include "lissom/constraints/contact.h"

namespace lissom {

/// What a contact is for.
enum class ContactRole {
  foot,  ///< carries the robot
  hand,  ///< the end of an arm
  pad    ///< any other place with which the robot may lean on something: a knee, a forearm
};
const char* to_string(ContactRole role);

/// A place with which a robot can touch: the sole of a foot, a palm, the ball at the end of a leg.
struct LimbContact {
  std::string name;  ///< "left_foot"; add_contact_frames() adds a frame of this name to the description
  std::string link;  ///< that carries it
  ContactRole role = ContactRole::foot;
  ContactKind kind = ContactKind::surface;  ///< surface: a polygon; point: a ball (radius > 0) or a bare point
  /// The pose of the contact frame in the link: the origin is the middle of the face, or the center of the ball; z
  /// points into the robot (the ground pushes along +z), x forward.
  Pose<double> pose;
  std::vector<Vec3<double>> points = {};  ///< corners of the face in the contact frame, z = 0; a point has none
  double radius = 0;                      ///< m, of the ball at the end of a leg
  double friction = .7;
  std::vector<std::string> joints = {};  ///< of the limb, from the trunk to the link
  std::string why = {};                  ///< for people: how it was found
};

/// The contacts of a robot, and a posture in which it can stand.
struct RobotContacts {
  std::vector<LimbContact> limbs;  ///< feet first, front before rear, left before right
  /// Nominal joint positions (knees bent); joints that are not listed are neutral.
  std::map<std::string, std::vector<double>> posture;
  /// Orientation of the base's frame in which the robot stands upright, facing along x: the identity for most robots.
  Mat3<double> base = identity3<double>();
  std::string source;                ///< the file that it was read from; empty: proposed
  std::vector<std::string> remarks;  ///< what was assumed, and what looks wrong

  /// Those of this role, in their order.
  std::vector<const LimbContact*> of_role(ContactRole role) const;
};

}  // namespace lissom
