// What is read from a URDF, and how it is interpreted.
#include "lissom/io/urdf/urdf.h"

#include <chrono>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "urdf_test_support.h"

namespace lissom::io {
namespace {

constexpr double pi = std::numbers::pi;

ReadResult read_valid(const std::string& text) {
  ReadOptions options;
  options.check_meshes = false;
  ReadResult result = read_urdf_text(text, "test.urdf", options);
  EXPECT_TRUE(result.usable()) << to_text(result);
  return result;
}
JointDescription joint_of(const std::string& type, const std::string& elements) {
  const ReadResult result = read_valid(one_joint(type, elements));
  EXPECT_EQ(result.description.joints.size(), 1u);
  return result.description.joints.at(0);
}
void expect_near(const Vec3<double>& a, const Vec3<double>& b) {
  EXPECT_NEAR(a.x, b.x, 1e-12);
  EXPECT_NEAR(a.y, b.y, 1e-12);
  EXPECT_NEAR(a.z, b.z, 1e-12);
}

TEST(Urdf, RobotLinksJointsAndLines) {
  const ReadResult result =
      read_valid("<?xml version=\"1.0\"?>\n<robot name=\"arm\" version=\"1.0\">\n" + link("base") + link("tool") +
                 "<joint name=\"wrist\" type=\"revolute\">\n<parent link=\"base\"/><child link=\"tool\"/>\n"
                 "<limit lower=\"-1\" upper=\"2\" effort=\"3\" velocity=\"4\"/></joint>\n</robot>");
  const Description& d = result.description;
  EXPECT_TRUE(result.diagnostics.empty()) << to_text(result);
  EXPECT_EQ(d.name, "arm");
  EXPECT_EQ(d.file, "test.urdf");
  ASSERT_EQ(d.links.size(), 2u);
  EXPECT_EQ(d.links[0].name, "base");
  EXPECT_EQ(d.links[0].line, 3);
  EXPECT_EQ(d.links[1].line, 4);
  ASSERT_EQ(d.joints.size(), 1u);
  const JointDescription& j = d.joints[0];
  EXPECT_EQ(j.line, 5);
  EXPECT_EQ(j.type, JointType::revolute);
  EXPECT_EQ(j.parent, "base");
  EXPECT_EQ(j.child, "tool");
  expect_near(j.axis, {1, 0, 0});  // the default of the specification
  EXPECT_EQ(j.lower, std::vector<double>{-1});
  EXPECT_EQ(j.upper, std::vector<double>{2});
  EXPECT_EQ(j.effort_limit, 3);
  EXPECT_EQ(j.velocity_limit, 4);
}

TEST(Urdf, InertialInItsOwnFrame) {
  const ReadResult result = read_valid(
      robot("<link name=\"a\"><inertial><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
            "<inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0.2\" iyy=\"2\" iyz=\"0.3\" izz=\"2.5\"/></inertial></link>"));
  const LinkDescription& a = result.description.links.at(0);
  EXPECT_EQ(a.mass, 2);
  expect_near(a.com, {1, 2, 3});
  // A rotation by π/2 about z takes x to y and y to -x.
  EXPECT_NEAR(a.inertia.xx, 2, 1e-12);
  EXPECT_NEAR(a.inertia.yy, 1, 1e-12);
  EXPECT_NEAR(a.inertia.zz, 2.5, 1e-12);
  EXPECT_NEAR(a.inertia.xy, -0.1, 1e-12);
  EXPECT_NEAR(a.inertia.xz, -0.3, 1e-12);
  EXPECT_NEAR(a.inertia.yz, 0.2, 1e-12);
}

TEST(Urdf, RollPitchYawAboutFixedAxes) {
  const double r = 0.3, p = -0.7, y = 1.9;
  const JointDescription j = joint_of("fixed", "<origin rpy=\"0.3 -0.7 1.9\"/>");
  const Mat3<double> Rx{1, 0, 0, 0, std::cos(r), -std::sin(r), 0, std::sin(r), std::cos(r)};
  const Mat3<double> Ry{std::cos(p), 0, std::sin(p), 0, 1, 0, -std::sin(p), 0, std::cos(p)};
  const Mat3<double> Rz{std::cos(y), -std::sin(y), 0, std::sin(y), std::cos(y), 0, 0, 0, 1};
  const Mat3<double> R = Rz * Ry * Rx;
  expect_near(row_x(j.origin.R), row_x(R));
  expect_near(row_y(j.origin.R), row_y(R));
  expect_near(row_z(j.origin.R), row_z(R));
}

TEST(Urdf, QuaternionOfVersion11) {
  const JointDescription j =
      joint_of("fixed", "<origin quat_xyzw=\"0 0 0.7071067811865476 0.7071067811865476\" xyz=\"1 0 0\"/>");
  expect_near(row_x(j.origin.R), {0, -1, 0});
  expect_near(row_y(j.origin.R), {1, 0, 0});
  expect_near(j.origin.p, {1, 0, 0});
}

TEST(Urdf, StandardJointTypes) {
  EXPECT_EQ(joint_of("fixed", "").type, JointType::fixed);
  EXPECT_EQ(joint_of("floating", "").type, JointType::free);
  EXPECT_EQ(joint_of("planar", "<axis xyz=\"0 0 1\"/>").type, JointType::planar);
  EXPECT_EQ(joint_of("prismatic", "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>").type,
            JointType::prismatic);
}

TEST(Urdf, ContinuousHasNoPositionLimits) {
  const JointDescription j = joint_of("continuous", "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"6\"/>");
  EXPECT_EQ(j.type, JointType::continuous);
  EXPECT_TRUE(j.lower.empty());
  EXPECT_TRUE(j.upper.empty());
  EXPECT_EQ(j.effort_limit, 5);
  EXPECT_EQ(j.velocity_limit, 6);
}

TEST(Urdf, MissingLimitsAreUnlimited) {
  const JointDescription j = joint_of("revolute", "<axis xyz=\"0 0 1\"/>");
  EXPECT_TRUE(j.lower.empty());
  EXPECT_EQ(j.effort_limit, JointDescription::unlimited);
}

TEST(Urdf, InfiniteLimitsAreNoted) {
  const ReadResult result =
      read_valid(one_joint("revolute", "<limit lower=\"-inf\" upper=\"inf\" effort=\"inf\" velocity=\"1\"/>"));
  ASSERT_TRUE(find(result, "limit-infinite"));
  EXPECT_EQ(find(result, "limit-infinite")->severity, Severity::note);
  EXPECT_EQ(result.description.joints[0].lower[0], -JointDescription::unlimited);
  EXPECT_EQ(result.description.joints[0].effort_limit, JointDescription::unlimited);
}

TEST(Urdf, ExtensionJointTypes) {
  EXPECT_EQ(joint_of("spherical", "").type, JointType::spherical);
  EXPECT_EQ(joint_of("ball", "").type, JointType::spherical);
  EXPECT_EQ(joint_of("cylindrical", "<axis xyz=\"0 0 1\"/>").type, JointType::cylindrical);
  const JointDescription u = joint_of("universal", "<axis xyz=\"0 0 1\"/><axis2 xyz=\"0 1 0\"/>");
  EXPECT_EQ(u.type, JointType::universal);
  expect_near(u.axis2, {0, 1, 0});
  const ReadResult result = read_valid(one_joint("ball", ""));
  ASSERT_TRUE(find(result, "extension"));
  EXPECT_EQ(find(result, "extension")->severity, Severity::note);
}

TEST(Urdf, PitchOfAScrewInThreeWays) {
  EXPECT_EQ(joint_of("helical", "<axis xyz=\"0 0 1\" pitch=\"0.01\"/>").pitch, 0.01);
  EXPECT_EQ(joint_of("screw", "<pitch value=\"0.02\"/>").pitch, 0.02);
  EXPECT_NEAR(joint_of("screw", "<drake:screw_thread_pitch value=\"0.04\"/>").pitch, 0.04 / (2 * pi),
              1e-15);  // per revolution
}

TEST(Urdf, DrakeJoints) {
  const ReadResult result = read_valid(
      robot(link("a") + link("b") +
            "<drake:joint name=\"j\" type=\"universal\"><parent link=\"a\"/><child link=\"b\"/></drake:joint>"));
  ASSERT_EQ(result.description.joints.size(), 1u);
  EXPECT_EQ(result.description.joints[0].type, JointType::universal);
  expect_near(result.description.joints[0].axis2, {0, 1, 0});
}

TEST(Urdf, DynamicsWithExtensions) {
  const JointDescription j =
      joint_of("continuous",
               "<dynamics damping=\"1\" friction=\"2\" armature=\"3\" spring_stiffness=\"4\" spring_reference=\"5\"/>");
  EXPECT_EQ(j.damping, 1);
  EXPECT_EQ(j.dry_friction, 2);
  EXPECT_EQ(j.armature, 3);
  EXPECT_EQ(j.spring_stiffness, 4);
  EXPECT_EQ(j.spring_rest, 5);
  EXPECT_EQ(joint_of("planar", "<axis xyz=\"0 0 1\"/><dynamics damping=\"0.1 0.1 0.1\"/>").damping, 0.1);
  const auto each = joint_of("planar", "<axis xyz=\"0 0 1\"/><dynamics damping=\"0.1 0.2 0.3\"/>").damping;
  EXPECT_EQ(each.count(), 3u);
  EXPECT_EQ(each[1], 0.2);
}

TEST(Urdf, Mimic) {
  const ReadResult result = read_valid(
      robot(link("a") + link("b") + link("c") +
            "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><mimic joint=\"k\" "
            "multiplier=\"-2\" offset=\"0.5\"/></joint>"
            "<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/></joint>"));
  ASSERT_TRUE(result.description.joints[0].mimic);
  EXPECT_EQ(result.description.joints[0].mimic->joint, "k");
  EXPECT_EQ(result.description.joints[0].mimic->ratio, -2);
  EXPECT_EQ(result.description.joints[0].mimic->offset, 0.5);
  EXPECT_FALSE(result.description.joints[1].mimic);
}

TEST(Urdf, CalibrationAndSafetyAreNotUnknown) {
  const ReadResult result =
      read_valid(one_joint("continuous", "<calibration rising=\"0.1\"/><safety_controller k_velocity=\"1\"/>"));
  EXPECT_TRUE(result.diagnostics.empty()) << to_text(result);
}

TEST(Urdf, Shapes) {
  const ReadResult result = read_valid(
      robot("<link name=\"a\">"
            "<visual name=\"v\"><origin xyz=\"1 0 0\"/><geometry><box size=\"1 2 3\"/></geometry></visual>"
            "<visual><geometry><mesh filename=\"package://p/m.stl\" scale=\"1 -1 0.001\"/></geometry></visual>"
            "<collision><geometry><cylinder radius=\"0.5\" length=\"2\"/></geometry></collision>"
            "<collision><geometry><sphere radius=\"0.25\"/></geometry></collision>"
            "<collision><geometry><capsule radius=\"0.1\" length=\"0.4\"/></geometry></collision></link>"));
  const LinkDescription& a = result.description.links.at(0);
  ASSERT_EQ(a.visuals.size(), 2u);
  ASSERT_EQ(a.collisions.size(), 3u);
  EXPECT_EQ(a.visuals[0].name, "v");
  EXPECT_EQ(a.visuals[0].line, 2);
  expect_near(a.visuals[0].origin.p, {1, 0, 0});
  expect_near(a.visuals[0].shape.size, {1, 2, 3});
  EXPECT_EQ(a.visuals[1].shape.kind, Shape::Kind::mesh);
  EXPECT_EQ(a.visuals[1].shape.file, "package://p/m.stl");
  EXPECT_TRUE(a.visuals[1].shape.path.empty());
  expect_near(a.visuals[1].shape.scale, {1, -1, 0.001});
  EXPECT_EQ(a.collisions[0].shape.kind, Shape::Kind::cylinder);
  EXPECT_EQ(a.collisions[0].shape.length, 2);
  EXPECT_EQ(a.collisions[1].shape.radius, 0.25);
  EXPECT_EQ(a.collisions[2].shape.kind, Shape::Kind::capsule);
}

TEST(Urdf, MaterialsByNameFromAnywhere) {
  const auto visual = [](const std::string& material) {
    return "<visual><geometry><sphere radius=\"1\"/></geometry>" + material + "</visual>";
  };
  const ReadResult result = read_valid(
      robot("<link name=\"a\">" + visual("<material name=\"late\"/>") + visual("<material name=\"local\"/>") +
            visual("<material name=\"local\"><color rgba=\"0 1 0 0.5\"/></material>") + visual("") + "</link>" +
            "<material name=\"late\"><color rgba=\"1 0 0 1\"/><texture filename=\"t.png\"/></material>"));
  const auto& visuals = result.description.links.at(0).visuals;
  ASSERT_EQ(visuals.size(), 4u);
  EXPECT_EQ(visuals[0].material->color.r, 1);
  EXPECT_EQ(visuals[0].material->texture, "t.png");
  EXPECT_EQ(visuals[1].material->color.g, 1);
  EXPECT_EQ(visuals[2].material->color.a, 0.5);
  EXPECT_FALSE(visuals[3].material);
  ASSERT_EQ(result.diagnostics.size(), 1u) << to_text(result);
  EXPECT_EQ(result.diagnostics[0].code, "no-mass");
}

TEST(Urdf, Frames) {
  const ReadResult result =
      read_valid(robot(link("a") + "<frame name=\"sole\" link=\"a\" xyz=\"1 2 3\" rpy=\"0 0 0\"/><frame name=\"eye\" "
                                   "link=\"a\"><origin xyz=\"4 5 6\"/></frame>"));
  ASSERT_EQ(result.description.frames.size(), 2u);
  EXPECT_EQ(result.description.frames[0].name, "sole");
  EXPECT_EQ(result.description.frames[0].link, "a");
  expect_near(result.description.frames[0].origin.p, {1, 2, 3});
  expect_near(result.description.frames[1].origin.p, {4, 5, 6});
}

TEST(Urdf, ForeignTagsAreNotedOnceEach) {
  const ReadResult result = read_valid(
      robot(link("a") + "<gazebo/><gazebo reference=\"a\"><bogus/></gazebo><transmission name=\"t\"/><drake:thing/>"));
  ASSERT_EQ(result.diagnostics.size(), 3u) << to_text(result);
  EXPECT_EQ(result.diagnostics[0].code, "foreign-tag");
  EXPECT_NE(result.diagnostics[0].message.find("2 times"), std::string::npos);
}

TEST(Urdf, SuggestsTheRightSpelling) {
  const ReadResult result = read_valid(robot("<link name=\"a\"><vissual/></link>"));
  ASSERT_TRUE(find(result, "unknown-tag"));
  EXPECT_EQ(find(result, "unknown-tag")->remedy, "did you mean 'visual'?");
}

TEST(Urdf, ImplicitWorld) {
  const ReadResult result = read_valid(
      robot(link("a") + "<joint name=\"j\" type=\"fixed\"><parent link=\"world\"/><child link=\"a\"/></joint>"));
  ASSERT_EQ(result.description.links.size(), 2u);
  EXPECT_EQ(result.description.links[0].name, "world");
  EXPECT_TRUE(find(result, "world-implicit"));
}

TEST(Urdf, ByteOrderMarkAndCarriageReturns) {
  std::string text = "\xEF\xBB\xBF<?xml version=\"1.0\"?>\r\n<robot name=\"r\">\r\n<link name=\"a\"/>\r\n</robot>";
  const ReadResult result = read_valid(text);
  ASSERT_EQ(result.diagnostics.size(), 1u) << to_text(result);
  EXPECT_EQ(result.diagnostics[0].code, "no-mass");
  EXPECT_EQ(result.description.links.at(0).line, 3);
}

TEST(Urdf, Latin1IsReadWithANote) {
  const ReadResult result = read_valid("<robot name=\"r\">\n<!-- Andr\xE9 -->\n<link name=\"gr\xFC\x6E\"/>\n</robot>");
  ASSERT_TRUE(find(result, "encoding"));
  EXPECT_EQ(find(result, "encoding")->line, 2);
  EXPECT_EQ(result.description.links.at(0).name, "grün");
  EXPECT_EQ(result.description.links.at(0).line, 3);
}

TEST(Urdf, DiagnosticsComeByLine) {
  const ReadResult result = read_urdf_text(robot("<link name=\"a\"/>\n<link name=\"a\"/>\n<link name=\"b\" "
                                                 "color=\"1\"/>\n<joint name=\"j\" type=\"fixed\"/>"),
                                           "x.urdf");
  for (std::size_t i = 1; i < result.diagnostics.size(); ++i)
    EXPECT_LE(result.diagnostics[i - 1].line, result.diagnostics[i].line);
  EXPECT_GE(result.diagnostics.size(), 3u);
}

// A temporary directory that is removed after the test.
class Meshes : public testing::Test {
 protected:
  void SetUp() override {
    root = std::filesystem::path(testing::TempDir()) /
           ("lissom_meshes_" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
    for (const char* directory :
         {"somewhere/pack/meshes", "robots/pack_b/urdf", "robots/pack_b/meshes", "robots/pack_b/urdf/packages/pack_c"})
      std::filesystem::create_directories(root / directory);
    for (const char* file : {"somewhere/pack/meshes/a.stl", "robots/pack_b/meshes/b.stl",
                             "robots/pack_b/urdf/packages/pack_c/c.stl", "robots/pack_b/urdf/d.stl"})
      std::ofstream(root / file) << "solid";
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  ReadResult read_mesh(const std::string& uri, const std::vector<std::string>& packages = {}) const {
    ReadOptions options;
    options.package_paths = packages;
    return read_urdf_text(
        robot("<link name=\"a\"><visual><geometry><mesh filename=\"" + uri + "\"/></geometry></visual></link>"),
        (root / "robots/pack_b/urdf/robot.urdf").string(), options);
  }
  bool finds(const std::string& uri, const std::string& file, const std::vector<std::string>& packages = {}) const {
    const ReadResult result = read_mesh(uri, packages);
    const std::string& path = result.description.links.at(0).visuals.at(0).shape.path;
    return !path.empty() && std::filesystem::equivalent(path, root / file) && !find(result, "mesh-missing");
  }
  std::filesystem::path root;
};

TEST_F(Meshes, AreFoundWhereTheyMayLie) {
  const std::string a = "somewhere/pack/meshes/a.stl", b = "robots/pack_b/meshes/b.stl",
                    c = "robots/pack_b/urdf/packages/pack_c/c.stl", d = "robots/pack_b/urdf/d.stl";
  EXPECT_TRUE(finds("package://pack/meshes/a.stl", a,
                    {(root / "somewhere").string()}));  // a directory that contains the package
  EXPECT_TRUE(finds("package://pack/meshes/a.stl", a, {(root / "somewhere/pack").string()}));  // the package itself
  EXPECT_TRUE(finds("package://pack/meshes/a.stl", a, {"/nowhere:" + (root / "somewhere/pack/").string()}));
  EXPECT_TRUE(finds("package://pack_b/meshes/b.stl", b));  // the robot is in the package
  EXPECT_TRUE(finds("model://pack_b/meshes/b.stl", b));
  EXPECT_TRUE(finds("package://pack_c/c.stl", c));  // packages/ beside the robot
  EXPECT_TRUE(finds("d.stl", d));
  EXPECT_TRUE(finds("../meshes/b.stl", b));
  EXPECT_TRUE(finds((root / a).string(), a));
  EXPECT_TRUE(finds("file://" + (root / a).string(), a));
}

TEST_F(Meshes, MissingOnesAreWarnings) {
  for (const char* uri : {"package://pack/meshes/a.stl", "package://pack_b/meshes/none.stl", "none.stl", "package://",
                          "package:///etc/passwd", "file://", "http://x/y.stl"}) {
    const ReadResult result = read_mesh(uri);
    ASSERT_TRUE(find(result, "mesh-missing")) << uri;
    EXPECT_TRUE(result.usable());
  }
}

}  // namespace
}  // namespace lissom::io
