#pragma once
// A robot as a file or a program describes it: links, joints and frames, each with its name and in its own frame.
// Nothing here is computed; validate() checks a Description, build() makes a Model of it.
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lissom/math/sym3.h"
#include "lissom/model/build_options.h"
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

/// The shape of a visual or a collision; all but meshes are centered at the origin of its frame. (Of a height field,
/// this holds for x and y; z is up, and it is solid below.)
struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, ellipsoid, plane, mesh, height_field };
  Kind kind = Kind::box;
  /// box: full edge lengths; ellipsoid: the three radii; plane: full lengths along x and y that are shown, 0: infinite;
  /// height field: full lengths along x and y, and the height of 1 in its data
  Vec3<double> size{0, 0, 0};
  double radius = 0;            ///< sphere, cylinder, capsule
  double length = 0;            ///< cylinder, and capsule without its caps; along z. Height field: its depth below 0
  std::string file;             ///< mesh: as written; data URI of a mesh without a file, and of a height field
  std::string path;             ///< path of the file, or the data URI; empty if it was not found
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
  /// Two collisions of one file touch if one is in a group of the other's mask, or if they are a ContactPair. Both are
  /// bits: MuJoCo's contype and conaffinity.
  int contact_group = 1, contact_mask = 1;
  bool has_contact_groups() const { return contact_group != 1 || contact_mask != 1; }
};

/// A rigid link.
struct LinkDescription {
  std::string name;
  double mass = 0;
  Vec3<double> com{0, 0, 0};               ///< center of mass, in the link's frame
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};  ///< about the center of mass, along the link's axes
  std::vector<Geometry> visuals, collisions;
  int line = 0;
  /// A link without mass between two joints of one body (MJCF), or between a joint and the frame of its child (SDF).
  bool connects_joints = false;
};

/// How a root link is attached to the world if nobody asks for another base; roots without one are fixed at the origin.
struct RootDescription {
  std::string link;
  Base base = Base::fixed;   ///< fixed or free
  Pose<double> placement{};  ///< in the world; of a free base: where it starts
  int line = 0;
  /// It stays fixed whatever base is asked for: the world itself, or something that never moves, such as a floor.
  bool is_ground = false;
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

/// A weighted sum of joint positions, Σ coefficient · q[joint], which acts as one coordinate: a fixed tendon of MuJoCo.
struct TendonDescription {
  struct Term {
    std::string joint;
    double coefficient = 1;
  };
  std::string name;
  std::vector<Term> terms;
  double lower = -JointDescription::unlimited, upper = JointDescription::unlimited;  ///< of the sum
  double stiffness = 0, rest = 0, damping = 0, dry_friction = 0, armature = 0;
  int line = 0;
};

/// A motor on one degree of freedom or on a tendon. With x = gear · q, of the joint or the tendon, and the force
/// f = gain · command + bias[0] + bias[1] x + bias[2] dx/dt, limited to its range: tau = gear · f.
struct ActuatorDescription {
  enum class Kind { motor, position, velocity, general };
  std::string name, joint;
  int component = 0;  ///< which of the joint's degrees of freedom, from 0
  double gear = 1;
  double min_command = -JointDescription::unlimited, max_command = JointDescription::unlimited;
  int line = 0;
  Kind kind = Kind::motor;  ///< how the file calls it; gain and bias say what it does
  double gain = 1;
  std::array<double, 3> bias = {0, 0, 0};
  double min_force = -JointDescription::unlimited, max_force = JointDescription::unlimited;
  std::string tendon = {};  ///< instead of the joint
};

/// A configuration with a name, such as a keyframe of MuJoCo. Joints that are not listed have their neutral position.
struct PostureDescription {
  struct JointPosition {
    std::string joint;
    std::vector<double> q;
  };
  std::string name;
  std::vector<JointPosition> positions;
  int line = 0;
};

/// Two links whose collisions do not touch each other.
struct ContactExclusion {
  std::string name, a, b;  ///< links
  int line = 0;
};
/// Two collision geometries, by name, that touch each other whatever else is said.
struct ContactPair {
  std::string name, a, b;
  std::optional<double> friction = {};
  int line = 0;
};

/// Something a file says that lissom does not use but keeps, so that it is not lost when the same format is written:
/// MuJoCo's solref, Gazebo's surface parameters.
struct KeptAttribute {
  std::string subject;      ///< "joint 'knee'", "option"
  std::string name, value;  ///< as written
  int line = 0;
};

/// One of the files that a description was read from. Lines are numbered on from file to file: line k of this file is
/// line first_line + k - 1 of the description (place_of in model/source_place.h).
struct SourceFile {
  std::string file;
  int first_line = 1;
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
  std::vector<RootDescription> roots;
  std::vector<TendonDescription> tendons;
  std::vector<PostureDescription> postures;
  std::vector<ContactExclusion> contact_exclusions;
  std::vector<ContactPair> contact_pairs;
  std::vector<KeptAttribute> kept;
  std::optional<double> time_step;  ///< s, with which the file wants to be simulated
  std::vector<SourceFile> sources;  ///< in the order of their lines; empty: `file` alone
};

}  // namespace lissom
