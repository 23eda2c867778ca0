// What readers keep without using it goes back to where it was.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "lissom/io/read.h"
#include "lissom/io/write/write.h"

namespace lissom::io::write_kept {  // files of tests are compiled together
namespace {

using namespace write;

bool has(const WriteResult& result, const std::string& code, Severity severity) {
  return std::ranges::any_of(result.losses,
                             [&](const Diagnostic& d) { return d.code == code && d.severity == severity; });
}

// What ROS says of a joint goes through all formats, and is URDF's own in URDF.
TEST(WriteKept, CalibrationAndSafetyComeBack) {
  const auto d = read_text(R"(<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">
    <parent link="a"/><child link="b"/><axis xyz="0 0 1"/><calibration rising="0.1"/>
    <safety_controller k_velocity="3" soft_lower_limit="-1"/></joint></robot>)",
                           "robot.urdf")
                     .description;
  ASSERT_EQ(d.kept.size(), 3u);
  for (const auto format : {Format::urdf, Format::mjcf, Format::sdf}) {
    const auto written = write::write(d, format);
    EXPECT_EQ(has(written, "kept", Severity::note), format != Format::urdf);
    const auto text = write_urdf(read_text(written.text, "again").description).text;
    EXPECT_NE(text.find(R"(<safety_controller k_velocity="3" soft_lower_limit="-1" />)"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(<calibration rising="0.1" />)"), std::string::npos);
    EXPECT_EQ(text.find("<kept"), std::string::npos);
  }
}

// SDF says where the axes of a joint are at the beginning.
TEST(WriteKept, InitialPositionsComeBack) {
  const std::string inertial =
      "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
  const auto link = [&](const char* name) {
    return "<link name=\"" + std::string(name) + "\">" + inertial + "</link>";
  };
  const auto d =
      read_text(R"(<sdf version="1.9"><model name="m"><pose>0 0 2 0 0 0</pose>)" + link("a") + link("b") + link("c") +
                    R"(<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>
    <initial_position>0.3</initial_position></axis></joint><joint name="u" type="universal"><parent>b</parent><child>c</child>
    <axis><xyz>1 0 0</xyz><initial_position>-0.2</initial_position></axis><axis2><xyz>0 1 0</xyz><initial_position>0.1</initial_position></axis2>
    </joint></model></sdf>)",
                "robot.sdf")
          .description;
  ASSERT_EQ(d.postures.size(), 1u);
  const auto positions = [](const Description& description) {
    std::multiset<std::pair<std::string, std::vector<double>>> all;
    for (const auto& posture : description.postures)
      for (const auto& position : posture.positions) all.insert({posture.name + " " + position.joint, position.q});
    return all;
  };
  ASSERT_EQ(positions(d).size(), 3u);
  for (const bool extensions : {true, false}) {
    const auto written = write_sdf(d, {.extensions = extensions});
    EXPECT_NE(written.text.find("<initial_position>0.3</initial_position>"), std::string::npos);
    EXPECT_EQ(positions(read_text(written.text, "again.sdf").description), positions(d)) << written.text;
  }
  // Of a ball joint, SDF says nothing.
  auto ball = d;
  ball.joints.at(0).type = JointType::spherical;
  ball.postures[0].positions[1].q = {1, 0, 0, 0};
  ASSERT_EQ(ball.postures[0].positions[1].joint, "j");
  EXPECT_EQ(positions(read_text(write_sdf(ball).text, "again.sdf").description), positions(ball));
}

}  // namespace
}  // namespace lissom::io::write_kept
