// MJCF files that are put together from others.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "lissom/io/mjcf/mjcf.h"
#include "lissom/lissom.h"
#include "lissom/model/source_place.h"
#include "urdf_test_support.h"

namespace lissom::io::mjcf_files {  // files of tests are compiled together
namespace {

namespace fs = std::filesystem;

void expect_near(const Vec3<double>& a, const Vec3<double>& b) {
  EXPECT_NEAR(a.x, b.x, 1e-12);
  EXPECT_NEAR(a.y, b.y, 1e-12);
  EXPECT_NEAR(a.z, b.z, 1e-12);
}

class MjcfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lissom_mjcf_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "parts");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(MjcfFiles, IncludesKeepTheirLines) {
  write("main.xml",
        "<mujoco>\n<include file=\"parts/defaults.xml\"/>\n<worldbody>\n<include "
        "file=\"parts/arm.xml\"/>\n</worldbody>\n</mujoco>\n");
  write("parts/defaults.xml", "<mujocoinclude>\n<default>\n<geom size=\".1\"/>\n</default>\n</mujocoinclude>\n");
  write("parts/arm.xml",
        "<mujoco>\n<body name=\"a\">\n<include file=\"parts/joint.xml\"/>\n<geom/>\n</body>\n</mujoco>\n");
  write("parts/joint.xml", "<mujoco>\n\n<joint name=\"j\" damping=\"x\" armature=\"-1\"/>\n</mujoco>\n");
  const auto result = read(path("main.xml"));
  const auto& d = result.description;
  ASSERT_EQ(d.sources.size(), 4u);
  const Diagnostic* wrong = find(result, "number");
  ASSERT_NE(wrong, nullptr) << to_text(result);
  EXPECT_EQ(wrong->file, path("parts/joint.xml"));
  EXPECT_EQ(wrong->line, 3);
  const Diagnostic* negative =
      find(result, "dynamics-negative");  // from validate(); left out after an error of the joint
  EXPECT_EQ(negative, nullptr);
  const auto place = place_of(d, d.joints.at(0).line);
  EXPECT_EQ(place.file, path("parts/joint.xml"));
  EXPECT_EQ(place.line, 3);
}

TEST_F(MjcfFiles, CyclesAndFilesOutsideAreRefused) {
  write("a.xml", "<mujoco>\n<include file=\"b.xml\"/>\n</mujoco>");
  write("b.xml", "<mujoco>\n<include file=\"a.xml\"/>\n</mujoco>");
  const auto cycle = read(path("a.xml"));
  ASSERT_NE(find(cycle, "include-twice"), nullptr) << to_text(cycle);
  EXPECT_EQ(find(cycle, "include-twice")->file, path("b.xml"));
  write("parts/c.xml", "<mujoco>\n<include file=\"../b.xml\"/>\n</mujoco>");
  EXPECT_NE(find(read(path("parts/c.xml")), "path-outside"), nullptr);
  ReadOptions options;
  options.package_paths = {folder_.string()};
  EXPECT_EQ(find(read(path("parts/c.xml"), options), "path-outside"), nullptr);
  fs::create_symlink("/etc/hostname", folder_ / "parts" / "link.xml");
  write("parts/d.xml", "<mujoco>\n<include file=\"link.xml\"/>\n</mujoco>");
  EXPECT_NE(find(read(path("parts/d.xml")), "path-outside"), nullptr);
}

TEST_F(MjcfFiles, ModelsAreAttachedWithTheirOwnSettings) {
  write("sub.xml", R"(<mujoco model="sub"><compiler angle="radian"/><default><geom size=".5"/></default><worldbody>
    <body name="b" pos="1 0 0"><joint name="j" range="0 1"/><geom name="g"/><body name="bb"><joint name="jj"/><geom/></body></body>
    <body name="other"><joint name="jo"/><geom/></body></worldbody><actuator><motor name="m" joint="j"/><motor name="mo" joint="jo"/></actuator>
    <equality><joint joint1="j" joint2="jj"/></equality><keyframe><key name="k" qpos=".1 .2 .3"/></keyframe></mujoco>)");
  const auto main = [](const std::string& attach) {
    return R"(<mujoco><asset><model name="sub" file="sub.xml"/></asset><worldbody><body name="h"><joint name="hj"/><geom size="1"/>
      <frame pos="0 0 1">)" +
           attach + "</frame></body></worldbody></mujoco>";
  };
  write("part.xml", main(R"(<attach model="sub" body="b" prefix="p-"/>)"));
  const auto part = read(path("part.xml"));
  ASSERT_TRUE(part.usable()) << to_text(part);
  const auto& d = part.description;
  ASSERT_EQ(d.links.size(), 4u);
  EXPECT_EQ(d.links[3].name, "p-bb");
  EXPECT_EQ(d.joints.at(1).name, "p-j");
  expect_near(d.joints[1].origin.p, {1, 0, 1});
  EXPECT_EQ(d.joints[1].upper.at(0), 1);
  EXPECT_EQ(d.actuators.size(), 1u);
  EXPECT_EQ(d.actuators.at(0).name, "p-m");
  EXPECT_EQ(d.couplings.size(), 1u);
  write("whole.xml", main(R"(<attach model="sub" prefix="p-"/>)"));
  const auto whole = read(path("whole.xml"));
  ASSERT_TRUE(whole.usable()) << to_text(whole);
  EXPECT_EQ(whole.description.links.size(), 5u);
  EXPECT_EQ(whole.description.postures.at(0).name, "p-k");
  EXPECT_EQ(whole.description.postures[0].positions.size(), 3u);
  write(
      "self.xml",
      R"(<mujoco><asset><model name="s" file="self.xml"/></asset><worldbody><body><attach model="s" prefix="x"/></body></worldbody></mujoco>)");
  EXPECT_NE(find(read(path("self.xml")), "attach-depth"), nullptr);
}

