#pragma once
// A world as one model, so that recordings, plots and the viewer, which know robots, show worlds as well: every robot
// and every rigid body hangs on the world by a joint of its own.
#include <string>
#include <vector>

#include "lissom/scenes/scene.h"

namespace lissom::scenes {

/// Maps states of a world to those of one model. Links and joints of a robot are called "robot/link" and "robot/joint".
/// A rigid body is a link of its name, moved by a free joint of its name; fixed shapes are links, too. A robot that is
/// alone with the ground is its own model.
class WorldModel {
 public:
  /// Throws an Error if the model would have more degrees of freedom than models may have.
  explicit WorldModel(const Scene& scene);

  const Model& model() const { return model_; }
  /// Writes the state of the world, as q and v of the model, and the torques of motors in the last step; zero where
  /// there are none.
  void read(World& world, Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::VectorXd& tau) const;
  /// Adds generalized forces of the model to those that act on the robots and bodies of the world.
  void add_forces(const Eigen::VectorXd& tau, World& world) const;
  /// The link of the model that a contact names, such as "robot/link" or "body"; empty for the ground.
  std::string link(const std::string& contact_name) const;

 private:
  struct Part {
    std::string name;
    bool is_robot;
    int q, v, nq, nv;
    Vec3<double> com{0, 0, 0};  // of a body, in its frame
  };
  Model model_;
  std::vector<Part> parts_;
  bool alone_;
};

/// A robot among the fixed shapes of a scene, as one model to look at and to record: shapes are links that hang on a
/// root "scene". Configurations, names of links and joints, and FrameIds of links are those of the robot; a shape whose
/// name the robot has taken is called "NAME_".
Model with_surroundings(const Model& robot, const std::vector<SceneFixed>& fixed);

}  // namespace lissom::scenes
