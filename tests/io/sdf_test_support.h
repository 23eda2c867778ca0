#pragma once
// Shared by the tests of the SDF reader.
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/io/sdf/sdf.h"
#include "urdf_test_support.h"

namespace lissom::io {

using lissom::test::larger;

// An SDF file around the given elements.
inline std::string sdf(const std::string& elements, const std::string& version = "1.9") {
  return "<sdf version=\"" + version + "\">\n" + elements + "\n</sdf>\n";
}
inline std::string model(const std::string& elements, const std::string& name = "robot") {
  return "<model name=\"" + name + "\">\n" + elements + "</model>\n";
}
// A link of unit mass and inertia.
inline std::string sdf_link(const std::string& name, const std::string& elements = {}) {
  return "<link name=\"" + name + "\">" + elements +
         "<inertial><mass>1</mass><inertia><ixx>1</ixx><ixy>0</ixy><ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz>"
         "</inertia></inertial></link>\n";
}
inline std::string pose(const std::string& text, const std::string& relative_to = {}) {
  return relative_to.empty() ? "<pose>" + text + "</pose>"
                             : "<pose relative_to=\"" + relative_to + "\">" + text + "</pose>";
}
inline std::string sdf_joint(const std::string& name, const std::string& type, const std::string& parent,
                             const std::string& child, const std::string& elements = "<axis><xyz>0 0 1</xyz></axis>") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
         "</child>" + elements + "</joint>\n";
}

// Reads a text, and expects that it can be used.
inline Description read_usable(const std::string& text) {
  ReadResult result = read_sdf_text(text, "made.sdf");
  EXPECT_TRUE(result.usable()) << to_text(result);
  return result.description;
}

template <class Item>
const Item& named(const std::vector<Item>& items, const std::string& name) {
  for (const Item& item : items)
    if (item.name == name) return item;
  static const Item nothing{};
  ADD_FAILURE() << "there is no " << name;
  return nothing;
}

// The poses of all links in the world where all joints are at zero.
inline std::map<std::string, Pose<double>> poses_at_zero(const Description& description) {
  std::map<std::string, Pose<double>> poses;
  for (const RootDescription& root : description.roots) poses[root.link] = root.placement;
  for (std::size_t before = 0; before != poses.size();) {
    before = poses.size();
    for (const JointDescription& joint : description.joints)
      if (poses.contains(joint.parent) && !poses.contains(joint.child))
        poses[joint.child] = poses[joint.parent] * joint.origin;
  }
  return poses;
}

inline double distance(const Pose<double>& A, const Pose<double>& B) {
  const auto &a = A.R, &b = B.R;
  double worst = 0;
  for (const double x : {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yx - b.yx, a.yy - b.yy, a.yz - b.yz, a.zx - b.zx,
                         a.zy - b.zy, a.zz - b.zz, A.p.x - B.p.x, A.p.y - B.p.y, A.p.z - B.p.z})
    worst = larger(worst, std::isfinite(x) ? std::abs(x) : 1e300);
  return worst;
}
inline double distance(const Vec3<double>& a, const Vec3<double>& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

inline void expect_at(const Description& description, const std::string& link, double x, double y, double z) {
  const auto poses = poses_at_zero(description);
  ASSERT_TRUE(poses.contains(link)) << link;
  EXPECT_LT(distance(poses.at(link).p, {x, y, z}), 1e-12)
      << link << " is at " << poses.at(link).p.x << " " << poses.at(link).p.y << " " << poses.at(link).p.z;
}

}  // namespace lissom::io
