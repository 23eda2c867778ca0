#pragma once
// The moving bodies of a robot as a tree, at one configuration, and its limbs: chains that leave the trunk to the left
// or to the right. Not for users.
#include "lissom/api/kinematics.h"

namespace lissom::limbs {

// A point of a body's surface, or the center of a sphere, in coordinates of the body.
struct Core {
  Vec3<double> at;
  double radius = 0;
};

enum class ShapeSource { none, collision, visual };

// What is known of the surface of a body.
struct BodyShape {
  std::vector<Core> cores;  // their convex hull, with spheres around them, is that of the body's shapes
  ShapeSource source = ShapeSource::none;
  bool has_mesh = false;                  // some of the cores are corners of meshes
  std::vector<std::string> missing = {};  // meshes whose files were not found or could not be read
};

struct Body {
  int parent = -1;  // body; 0: the world
  int joint = -1;   // in Model::joints(), that moves it
  std::vector<int> children = {};
  std::string link;              // that its joint moves, or the root link
  Pose<double> pose;             // in the world
  Vec3<double> joint_at;         // origin of the joint, in the world
  Vec3<double> axis;             // of its joint, in the world; zero if it is not a hinge
  double mass = 0;               // of all its links
  Vec3<double> com = {0, 0, 0};  // in the body
  BodyShape shape;
  std::vector<int> frames = {};  // in Model::frames(), fixed to it
  double lowest = 0;             // m, in the world: of its shape, joint and frames
};

class BodyTree {
 public:
  BodyTree(const Model& model, const Eigen::VectorXd& q);

  const Model& model() const { return model_; }
  const std::vector<Body>& bodies() const { return bodies_; }  // by number; 0 is the world
  const Body& body(int i) const { return bodies_[std::size_t(i)]; }
  // The body that everything hangs on: the child of the world with the most bodies.
  int root() const { return root_; }
  // The body and all that hang on it, parents before children.
  std::vector<int> subtree(int body) const;
  // Names of the moving joints from the first after `above` to the one that moves `body`.
  std::vector<std::string> joints_to(int body, int above) const;
  // Poses anew, for another configuration.
  void move(const Eigen::VectorXd& q);

 private:
  void add_shapes();

  Model model_;
  Workspace work_;
  std::vector<Body> bodies_;
  int root_ = 0;
};

// A limb: the bodies from the first that hangs on the trunk to the one that touches.
struct Limb {
  int first = 0, end = 0;
  int side = 0;        // 1: left, -1: right
  double length = 0;   // m, along its joints
  double lowest = 0;   // m, in the world, of all of its bodies
  bool wheel = false;  // its end is a wheel
};

struct Limbs {
  std::vector<Limb> legs, arms;
  std::vector<int> trunk;  // bodies
  double plane = 0;        // y of the sagittal plane
  std::string why_no_legs;
  bool on_wheels = false;      // some limbs end in wheels
  bool legs_are_arms = false;  // by their names, so that there are no legs
};
// Legs are the limbs whose ends are lowest, in pairs; front before rear, left before right.
Limbs find_limbs(const BodyTree& tree);

}  // namespace lissom::limbs
