#pragma once
// A robot as a file or a program describes it: links, joints and frames, each with its name and in its own frame.
// Nothing here is computed; validate() checks a Description, build() makes a Model of it.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lissom/math/sym3.h"
#include "lissom/model/joint_traits.h"
#include "lissom/model/loop_axes.h"
#include "lissom/model/per_dof.h"
#include "lissom/spatial/pose.h"

namespace lissom {

/// Red, green, blue and alpha, 0 to 1.
struct Color {
  double r = 0.7, g = 0.7, b = 0.7, a = 1;
};
/// How a visual looks.
struct Material {
  std::string name;
  Color color;
  std::string texture;  ///< file, as written
};

/// The shape of a visual or a collision; all but meshes are centered at the origin of its frame.
struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, mesh };
  Kind kind = Kind::box;
  Vec3<double> size{0, 0, 0};   ///< box: full edge lengths
  double radius = 0;            ///< sphere, cylinder, capsule
  double length = 0;            ///< cylinder, and capsule without its caps; along z
  std::string file;             ///< mesh: as written
  std::string path;             ///< mesh: path of the file; empty if it was not found
  Vec3<double> scale{1, 1, 1};  ///< mesh
};
/// A shape fixed to a link: a visual or a collision.
struct Geometry {
  std::string name;
  Pose<double> origin;  ///< of the shape in the link's frame
  Shape shape;
  std::optional<Material> material;
  std::string contact_material = {};  ///< name in Description::contact_materials; empty: unknown
  int line = 0;
};

/// A rigid link.
struct LinkDescription {
  std::string name;
  double mass = 0;
  Vec3<double> com{0, 0, 0};               ///< center of mass, in the link's frame
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};  ///< about the center of mass, along the link's axes
  std::vector<Geometry> visuals, collisions;
  int line = 0;
};

/// Makes a joint follow another one: q = ratio · q[joint] + offset.
struct Mimic {
  std::string joint;  ///< the leader
  double ratio = 1, offset = 0;
};

/// A joint between two links.
struct JointDescription {
  std::string name;
  JointType type = JointType::fixed;
  std::string parent, child;  ///< links
  Pose<double> origin;        ///< of the joint's frame (= the child link's frame at q = 0) in the parent link's frame
  Vec3<double> axis{1, 0, 0}, axis2{0, 1, 0};
  double pitch = 0;  ///< helical: meters per radian

  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  /// Position limits for each element of q (angles, displacements); empty if the joint has none.
  std::vector<double> lower, upper;
  /// One value for all degrees of freedom of the joint, or one for each.
  PerDof velocity_limit = unlimited, effort_limit = unlimited;
  PerDof damping = 0, dry_friction = 0, spring_stiffness = 0, spring_rest = 0;
  double armature = 0;  ///< one value for all: on a spherical joint, only that is the inertia of a rotor
  std::optional<Mimic> mimic;
  int line = 0;
};

/// A named frame fixed to a link: a sole, a camera, a tool.
struct FrameDescription {
  std::string name, link;
  Pose<double> origin;
  int line = 0;
};

/// A pose relative to a frame that is given by name: a link, a named frame, or "world".
struct AttachmentDescription {
  std::string frame;
  Pose<double> placement{};  ///< in that frame
};

/// A constraint between two attachments, which closes a kinematic loop.
struct LoopDescription {
  std::string name;
  AttachmentDescription a, b;
  LoopAxes axes = {.along = {true, true, true}};  ///< LoopKind::axes
  int line = 0;
  LoopKind kind = LoopKind::axes;
  std::optional<double> length = {};  ///< LoopKind::distance, m; empty: the distance of the origins at q = 0
};

/// Two joints with one degree of freedom that move together: q[joint] = c0 + c1 q[of] + c2 q[of]² + …; q[joint] = c0 if
/// `of` is empty. Unlike with a mimic joint, both keep their coordinate, and the constraint force is known.
struct JointCoupling {
  std::string name, joint, of;
  std::vector<double> coefficients = {0, 1};
  int line = 0;
};

/// A spring and damper between two points; it pulls with the force stiffness · (length - rest) + damping ·
/// d(length)/dt.
struct SpringDescription {
  std::string name;
  AttachmentDescription a, b;
  double stiffness = 0, damping = 0, rest = 0;
  int line = 0;
};

/// A motor on one degree of freedom: tau = gear · command.
struct ActuatorDescription {
  std::string name, joint;
  int component = 0;  ///< which of the joint's degrees of freedom, from 0
  double gear = 1;
  double min_command = -JointDescription::unlimited, max_command = JointDescription::unlimited;
  int line = 0;
};

/// The contact properties of the surface of a collision geometry.
struct ContactMaterial {
  std::string name;
  double friction = 1;     ///< Coulomb's coefficient
  double restitution = 0;  ///< 0: plastic, 1: elastic impact
  int line = 0;
};

/// A whole robot.
struct Description {
  std::string name;
  std::string file;  ///< where it was read from; empty if a program made it
  std::vector<LinkDescription> links;
  std::vector<JointDescription> joints;
  std::vector<FrameDescription> frames;
  std::vector<LoopDescription> loops;
  std::vector<JointCoupling> couplings;
  std::vector<SpringDescription> springs;
  std::vector<ActuatorDescription> actuators;
  std::vector<ContactMaterial> contact_materials;
  Vec3<double> gravity{0, 0, -9.81};
};

}  // namespace lissom
