#pragma once
// A world of robots, rigid bodies and fixed shapes that touch each other, and its motion in time (docs/contact.md).
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lissom/api/workspace.h"
#include "lissom/model/model.h"
#include "lissom/world/imu_reading.h"
#include "lissom/world/step_derivatives.h"
#include "lissom/world/work.h"

namespace lissom {

/// How two surfaces touch.
struct ContactProperties {
  double friction = 1;                         ///< Coulomb's coefficient, while they touch
  std::optional<double> impact_friction = {};  ///< in impacts; empty: the same
  double restitution = 0;                      ///< 0: plastic, 1: elastic
  /// The largest torque about the normal (torsional), and about the tangents (rolling), over the normal force, m. A
  /// contact of a small area has them; points that are apart have torsional friction together without.
  double torsional_friction = 0, rolling_friction = 0;
  /// How a restitution e > 0 acts. newton: the normal velocity after an impact is -e times that before it. impulse: the
  /// impulse is 1 + e times that of the plastic impact, so it stays in the friction cone.
  enum class Law { newton, impulse };
  Law law = Law::newton;
};

/// A rigid body that moves freely.
struct RigidBody {
  std::string name;
  double mass = 1;
  Sym3<double> inertia{1, 0, 0, 1, 0, 1};  ///< about the center of mass, along the axes of the body's frame
  Vec3<double> com{0, 0, 0};               ///< in the body's frame
  std::vector<Geometry> shapes = {};       ///< in the body's frame
  Pose<double> pose{};                     ///< where it starts, of its frame
  Vec3<double> velocity{0, 0, 0};          ///< of its center of mass
  Vec3<double> angular_velocity{0, 0, 0};  ///< along the world's axes
  double rounding = 0;                     ///< radius of the edges of boxes and hulls, m

