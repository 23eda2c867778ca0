// What the writers write is read again as the same robot: every joint type, loops, drives, several joints of a body.
#include "lissom/io/write/write.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/compare_robots.h"
#include "lissom/io/read.h"
#include "lissom/io/write/possible_inertia.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/axes.h"
#include "random_tree.h"

namespace lissom::io::write {
namespace {

constexpr Format formats[] = {Format::urdf, Format::mjcf, Format::sdf};

LinkDescription link(const std::string& name, double mass = 1) {
  LinkDescription result;
  result.name = name, result.mass = mass;
  result.com = {0.01, -0.02, 0.1 / 3};
  result.inertia = {0.02 * mass, 0.001 * mass, -0.002 * mass, 0.03 * mass, 0.0005 * mass, 0.025 * mass};
  return result;
}

JointDescription joint(const std::string& name, JointType type, const std::string& parent, const std::string& child) {
  JointDescription result;
  result.name = name, result.type = type, result.parent = parent, result.child = child;
  result.origin = {rotation_rpy(0.3, -0.7, 1.1), {0.1, 0.2, 0.3}};
  result.axis = {0.36, 0.48, 0.8};
  result.axis2 = {-0.8, 0.6, 0};
  return result;
}

// A chain with a joint of every type.
Description every_joint_type() {
  Description d;
  d.name = "all types";
  d.links.push_back(link("base"));
  std::string parent = "base";
  for (const JointTraits& traits : joint_types) {
    if (traits.type == JointType::free) continue;
    const std::string name = traits.name;
    d.links.push_back(link(name + "_link"));
    d.joints.push_back(joint(name, traits.type, parent, name + "_link"));
    JointDescription& j = d.joints.back();
    if (traits.limits != PositionLimits::none) {
      for (int k = 0; k < traits.nq(); ++k) j.lower.push_back(-1.5 - 0.1 * k), j.upper.push_back(0.7 + 0.1 * k);
    }
    if (traits.has_pitch) j.pitch = 0.013;
    if (traits.takes_armature) j.armature = 0.017;
    if (traits.nv() > 0) {
      j.velocity_limit = 3.1, j.effort_limit = 47, j.damping = 0.3, j.dry_friction = 0.07;
      std::vector<double> each;
      for (int k = 0; k < traits.nv(); ++k) each.push_back(0.1 + 0.2 * k);
      if (traits.nv() > 1) j.damping = PerDof(each);
      j.spring_stiffness = 5, j.spring_rest = 0.2;
    }
    parent = j.child;
  }
  d.frames.push_back({"tool", parent, {rotation_rpy(0.1, 0.2, 0.3), {0, 0, 0.1}}});
  return d;
}

void expect_same(const Description& a, const Description& b, const std::string& what, double tolerance = 1e-10) {
  CompareRobotsOptions options;
  options.tolerance = tolerance, options.states = 5;
  const auto comparison = compare_robots(a, b, options);
  EXPECT_TRUE(comparison.same) << what << ": " << to_sentence(comparison);
  EXPECT_EQ(comparison.states, options.states) << what;
}

// Writes, reads, compares; returns what was written.
WriteResult expect_round_trip(const Description& d, Format format) {
  const WriteResult written = write(d, format);
  const auto read = read_text(written.text, "written");
  std::string errors;
  for (const auto& finding : read.diagnostics)
    if (finding.severity == Severity::error) errors += to_string(finding) + "\n";
  EXPECT_TRUE(read.usable()) << to_string(format) << "\n" << errors << written.text;
  if (read.usable()) expect_same(d, read.description, std::string(to_string(format)) + "\n" + written.text);
  return written;
}

bool has(const WriteResult& result, const std::string& code, Severity severity) {
  return std::ranges::any_of(result.losses,
                             [&](const Diagnostic& d) { return d.code == code && d.severity == severity; });
}

TEST(Write, EveryJointTypeComesBackFromEveryFormat) {
  for (const Format format : formats) EXPECT_TRUE(expect_round_trip(every_joint_type(), format).lossless());
}

// Robots with branches, fixed links without mass, several roots, mimic joints and armature.
TEST(Write, RandomRobotsComeBackFromEveryFormat) {
  test::TreeOptions options;
  options.max_joints = 12, options.armature = 0.3, options.mimic = 0.2;
  for (std::uint64_t seed = 1; seed <= 30 && !testing::Test::HasFailure(); ++seed) {
    const Description d = test::random_description(seed, options);
    for (const Format format : formats) {
      SCOPED_TRACE(seed);
      expect_round_trip(d, format);
    }
  }
}

TEST(Write, NumbersComeBackBitForBit) {
  Description d;
  d.name = "bits";
  d.links = {link("base"), link("arm")};
  d.links[1].mass = 0.1 + 0.2;
  d.links[1].com = {1e-300, 1.0 / 3, -5e15};
  d.joints = {joint("hinge", JointType::revolute, "base", "arm")};
  d.joints[0].lower = {-0.1 - 0.2}, d.joints[0].upper = {2.0 / 3};
  d.joints[0].origin.R = identity3<double>();
  for (const Format format : formats) {
    const auto read = read_text(write(d, format).text, "written");
    ASSERT_TRUE(read.usable()) << to_string(format);
    const auto arm = std::ranges::find(read.description.links, "arm", &LinkDescription::name);
    ASSERT_NE(arm, read.description.links.end());
    EXPECT_EQ(arm->mass, d.links[1].mass) << to_string(format);
    EXPECT_EQ(arm->com.x, d.links[1].com.x) << to_string(format);
    EXPECT_EQ(arm->com.y, d.links[1].com.y) << to_string(format);
    EXPECT_EQ(arm->com.z, d.links[1].com.z) << to_string(format);
    const auto hinge = std::ranges::find(read.description.joints, "hinge", &JointDescription::name);
    ASSERT_NE(hinge, read.description.joints.end());
    EXPECT_EQ(hinge->lower[0], d.joints[0].lower[0]) << to_string(format);
    EXPECT_EQ(hinge->upper[0], d.joints[0].upper[0]) << to_string(format);
  }
}

TEST(Write, RollPitchYawIsAccurateNearTheSingularity) {
  for (const double pitch : {0.0, 0.4, M_PI / 2, -M_PI / 2, M_PI / 2 - 1e-7, M_PI / 2 + 3e-9, -M_PI / 2 + 1e-12})
    for (const double roll : {0.0, 1.0, -3.0})
      for (const double yaw : {0.0, 2.0, -0.5}) {
        const auto R = rotation_rpy(roll, pitch, yaw);
        const auto rpy = rpy_of(R);
        const auto Q = rotation_rpy(rpy.x, rpy.y, rpy.z);
        double error = 0;
        for (const double element : {R.xx - Q.xx, R.xy - Q.xy, R.xz - Q.xz, R.yx - Q.yx, R.yy - Q.yy, R.yz - Q.yz,
                                     R.zx - Q.zx, R.zy - Q.zy, R.zz - Q.zz})
          error = lissom::test::larger(error, std::abs(element));
        EXPECT_LT(error, 1e-15) << roll << " " << pitch << " " << yaw;
      }
}

TEST(Write, BodiesWithSeveralJointsAreFoldedInMjcf) {
  Description d;
  d.name = "wrist";
  d.links = {link("base"), link("hand"), link("hand/roll", 0), link("hand/tilt", 0)};
  for (std::size_t i : {2, 3}) d.links[i].inertia = {0, 0, 0, 0, 0, 0}, d.links[i].connects_joints = true;
  d.joints = {joint("roll", JointType::continuous, "base", "hand/roll"),
              joint("tilt", JointType::revolute, "hand/roll", "hand/tilt"),
              joint("hand/frame", JointType::fixed, "hand/tilt", "hand")};
  d.joints[1].lower = {-1}, d.joints[1].upper = {1};
  const auto written = expect_round_trip(d, Format::mjcf);
  EXPECT_EQ(written.text.find("hand/roll"), std::string::npos) << written.text;
  EXPECT_TRUE(has(expect_round_trip(d, Format::urdf), "several-joints", Severity::note));
  expect_round_trip(d, Format::sdf);
}

TEST(Write, RootsMimicsLoopsAndDrivesComeBack) {
  Description d;
  d.name = "drives";
  d.gravity = {0.1, 0, -3.7};
  d.time_step = 0.004;
  d.links = {link("trunk"), link("left"), link("right"), link("rod")};
  d.roots = {{"trunk", Base::free, {}, 0}};
  d.joints = {joint("a", JointType::revolute, "trunk", "left"), joint("b", JointType::revolute, "trunk", "right"),
              joint("c", JointType::revolute, "left", "rod")};
  for (auto& j : d.joints) j.lower = {-2}, j.upper = {2}, j.origin.R = identity3<double>();
  d.joints[1].mimic = Mimic{"a", -0.5, 0.1};
  d.joints[1].origin.p = {0, 0.4, 0};
  d.frames = {{"tip", "rod", {identity3<double>(), {0.1, 0, 0}}}};
  d.loops = {{"pin", {"tip", {}}, {"trunk", {identity3<double>(), {0.3, 0.4, 0.6}}}}};
  d.loops.push_back({"rod_loop", {"left", {}}, {"right", {}}});
  d.loops[1].kind = LoopKind::distance, d.loops[1].length = 0.5;
  d.loops.push_back({"hinge_loop", {"rod", {}}, {"right", {}}, loop_axes("xyz rx rz")});
  d.loops.push_back(
      {"weld_loop", {"rod", {}}, {"right", {rotation_rpy(0.1, 0.2, 0.3), {1, 2, 3}}}, loop_axes("xyz rx ry rz")});
  d.couplings = {{"gear", "c", "a", {0.1, 0.2, 0.3}}};
  d.springs = {{"pull", {"rod", {}}, {"world", {}}, 100, 2, 0.3}};
  d.tendons = {{.name = "sum", .terms = {{"a", 0.5}, {"c", -2}}, .stiffness = 3, .rest = 0.2, .damping = 0.1}};
  ActuatorDescription motor;
  motor.name = "motor", motor.joint = "a", motor.gear = 20, motor.min_command = -2, motor.max_command = 3;
  ActuatorDescription servo = motor;
  servo.name = "servo", servo.kind = ActuatorDescription::Kind::position, servo.gain = 50, servo.bias = {0, -50, -3};
  servo.joint = "", servo.tendon = "sum";
  d.actuators = {motor, servo};
  d.postures = {{"home", {{"a", {0.3}}, {"c", {-0.4}}}}};
  for (const Format format : formats) {
    const auto written = expect_round_trip(d, format);
    EXPECT_TRUE(written.lossless()) << to_string(format);
    const auto read = read_text(written.text, "written").description;
    EXPECT_EQ(read.time_step, d.time_step) << to_string(format);
    const auto home = std::ranges::find(read.postures, "home", &PostureDescription::name);
    ASSERT_NE(home, read.postures.end()) << to_string(format);
    const auto a = std::ranges::find(home->positions, "a", &PostureDescription::JointPosition::joint);
    ASSERT_NE(a, home->positions.end());
    EXPECT_EQ(a->q, std::vector{0.3});
  }
}

TEST(Write, MimicsWithoutEffectAreNotWritten) {
  Description d;
  d.name = "mimics";
  d.links = {link("trunk"), link("left"), link("right"), link("rod")};
  d.joints = {joint("a", JointType::revolute, "trunk", "left"), joint("b", JointType::fixed, "trunk", "right"),
              joint("c", JointType::revolute, "left", "rod")};
  for (auto& j : d.joints) j.origin.R = identity3<double>();
  d.joints[1].mimic = Mimic{"a", 1, 0}, d.joints[2].mimic = Mimic{"b", 1, 0};
  for (const Format format : formats) {
    const auto text = write(d, format).text;
    EXPECT_EQ(text.find("mimic joint"), std::string::npos) << text;
    const auto read = read_text(text, "written");
    ASSERT_TRUE(read.usable()) << text;
    EXPECT_EQ(build(read.description).nv(), build(d).nv()) << to_string(format);
    for (const auto& j : read.description.joints) EXPECT_FALSE(j.mimic) << to_string(format);
    EXPECT_TRUE(read.description.couplings.empty()) << to_string(format);
  }
}

TEST(Write, WithoutExtensionsWhatIsLostIsListed) {
  Description d = every_joint_type();
  const auto written = write(d, Format::urdf, {.extensions = false});
  EXPECT_FALSE(written.lossless());
  EXPECT_TRUE(has(written, "armature", Severity::warning));
  EXPECT_TRUE(has(written, "frame", Severity::warning));
  EXPECT_EQ(written.text.find("<lissom"), std::string::npos);
}

TEST(Write, ImpossibleInertiasAreCorrectedAsLittleAsPossible) {
  const Sym3<double> possible{2, 0.1, 0, 3, 0, 4};
  const auto same = possible_inertia(possible, 0);
  EXPECT_EQ(same.xx, 2);
  EXPECT_EQ(same.xy, 0.1);
  EXPECT_EQ(same.zz, 4);
  const auto corrected = possible_inertia({1, 0, 0, 1, 0, 3}, 0);
  EXPECT_GE(corrected.xx + corrected.yy, corrected.zz);
  EXPECT_NEAR(corrected.xx, 1.5, 1e-9);
  EXPECT_NEAR(corrected.zz, 3, 1e-9);
  const auto positive = possible_inertia({1, 0, 0, 1, 0, -0.5}, 1e-6);
  EXPECT_NEAR(positive.zz, 1e-6, 1e-12);
}

TEST(Write, LossesHaveFileAndLine) {
  Description d = every_joint_type();
  d.file = "main.xacro";
  d.sources = {{"main.xacro", 1}, {"arm.xacro", 101}};
  d.frames[0].line = 107;
  const auto written = write(d, Format::urdf);
  const auto frame = std::ranges::find(written.losses, "frame", &Diagnostic::code);
  ASSERT_NE(frame, written.losses.end());
  EXPECT_EQ(frame->file, "arm.xacro");
  EXPECT_EQ(frame->line, 7);
}

TEST(Write, TheFormatFollowsFromTheEnding) {
  EXPECT_EQ(format_of("a/b.urdf"), Format::urdf);
  EXPECT_EQ(format_of("b.xml"), Format::mjcf);
  EXPECT_EQ(format_of("b.sdf"), Format::sdf);
  EXPECT_THROW(format_of("b.txt"), Error);
}

// Someone has changed the file, or the extension is nonsense: warnings and errors with a line, no crash.
TEST(Write, StaleExtensionsAreIgnoredWithAWarning) {
  const auto read_with = [](const std::string& content) {
    const std::string robot =
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"fixed\"><parent link=\"a\"/>"
        "<child link=\"b\"/></joint>\n<lissom>" +
        content + "</lissom></robot>";
    return read_text(robot, "robot.urdf");
  };
  for (const char* content : {"<joint name=\"k\" velocity_limit=\"1\"/>", "<link name=\"c\" connects_joints=\"true\"/>",
                              "<mimic coupling=\"m\"/>", "<surface link=\"a\" collision=\"7\" material=\"x\"/>",
                              "<free_joint name=\"f\" parent=\"world\" child=\"b\"/>",
                              "<shape link=\"x\" kind=\"capsule\"/>", "<fixed_joint child=\"a\" name=\"x\"/>"}) {
    const auto result = read_with(content);
    EXPECT_TRUE(result.usable()) << content;
    const auto found = std::ranges::find(result.diagnostics, "extension-stale", &Diagnostic::code);
    ASSERT_NE(found, result.diagnostics.end()) << content;
    EXPECT_EQ(found->line, 2);
  }
  const auto parts = read_with("<joint name=\"u\" type=\"universal\"><part joint=\"j\"/><part joint=\"k\"/></joint>");
  EXPECT_NE(std::ranges::find(parts.diagnostics, "joint-parts", &Diagnostic::code), parts.diagnostics.end());
  EXPECT_FALSE(read_with("<root link=\"a\" base=\"flying\"/>").usable());
  EXPECT_FALSE(read_with("<loop name=\"l\" axes=\"q\"><a frame=\"a\"/><b frame=\"b\"/></loop>").usable());
  EXPECT_FALSE(read_with("<loop name=\"l\" axes=\"xyz\"><a frame=\"a\"/></loop>").usable());
  EXPECT_FALSE(read_with("<coupling name=\"c\" joint=\"none\"/>").usable());
  EXPECT_FALSE(read_with("<actuator name=\"m\" joint=\"j\" component=\"1e30\"/>").usable());
  EXPECT_TRUE(read_with("<nonsense/>").usable());
}

TEST(Write, MeshesAreCopiedConvertedAndReplacedByHulls) {
  const auto folder = std::filesystem::temp_directory_path() / ("lissom_write_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto mesh = folder / "block.obj";
  std::ofstream(mesh) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\n"
                         "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";
  Description d;
  d.name = "block";
  d.links = {link("base")};
  Geometry geometry;
  geometry.shape.kind = Shape::Kind::mesh, geometry.shape.file = "block.obj", geometry.shape.path = mesh.string();
  geometry.shape.scale = {2, 2, -2};
  d.links[0].visuals = {geometry}, d.links[0].collisions = {geometry};
  for (const Format format : formats) {
    const auto copied = write(d, format, {.path = (folder / "out.x").string(), .meshes = Meshes::copy});
    ASSERT_EQ(copied.files.size(), 1U);
    EXPECT_EQ(copied.files[0].path, "out_meshes/block.obj");
    EXPECT_EQ(copied.files[0].from, mesh.string());
    const auto hulls = write(d, format, {.path = (folder / "out.x").string(), .meshes = Meshes::hulls});
    ASSERT_EQ(hulls.files.size(), 2U);
    EXPECT_EQ(hulls.files[1].path, "out_meshes/block_hull.obj");
    EXPECT_EQ(std::ranges::count(hulls.files[1].bytes, 'v'), 4) << hulls.files[1].bytes;  // a tetrahedron
    EXPECT_NE(hulls.text.find("out_meshes/block_hull.obj"), std::string::npos);
    EXPECT_NE(write(d, format, {.path = (folder / "out.x").string()}).text.find("block.obj"), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

// Changes of one number are found, and named.
TEST(CompareRobots, EachChangeIsFound) {
  const Description original = every_joint_type();
  const auto expect_found = [&](const char* property, auto change) {
    Description other = original;
    change(other);
    const auto comparison = compare_robots(original, other);
    EXPECT_FALSE(comparison.same) << property;
    EXPECT_TRUE(std::ranges::any_of(comparison.differences, [&](const auto& d) { return d.property == property; }))
        << property << ": " << to_sentence(comparison);
  };
  expect_found("mass", [](Description& d) { d.links[2].mass *= 1 + 1e-8; });
  expect_found("center of mass", [](Description& d) { d.links[2].com.x += 1e-8; });
  expect_found("inertia", [](Description& d) { d.links[2].inertia.xy *= 1 + 1e-6; });
  expect_found("type", [](Description& d) { d.joints[3].type = JointType::revolute; });
  expect_found("axis", [](Description& d) { d.joints[3].axis.x += 1e-8; });
  expect_found("second axis", [](Description& d) { d.joints[6].axis2.x += 1e-8; });
  expect_found("lower limit", [](Description& d) { d.joints[1].lower[0] += 1e-8; });
  expect_found("velocity limit", [](Description& d) { d.joints[1].velocity_limit = 3.2; });
  expect_found("effort limit", [](Description& d) { d.joints[1].effort_limit = JointDescription::unlimited; });
  expect_found("damping", [](Description& d) { d.joints[1].damping = 0; });
  expect_found("armature", [](Description& d) { d.joints[1].armature = 0; });
  expect_found("mimics", [](Description& d) { d.joints[2].mimic = Mimic{"revolute"}; });
  expect_found("placement in random states", [](Description& d) { d.joints[2].origin.p.y += 1e-7; });
  expect_found("placement in random states", [](Description& d) { d.frames[0].origin.p.y += 1e-7; });
  expect_found("existence", [](Description& d) { d.frames.clear(); });
  expect_found("gravity", [](Description& d) { d.gravity.z = -9.8; });
  EXPECT_TRUE(compare_robots(original, original).same);
}

TEST(CompareRobots, NotANumberIsRefused) {
  const Description a = every_joint_type();
  Description b = a;
  b.joints[1].damping = std::nan("");
  EXPECT_THROW(compare_robots(a, b), Error);
}

// One robot has a mimic joint, the other one a coupling in its place: that is a difference, but they move the same.
TEST(CompareRobots, FollowersAreComparedWithCouplings) {
  Description a;
  a.name = "follower";
  a.links = {link("base"), link("left"), link("right")};
  a.joints = {joint("a", JointType::revolute, "base", "left"), joint("b", JointType::revolute, "left", "right")};
  Description b = a;
  a.joints[1].mimic = Mimic{"a", -0.5, 0.1};
  const auto comparison = compare_robots(a, b);
  EXPECT_EQ(comparison.differences.size(), 1U) << to_sentence(comparison);
  EXPECT_EQ(comparison.differences[0].property, "mimics");
  EXPECT_LT(comparison.mass_matrix_difference, 1e-12);
  EXPECT_LT(comparison.bias_difference, 1e-12);
  EXPECT_GT(comparison.states, 0);
}

}  // namespace
}  // namespace lissom::io::write
