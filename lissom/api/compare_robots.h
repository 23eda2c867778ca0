#pragma once
// Whether two descriptions are of the same robot: name by name, and by how it moves. recording/same_description.h tells
// whether they are equal number by number; here, what differs only in how it is written is the same.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lissom/model/build_options.h"
#include "lissom/model/description.h"

namespace lissom {

/// How to compare two robots.
struct CompareRobotsOptions {
  double tolerance = 1e-10;  ///< of differences relative to the larger value, or to the robot's size
  int states = 20;           ///< random states in which placements, M and h are compared
  std::uint64_t seed = 1;
  BuildOptions build = {};
  /// Asked before each random state, with the number of those that have been compared; the comparison ends where it
  /// returns true.
  std::function<bool(int states)> stop = {};
};

/// Something that two robots do not have in common.
struct RobotDifference {
  std::string subject;    ///< "link 'foot'", "joint 'knee'", "robot"
  std::string property;   ///< "mass", "lower limit", "placement"
  std::string a, b;       ///< the two values, with units; "missing" if one robot does not have it
  double difference = 0;  ///< relative; infinite if it is not a matter of size
};

/// The result of a comparison.
struct RobotComparison {
  bool same = false;
  std::vector<RobotDifference> differences;  ///< the largest first
  std::vector<std::string> notes;            ///< what was not compared, and why
  int states = 0;                            ///< in which placements, M and h were compared
  int names = 0;                             ///< links, joints and frames that both robots have
  /// The largest relative differences found in random states.
  double placement_difference = 0, mass_matrix_difference = 0, bias_difference = 0;
};

/// Compares masses, centers of mass, inertias, joint types, axes, limits, armature, damping, friction, springs, loops,
/// couplings, tendons and actuators by name; then placements of all links and frames, the mass matrix and the bias
/// forces in random states, with coordinates mapped by the names of joints. Links without mass that connect the joints
/// of one body do not count, nor do a massless link "world" that is the inertial frame, the names of fixed joints, and
/// whether a revolute joint without limits is called continuous. Shapes and contacts are not compared. Throws Error if
/// one of the descriptions cannot be built.
RobotComparison compare_robots(const Description& a, const Description& b, const CompareRobotsOptions& options = {});

/// "they differ in 3 places; the largest: link 'foot': mass 1.2 kg and 1.3 kg"
std::string to_sentence(const RobotComparison& comparison);

}  // namespace lissom