  /// A homogeneous body of one primitive shape.
  static RigidBody homogeneous(std::string name, const Shape& shape, double mass);
};

/// What of a robot's description acts in a world.
struct RobotSettings {
  bool joint_limits = true;   ///< position limits, as unilateral rows
  bool dry_friction = true;   ///< of joints: exact, with stiction
  bool damping = true;        ///< of joints, implicitly
  bool springs = true;        ///< of joints
  bool effort_limits = true;  ///< motor torques (tau and servos) stay within the effort limits of the joints
  bool loops = true;
  bool self_collision = true;  ///< of links that are not neighbors in the tree
};

/// A position and velocity servo on each degree of freedom, which acts implicitly, so that stiff gains are stable:
/// torque = stiffness (q_target - q⁺) + damping (v_target - v⁺), within the effort limits, besides tau.
struct Servos {
  Eigen::VectorXd stiffness, damping;  ///< nv, N m/rad and N m s/rad; 0 where there is none
  Eigen::VectorXd q_target;            ///< nq
  Eigen::VectorXd v_target;            ///< nv
};

/// Other masses of a part of a world.
struct MassFactors {
  std::string name;                    ///< of a rigid body, a robot (all of its links) or a link ("robot/link")
  double mass = 1;                     ///< on the mass
  std::optional<double> inertia = {};  ///< on the moments of inertia about the center of mass; empty: the same
};

/// A contact at the end of a step.
struct ContactReading {
  std::string a, b;            ///< "robot/link", "body", "ground"
  Vec3<double> point, normal;  ///< in the world; the normal points from b to a
  double gap = 0;              ///< m; negative: overlap
  Vec3<double> force;          ///< on a, mean over the step, N
  double slip = 0;             ///< tangential speed, m/s
  double friction = 0;         ///< Coulomb's coefficient
  Vec3<double> torque;         ///< of torsional and rolling friction on a, mean over the step, N m
};

/// A row of a step: a contact, or what a robot's joints and loops have by themselves.
struct RowReading {
  std::string name;     ///< "contact of box and ground", "upper limit of knee of dog"; empty: there is none
  double residual = 0;  ///< how far it is from its law
  std::string unit;     ///< of that: m/s or rad/s
};

/// What happened in a step.
struct StepReport {
  int contacts = 0;
  int sweeps = 0, factorizations = 0;
  double residual = 0;       ///< largest violation of the contact laws, m/s
  bool impact = false;       ///< somebody struck
  bool moved_apart = false;  ///< a deep overlap was removed, without effect on velocities
  /// The residual is acceptable, no contact was overlooked, and motors stay within their limits.
  bool converged = true;
  Work work = {};  ///< what the step did to the energy, where Options::audit asks for it
};

/// Robots and rigid bodies that touch each other. A world belongs to one caller at a time.
class World {
 public:
  struct Options {
    Vec3<double> gravity{0, 0, -9.81};
    /// On the residual of the contact laws, m/s. Newton's method reaches it with hardly more work than a larger one,
    /// and heavy bodies on light ones stand only with it.
    double tolerance = 1e-9;
    double acceptable = 1e-6;  ///< m/s: a step with a larger residual has not converged
    int max_sweeps = 100, max_factorizations = 32;
    /// Islands with at most this many rows are solved with a dense matrix and Newton steps, larger ones by sweeps, and
    /// up to 600 rows with Newton steps where these do not suffice. 0: all of them by sweeps alone.
    int max_dense_rows = 240;
    int max_sweeps_of_large_islands = 300;
    double margin = 1e-3;  ///< m, least distance at which pairs are looked at
    /// Deeper overlaps, and joints farther beyond their limits, are removed by displacements. m or rad.
    double allowed_overlap = 1e-4;
    /// Whether the momentum of floating robots and the energy of all robots follow from what acts on them, to rounding,
    /// and not to the order of the integrator.
    bool conserve = true;
    /// How velocities and positions follow from forces. trapezoid: forces at mid-step, positions move with the mean of
    /// the velocities before and after; of second order. semi_implicit_euler: forces at the beginning, positions move
    /// with the velocity after the step; of first order, and `conserve` has no effect.
    enum class Stepping { trapezoid, semi_implicit_euler };
    Stepping stepping = Stepping::trapezoid;
    ContactProperties default_properties = {};
    /// Whether StepReport::work says what a step did to the energy, for an EnergyAudit (world/energy_audit.h).
    bool audit = false;
  };

  World() : World(Options{}) {}
  explicit World(const Options& options);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  /// Another world in the same state, which moves with the same bits. The two share convex hulls and nothing else.
  World clone() const;

  // Sets up the world. Names must differ; each function returns the name's index among its kind.
  int add(const RigidBody& body);
  int add(const std::string& name, const Model& robot, const Eigen::VectorXd& q, const RobotSettings& settings = {});
  /// rounding: the radius of the edges of boxes, cylinders and hulls, m.
  void add_fixed(const std::string& name, const Shape& shape, const Pose<double>& pose, double rounding = 0);
  /// The half space below z = 0.
  void add_ground(const std::string& name = "ground");
  /// Shapes in coordinates of a robot's frame, besides those of its description. They have a name of their own, for
  /// properties, exclusions and readings. rounding: as above.
  void attach(const std::string& name, const std::string& robot, FrameId frame, const std::vector<Geometry>& shapes,
              double rounding = 0);
  /// How two things touch, by the names of bodies, robots and fixed shapes; "" stands for everything else.
  void set_properties(const std::string& a, const std::string& b, const ContactProperties& properties);
  /// How two things touch now; "" as above. Surfaces with a material of their robot's file, and without
  /// set_properties(), differ from that (docs/contact.md).
  const ContactProperties& properties(const std::string& a, const std::string& b) const;

  /// Two things that pass through each other: bodies, robots, fixed shapes, or links as "robot/link".
  void exclude(const std::string& a, const std::string& b);
  /// Servos of a robot; empty vectors take them away.
  void set_servos(const std::string& robot, const Servos& servos);
  const Servos& servos(const std::string& robot) const;
  /// Multiplies masses and inertias; of those that are named twice, too. All factors must be positive. The state stays.
  void scale_masses(std::span<const MassFactors> factors);
  /// The mass of a rigid body, a robot or a link ("robot/link"), kg.
  double mass(const std::string& name) const;

