#pragma once
// Scenes: worlds as files describe them (docs/scenes.md). A scene is plain data, which a program may also put together
// or change, and of which any number of worlds can be made.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lissom/scenes/servo_plan.h"
#include "lissom/world/world.h"

namespace lissom::scenes {

/// A robot of a scene.
struct SceneRobot {
  std::string name;
  Model model;
  Eigen::VectorXd q, v;  ///< where it starts
  RobotSettings settings = {};
  ServoPlan servos = {};
  /// m, by how much its base was raised so that its lowest point is on the ground; empty where its place was given.
  std::optional<double> raised = {};
};

/// A rigid body of a scene.
struct SceneBody {
  RigidBody body;
  Vec3<double> force{0, 0, 0};  ///< N, constant, at the center of mass, along the world's axes
  std::optional<Color> color = {};
};

/// Something that never moves.
struct SceneFixed {
  std::string name;
  Shape shape;
  Pose<double> pose{};
  std::optional<Color> color = {};
  double rounding = 0;  ///< radius of the edges of a box or cylinder, m
};

/// How two parts of a scene touch; "" stands for everything else.
struct ScenePair {
  std::string a, b;
  ContactProperties properties;
};

/// A world before it begins to move.
struct Scene {
  std::string name, description;
  std::string file;                     ///< where it was read from; empty if a program made it
  World::Options options = {};          ///< gravity, and how things touch by default
  double step = 1e-3, seconds = 1;      ///< suggested, s
  std::optional<std::string> ground{};  ///< the name of the half space below z = 0; empty: there is none
  std::vector<SceneRobot> robots = {};
  std::vector<SceneBody> bodies = {};
  std::vector<SceneFixed> fixed = {};
  std::vector<ScenePair> pairs = {};                                 ///< later ones count more
  std::vector<std::pair<std::string, std::string>> exclusions = {};  ///< of parts, or of links as "robot/link"
};

/// Reads a scene file (JSON). Paths of robots and postures in it are relative to the file. Throws an Error with the
/// file and the path in it, what was found and what was expected.
Scene read_scene(const std::string& path);
/// The same, for a scene that may have nothing but what is fixed: surroundings in which a robot is put.
Scene read_surroundings(const std::string& path);

/// What a file's or the command's word for the time stepping of a world means; empty if it means nothing.
std::optional<World::Options::Stepping> stepping_named(const std::string& name);

/// Makes a world of a scene, with servos and forces as at its beginning.
World make_world(const Scene& scene);

/// Moves the free base of a robot along z such that the lowest point of its collision shapes has z = 0. Returns by how
/// much. Throws an Error if the robot has no free base, or no shape but meshes.
double put_on_ground(const Model& model, Eigen::VectorXd& q);
/// Whether the free base of a robot is where neutral(model) has it, so that nobody has placed it. False if it has none.
bool base_is_neutral(const Model& model, const Eigen::VectorXd& q);

}  // namespace lissom::scenes
