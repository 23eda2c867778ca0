#pragma once
// Where a robot touches something: which points, how they may move, which forces they may carry.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

/// What a contact forbids and carries.
enum class ContactKind {
  point,    // one point that stays; the frame may turn about it
  surface,  // a face that stays, with forces in its corners
  fixed,    // a grip: stays, and carries any force and torque, pulls too
  sliding   // a face that stays in its plane but may slide along it; friction against the sliding
};
const char* to_string(ContactKind kind);

/// Friction against sliding is μ n v / (|v| + this), so that it fades out where the velocity goes to 0 (m/s).
inline constexpr double sliding_regularization = 1e-3;

/// The rotation about z with the x axis above or below that of R.
Mat3<double> heading(const Mat3<double>& R);

/// What contacts have to carry of a robot at rest: its mass times |gravity|, N.
double weight(const Model& model);

/// The face lies in the frame's plane z = 0, and the frame's z axis points into the robot: the ground pushes along +z.
struct Contact {
  std::string frame;
  std::string against = "world";  // a fixed frame, or one of another body of the model, which then feels the reaction
  ContactKind kind = ContactKind::surface;
  // Corners of the face in the frame's coordinates; empty: those of the collision boxes that end in the frame's plane.
  // Of a point contact the first one, empty: the origin.
  std::vector<Vec3<double>> points = {};
  // Where the frame is held, in coordinates of `against`; its z axis is the normal. Empty: where the frame is when the
  // contact is first seen (level with `against` where it is nearly so, by 1e-3 rad).
  std::optional<Pose<double>> place = {};
  double friction = 0.7;
  double min_normal_force = 0,
         max_normal_force = std::numeric_limits<double>::infinity();  // normal, of all points together
  // The contact comes with a force that may grow to the robot's weight in this time, and goes the same way.
  double ramp = 0;
  // How drift is brought back: ẍ = -stiffness x - damping ẋ.
  double stiffness = 100, damping = 20;
  std::string name = {};  // empty: the frame's
};

}  // namespace lissom