  // What there is, in the order in which it was added.
  std::vector<std::string> names() const;
  /// Bodies and robots alone: those that have a state, in the order of State and StepDerivatives.
  std::vector<std::string> moving() const;
  /// What differs from what one might expect: links that overlap at the start and do not touch each other, meshes that
  /// could not be read.
  const std::vector<std::string>& notes() const;
  /// The robot of this name; nullptr where a rigid body or a fixed shape has it.
  const Model* robot(const std::string& name) const;

  /// Advances by h seconds. Throws an Error, and changes nothing, if the state or a force is not finite.
  StepReport step(double h);
  /// The same, with the derivatives of the step. Throws an Error where the step has none: an impact stage acted, or a
  /// robot has closed loops.
  StepReport step(double h, StepDerivatives& derivatives);
  double time() const;

  // Reads and sets states and forces.
  Eigen::VectorXd& q(const std::string& name);
  Eigen::VectorXd& v(const std::string& name);
  /// Generalized forces of a robot's motors, within its effort limits; of a body: all that acts on it.
  Eigen::VectorXd& tau(const std::string& name);
  /// Generalized forces on a robot from outside, such as pushes: they act besides tau, and no limit cuts them.
  Eigen::VectorXd& external(const std::string& robot);
  Pose<double> pose(const std::string& body) const;
  std::vector<ContactReading> contacts() const;
  /// The row of the last step that is farthest from its law: that of StepReport::residual. Where a step has not
  /// converged although this is small, a contact or a motor came into play too late.
  RowReading worst_row() const;
  /// The sum of the contact forces on a body, a fixed shape or a link ("robot/link"), mean over the last step, N.
  Vec3<double> contact_force(const std::string& name) const;
  /// The forces and torques of a robot's loops in the last step, one for each of their rows (LoopRows), mean over the
  /// step. Empty without loops.
  const Eigen::VectorXd& loop_forces(const std::string& robot) const;
  /// The torques of a robot's motors in the last step: tau and servos, after the effort limits. Empty before a step.
  const Eigen::VectorXd& motor_torques(const std::string& robot) const;
  /// An inertial measurement unit on a rigid body ("body") or on a link or frame of a robot ("robot/link"), at a pose
  /// in its frame. Error if there is no such thing, or an IMU has that name.
  void add_imu(const std::string& name, const std::string& on, const Pose<double>& at = {});
  /// What an IMU showed in the last step: angular velocity at its end, specific force as its mean. 0 before a step.
  ImuReading imu(const std::string& name) const;
  /// Their names, in the order in which they were added.
  std::vector<std::string> imus() const;
  double kinetic_energy() const;
  double potential_energy() const;
  Vector6 momentum() const;

  /// Everything that the next steps depend on.
  struct State {
    double time = 0;
    /// One vector for each body and robot, in the order in which they were added. A step predicts from the
    /// accelerations a.
    std::vector<Eigen::VectorXd> q, v, tau, a;
    /// Impulses of the last step by contact, for the next one to start from.
    std::vector<std::pair<std::uint64_t, Vec3<double>>> impulses;
    /// How far one of two bodies has moved along the other although they stick, since a step is finite.
    struct Drift {
      std::uint64_t bodies;
      Vec3<double> center, displacement, rotation;  ///< the displacement of the center, and a small rotation about it
    };
    std::vector<Drift> drifts;
    /// That robots carry from step to step while they fly; empty for others.
    std::vector<Eigen::VectorXd> momentum = {};
    std::vector<Eigen::VectorXd> external = {};  ///< forces on robots from outside; empty for bodies
  };
  State state() const;
  void restore(const State& state);

 private:
  friend class WorldBatch;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom
