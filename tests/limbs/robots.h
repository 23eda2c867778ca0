#pragma once
// Robots for the tests of limbs, written as URDF: a trunk, legs of three or six joints, feet of several shapes.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/io/read.h"
#include "lissom/limbs/standing_robot.h"

namespace lissom::test {

inline std::string link(const std::string& name, double mass, const std::string& shapes = "") {
  std::ostringstream out;
  out << "<link name='" << name << "'>";
  if (mass > 0)
    out << "<inertial><mass value='" << mass << "'/><inertia ixx='" << .01 * mass << "' ixy='0' ixz='0' iyy='"
        << .01 * mass << "' iyz='0' izz='" << .01 * mass << "'/></inertial>";
  out << shapes << "</link>\n";
  return out.str();
}

inline std::string collision(const std::string& shape, const std::string& xyz, const std::string& rpy = "0 0 0") {
  return "<collision><origin xyz='" + xyz + "' rpy='" + rpy + "'/><geometry>" + shape + "</geometry></collision>";
}
inline std::string box(const std::string& size, const std::string& xyz) {
  return collision("<box size='" + size + "'/>", xyz);
}
inline std::string sphere(const std::string& radius, const std::string& xyz) {
  return collision("<sphere radius='" + radius + "'/>", xyz);
}

inline std::string hinge(const std::string& name, const std::string& parent, const std::string& child,
                         const std::string& xyz, const std::string& axis, double low = -2, double high = 2,
                         double effort = 100, double velocity = 10) {
  std::ostringstream out;
  out << "<joint name='" << name << "' type='revolute'><parent link='" << parent << "'/><child link='" << child
      << "'/><origin xyz='" << xyz << "'/><axis xyz='" << axis << "'/><limit lower='" << low << "' upper='" << high
      << "' effort='" << effort << "' velocity='" << velocity << "'/></joint>\n";
  return out.str();
}
inline std::string fixed(const std::string& parent, const std::string& child, const std::string& xyz) {
  return "<joint name='" + child + "_mount' type='fixed'><parent link='" + parent + "'/><child link='" + child +
         "'/><origin xyz='" + xyz + "'/></joint>\n";
}

// A biped whose feet have these shapes; ankles are 0.8 m below the trunk.
struct Biped {
  std::string foot_shapes, foot_links = {};  // foot_links: more links and joints; S stands for the side, l or r
  double effort = 100, velocity = 10, mass = 1;

  std::string text() const {
    std::string all = "<robot name='biped'>\n" + link("trunk", 20 * mass, box(".2 .3 .4", "0 0 .25"));
    for (const std::string s : {"l", "r"}) {
      const std::string y = s == "l" ? ".1" : "-.1";
      all += link(s + "_yaw", .5 * mass) + link(s + "_roll", .5 * mass) + link(s + "_thigh", 3 * mass) +
             link(s + "_shank", 2 * mass) + link(s + "_ankle", .3 * mass) + link(s + "_toes", mass, foot_shapes);
      all += hinge(s + "_hip_yaw", "trunk", s + "_yaw", "0 " + y + " 0", "0 0 1", -1, 1, effort, velocity);
      all += hinge(s + "_hip_roll", s + "_yaw", s + "_roll", "0 0 0", "1 0 0", -1, 1, effort, velocity);
      all += hinge(s + "_hip_pitch", s + "_roll", s + "_thigh", "0 0 0", "0 1 0", -2, 2, effort, velocity);
      all += hinge(s + "_knee", s + "_thigh", s + "_shank", "0 0 -.4", "0 1 0", 0, 2.4, effort, velocity);
      all += hinge(s + "_ankle_pitch", s + "_shank", s + "_ankle", "0 0 -.4", "0 1 0", -1, 1, effort, velocity);
      all += hinge(s + "_ankle_roll", s + "_ankle", s + "_toes", "0 0 0", "1 0 0", -1, 1, effort, velocity);
      auto more = foot_links;
      for (auto at = more.find('S'); at != std::string::npos; at = more.find('S')) more.replace(at, 1, s);
      all += more;
    }
    return all + "</robot>\n";
  }
};

// A robot with pairs of legs of three joints at these x, whose shanks carry these shapes.
inline std::string walker(const std::vector<std::string>& places, const std::string& shank_shapes,
                          const std::string& last_type = "") {
  std::string all = "<robot name='walker'>\n" + link("trunk", 20, box(".8 .2 .1", "0 0 0"));
  for (std::size_t k = 0; k < places.size(); ++k)
    for (const std::string s : {"l", "r"}) {
      const auto n = s + std::to_string(k);
      all += link(n + "_hip", 1) + link(n + "_thigh", 1) + link(n + "_shank", .5, shank_shapes);
      all += hinge(n + "_a", "trunk", n + "_hip", places[k] + (s == "l" ? " .15 0" : " -.15 0"), "1 0 0", -1, 1);
      all += hinge(n + "_h", n + "_hip", n + "_thigh", "0 0 0", "0 1 0");
      all += hinge(n + "_k", n + "_thigh", n + "_shank", "0 0 -.3", "0 1 0");
      if (!last_type.empty())
        all += link(n + "_wheel", .5, collision("<cylinder radius='.08' length='.04'/>", "0 0 0", "1.5708 0 0")) +
               "<joint name='" + n + "_w' type='" + last_type + "'><parent link='" + n + "_shank'/><child link='" + n +
               "_wheel'/><origin xyz='0 0 -.3'/><axis xyz='0 1 0'/></joint>\n";
    }
  return all + "</robot>\n";
}

inline Description described(const std::string& text) {
  auto read = io::read_text(text, "robot.urdf");
  EXPECT_TRUE(read.usable());
  for (const auto& d : read.diagnostics)
    if (d.severity == Severity::error) ADD_FAILURE() << to_string(d);
  return read.description;
}

inline const LimbContact& named(const RobotContacts& contacts, const std::string& name) {
  for (const auto& c : contacts.limbs)
    if (c.name == name) return c;
  throw Error("no contact " + name);
}

// Width along x and y of a face, and its height below the link's origin.
struct Extent {
  double x, y, below;
};
inline Extent extent(const LimbContact& c) {
  double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
  for (const auto& p : c.points)
    x0 = smaller(x0, p.x), x1 = larger(x1, p.x), y0 = smaller(y0, p.y), y1 = larger(y1, p.y);
  return {x1 - x0, y1 - y0, -c.pose.p.z};
}

// A robot of the corpus of other people's models, where it is at hand.
inline std::string corpus_file(const std::string& path) {
  const char* const shared = std::getenv("LISSOM_SHARED");
  return std::string(shared ? shared : LISSOM_SHARED_DIR) + "/corpus/" + path;
}

}  // namespace lissom::test
