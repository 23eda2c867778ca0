// Poses, frames, nested and included models of SDF.
#include <fstream>

#include "sdf_test_support.h"

namespace lissom::io {
namespace {

namespace fs = std::filesystem;

TEST(SdfPoses, AreRelativeToTheModel) {
  const auto robot = read_usable(sdf(model(pose("1 0 0 0 0 0") + sdf_link("a", pose("0 2 0 0 0 0")))));
  EXPECT_EQ(robot.name, "robot");
  expect_at(robot, "a", 1, 2, 0);
  ASSERT_EQ(robot.roots.size(), 1u);
  EXPECT_EQ(robot.roots[0].base, Base::free);
}

TEST(SdfPoses, InDegreesAndQuaternions) {
  const auto robot = read_usable(
      sdf(model(sdf_link("a", "<pose degrees=\"true\">0 0 0 0 0 90</pose>") +
                sdf_link("b",
                         "<pose rotation_format=\"quat_xyzw\">0 0 0  0 0 0.7071067811865476 0.7071067811865476"
                         "</pose>"))));
  const auto poses = poses_at_zero(robot);
  const Mat3<double> quarter{0, -1, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_LT(distance(poses.at("a"), {quarter, {0, 0, 0}}), 1e-15);
  EXPECT_LT(distance(poses.at("b"), {quarter, {0, 0, 0}}), 1e-15);
}

TEST(SdfPoses, RelativeToLinksFramesAndJoints) {
  const auto robot = read_usable(
      sdf(model(sdf_link("a", pose("1 0 0 0 0 0")) + sdf_link("b", pose("0 1 0 0 0 0", "a")) +
                "<frame name=\"f\" attached_to=\"b\"><pose>0 0 1 0 0 0</pose></frame>" +  //
                sdf_link("c", pose("1 0 0 0 0 0", "f")) + sdf_link("d", pose("0 0 5 0 0 0", "j")) +
                sdf_joint("j", "revolute", "a", "b", pose("0 0 0.5 0 0 0") + "<axis><xyz>0 0 1</xyz></axis>"))));
  expect_at(robot, "b", 1, 1, 0);
  expect_at(robot, "c", 2, 1, 1);
  expect_at(robot, "d", 1, 1, 5.5);
  const auto& frame = named(robot.frames, "f");
  EXPECT_EQ(frame.link, "b");
  EXPECT_LT(distance(frame.origin.p, {0, 0, 1}), 1e-15);
}

// In 1.5 and 1.6 the attribute was called frame.
TEST(SdfPoses, FrameAttributeOfOldVersions) {
  const auto robot = read_usable(
      sdf(model(sdf_link("a", pose("1 0 0 0 0 0")) + sdf_link("b", "<pose frame=\"a\">1 0 0 0 0 0</pose>")), "1.6"));
  expect_at(robot, "b", 2, 0, 0);
}

TEST(SdfPoses, OfVisualsMayBeRelativeToFrames) {
  const auto robot =
      read_usable(sdf(model(sdf_link("a", "<visual name=\"v\">" + pose("0 0 1 0 0 0", "f") +
                                              "<geometry><box><size>1 1 1</size></box></geometry></visual>") +
                            "<frame name=\"f\">" + pose("3 0 0 0 0 0") + "</frame>")));
  EXPECT_LT(distance(robot.links[0].visuals[0].origin.p, {3, 0, 1}), 1e-15);
}

TEST(SdfModels, Nested) {
  const auto robot =
      read_usable(sdf(model(sdf_link("a") +
                            model(pose("1 0 0 0 0 0") + sdf_link("b", pose("0 1 0 0 0 0")) +
                                      sdf_link("c", pose("0 0 3 0 0 0", "b")) + sdf_joint("k", "revolute", "b", "c"),
                                  "inner") +
                            sdf_joint("j", "revolute", "a", "inner::b"))));
  ASSERT_EQ(robot.joints.size(), 2u);
  EXPECT_EQ(robot.joints[0].name, "inner::k");
  expect_at(robot, "inner::b", 1, 1, 0);
  expect_at(robot, "inner::c", 1, 1, 3);
}

TEST(SdfModels, PlacementFrame) {
  // The frame f, which is at (1 0 0) in the model, is put at (0 5 0).
  const std::string inner = "<model name=\"inner\" placement_frame=\"f\">" + pose("0 5 0 0 0 1.5707963267948966") +
                            sdf_link("b") + "<frame name=\"f\">" + pose("1 0 0 0 0 0") + "</frame></model>";
  const auto robot = read_usable(sdf(model(sdf_link("a") + inner)));
  expect_at(robot, "inner::b", 0, 4, 0);
  const auto top = read_usable(sdf(inner));
  expect_at(top, "b", 0, 4, 0);
}

TEST(SdfModels, CanonicalLink) {
  const auto robot = read_usable(
      sdf("<model name=\"m\" canonical_link=\"b\">" + sdf_link("a") + sdf_link("b") + "<frame name=\"f\"/></model>"));
  EXPECT_EQ(named(robot.frames, "f").link, "b");
  const auto nested = read_usable(sdf(model(model(sdf_link("b"), "inner") + "<frame name=\"f\"/>")));
  EXPECT_EQ(named(nested.frames, "f").link, "inner::b");
}

TEST(SdfWorlds, SeveralModelsHaveScopedNames) {
  const auto world =
      read_usable(sdf("<world name=\"w\"><gravity>0 0 -3</gravity><physics type=\"ode\"><max_step_size>"
                      "0.002</max_step_size></physics>" +
                      model(sdf_link("a"), "m1") + model(pose("0 0 1 0 0 0") + sdf_link("a"), "m2") +
                      "<frame name=\"f\">" + pose("0 0 7 0 0 0") + "</frame></world>"));
  expect_at(world, "m2::a", 0, 0, 1);
  EXPECT_EQ(world.gravity.z, -3);
  EXPECT_EQ(world.time_step, 0.002);
  EXPECT_EQ(named(world.frames, "f").link, "world");
  ASSERT_EQ(world.postures.size(), 1u);
  EXPECT_EQ(world.postures[0].name, "initial");
  ASSERT_EQ(world.postures[0].positions.size(), 2u);
  EXPECT_EQ(world.postures[0].positions[1].joint, "base:m2::a");
  EXPECT_EQ(world.postures[0].positions[1].q, (std::vector<double>{0, 0, 1, 1, 0, 0, 0}));
}

TEST(SdfWorlds, StaticModelsAreScenery) {
  const auto world =
      read_usable(sdf("<world name=\"w\">" + model("<static>true</static>" + sdf_link("floor"), "ground") +
                      model(sdf_link("a"), "m1") + "</world>"));
  EXPECT_EQ(named(world.links, "ground::floor").mass, 0);
  EXPECT_EQ(named(world.links, "a").mass, 1);
  ASSERT_EQ(world.roots.size(), 2u);
  EXPECT_TRUE(world.roots[0].is_ground);
  EXPECT_FALSE(world.roots[1].is_ground);
  const auto alone = read_usable(sdf(model("<static>true</static>" + sdf_link("a"))));
  EXPECT_EQ(alone.links[0].mass, 1);
  EXPECT_EQ(alone.roots[0].base, Base::fixed);
  EXPECT_FALSE(alone.roots[0].is_ground);
}

// Files for includes, in a folder that is removed at the end.
class SdfIncludes : public testing::Test {
 protected:
  SdfIncludes() : folder_(fs::temp_directory_path() / ("sdf_includes_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~SdfIncludes() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  ReadResult read_back(const std::string& name) { return read_sdf((folder_ / name).string()); }
  static std::string include(const std::string& uri, const std::string& more = {}, const std::string& merge = {}) {
    return "<include" + merge + "><uri>" + uri + "</uri>" + more + "</include>\n";
  }
  fs::path folder_;
};

TEST_F(SdfIncludes, OfFoldersAndFiles) {
  write("arm/model.config",
        "<model><name>arm</name><sdf version=\"1.4\">old.sdf</sdf><sdf version=\"1.6\">new.sdf"
        "</sdf></model>");
  write("arm/new.sdf", sdf(model(sdf_link("tip", pose("0 0 1 0 0 0")), "arm"), "1.6"));
  write("part.sdf", sdf(model("\n\n" + sdf_link("x"), "part")));
  write("robot/robot.sdf", sdf(model(sdf_link("base") + include("model://arm", pose("1 0 0 0 0 0")) +
                                     include("model://arm", "<name>second</name>" + pose("2 0 0 0 0 0", "arm")))));
  const auto result = read_back("robot/robot.sdf");
  ASSERT_TRUE(result.usable()) << to_text(result);
  expect_at(result.description, "arm::tip", 1, 0, 1);
  expect_at(result.description, "second::tip", 3, 0, 1);
  ASSERT_EQ(result.description.sources.size(), 3u);
  EXPECT_EQ(result.description.sources[1].file, (folder_ / "arm/new.sdf").string());

  write("robot/beside.sdf", sdf(model(include("part.sdf"))));
  write("robot/part.sdf", sdf(model(sdf_link("x", "<oops/>"), "part")));
  const auto beside = read_back("robot/beside.sdf");
  EXPECT_TRUE(beside.usable()) << to_text(beside);
  const auto* oops = find(beside, "unknown-tag");
  ASSERT_TRUE(oops);
  EXPECT_EQ(oops->file, (folder_ / "robot/part.sdf").string());
  EXPECT_EQ(oops->line, 3);
}

TEST_F(SdfIncludes, MergedModelsGiveTheirNamesAway) {
  write("arm.sdf", sdf(model(sdf_link("tip", pose("0 0 1 0 0 0")) + sdf_link("hand", pose("0 0 1 0 0 0", "tip")) +
                                 sdf_joint("wrist", "revolute", "tip", "hand",
                                           "<axis><xyz expressed_in=\"__model__\">"
                                           "1 0 0</xyz></axis>"),
                             "arm")));
  write("robot.sdf",
        sdf(model(sdf_link("base") + include("arm.sdf", pose("1 0 0 0 0 1.5707963267948966"), " merge=\"true\"") +
                  sdf_joint("shoulder", "revolute", "base", "tip"))));
  const auto result = read_back("robot.sdf");
  ASSERT_TRUE(result.usable()) << to_text(result);
  expect_at(result.description, "tip", 1, 0, 1);
  expect_at(result.description, "hand", 1, 0, 2);
  EXPECT_LT(distance(named(result.description.joints, "wrist").axis, {1, 0, 0}), 1e-15);
}

TEST_F(SdfIncludes, PlacementAndStaticCanBeReplaced) {
  write("table.sdf",
        sdf(model(pose("9 9 9 0 0 0") + sdf_link("top") + "<frame name=\"corner\">" + pose("1 1 0 0 0 0") + "</frame>",
                  "table")));
  write("world.sdf", sdf("<world name=\"w\">" +
                         include("table.sdf", "<static>true</static>" + pose("0 0 2 0 0 0") +
                                                  "<placement_frame>corner</placement_frame>") +
                         model(sdf_link("a"), "ball") + "</world>"));
  const auto result = read_back("world.sdf");
  ASSERT_TRUE(result.usable()) << to_text(result);
  expect_at(result.description, "table::top", -1, -1, 2);
  EXPECT_TRUE(result.description.roots[0].is_ground);
}

TEST_F(SdfIncludes, ThatCannotBeUsedAreReported) {
  write("inside/robot.sdf", sdf(model(sdf_link("a") + include("../outside.sdf"))));
  write("outside.sdf", sdf(model(sdf_link("b"), "b")));
  EXPECT_TRUE(find(read_back("inside/robot.sdf"), "include-outside"));
  write("inside/climbs.sdf", sdf(model(sdf_link("a") + include("model://inside/../outside.sdf"))));
  EXPECT_TRUE(find(read_back("inside/climbs.sdf"), "include-outside"));
  fs::create_symlink(folder_ / "outside.sdf", folder_ / "inside/link.sdf");
  write("inside/by_link.sdf", sdf(model(sdf_link("a") + include("link.sdf"))));
  EXPECT_TRUE(find(read_back("inside/by_link.sdf"), "include-outside"));
  write("cycle.sdf", sdf(model(sdf_link("a") + include("cycle2.sdf"))));
  write("cycle2.sdf", sdf(model(sdf_link("a") + include("cycle.sdf"), "second")));
  EXPECT_TRUE(find(read_back("cycle.sdf"), "include-cycle"));
  write("robot.sdf", sdf(model(sdf_link("a") + include("robot.urdf") + include("https://example.org/arm") +
                               include("model://nowhere") + include(""))));
  write("robot.urdf", robot(link("a")));
  const auto result = read_back("robot.sdf");
  for (const char* code : {"include-format", "include-remote", "include-missing", "include-uri"})
    EXPECT_TRUE(find(result, code)) << code << "\n" << to_text(result);
  EXPECT_FALSE(result.usable());
}

// A box of 1 × 2 × 3, as a mesh of half that size, beside the file that is included.
TEST_F(SdfIncludes, InertiaOfAMesh) {
  write("part/box.obj",
        "v 0 0 0\nv .5 0 0\nv .5 1 0\nv 0 1 0\nv 0 0 1.5\nv .5 0 1.5\nv .5 1 1.5\nv 0 1 1.5\n"
        "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
  const std::string shape =
      "<collision name=\"c\"><geometry><mesh><uri>box.obj</uri><scale>2 2 2</scale></mesh>"
      "</geometry></collision>";
  write("part/part.sdf", sdf(model("<link name=\"a\"><inertial auto=\"true\"/>" + shape + "</link>", "part"), "1.11"));
  write("robot.sdf", sdf(model(include("part/part.sdf"))));
  const auto result = read_back("robot.sdf");
  ASSERT_TRUE(result.usable()) << to_text(result);
  const auto& link = result.description.links.at(0);
  EXPECT_NEAR(link.mass, 6000, 1e-9);
  EXPECT_LT(distance(link.com, {0.5, 1, 1.5}), 1e-12);
  EXPECT_NEAR(link.inertia.xx, 6000 * (4 + 9) / 12., 1e-9);
  EXPECT_EQ(link.collisions.at(0).shape.path, (folder_ / "part/box.obj").string());
  fs::remove(folder_ / "part/box.obj");
  EXPECT_TRUE(find(read_back("robot.sdf"), "auto-inertia"));
}

TEST_F(SdfIncludes, UpToTheirLimits) {
  const int deepest = int(limits::include_depth) + 1;
  for (int i = 0; i < deepest; ++i)
    write(std::to_string(i) + ".sdf", sdf(model(sdf_link("a") + include(std::to_string(i + 1) + ".sdf"), "m")));
  write(std::to_string(deepest) + ".sdf", sdf(model(sdf_link("a"), "m")));
  EXPECT_TRUE(read_back("1.sdf").usable());
  EXPECT_TRUE(find(read_back("0.sdf"), "include-depth"));
  write("part.sdf", sdf(model(sdf_link("a"), "m")));
  std::string many;
  for (std::size_t i = 0; i < limits::included_files; ++i)
    many += include("part.sdf", "<name>m" + std::to_string(i) + "</name>") +
            sdf_joint("j" + std::to_string(i), "fixed", "base", "m" + std::to_string(i) + "::a", "");
  write("most.sdf", sdf(model(sdf_link("base") + many)));
  EXPECT_TRUE(read_back("most.sdf").usable());
  write("more.sdf", sdf(model(sdf_link("base") + many + include("part.sdf", "<name>last</name>"))));
  EXPECT_TRUE(find(read_back("more.sdf"), "include-size"));
}

// Each file includes the next one twice.
TEST_F(SdfIncludes, DoNotExplode) {
  for (int i = 0; i < 15; ++i) {
    const std::string next = std::to_string(i + 1) + ".sdf";
    write(std::to_string(i) + ".sdf",
          sdf(model(sdf_link("a") + include(next) + include(next, "<name>other</name>"), "m" + std::to_string(i))));
  }
  write("15.sdf", sdf(model(sdf_link("a"), "m15")));
  EXPECT_TRUE(find(read_back("0.sdf"), "include-size"));
}

}  // namespace
}  // namespace lissom::io