// Figures of MuJoCo 4.0.0: key_qpos after compilation.
TEST_F(MjcfFiles, KeysOfModelsThatAreAttached) {
  write("grip.xml", R"(<mujoco model="grip"><worldbody><body name="palm"><joint name="f"/><geom size=".1"/>
    <body name="tip"><joint name="g" axis="0 1 0"/><joint name="h" axis="1 0 0"/><geom size=".1"/></body></body></worldbody>
    <tendon><fixed name="t"><joint joint="f" coef="1"/><joint joint="g" coef="1"/></fixed>
    <fixed name="u"><joint joint="g" coef="1"/><joint joint="h" coef="1"/></fixed></tendon>
    <keyframe><key name="open" qpos="1 2 3"/></keyframe></mujoco>)");
  const auto main = [&](const std::string& attach, const std::string& sections = {}) {
    write("main.xml", R"(<mujoco><asset><model name="grip" file="grip.xml"/></asset><worldbody><body name="arm">
      <joint name="j1" ref="90"/><geom size="1"/>)" +
                          attach + "</body></worldbody>" + sections + "</mujoco>");
    return read(path("main.xml"));
  };
  const auto q_of = [](const ReadResult& result, const std::string& key, const std::string& joint) {
    for (const auto& posture : result.description.postures)
      for (const auto& position : posture.positions)
        if (posture.name == key && position.joint == joint) return position.q.at(0);
    return std::nan("");
  };
  // The prefix of the model also begins the name of a joint that is not its own.
  const auto whole = main(R"(<attach model="grip" prefix="j"/>)");
  ASSERT_TRUE(whole.usable()) << to_text(whole);
  EXPECT_EQ(q_of(whole, "jopen", "jf"), 1);
  EXPECT_EQ(q_of(whole, "jopen", "jh"), 3);
  EXPECT_NEAR(q_of(whole, "jopen", "j1"), 1.5707963267948966, 1e-15);  // stays at qpos0
  // Of a part, neither the key nor what refers to the rest is there, and both are said.
  const auto part = main(R"(<attach model="grip" body="tip" prefix="p-"/>)");
  ASSERT_TRUE(part.usable()) << to_text(part);
  EXPECT_EQ(part.description.postures.size(), 1u);  // qpos0
  ASSERT_EQ(part.description.tendons.size(), 1u);
  EXPECT_EQ(part.description.tendons[0].name, "p-u");
  EXPECT_EQ(std::ranges::count(part.diagnostics, "attach-left-out", &Diagnostic::code), 2);
  // A key of the file itself may end early.
  const auto early =
      main(R"(<attach model="grip" prefix="p-"/>)", R"(<keyframe><key name="k" qpos=".5 .6"/></keyframe>)");
  ASSERT_TRUE(early.usable()) << to_text(early);
  EXPECT_EQ(q_of(early, "k", "j1"), .5);
  EXPECT_EQ(q_of(early, "k", "p-f"), .6);
  EXPECT_TRUE(std::isnan(q_of(early, "k", "p-h")));
  EXPECT_NE(find(early, "key-short"), nullptr);
  EXPECT_NE(find(main(R"(<attach model="grip" prefix="p-"/>)", R"(<keyframe><key qpos="1 2 3 4 5"/></keyframe>)"),
                 "key-size"),
            nullptr);
}

}  // namespace
}  // namespace lissom::io::mjcf_files
