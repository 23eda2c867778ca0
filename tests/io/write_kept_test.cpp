// What readers keep without using it goes back to where it was.
#include <algorithm>
#include <array>
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

using Kept = std::multiset<std::array<std::string, 3>>;
Kept kept_by(const Description& d) {
  Kept all;
  for (const auto& k : d.kept) all.insert({k.subject, k.name, k.value});
  return all;
}

// With names for everything, so that they are the same when it is read again.
const std::string mjcf =
    R"(<mujoco model="m"><option integrator="RK4" actuatorgroupdisable="3"><flag contact="disable"/></option>
<default><default class="strong"><muscle force="300"/></default></default>
<asset><material name="steel" rgba="1 0 0 1" shininess="0.3" reflectance="0.2" texrepeat="2 2"/></asset>
<worldbody><body name="moved" mocap="true" pos="0 0 3"><geom name="gm" size="0.1" material="steel"/></body>
<body name="a" gravcomp="0.5" user="7" sleep="never"><inertial pos="0 0 0" mass="1" diaginertia="1 1.1 1.2"/>
<joint name="j" springyield="0.2" actuatorgravcomp="true" solreflimit="0.1 1" user="1 2" range="-1 1" actuatorfrcrange="-2 3" stiffness="5 1 2"/>
<geom name="g" size="0.1" surfacevel="1 0 0" adhesion="0.3" castshadow="false" solmix="0.4" friction="0.2 0.3 0.4" group="4"/>
<site name="s" type="box" size="0.3 0.2 0.1" rgba="1 0 0 1" group="3" user="5" material="steel"/>
<body name="b" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1.1 1.2"/><joint name="k" type="ball" range="0 60"/>
<geom name="g2" size="0.1"/></body></body></worldbody>
<contact><pair name="p" geom1="g" geom2="gm" adhesion="0.2" gap="0.1" condim="1"/></contact>
<tendon><fixed name="t" springyield="0.3" group="2" margin="0.1"><joint joint="j" coef="2"/></fixed></tendon>
<equality><connect body1="a" anchor="0 0 0" solref="0.1 1"/><weld name="w" body1="b" anchor="0.1 0 0" torquescale="2" solimp="0.8 0.9 0.01 0.5 2"/>
<joint joint1="j" solref="0.2 1"/></equality>
<actuator><muscle name="m" joint="j" class="strong" lengthrange="0 1"/>
<motor name="u" joint="j" delay="0.01" nsample="2" group="2" user="3"/>
<intvelocity name="i" tendon="t" actrange="0 1"/><adhesion name="ad" body="a" ctrlrange="0 1"/><motor name="site" site="s" gear="0 0 1 0 0 0"/></actuator>
<keyframe><key name="start" qpos="0.5 1 0 0 0" ctrl="1 2 3 0.5 5" qvel="1 2 3 4" act="0.1 0.2" time="2" mpos="0 0 1" mquat="1 0 0 0"/>
<key name="commands" ctrl="5 4 3 0.2 1"/></keyframe></mujoco>)";

TEST(WriteKept, MjcfSaysItsOwnAgain) {
  const auto read = read_text(mjcf, "robot.xml");
  ASSERT_TRUE(read.usable());
  for (const bool extensions : {true, false}) {
    const auto written = write_mjcf(read.description, {.extensions = extensions});
    for (const auto& loss : written.losses)
      if (loss.code == "kept") ADD_FAILURE() << to_string(loss);
    EXPECT_EQ(written.text.find("kept"), std::string::npos) << written.text;
    const auto again = read_text(written.text, "written.xml");
    ASSERT_TRUE(again.usable()) << written.text;
    const auto before = kept_by(read.description), after = kept_by(again.description);
    for (const auto& k : before) EXPECT_EQ(before.count(k), after.count(k)) << k[0] << ", " << k[1] << "=" << k[2];
    for (const auto& k : after) EXPECT_TRUE(before.contains(k)) << "new: " << k[0] << ", " << k[1] << "=" << k[2];
    EXPECT_GT(before.size(), 60u);
    // The order of commands is that of the file.
    const auto at = [&](const char* text) { return written.text.find(text); };
    EXPECT_LT(at("<muscle name=\"m\""), at("<motor name=\"u\""));
    EXPECT_LT(at("<motor name=\"u\""), at("<intvelocity name=\"i\""));
    EXPECT_NE(at("force=\"300\""), std::string::npos) << "that of its class";
  }
}

// What no longer fits, because the robot was changed, stays an extension, and is said.
TEST(WriteKept, WhatWasChangedIsNotOverwritten) {
  auto d = read_text(mjcf, "robot.xml").description;
  const auto joint = std::ranges::find(d.joints, "j", &JointDescription::name);
  ASSERT_NE(joint, d.joints.end());
  joint->effort_limit = 9;
  std::erase_if(d.frames, [](const auto& frame) { return frame.name == "s"; });
  d.actuators.clear();
  const auto written = write_mjcf(d);
  EXPECT_NE(written.text.find("actuatorfrcrange=\"-9 9\""), std::string::npos);
  std::set<std::string> kept;
  for (const auto& loss : written.losses)
    if (loss.code == "kept") {
      EXPECT_EQ(loss.severity, Severity::note);
      kept.insert(loss.subject);
    }
  const std::set<std::string> expected{"joint 'j'",    "site 's'",    "actuator 'site'",
                                       "actuator 'u'", "key 'start'", "key 'commands'"};
  EXPECT_EQ(kept, expected) << written.text;
  EXPECT_TRUE(has(write_mjcf(d, {.extensions = false}), "kept", Severity::warning));
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
