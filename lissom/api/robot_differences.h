#pragma once
// Collects what two robots do not have in common. Not installed.
#include <cmath>

#include "lissom/api/compare_robots.h"
#include "lissom/spatial/pose.h"

namespace lissom {

class RobotDifferences {
 public:
  RobotDifferences(double tolerance, RobotComparison& result) : tolerance_(tolerance), result_(result) {}

  // Numbers are equal if they differ by at most tolerance (max(|a|, |b|) + scale / 1000).
  void numbers(const std::string& subject, const char* property, double a, double b, double scale,
               const char* unit = "");
  // The same for vectors and tensors, by their norm.
  void vectors(const std::string& subject, const char* property, const std::vector<double>& a,
               const std::vector<double>& b, double scale, const char* unit = "");
  void words(const std::string& subject, const char* property, const std::string& a, const std::string& b);
  void missing(const std::string& subject, bool in_a);
  // The relative difference of poses; positions relative to `length`.
  static double distance(const Pose<double>& a, const Pose<double>& b, double length);
  void add(RobotDifference difference) { result_.differences.push_back(std::move(difference)); }

  double tolerance() const { return tolerance_; }
  RobotComparison& result() { return result_; }

 private:
  double tolerance_;
  RobotComparison& result_;
};

// Compares placements, M and h in random states (compare_motion.cpp). `length`: the size of the robot.
void compare_motion(const Description& a, const Description& b, double length, const CompareRobotsOptions& options,
                    RobotDifferences& differences);

// Whether this link is the inertial frame under the name "world": a root without mass, fixed at the origin.
bool is_world_link(const Description& description, const std::string& name);
// Whether only fixed joints connect a link to a root that is fixed in the world.
bool is_static(const Description& description, const std::string& link);

}  // namespace lissom
