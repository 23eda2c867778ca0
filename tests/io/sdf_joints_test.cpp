// Joints of SDF: axes, poses, limits, trees and loops.
#include <numbers>

#include "lissom/model/model.h"
#include "sdf_test_support.h"

namespace lissom::io {
namespace {

std::string axis(const std::string& xyz, const std::string& more = {}, const std::string& expressed_in = {}) {
  return "<axis><xyz" + (expressed_in.empty() ? "" : " expressed_in=\"" + expressed_in + "\"") + ">" + xyz + "</xyz>" +
         more + "</axis>";
}
std::string second_axis(const std::string& xyz, const std::string& elements = {}) {
  return "<axis2><xyz>" + xyz + "</xyz>" + elements + "</axis2>";
}
// Links a and b, b rotated by a quarter turn about x, and a joint j between them.
std::string two_links(const std::string& type, const std::string& elements, const std::string& version = "1.9") {
  return sdf(model(sdf_link("a") + sdf_link("b", pose("1 0 0 1.5707963267948966 0 0")) +
                   sdf_joint("j", type, "a", "b", elements)),
             version);
}
const JointDescription& joint_of(const Description& robot) {
  return named(robot.joints, "j");
}

TEST(SdfJoints, Types) {
  const struct {
    const char* name;
    JointType type;
    std::string axes;
  } types[] = {{"revolute", JointType::revolute, axis("0 0 1")},
               {"continuous", JointType::continuous, axis("0 0 1")},
               {"prismatic", JointType::prismatic, axis("0 0 1")},
               {"ball", JointType::spherical, ""},
               {"fixed", JointType::fixed, ""},
               {"universal", JointType::universal, axis("1 0 0") + second_axis("0 1 0")},
               {"revolute2", JointType::universal, axis("1 0 0") + second_axis("0 1 0")},
               {"screw", JointType::helical, axis("0 0 1") + "<screw_thread_pitch>1</screw_thread_pitch>"}};
  for (const auto& [name, type, axes] : types) {
    const auto robot = read_usable(two_links(name, axes));
    ASSERT_EQ(robot.joints.size(), 1u) << name;
    EXPECT_EQ(robot.joints[0].type, type) << name;
    EXPECT_EQ(robot.joints[0].parent, "a");
    EXPECT_EQ(robot.joints[0].child, "b");
    EXPECT_LT(distance(robot.joints[0].origin.p, {1, 0, 0}), 1e-15);
  }
}

// Until 1.4, axes are along the model; in 1.5 and 1.6 where the file says so; since 1.7 by the name of a frame.
TEST(SdfJoints, AxesByVersion) {
  const Vec3<double> z_of_model{0, 1, 0}, z_of_joint{0, 0, 1};  // in the child's frame
  const auto axis_of = [](const std::string& elements, const char* version) {
    return joint_of(read_usable(two_links("revolute", elements, version))).axis;
  };
  EXPECT_LT(distance(axis_of(axis("0 0 1"), "1.4"), z_of_model), 1e-15);
  EXPECT_LT(distance(axis_of(axis("0 0 1"), "1.5"), z_of_joint), 1e-15);
  EXPECT_LT(distance(axis_of(axis("0 0 1", "<use_parent_model_frame>1</use_parent_model_frame>"), "1.6"), z_of_model),
            1e-15);
  EXPECT_LT(
      distance(axis_of(axis("0 0 1", "<use_parent_model_frame>false</use_parent_model_frame>"), "1.6"), z_of_joint),
      1e-15);
  EXPECT_LT(distance(axis_of(axis("0 0 1"), "1.7"), z_of_joint), 1e-15);
  EXPECT_LT(distance(axis_of(axis("0 0 1", "", "__model__"), "1.7"), z_of_model), 1e-15);
  EXPECT_LT(distance(axis_of(axis("0 0 1", "", "a"), "1.12"), z_of_model), 1e-15);
}

// A link without mass stands at the joint where its axis does not pass through the child's origin.
TEST(SdfJoints, PosesAreKeptByConnectingLinks) {
  const auto away = read_usable(two_links("revolute", pose("0 0.5 0 0 0 0") + axis("0 0 1")));
  ASSERT_EQ(away.links.size(), 3u);
  EXPECT_EQ(away.links[2].name, "b/j");
  EXPECT_TRUE(away.links[2].connects_joints);
  ASSERT_EQ(away.joints.size(), 2u);
  EXPECT_EQ(joint_of(away).child, "b/j");
  EXPECT_EQ(away.joints[1].type, JointType::fixed);
  EXPECT_LT(distance(away.joints[1].origin.p, {0, -0.5, 0}), 1e-15);
  expect_at(away, "b", 1, 0, 0);
  expect_at(away, "b/j", 1, 0, 0.5);
  // Along the axis, and for a slider, it makes no difference.
  EXPECT_EQ(read_usable(two_links("revolute", pose("0 0 0.5 0 0 0") + axis("0 0 1"))).links.size(), 2u);
  EXPECT_EQ(read_usable(two_links("prismatic", pose("0 0.5 0 0 0 0") + axis("0 0 1"))).links.size(), 2u);
  EXPECT_EQ(read_usable(two_links("ball", pose("0 0 0.5 0 0 0"))).links.size(), 3u);
  EXPECT_EQ(read_usable(two_links("ball", pose("0 0 0 0.3 0 0"))).links.size(), 2u);
}

TEST(SdfJoints, LimitsAndDynamics) {
  const auto robot =
      read_usable(two_links("revolute", axis("0 0 1",
                                             "<limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4"
                                             "</velocity></limit><dynamics><damping>5</damping><friction>6</friction>"
                                             "<spring_stiffness>7</spring_stiffness><spring_reference>0.5"
                                             "</spring_reference></dynamics>")));
  const auto& joint = joint_of(robot);
  EXPECT_EQ(joint.lower, std::vector<double>{-1});
  EXPECT_EQ(joint.upper, std::vector<double>{2});
  EXPECT_TRUE(joint.effort_limit == 3 && joint.velocity_limit == 4 && joint.damping == 5 && joint.dry_friction == 6 &&
              joint.spring_stiffness == 7 && joint.spring_rest == 0.5);
  const auto none =
      read_usable(two_links("revolute", axis("0 0 1",
                                             "<limit><lower>-1e16</lower><upper>1e16</upper><effort>-2</effort>"
                                             "<velocity>-1</velocity></limit>")));
  EXPECT_TRUE(joint_of(none).lower.empty() && joint_of(none).upper.empty());
  EXPECT_TRUE(joint_of(none).effort_limit == JointDescription::unlimited);
  const auto infinite =
      read_usable(two_links("prismatic", axis("0 0 1", "<limit><lower>-inf</lower><upper>1</upper></limit>")));
  EXPECT_EQ(joint_of(infinite).lower, std::vector<double>{-JointDescription::unlimited});
}

TEST(SdfJoints, ScrewsOfBothKinds) {
  const auto pitch_of = [](const std::string& element) {
    return joint_of(read_usable(two_links("screw", axis("0 0 1") + element))).pitch;
  };
  EXPECT_DOUBLE_EQ(pitch_of("<screw_thread_pitch>0.5</screw_thread_pitch>"), 0.5 / (2 * std::numbers::pi));
  EXPECT_DOUBLE_EQ(pitch_of("<thread_pitch>-4</thread_pitch>"), 0.25);
  EXPECT_DOUBLE_EQ(pitch_of("<thread_pitch>7</thread_pitch><screw_thread_pitch>0.5</screw_thread_pitch>"),
                   0.5 / (2 * std::numbers::pi));
}

TEST(SdfJoints, Mimic) {
  const auto robot =
      read_usable(sdf(model(sdf_link("a") + sdf_link("b") + sdf_link("c") + sdf_joint("k", "revolute", "a", "b") +
                            sdf_joint("j", "revolute", "b", "c",
                                      axis("0 0 1",
                                           "<mimic joint=\"k\" axis=\"axis\"><multiplier>2</multiplier><offset>0.5"
                                           "</offset><reference>0.1</reference></mimic>"))),
                      "1.11"));
  const auto& mimic = joint_of(robot).mimic;
  ASSERT_TRUE(mimic);
  EXPECT_EQ(mimic->joint, "k");
  EXPECT_EQ(mimic->ratio, 2);
  EXPECT_DOUBLE_EQ(mimic->offset, 0.3);
}

TEST(SdfJoints, ToTheWorld) {
  const auto robot = read_usable(
      sdf(model(pose("0 0 1 0 0 0") + sdf_link("a", pose("1 0 0 0 0 0")) + sdf_joint("j", "revolute", "world", "a"))));
  ASSERT_EQ(robot.links.size(), 2u);
  EXPECT_EQ(robot.links[0].name, "world");
  ASSERT_EQ(robot.roots.size(), 1u);
  EXPECT_TRUE(robot.roots[0].is_ground);
  expect_at(robot, "a", 1, 0, 1);
  // The world does not move, whatever base is asked for.
  for (const Base base : {Base::file, Base::fixed, Base::free, Base::planar}) {
    BuildOptions options;
    options.base = base;
    EXPECT_EQ(build(robot, options).nv(), 1);
  }
  // With the world as child, the axis is that of the opposite motion.
  const auto reversed =
      read_usable(sdf(model(sdf_link("a") + sdf_joint("j", "revolute", "a", "world", axis("0 0 1")))));
  EXPECT_EQ(joint_of(reversed).parent, "world");
  EXPECT_EQ(joint_of(reversed).child, "a");
  EXPECT_EQ(joint_of(reversed).axis.z, -1);
}

TEST(SdfJoints, OfLinksWithTwoParents) {
  // c hangs on a, and b hangs on c.
  const auto robot =
      read_usable(sdf(model(sdf_link("a") + sdf_link("b", pose("0 0 4 0 0 0")) + sdf_link("c", pose("0 0 2 0 0 0")) +
                            sdf_joint("k", "revolute", "a", "c") + sdf_joint("j", "revolute", "b", "c"))));
  EXPECT_TRUE(robot.loops.empty());
  EXPECT_EQ(joint_of(robot).parent, "c");
  EXPECT_EQ(joint_of(robot).child, "b");
  EXPECT_LT(distance(joint_of(robot).axis, {0, 0, -1}), 1e-15);
  expect_at(robot, "b", 0, 0, 4);
}

// Both screws stay joints, wherever they are in the file; the slide between them closes the loop.
TEST(SdfLoops, AreNotClosedByScrews) {
  const auto pitch = "<axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>0.01</screw_thread_pitch>";
  const auto robot = read_usable(
      sdf(model(sdf_link("a") + sdf_link("b", pose("0 0 1 0 0 0")) + sdf_link("c", pose("0 0 2 0 0 0")) +
                sdf_joint("s", "screw", "a", "c", pitch) + sdf_joint("n", "prismatic", "a", "b", axis("0 0 1")) +
                sdf_joint("t", "screw", "b", "c", pitch)),
          "1.10"));
  ASSERT_EQ(robot.joints.size(), 2u);
  for (const auto& joint : robot.joints) EXPECT_EQ(joint.type, JointType::helical) << joint.name;
  ASSERT_EQ(robot.loops.size(), 1u);
  EXPECT_EQ(robot.loops[0].name, "n");
  EXPECT_EQ(robot.loops[0].axes.count(), 5);
  expect_at(robot, "b", 0, 0, 1);
}

// Four links in a square; the last joint closes the loop.
TEST(SdfLoops, AreClosedByTheLastJoint) {
  const struct {
    const char* type;
    int rows;
    std::string axes;
  } closings[] = {{"revolute", 5, axis("0 1 0")},
                  {"ball", 3, ""},
                  {"fixed", 6, ""},
                  {"prismatic", 5, axis("0 1 0")},
                  {"universal", 4, axis("1 0 0") + second_axis("0 1 0")}};
  for (const auto& [type, rows, axes] : closings) {
    const auto robot = read_usable(sdf(model(
        sdf_link("a") + sdf_link("b", pose("1 0 0 0 0 0")) + sdf_link("c", pose("1 0 1 0 0 0")) +
        sdf_joint("ab", "revolute", "a", "b", axis("0 1 0")) + sdf_joint("bc", "revolute", "b", "c", axis("0 1 0")) +
        sdf_joint("ac", type, "a", "c", pose("0 0 0.5 0 0 0") + axes))));
    ASSERT_EQ(robot.loops.size(), 1u) << type;
    const LoopDescription& loop = robot.loops[0];
    EXPECT_EQ(loop.name, "ac");
    EXPECT_EQ(loop.axes.count(), rows) << type;
    EXPECT_EQ(loop.a.frame, "a");
    EXPECT_EQ(loop.b.frame, "c");
    EXPECT_LT(distance(loop.a.placement.p, {1, 0, 1.5}), 1e-15);
    EXPECT_LT(distance(loop.b.placement.p, {0, 0, 0.5}), 1e-15);
    EXPECT_EQ(robot.joints.size(), 2u);
  }
}

// Every link is the child of a joint.
TEST(SdfLoops, WithoutALinkThatHasNoParent) {
  const auto robot = read_usable(sdf(model(
      sdf_link("a") + sdf_link("b", pose("1 0 0 0 0 0")) + sdf_link("c", pose("1 0 1 0 0 0")) +
      sdf_joint("ca", "revolute", "c", "a", axis("0 1 0")) + sdf_joint("ab", "revolute", "a", "b", axis("0 1 0")) +
      sdf_joint("bc", "revolute", "b", "c", axis("0 1 0")))));
  ASSERT_EQ(robot.loops.size(), 1u);
  EXPECT_EQ(robot.loops[0].name, "bc");
  ASSERT_EQ(robot.roots.size(), 1u);
  EXPECT_EQ(robot.roots[0].link, "c");
}

// Two wheels on a frame that turn against each other, the second one twice as fast.
TEST(SdfJoints, GearboxesAreCouplings) {
  const auto robot = read_usable(sdf(model(
      sdf_link("frame") + sdf_link("small", pose("1 0 0 0 0 0")) + sdf_link("large", pose("-1 0 0 0 0 0")) +
      sdf_joint("s", "revolute", "frame", "small") + sdf_joint("l", "revolute", "frame", "large", axis("0 0 -1")) +
      sdf_joint("gears", "gearbox", "large", "small",
                axis("0 0 1") + second_axis("0 0 1") +
                    "<gearbox_ratio>2</gearbox_ratio>"
                    "<gearbox_reference_body>frame"
                    "</gearbox_reference_body>"))));
  ASSERT_EQ(robot.couplings.size(), 1u);
  EXPECT_EQ(robot.couplings[0].joint, "s");
  EXPECT_EQ(robot.couplings[0].of, "l");
  // θ(small) = -2 θ(large), and q of l counts the other way.
  EXPECT_EQ(robot.couplings[0].coefficients, (std::vector<double>{0, 2}));
  EXPECT_EQ(robot.joints.size(), 2u);
  // The second wheel is counted about axis2.
  const auto opposite = read_usable(sdf(
      model(sdf_link("frame") + sdf_link("small", pose("1 0 0 0 0 0")) + sdf_link("large", pose("-1 0 0 0 0 0")) +
            sdf_joint("s", "revolute", "frame", "small") + sdf_joint("l", "revolute", "frame", "large") +
            sdf_joint("gears", "gearbox", "large", "small",
                      axis("0 0 1") + second_axis("0 0 -1") +
                          "<gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>frame</gearbox_reference_body>"))));
  ASSERT_EQ(opposite.couplings.size(), 1u);
  EXPECT_EQ(opposite.couplings[0].coefficients, (std::vector<double>{0, 2}));
}

TEST(SdfJoints, InitialPositions) {
  const auto robot =
      read_usable(two_links("revolute", axis("0 0 1", "<initial_position>0.3</initial_position>"), "1.5"));
  ASSERT_EQ(robot.postures.size(), 1u);
  ASSERT_EQ(robot.postures[0].positions.size(), 2u);  // with the base
  EXPECT_EQ(robot.postures[0].positions[1].joint, "j");
  EXPECT_EQ(robot.postures[0].positions[1].q, std::vector<double>{0.3});
  const std::string both = axis("1 0 0", "<initial_position>0.3</initial_position>") +
                           second_axis("0 1 0", "<initial_position>0.4</initial_position>");
  const auto two = read_usable(two_links("universal", both));
  ASSERT_EQ(two.postures.size(), 1u);
  EXPECT_EQ(two.postures[0].positions.back().q, (std::vector<double>{0.3, 0.4}));
  // From the world to b, the joint is reversed, and its second axis comes first.
  const auto reversed = read_usable(sdf(model(sdf_link("a") + sdf_link("b") + sdf_joint("f", "fixed", "world", "b") +
                                              sdf_joint("j", "universal", "a", "b", both))));
  ASSERT_EQ(reversed.postures.size(), 1u);
  EXPECT_EQ(reversed.postures[0].positions.back().q, (std::vector<double>{0.4, 0.3}));
}

}  // namespace
}  // namespace lissom::io
