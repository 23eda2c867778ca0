#pragma once
// What all plants share: time and state, sensors, pushes, the delay of commands, links that hit the ground, and how a
// run fails.
#include <random>

#include "lissom/api/dynamics.h"
#include "lissom/sim/simulated_robot.h"

namespace lissom::plant {

// The robot that is there: masses and inertias of all links scaled by factors within 1 ± error.
Model with_mass_error(const Model& model, double error, std::uint64_t seed);

// How deep the lowest point of the collision shapes lies (boxes, spheres, cylinders and capsules; not meshes).
class LowestPoint {
 public:
  explicit LowestPoint(const Model& model);
  struct Found {
    double z;
    const std::string* link;  // nullptr where no link has a shape
  };
  // After forward_kinematics.
  Found find(const Model& model, const Workspace& work) const;

 private:
  struct Solid {
    FrameId frame;
    Pose<double> origin;  // of the shape in that frame
    Vec3<double> half;    // edges of a box; the length of the others along z
    double radius;        // of what is rounded all over, and of discs
    double disc;          // of cylinders
    std::string link;
  };
  std::vector<Solid> solids_;
};

class Run : public Plant {
 public:
  double time() const override { return time_; }
  const Eigen::VectorXd& q() const override { return q_; }
  const Eigen::VectorXd& v() const override { return v_; }
  void sense(Eigen::VectorXd& q, Eigen::VectorXd& v) override;
  bool step(const control::Tick& tick) override;
  const std::string& failure() const override { return failure_; }
  const std::vector<TouchReading>& touches() const override { return touches_; }

 protected:
  // Error where state and model do not belong to each other, or an option makes no sense.
  Run(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Options& options,
      std::size_t contacts);

  // One tick with a command that has come through the delay; the tick is that of now. False after fail().
  virtual bool move(const control::Tick& tick, const Eigen::VectorXd& command) = 0;
  virtual const Eigen::VectorXd& command_of(const control::Tick& tick) const = 0;
  virtual const char* command_name() const = 0;

  bool fail(const std::string& what);
  // v, then q along it, for a time; false where that is no state.
  bool advance(const Eigen::VectorXd& v, double time);
  // Of this moment, in external_.
  std::span<const ExternalForce> pushes();

  Model model_;  // the true one
  Workspace work_;
  Options options_;
  Eigen::VectorXd q_, v_, zero_;
  std::vector<TouchReading> touches_;
  double ground_ = 0;  // the lowest

 private:
  bool check_command(const Eigen::VectorXd& command);
  bool check_links();
  double normal_number();

  double time_ = 0;
  long ticks_ = 0;
  std::string failure_;
  LowestPoint lowest_;
  std::mt19937_64 random_;
  std::vector<Eigen::VectorXd> commands_;  // a ring of delay + 1
  std::vector<ExternalForce> pushes_, external_;
  Eigen::VectorXd noise_, next_q_;
};

}  // namespace lissom::plant
