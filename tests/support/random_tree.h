#pragma once
// Random robots and states for property tests. The same seed gives the same robot.
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "lissom/api/state.h"
#include "lissom/api/workspace.h"
#include "lissom/model/model.h"

namespace lissom::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed * 0x9E3779B97F4A7C15u + 1) {}
  double uniform(double low, double high) { return low + (high - low) * (double(engine_() >> 11) * 0x1p-53); }
  int integer(int low, int high) { return low + int(engine_() % std::uint64_t(high - low + 1)); }  // both included
  bool chance(double p) { return uniform(0, 1) < p; }
  Vec3<double> vec3(double reach) { return {uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)}; }
  Eigen::VectorXd vector(int n, double reach);
  Mat3<double> rotation();  // uniform
  Pose<double> pose();      // often with a simple rotation
  Vec3<double> axis();      // of length 1; half of them ± a coordinate axis
  std::uint64_t seed() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

struct TreeOptions {
  int min_joints = 1, max_joints = 25;  // the base's not counted
  std::vector<JointType> types = {};    // empty: all
  bool fixed_links = true;              // some joints are fixed, some of their links massless
  bool several_roots = true;            // now and then
  bool frames = true;                   // adds named frames
  double armature = 0, mimic = 0;       // the fraction of joints that have one
};

// A robot with every joint type, axes along and off the coordinate axes, and branches anywhere.
Description random_description(std::uint64_t seed, const TreeOptions& options = {});
LinkDescription random_link(const std::string& name, Random& random);

// A robot in motion.
struct Case {
  std::uint64_t seed;
  Description description;
  BuildOptions options;  // the base is fixed, free or planar
  Model model;
  Workspace work;
  Eigen::VectorXd q, v, a, tau;
  FrameId some_frame(Random& random) const { return {random.integer(0, int(model.frames().size()) - 1)}; }
};
Case random_case(std::uint64_t seed, const TreeOptions& options = {});

// How many random robots a property is tested on: `quick`, or a hundred times as many where LISSOM_LONG=1.
int number_of_trees(int quick = 1000);
// Tests a property on random robots; stops at the first robot that fails, and tells its seed.
void for_each_tree(const TreeOptions& options, const std::function<void(Case&)>& property, int quick = 1000);

// q̇ for the velocity v, element by element.
Eigen::VectorXd rate_of_q(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

}  // namespace lissom::test
