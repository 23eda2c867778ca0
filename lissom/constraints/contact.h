#pragma once
// Contacts of a robot with its surroundings: which points touch, how they may move, which forces they may carry.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

/// Which motion a contact constrains, and which forces it can carry.
enum class ContactKind {
  point,    ///< one point is fixed; the frame may rotate about it
  surface,  ///< a face is fixed, with forces at its corners
  fixed,    ///< a firm grip: the frame is fixed, and any force and torque is carried, which may also pull
  sliding   ///< a face stays in its plane but may slide along it; friction opposes the sliding velocity
};
const char* to_string(ContactKind kind);

/// Sliding friction is μ n v / (|v| + this), in m/s, so that it goes to zero with the velocity.
inline constexpr double sliding_regularization = 1e-3;

/// The rotation about z whose x axis is the horizontal direction of the x axis of R.
Mat3<double> heading(const Mat3<double>& R);

/// The weight of the robot: its mass times |gravity|, N.
double weight(const Model& model);

/// A contact. Its face lies in the frame's plane z = 0, and the frame's z axis points into the robot: the ground pushes
/// along +z.
struct Contact {
  std::string frame;
  /// What it touches: the world (empty), or a frame of another body of the model, on which the reaction acts.
  std::string against = {};
  ContactKind kind = ContactKind::surface;
  /// Corners of the face in the frame's coordinates; empty: those of the collision boxes that end in the frame's plane.
  /// A point contact uses the first one; empty: the origin.
  std::vector<Vec3<double>> points = {};
  /// The pose at which the frame is constrained, in coordinates of `against`; its z axis is the normal. Empty: the pose
  /// at which the contact is first active (made level with `against` if it is so within 1e-3 rad). Of a ball it is the
  /// pose of the center: the surface is a radius below, and forces act there.
  std::optional<Pose<double>> placement = {};
  double friction = 0.7;
  double radius = 0;  ///< m, of a ball at the end of a leg, around the frame's origin; for point contacts
  /// N, limits of the sum of the normal forces of all points.
  double min_normal_force = 0, max_normal_force = std::numeric_limits<double>::infinity();
  /// s, in which the limit on the normal force grows when the contact is activated, and falls when it is released.
  double ramp = 0;
  /// Stabilization of drift: ẍ = -stiffness x - damping ẋ.
  double stiffness = 100, damping = 20;
  std::string name = {};  ///< empty: that of the frame
};

}  // namespace lissom
