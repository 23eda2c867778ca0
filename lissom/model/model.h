#pragma once
// A robot model, built from a description: immutable, cheap to copy, shared by any number of threads. Joints, links and
// frames are addressed by name; q and v are in depth-first order, children in the order of the description (see
// joints()).
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/build_options.h"
#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

template <class Real>
struct Tree;
template <class Real>
struct Coupling;
struct Sparsity;
struct Manifold;

/// A joint of a model.
struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::string parent, child;  ///< links; the parent of a root is the inertial frame, frames()[0].name
  int body = 0;               ///< the body it moves
  /// Its elements of q: q[q_index], …, q[q_index + nq - 1]; none for a fixed joint and a follower.
  int q_index = 0, nq = 0;
  /// Its elements of v, tau and the columns of Jacobians.
  int v_index = 0, nv = 0;
  /// Position limits, one for each element of q; ±infinity where there is none, both empty if there is none at all.
  /// Limits of 1e4 and more, in radians or meters, count as none: files write ±1e16.
  std::vector<double> lower, upper;
  PerDof velocity_limit = 0, effort_limit = 0;
  PerDof damping = 0, dry_friction = 0, spring_stiffness = 0, spring_rest = 0;
  double armature = 0;
  /// A follower (mimic joint) moves as ratio * q[leader] + offset. Chains are already resolved.
  struct Follows {
    int joint;  ///< index of the leader in joints()
    double ratio, offset;
  };
  std::optional<Follows> follows;
};

/// A link of a model.
struct Link {
  std::string name;
  int body = 0;            ///< the body it is part of; 0 is the world
  Pose<double> placement;  ///< of its frame in the body's frame
  int joint = -1;          ///< index in joints() of the joint that moves it, -1 for a root fixed to the world
  double mass = 0;
};

/// A named frame on a body: the frame of every link, and the named frames of the description.
struct Frame {
  std::string name;
  int body = 0;
  Pose<double> placement;  ///< in the body's frame
};
/// Index of a Frame; model.frame("hand") finds it. Frame 0 is the inertial frame, the world.
struct FrameId {
  int index = 0;
  bool operator==(const FrameId&) const = default;
};
/// The inertial frame. Its name is "world", unless the robot has a link or frame of that name: then "world" is that
/// one, which may move, and the inertial frame is called "universe".
inline constexpr FrameId world_frame{0};

/// One end of a loop or a spring: a pose relative to a frame.
struct LoopEnd {
  FrameId frame;
  Pose<double> placement{};  ///< in that frame
};
/// As LoopDescription, with indices of the frames.
struct Loop {
  std::string name;
  LoopEnd a, b;
  LoopAxes axes = {.along = {true, true, true}};
  LoopKind kind = LoopKind::axes;
  std::optional<double> length = {};
  /// How many equations it has.
  int row_count() const { return kind == LoopKind::distance ? 1 : axes.count(); }
};
/// As SpringDescription, with indices of the frames.
struct Spring {
  std::string name;
  LoopEnd a, b;
  double stiffness = 0, damping = 0, rest = 0;
};

/// As ActuatorDescription: tau[v_index] = gear · command. On a mimic joint it drives the leader; the gear then includes
/// the ratio.
struct Actuator {
  std::string name;
  int joint = 0;  ///< index in joints()
  int v_index = 0;
  double gear = 1, min_command = 0, max_command = 0;
};

/// A robot model. Copies share their data.
class Model {
 public:
  const std::string& name() const;
  int nq() const;
  int nv() const;
  /// Number of moving bodies; they are numbered 1 … body_count(), the world is 0.
  int body_count() const;
  /// Mass of all links, in kg.
  double mass() const;
  /// Mass of the links that move: without those that are fixed to the world, such as tables and stairs of an MJCF file.
  double moving_mass() const;
  /// In m/s², in the world frame.
  Vec3<double> gravity() const;

  const std::vector<Joint>& joints() const;  ///< in the order of q
  const std::vector<Link>& links() const;    ///< in the order of the description
  const std::vector<Frame>& frames() const;  ///< the world, then links, then named frames; no two have the same name
  /// By name. Throw an Error with the nearest names if there is none of this name.
  const Joint& joint(std::string_view name) const;
  const Link& link(std::string_view name) const;
  FrameId frame(std::string_view name) const;
  bool has_joint(std::string_view name) const;
  bool has_link(std::string_view name) const;
  bool has_frame(std::string_view name) const;
  /// Whether a joint moves a body relative to the world: it has degrees of freedom, and its parent is fixed there.
  bool is_root_joint(const Joint& joint) const;
  /// Whether this is the index of a frame of this model.
  bool has_frame(FrameId id) const;
  /// The frame with this index. Throws an Error that begins with `argument` if there is none.
  const Frame& frame_at(FrameId id, std::string_view argument = "frame") const;

  /// The parts of the description besides the tree. constraints/ and sim/ use them; the functions of api/ do not.
  const std::vector<Loop>& loops() const;
  const std::vector<JointCoupling>& couplings() const;
  const std::vector<Spring>& springs() const;
  const std::vector<Actuator>& actuators() const;
  /// By name; throws Error if there is none of this name.
  const ContactMaterial& contact_material(std::string_view name) const;

  /// Limits in the order of q and v; ±infinity for elements without limits.
  const std::vector<double>& lower() const;
  const std::vector<double>& upper() const;
  const std::vector<double>& velocity_limit() const;
  const std::vector<double>& effort_limit() const;
  /// The indices in q at which the quaternions of spherical and free joints begin.
  const std::vector<int>& quaternions() const;
  /// How many joint axes were replaced by coordinate axes (see BuildOptions::axis_tolerance), and the largest angle by
  /// which one changed (radians).
  int snapped_axes() const;
  double max_snap() const;

  /// The same robot with another gravity, in m/s².
  Model with_gravity(const Vec3<double>& gravity) const;

  /// Equal for models that differ in gravity only (copies and with_gravity); these can share a workspace.
  const std::shared_ptr<const void>& structure_id() const;

  /// The description it was built from, with shapes, colors, file and lines.
  const Description& description() const;
  /// The description of a link, by its name; throws Error if there is none.
  const LinkDescription& link_description(std::string_view name) const;
  /// The options it was built with. build(description(), options()) gives the same robot.
  const BuildOptions& options() const;

  /// For algorithms: the tree with numbers of type Real (double, float), and how the model's coordinates map to the
  /// tree's.
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

/// Checks a description (validate.h) and builds a model of it. Throws an Error with all findings if there is an error
/// among them.
Model build(const Description& description, const BuildOptions& options = {});

}  // namespace lissom
