#pragma once
// A rigid body of a world. Not installed.
#include <array>

#include "lissom/world/unit.h"

namespace lissom::worlds {

/// q = position of its center of mass and quaternion (w x y z), v = velocity of the center of mass along the world's
/// axes, angular velocity along its own axes. The body's frame is at the center of mass.
class RigidBodyUnit final : public Unit {
 public:
  RigidBodyUnit(std::string name, double mass, const Sym3<double>& inertia, const Pose<double>& pose,
                const Vec3<double>& gravity);

  std::unique_ptr<Unit> copy() const override;
  double mass() const { return mass_; }
  const Sym3<double>& inertia() const { return inertia_; }
  /// Throws an Error if the inertia is not positive definite.
  void set_mass(double mass, const Sym3<double>& inertia);

  void begin(double h) override;
  void own_rows(double, std::vector<OwnRows>&) override {}
  void accelerate(double h) override;
  void finish(double h, bool grounded) override;
  void add_work(double h, Work& work) const override { work.pushes += .5 * h * tau.dot(v_start + v_end); }
  Pose<double> pose(int) const override { return pose_; }
  void update_poses() override;
  SpatialVector velocity(int body) const override;
  SpatialVector twist(int body, const Eigen::VectorXd& v) const override;
  void write_point_rows(int body, const Vec3<double>& point, const Mat3<double>& axes, int count, double sign,
                        int column) override;
  void write_angular_rows(int body, std::span<const Vec3<double>> directions, double sign, int column) override;
  double kinetic_energy() const override;
  double potential_energy(const Vec3<double>& gravity) const override;
  Vector6 momentum() const override;
  Vec3<double> com() const override { return pose_.p; }
  void displace(const Eigen::VectorXd& delta) override;
  void differentiate(double h, const MotionColumns& to) override;
  void differentiate_mass(double h, const std::string& link, double* to, int stride) override;
  void chain(int body, std::vector<ChainEntry>& to) const override;
  void differentiate_motion(double h, std::vector<CurvedBlock>& to) const override;

 private:
  Vec3<double> angular_acceleration(const Vec3<double>& omega) const;
  Mat3<double> angular_acceleration_rate(const Vec3<double>& omega) const;
  void move(const Vec3<double>& displacement, const Vec3<double>& rotation);

  double mass_ = 0;
  Sym3<double> inertia_{}, inverse_inertia_{};
  bool is_round_ = false;  // its three moments of inertia are equal
  Vec3<double> gravity_;
  Pose<double> pose_;
  std::array<double, 36> L_{};
  std::array<double, 6> scale_{};
};

}  // namespace lissom::worlds
