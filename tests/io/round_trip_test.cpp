// Every robot of other projects, and worlds with scenery, written in each format and read again.
#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "lissom/api/compare_robots.h"
#include "lissom/io/read.h"
#include "lissom/io/write/write.h"
#include "urdf_test_support.h"

namespace lissom::io::write {
namespace {

namespace fs = std::filesystem;

bool loses(const WriteResult& written, std::string_view code) {
  return std::ranges::any_of(written.losses,
                             [&](const Diagnostic& d) { return d.code == code && d.severity == Severity::warning; });
}

// What differs after writing and reading; empty if nothing does but what is listed as lost.
std::string difference(const Description& d, Format format) {
  const auto written = write(d, format);
  const auto again = read_text(written.text, "written");
  if (!again.usable()) return "it is not read again";
  CompareRobotsOptions options;
  options.tolerance = 1e-10, options.states = 3;
  const auto comparison = compare_robots(d, again.description, options);
  for (const auto& found : comparison.differences) {
    // The nearest inertia that a body may have is another one, and so are M and h.
    const bool of_inertia =
        found.property == "inertia" || found.subject == "mass matrix" || found.subject == "bias forces";
    if (of_inertia && loses(written, "inertia-impossible")) continue;
    return found.subject + ": " + found.property + ": " + found.a + " and " + found.b;
  }
  return comparison.states == options.states ? "" : "no states were compared";
}

TEST(RoundTrip, EveryRobotOfOtherProjects) {
  const auto shared = shared_directory();
  if (!shared) GTEST_SKIP() << "set LISSOM_SHARED to the directory that holds corpus/";
  // Their masses depend on meshes that are not at hand, or they have joints that only Drake has.
  const std::set<std::string> unusable{"2f85.xml", "robot.xml", "tidybot.xml", "joint_parsing_test.urdf"};
  int compared = 0;
  for (const char* folder : {"urdf", "mjcf", "sdf"})
    for (const auto& entry : fs::recursive_directory_iterator(*shared / "corpus" / folder)) {
      const auto ending = entry.path().extension().string();
      const std::set<std::string> endings{".urdf", ".URDF", ".xml", ".sdf", ".world"};
      const auto below = fs::relative(entry.path(), *shared / "corpus" / folder);
      const bool is_robot = std::distance(below.begin(), below.end()) == 2;  // and not one of its parts
      if (!is_robot || !endings.contains(ending)) continue;
      ReadOptions options;
      options.check_meshes = false;
      const auto read = io::read(entry.path().string(), options);
      const auto name = entry.path().filename().string();
      EXPECT_EQ(read.usable(), !unusable.contains(name)) << entry.path();
      if (!read.usable()) continue;
      for (const auto format : {Format::urdf, Format::mjcf, Format::sdf})
        EXPECT_EQ(difference(read.description, format), "") << entry.path() << " as " << to_string(format);
      ++compared;
    }
  EXPECT_GE(compared, 60);
}

// The scenery is a root of its own, beside the robot, whose joint is called "base".
TEST(RoundTrip, AWorldWithSceneryAndOneRobot) {
  const auto read = read_text(R"(<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity>
    <model name="ground"><static>true</static><link name="plate"><collision name="c"><geometry><plane><size>9 9</size></plane></geometry></collision></link></model>
    <model name="robot"><link name="base"><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link></model>
    </world></sdf>)",
                              "world.sdf");
  ASSERT_TRUE(read.usable());
  for (const auto format : {Format::urdf, Format::mjcf, Format::sdf})
    EXPECT_EQ(difference(read.description, format), "") << to_string(format);
}

// The world is a link, because a joint connects the pendulum to it; the box floats beside it.
TEST(RoundTrip, AWorldWithARobotThatIsMountedAndOneThatFloats) {
  const std::string inertial =
      "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
  const auto read = read_text(R"(<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity>
    <model name="box"><pose>0 0 1 0 0 0</pose><link name="l">)" +
                                  inertial + R"(</link></model><model name="pendulum"><link name="l">)" + inertial +
                                  R"(</link><joint name="j" type="revolute"><parent>world</parent><child>l</child>
    <axis><xyz>0 1 0</xyz></axis></joint></model></world></sdf>)",
                              "world.sdf");
  ASSERT_TRUE(read.usable());
  for (const auto format : {Format::urdf, Format::mjcf, Format::sdf})
    EXPECT_EQ(difference(read.description, format), "") << to_string(format);
  // The posture has the place where the box starts.
  for (const auto& loss : write_urdf(read.description, {}).losses) EXPECT_NE(loss.code, "root-placement");
}

}  // namespace
}  // namespace lissom::io::write
