#pragma once
// One mechanism of a world, with its own coordinates: a rigid body or a robot. Contacts couple units only through
// impulses, so a step needs three things of each: its velocity without them, the Jacobian of a point, and M⁻¹ times a
// generalized impulse. Not installed.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lissom/api/kinematics.h"
#include "lissom/model/model.h"
#include "lissom/spatial/pose.h"
#include "lissom/world/world.h"

namespace lissom::worlds {

/// Three rows of a Jacobian: the velocity of a point along three axes is J v.
using PointJacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

class Unit {
 public:
  Unit(std::string name, int nq, int nv);
  virtual ~Unit() = default;
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  const std::string& name() const { return name_; }
  int nq() const { return int(q.size()); }
  int nv() const { return int(v.size()); }

  Eigen::VectorXd q, v;
  Eigen::VectorXd tau;  ///< generalized forces of motors and pushes, held during a step
  Eigen::VectorXd dv;   ///< after begin: the change of v in the step without contacts, h M⁻¹ (τ - c)

  /// Computes poses, the factor of M and dv at the state (q, v), for a step h under gravity.
  virtual void begin(double h, const Vec3<double>& gravity) = 0;
  /// The pose of a body's frame in the world, after begin or update_poses.
  virtual Pose<double> pose(int body) const = 0;
  virtual void update_poses() = 0;
  /// The velocity of the origin of a body's frame, and its angular velocity, along the world's axes; after begin.
  virtual SpatialVector velocity(int body) const = 0;
  /// The Jacobian of the particle of a body at a point of the world, along the columns of `axes`; after begin.
  virtual void jacobian(int body, const Vec3<double>& point, const Mat3<double>& axes, double* J) const = 0;
  /// M⁻¹ b, after begin.
  virtual void solve(const double* b, double* x) const = 0;
  /// q ← q ⊕ h v̄.
  virtual void move(const Eigen::VectorXd& mean_v, double h) = 0;
  /// ½ wᵀ M(q) w.
  virtual double kinetic_energy(const Eigen::VectorXd& w) const = 0;
  virtual double potential_energy(const Vec3<double>& gravity) const = 0;
  /// Linear momentum, and angular momentum about the world's origin.
  virtual Vector6 momentum() const = 0;

 private:
  std::string name_;
};

/// A rigid body: q = position of its center of mass and quaternion (w x y z), v = velocity of the center of mass along
/// the world's axes, angular velocity along its own axes. The body's frame is at the center of mass.
class RigidBodyUnit final : public Unit {
 public:
  RigidBodyUnit(std::string name, double mass, const Sym3<double>& inertia, const Pose<double>& pose);

  void begin(double h, const Vec3<double>& gravity) override;
  Pose<double> pose(int body) const override;
  void update_poses() override;
  void jacobian(int body, const Vec3<double>& point, const Mat3<double>& axes, double* J) const override;
  void solve(const double* b, double* x) const override;
  void move(const Eigen::VectorXd& mean_v, double h) override;
  double kinetic_energy(const Eigen::VectorXd& w) const override;
  SpatialVector velocity(int body) const override;
  double potential_energy(const Vec3<double>& gravity) const override;
  Vector6 momentum() const override;

 private:
  Vec3<double> angular_acceleration(const Vec3<double>& omega) const;

  double mass_;
  Sym3<double> inertia_, inverse_inertia_;
  Pose<double> pose_;
};

/// A robot. Bodies are those of its tree.
class RobotUnit final : public Unit {
 public:
  RobotUnit(std::string name, const Model& model, const RobotSettings& settings);
  ~RobotUnit() override;

  /// Throws an Error where their sizes do not fit, or gains are negative.
  void set_servos(const Servos& servos);
  Eigen::VectorXd motor_torques;  ///< in the last step

  const Model& model() const { return model_; }
  void begin(double h, const Vec3<double>& gravity) override;
  Pose<double> pose(int body) const override;
  void update_poses() override;
  void jacobian(int body, const Vec3<double>& point, const Mat3<double>& axes, double* J) const override;
  void solve(const double* b, double* x) const override;
  void move(const Eigen::VectorXd& mean_v, double h) override;
  double kinetic_energy(const Eigen::VectorXd& w) const override;
  SpatialVector velocity(int body) const override;
  double potential_energy(const Vec3<double>& gravity) const override;
  Vector6 momentum() const override;

 private:
  struct Memory;
  Model model_;
  RobotSettings settings_;
  Servos servos_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace lissom::worlds
