#pragma once
// A robot of a world: the equations of motion of its tree, with joint limits, dry friction and loops as rows, springs,
// damping and servos implicitly. Not installed.
#include <memory>

#include "lissom/model/model.h"
#include "lissom/world/unit.h"

namespace lissom::worlds {

/// Bodies are those of its tree.
class RobotUnit final : public Unit {
 public:
  RobotUnit(std::string name, const Model& model, const RobotSettings& settings, const World::Options& options);
  ~RobotUnit() override;

  std::unique_ptr<Unit> copy() const override;
  bool is_robot() const override { return true; }
  const Model& model() const { return model_; }
  /// The same robot with other masses.
  void set_model(const Model& model);
  const Servos& servos() const { return servos_; }
  /// Throws an Error where their sizes do not fit, or gains are negative.
  void set_servos(const Servos& servos);
  Eigen::VectorXd motor_torques;  ///< in the last step
  Eigen::VectorXd loop_forces;    ///< in the last step, by row

  void forget_attempts() override;
  void begin(double h) override;
  void own_rows(double h, std::vector<OwnRows>& rows) override;
  void accelerate(double h) override;
  bool motors_agree(double h) override;
  std::string name_of(const OwnRows& rows) const override;
  bool turns(const OwnRows& rows) const override;
  void keep_forces(const OwnRows& rows, const double* impulses, double h) override;
  void finish(double h, bool grounded) override;
  void add_work(double h, Work& work) const override;
  double implicit_energy(const Eigen::VectorXd& at_v) const override;
  Pose<double> pose(int body) const override;
  void update_poses() override;
  SpatialVector velocity(int body) const override;
  SpatialVector twist(int body, const Eigen::VectorXd& v) const override;
  void write_point_rows(int body, const Vec3<double>& point, const Mat3<double>& axes, int count, double sign,
                        int column) override;
  bool can_part(int one, int other, const Vec3<double>& point, const Vec3<double>& normal) const override;
  void write_angular_rows(int body, std::span<const Vec3<double>> directions, double sign, int column) override;
  double kinetic_energy() const override;
  double potential_energy(const Vec3<double>& gravity) const override;
  Vector6 momentum() const override;
  Vec3<double> com() const override;
  Eigen::VectorXd carried_momentum() const override;
  void carry_momentum(const Eigen::VectorXd& momentum) override;
  void displace(const Eigen::VectorXd& delta) override;
  void differentiate(double h, const MotionColumns& to) override;
  void differentiate_mass(double h, const std::string& link, double* to, int stride) override;
  void chain(int body, std::vector<ChainEntry>& to) const override;
  void differentiate_motion(double h, std::vector<CurvedBlock>& to) const override;

 private:
  struct Memory;
  struct Derivatives;
  Derivatives& derivatives() const;
  // Lets the factor of M be that of the memory, for which no state is known yet.
  void connect();
  // Poses, joint axes and M at q; velocities of the bodies at (q, v).
  void compute_positions();
  void compute_velocities();
  Vec3<double> moving_com(const Vec3<double>& of_all) const;
  void compute_centroidal_map() const;
  std::string singular(int dof) const;
  const Joint* joint_of(int dof) const;
  // What springs, damping and servos add to the diagonal of M, and their forces at v (robot_motors.cpp).
  void implicit_terms(double h);
  void explicit_forces(double h, const Eigen::VectorXd& at_v, Eigen::VectorXd& force) const;
  double servo_torque(int dof, double h, double at_v) const;
  bool has_servo(int dof) const;
  void add_servo_rows(double h, std::vector<OwnRows>& rows) const;
  // The acceleration without impulses, where the last step says nothing about it.
  void predict_anew(double h);
  // Moves q and v onto closed loops.
  void close_loops();
  // Corrects v after the move: momentum and energy are those that the forces of the step explain
  // (robot_conservation.cpp). Return whether the energy is.
  struct Balance {
    Vector6 momentum = Vector6::Zero();  // about the center of mass
    double energy = 0;                   // kinetic, and potential at the old q
  };
  Balance balance(double h, bool flies) const;
  bool conserve(const Balance& expected, bool flies);
  void add_base_forces(double h, Vector6& momentum) const;
  bool scale_motion(const Eigen::VectorXd& locked, double expected, bool flies);

  Model model_;
  RobotSettings settings_;
  bool conserves_;
  Servos servos_;
  // By degree of freedom: whether the servo is a row of the step, within its effort limits. All others act implicitly.
  std::vector<bool> limited_;
  int attempts_ = 0;
  std::unique_ptr<Memory> memory_;
  mutable std::unique_ptr<Derivatives> derivatives_;  // from the first step on that asks for them
};

}  // namespace lissom::worlds
