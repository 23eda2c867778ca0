#pragma once
// A robot, built: immutable, cheap to copy, shared by any number of threads. Joints, links and frames are addressed by
// name; the order of q and v is depth first, in the order of the description, and is told by joints().
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

template <class Real>
struct Tree;
template <class Real>
struct Coupling;
struct Sparsity;
struct Manifold;

// How the roots of a description are held.
enum class Base {
  file,    // as the file says; URDF files say nothing, so: fixed
  fixed,   // welded to the world at its origin
  free,    // on a free joint called "base" ("base:LINK" each, where there are several roots or the name is taken)
  planar,  // on a planar joint called "base", in the plane z = 0
};

struct BuildOptions {
  Base base = Base::file;
  // false: joints that mimic another get coordinates of their own.
  bool mimic = true;
  // An axis this close (in radians) to a coordinate axis of the frame it is seen in counts as that axis: link frames
  // printed with ten digits leave 1e-11 rad. It moves no point by more than this times its distance from the joint; 0
  // keeps such axes general, and exact.
  double axis_tolerance = 1e-11;
};

struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::string parent, child;  // links; the parent of a root is "world"
  int body = 0;               // the body it moves
  /// Its elements of q: q[q_index], …, q[q_index + nq - 1]; none for a fixed joint and a follower.
  int q_index = 0, nq = 0;
  /// Its elements of v, tau and the columns of Jacobians.
  int v_index = 0, nv = 0;
  std::vector<double> lower, upper;  // position limits, one per number of q where the joint has any
  PerDof velocity_limit = 0, effort_limit = 0;
  PerDof damping = 0, dry_friction = 0, spring_stiffness = 0, spring_rest = 0;
  double armature = 0;
  // A follower moves as ratio * q[leader's] + offset. Chains are already resolved.
  struct Follows {
    int joint;  // index of the leader in joints()
    double ratio, offset;
  };
  std::optional<Follows> follows;
};

struct Link {
  std::string name;
  int body = 0;            // the body it is part of; 0 is the world
  Pose<double> placement;  // of its frame in the body's frame
  int joint = -1;          // index in joints() of the joint above it, -1 for a root welded to the world
  double mass = 0;
};

// A named place on a body: every link's own frame, and the extra frames of the description.
struct Frame {
  std::string name;
  int body = 0;
  Pose<double> placement;  // in the body's frame
};
// Index of a Frame; model.frame("hand") finds it. Frame 0 is the world.
struct FrameId {
  int index = 0;
  bool operator==(const FrameId&) const = default;
};
inline constexpr FrameId world_frame{0};

/// A place on the robot, beside those that have a name.
struct LoopEnd {
  FrameId frame;
  Pose<double> placement{};  // in that frame
};
/// As LoopDescription and SpringDescription, with the frames found.
struct Loop {
  std::string name;
  LoopEnd a, b;
  LoopAxes axes = {.along = {true, true, true}};
};
struct Spring {
  std::string name;
  LoopEnd a, b;
  double stiffness = 0, damping = 0, rest = 0;
};

/// As ActuatorDescription: tau[v_index] = gear · command. On a mimic joint it drives the leader, by the ratio.
struct Actuator {
  std::string name;
  int joint = 0;  ///< index in joints()
  int v_index = 0;
  double gear = 1, min_command = 0, max_command = 0;
};

class Model {
 public:
  const std::string& name() const;
  int nq() const;
  int nv() const;
  /// How many bodies move; they are numbered 1 … body_count(), the world is 0.
  int body_count() const;
  double mass() const;
  Vec3<double> gravity() const;

  const std::vector<Joint>& joints() const;  // in the order of q
  const std::vector<Link>& links() const;    // in the order of the description
  const std::vector<Frame>& frames() const;  // the world, then links, then named frames
  /// By name. Error where there is none, with the names that come near.
  const Joint& joint(std::string_view name) const;
  const Link& link(std::string_view name) const;
  FrameId frame(std::string_view name) const;
  bool has_joint(std::string_view name) const;
  bool has_link(std::string_view name) const;
  bool has_frame(std::string_view name) const;
  /// Whether this is the index of a frame of this model.
  bool has_frame(FrameId id) const;
  /// The frame with this index; Error, which begins with `argument`, where there is none.
  const Frame& frame_at(FrameId id, std::string_view argument = "frame") const;

  /// What the description says besides the tree; constraints/ and sim/ make it act.
  const std::vector<Loop>& loops() const;
  const std::vector<JointCoupling>& couplings() const;
  const std::vector<Spring>& springs() const;
  const std::vector<Actuator>& actuators() const;
  /// By name; Error where there is none.
  const ContactMaterial& contact_material(std::string_view name) const;

  // Limits in the order of q and v; ±infinity where there are none.
  const std::vector<double>& lower() const;
  const std::vector<double>& upper() const;
  const std::vector<double>& velocity_limit() const;
  const std::vector<double>& effort_limit() const;
  // Where the quaternions of spherical and free joints begin in q.
  const std::vector<int>& quaternions() const;
  // Joint axes that BuildOptions::axis_tolerance turned, and by how much at most (radians).
  int snapped_axes() const;
  double max_snap() const;

  // The same robot under another gravity.
  Model with_gravity(const Vec3<double>& gravity) const;

  /// The same for models that differ in gravity alone: copies, and with_gravity. A workspace serves these.
  const std::shared_ptr<const void>& structure_id() const;

  /// What it was built from: shapes, colors, file and lines.
  const Description& description() const;
  /// What a link was built from, by its name; Error where there is none.
  const LinkDescription& link_description(std::string_view name) const;
  /// How it was built from that. build(description(), options()) gives the same robot.
  const BuildOptions& options() const;

  // For algorithms: the tree in numbers of type Real (double, float), and how the model's coordinates lie in it.
  template <class Real>
  const Tree<Real>& tree() const;
  template <class Real>
  const Coupling<Real>& coupling() const;
  const Sparsity& sparsity() const;
  const Manifold& manifold() const;

  struct Data;
  explicit Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

// Checks a description (validate.h) and builds it. Error with all findings where it cannot be used.
Model build(const Description& description, const BuildOptions& options = {});

}  // namespace lissom
