#pragma once
// The parts of read_scene. Not installed.
#include <map>
#include <string>
#include <vector>

#include "lissom/io/json_place.h"
#include "lissom/scenes/scene.h"

namespace lissom::scenes {

using Place = JsonPlace;

// The names of a scene: those of its parts (the ground, fixed shapes, bodies, robots), and those of groups (grids of
// bodies, materials), which stand for several parts. All of them differ.
class SceneNames {
 public:
  // Adds a part, at its place in the file, for errors; `material` may be empty.
  void add_part(const Place& place, const std::string& name, const std::string& material);
  // Adds a part to a group, which is made if there is none of this name.
  void add_to_group(const Place& place, const std::string& group, const std::string& part);
  bool is_part(const std::string& name) const { return parts_.contains(name); }
  // Whether the name is that of a group: a grid or a material.
  bool is_group(const std::string& name) const { return groups_.contains(name); }
  // The parts that a name of the file stands for: a part, or the members of a group. Error at the place if there is no
  // such name.
  std::vector<std::string> parts_of(const Place& place, const std::string& name) const;
  std::size_t size() const { return parts_.size(); }

 private:
  std::map<std::string, std::string> parts_;  // and where they are in the file
  std::map<std::string, std::vector<std::string>> groups_;
};

// x y z, or x y z roll pitch yaw (m, rad).
Pose<double> read_pose(const Place& p);
double positive(const Place& p, const char* unit);
double nonnegative(const Place& p, const char* unit);
bool boolean(const Place& p);
// {"kind": "box", "size": [x, y, z]} and so on; a plane only where it is allowed.
Shape read_shape(const Place& p, bool plane_allowed);
std::optional<Color> read_color(const Place& p);
// Sets what the file says of friction, impact_friction, torsional_friction, rolling_friction, restitution and law.
void take_properties(const Place& p, ContactProperties& properties);
inline const std::set<std::string> property_keys{"friction", "impact_friction",    "restitution",
                                                 "law",      "torsional_friction", "rolling_friction"};
// The name of a part: text that is not empty and has no '/', which separates robots from their links.
std::string read_name(const Place& p);

void read_bodies(const Place& list, Scene& scene, SceneNames& names);
void read_fixed(const Place& list, Scene& scene, SceneNames& names);
// After the ground and all other parts are known.
void read_robots(const Place& list, Scene& scene, SceneNames& names);
void read_servos(const Place& p, const std::string& folder, SceneRobot& robot);
void read_pairs(const Place& list, Scene& scene, const SceneNames& names);
void read_exclusions(const Place& list, Scene& scene, const SceneNames& names);

// A posture: the name of one in the robot's file, "FILE" or "FILE#NAME" relative to `folder`, or an object of joints
// and their positions, of which those that are not named stay as in `otherwise`.
Eigen::VectorXd read_posture(const Place& p, const std::string& folder, const Model& model,
                             const Eigen::VectorXd& otherwise);
// An object of joints and values, one for each degree of freedom; others as in `otherwise`.
Eigen::VectorXd read_velocities(const Place& p, const Model& model, Eigen::VectorXd otherwise);

}  // namespace lissom::scenes
