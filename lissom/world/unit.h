#pragma once
// One mechanism of a world, with its own coordinates: a rigid body or a robot. Contacts couple units only through
// impulses. A step works on whitened velocities (contact/whitened.h): with M = Lᵀ D L and z = D^½ L v, the kinetic
// energy is ½ zᵀz, and an impulse p along rows J changes z by Y p, Y = D^-½ L⁻ᵀ Jᵀ. Not installed.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lissom/api/kinematics.h"
#include "lissom/contact/problem.h"
#include "lissom/contact/whitened.h"
#include "lissom/spatial/motion.h"
#include "lissom/spatial/pose.h"
#include "lissom/world/world.h"

namespace lissom::worlds {

/// Rows that a unit has by itself: a joint limit, dry friction, a servo at its limit, a loop.
struct OwnRows {
  contact::Kind kind = contact::Kind::box;
  int size = 1;
  double lower = 0, upper = 0;  ///< box: on the impulse
  double gap = 0;               ///< joint limit: distance to it; u ≥ -gap/h
  bool in_impacts = true;       ///< whether they act in impacts, too
  /// A servo within its effort limits gives way by compliance times its impulse, from the velocity `target` on. 0:
  /// none.
  double compliance = 0, target = 0, stiffness = 0;
  int dof = -1;  ///< of a row along one degree of freedom
  double sign = 1;
  const double* rows = nullptr;  ///< otherwise: `size` rows of nv elements
  std::uint32_t id = 0;          ///< the same in the next step
};

/// One degree of freedom of those that move a body: its motion vector at the world's origin. It moves with all degrees
/// of freedom of the same and of lower groups. (A joint that mimics others gives entries with the leader's index.)
struct ChainEntry {
  int dof, group;
  SpatialVector axis;
};

/// Where derivatives of a unit's equation of motion are written to: lines of `stride` elements, one for each degree of
/// freedom, and the columns of tau, q and v in them.
struct MotionColumns {
  double* W = nullptr;
  int stride = 0, tau = 0, q = 0, v = 0;
};

class Unit {
 public:
  Unit(std::string name, int nq, int nv);
  virtual ~Unit() = default;
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  /// Another one that moves with the same bits.
  virtual std::unique_ptr<Unit> copy() const = 0;

  const std::string& name() const { return name_; }
  virtual bool is_robot() const { return false; }
  int nq() const { return int(q.size()); }
  int nv() const { return int(v.size()); }

  Eigen::VectorXd q, v;
  Eigen::VectorXd tau;       ///< generalized forces of motors; of a body: all forces. Held during a step
  Eigen::VectorXd external;  ///< of a robot: generalized forces from outside, held during a step; of a body: empty
  Eigen::VectorXd a;         ///< acceleration of the last step, from which the next one predicts

  // A step calls, in this order:
  /// Forgets what attempts at an earlier step have found about motors.
  virtual void forget_attempts() {}
  /// Computes poses, velocities and the factor of M at the state (q, v), and z.
  virtual void begin(double h) = 0;
  /// The rows that the unit has by itself.
  virtual void own_rows(double h, std::vector<OwnRows>& rows) = 0;
  /// Adds the change of velocity that a step without impulses gives, from the velocity v_start after impacts, to z.
  virtual void accelerate(double h) = 0;
  /// Whether the motors did what accelerate() took for granted, at the new velocity v_end; if not, the step has to be
  /// done again from begin() on.
  virtual bool motors_agree(double /*h*/) { return true; }
  /// What rows that it has by itself are called: "upper limit of knee", "loop left", and whether they turn.
  virtual std::string name_of(const OwnRows& /*rows*/) const { return {}; }
  virtual bool turns(const OwnRows& /*rows*/) const { return false; }
  /// What the rows that it has by itself did, for those who ask.
  virtual void keep_forces(const OwnRows& /*rows*/, const double* /*impulses*/, double /*h*/) {}
  /// Moves q with v_mean; v becomes v_end. `grounded`: something fixed has acted on it.
  virtual void finish(double h, bool grounded) = 0;

  /// What motors, dampers and forces from outside did in the step, after finish().
  virtual void add_work(double h, Work& work) const = 0;
  /// What the terms that are implicit in the velocity add to ½ zᵀz.
  virtual double implicit_energy(const Eigen::VectorXd& /*at_v*/) const { return 0; }

  bool audits = false;                    ///< somebody asks for the work
  bool euler = false;                     ///< forces act as they are at the beginning of a step
  std::vector<double> z;                  ///< whitened velocity, as the stages of a step change it
  Eigen::VectorXd q_before, v_before;     ///< the state before the step
  Eigen::VectorXd v_start, v_end;         ///< after impacts, and after the step
  Eigen::VectorXd v_mean;                 ///< with which positions move
  double excess_energy = 0;               ///< that contacts seem to have given it in the step, and it hands back
  Vec3<double> impulse{0, 0, 0};          ///< of contacts in the smooth stage
  Vec3<double> angular_impulse{0, 0, 0};  ///< theirs about com()

