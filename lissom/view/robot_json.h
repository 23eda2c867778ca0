#pragma once
// A robot as JSON, for pages (docs/stream.md). Not for users.
#include <nlohmann/json.hpp>

#include "lissom/api/workspace.h"
#include "lissom/limbs/limb_contact.h"
#include "lissom/view/mesh_files.h"

namespace lissom::view {

nlohmann::json to_json(const Vec3<double>& v);
nlohmann::json to_json(const Pose<double>& X);
// null where it is not finite.
nlohmann::json finite_or_null(double x);

// The index of the link that a frame is fixed to, and the pose of the frame there; -1 and its pose in the world if it
// is fixed to none.
struct OnLink {
  int link = -1;
  Pose<double> pose;
};
OnLink on_link(const Model& model, FrameId frame);

// The meshes are added to `meshes`.
nlohmann::json robot_json(const Model& model, const VectorIn& q, MeshFiles& meshes);

// Where it can touch. Throws an Error if a contact is on a link that the robot does not have.
nlohmann::json contacts_json(const Model& model, const RobotContacts& contacts);

}  // namespace lissom::view