  /// The pose of a body's frame in the world, after begin or finish.
  virtual Pose<double> pose(int body) const = 0;
  /// Computes the poses for a q that the user has set.
  virtual void update_poses() = 0;
  /// The velocity of the origin of a body's frame, and its angular velocity, along the world's axes; after begin.
  virtual SpatialVector velocity(int body) const = 0;
  /// The velocity of a body for some v: of its particle at the world's origin, and its angular velocity; after begin.
  virtual SpatialVector twist(int body, const Eigen::VectorXd& v) const = 0;
  virtual double kinetic_energy() const = 0;
  virtual double potential_energy(const Vec3<double>& gravity) const = 0;
  /// Linear momentum, and angular momentum about the world's origin.
  virtual Vector6 momentum() const = 0;
  virtual Vec3<double> com() const = 0;
  /// The momentum that a robot carries from step to step while it flies; empty if there is none.
  virtual Eigen::VectorXd carried_momentum() const { return {}; }
  virtual void carry_momentum(const Eigen::VectorXd& /*momentum*/) {}
  /// q ← q ⊕ δ: a displacement that leaves the velocity as it is.
  virtual void displace(const Eigen::VectorXd& delta) = 0;

  /// Whether two of its bodies, 0 for the world, can move along a normal at a point where they touch; after begin. The
  /// side of a wheel on its axle cannot: what presses there is held by the joint, and no impulse could do anything.
  virtual bool can_part(int /*one*/, int /*other*/, const Vec3<double>& /*point*/,
                        const Vec3<double>& /*normal*/) const {
    return true;
  }

  // Rows. First all columns are taken, then they are written, then whitened.
  void clear_rows();
  int take_columns(int count);
  void allocate_rows();
  /// The velocity of the particle of a body at a point, along the columns of `axes`: `count` rows, the normal first.
  virtual void write_point_rows(int body, const Vec3<double>& point, const Mat3<double>& axes, int count, double sign,
                                int column) = 0;
  /// The angular velocity of a body along some directions.
  virtual void write_angular_rows(int body, std::span<const Vec3<double>> directions, double sign, int column) = 0;
  void write_own_rows(const OwnRows& own, int column);
  void whiten_rows();
  const contact::RowMatrix& rows() const { return matrix_; }

  // Derivatives of the step, between accelerate() and finish() (differentiate.cpp).
  /// Writes the change of M̃ v_end that tau, q and v_start cause at constant impulses and rows, but for M̃ δv_start: all
  /// elements of q and v, and those of tau that are not 0.
  virtual void differentiate(double h, const MotionColumns& to) = 0;
  /// The same of a factor on the masses, of one link or (an empty name) of all: adds to elements `stride` apart.
  virtual void differentiate_mass(double h, const std::string& link, double* to, int stride) = 0;
  /// What moves a body, from the base on.
  virtual void chain(int body, std::vector<ChainEntry>& to) const = 0;
  /// The degrees of freedom, first and count, whose q moves on a manifold; the derivatives of q ⊕ h v_mean with respect
  /// to q and v_mean, of these blocks. Elsewhere they are 1 and h.
  struct CurvedBlock {
    int first, count;
    Eigen::Matrix<double, 6, 6> dq, dv;
  };
  virtual void differentiate_motion(double h, std::vector<CurvedBlock>& to) const = 0;
  /// Whitens W, and adds what M̃ δv_start is then, in the columns from v on.
  void whiten(const contact::RowMatrix& W, int v) const;
  void unwhiten(const contact::RowMatrix& W) const;

  // Between v and z.
  void to_whitened(const Eigen::VectorXd& from, std::vector<double>& to) const;
  void from_whitened(const std::vector<double>& from, Eigen::VectorXd& to) const;
  /// z += D^-½ L⁻ᵀ b, with a generalized impulse b, which is overwritten.
  void add_whitened_impulse(double* b, std::vector<double>& to) const;

 protected:
  /// Takes over the state, and what readings look at.
  void copy_state(const Unit& from);
  /// The element of line `dof` and a column of Jᵀ.
  double& element(int dof, int column) { return Y_.data()[dof * matrix_.stride + column]; }
  /// Elements from `column` on, `count` of them, may be non-zero in a line.
  void widen(int dof, int column, int count) {
    auto &first = first_[std::size_t(dof)], &last = last_[std::size_t(dof)];
    first = std::min(first, column / 8 * 8);
    last = std::max(last, (column + count + 7) / 8 * 8);
  }
  void set_factor(const int* parent, const double* L, int stride, const double* scale) {
    factor_ = {nv(), parent, L, stride, scale};
  }

 private:
  std::string name_;
  contact::TreeFactor factor_;
  contact::RowMatrix matrix_;
  AlignedMemory<double> Y_;
  std::size_t capacity_ = 0;
  std::vector<int> first_, last_;
};

}  // namespace lissom::worlds
