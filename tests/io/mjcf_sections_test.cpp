// Sections of MJCF that refer to bodies and joints.
#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "lissom/api/postures.h"
#include "lissom/io/mjcf/mjcf.h"
#include "lissom/io/write/write.h"
#include "lissom/lissom.h"
#include "lissom/model/limits.h"
#include "lissom/model/validate.h"
#include "urdf_test_support.h"

namespace lissom::io::mjcf_sections {  // files of tests are compiled together
namespace {

using std::numbers::pi;

const std::string two_bodies =
    R"(<worldbody><body name="a" pos="1 0 0"><joint name="j" ref="90"/><geom name="g" size=".1"/></body>
  <body name="b" pos="1 2 0" euler="0 0 90"><joint name="k" range="-90 90"/><geom name="h" size=".1"/><site name="s" pos="0 0 1"/></body>
  <body name="c"><freejoint name="f"/><geom size=".1"/><site name="t"/></body></worldbody>)";

ReadResult read_sections(const std::string& sections, const std::string& head = "") {
  return read_text("<mujoco>" + head + two_bodies + sections + "</mujoco>", "test.xml");
}
Description described(const std::string& sections, const std::string& head = "") {
  const auto result = read_sections(sections, head);
  EXPECT_TRUE(result.usable()) << to_text(result);
  return result.description;
}
void expect_near(const Vec3<double>& a, const Vec3<double>& b) {
  EXPECT_NEAR(a.x, b.x, 1e-12);
  EXPECT_NEAR(a.y, b.y, 1e-12);
  EXPECT_NEAR(a.z, b.z, 1e-12);
}

TEST(MjcfEquality, ConnectAndWeld) {
  const auto d =
      described(R"(<equality><connect name="p" body1="a" body2="b" anchor=".1 .2 .3"/><weld body1="a" body2="b"/>
    <weld body1="a" body2="b" relpose="1 2 3 1 0 0 0" torquescale="2"/><connect site1="s" site2="t"/><weld body1="c"/>
    <connect body1="a" anchor="0 0 0" active="false"/></equality>)");
  ASSERT_EQ(d.loops.size(), 5u);
  EXPECT_EQ(d.loops[0].name, "p");
  EXPECT_EQ(d.loops[0].a.frame, "a");
  EXPECT_EQ(d.loops[0].axes.count(), 3);
  expect_near(d.loops[0].b.placement.p, {-1.8, -.1, .3});
  EXPECT_EQ(d.loops[1].axes.count(), 6);
  expect_near(d.loops[1].a.placement.p, {0, 2, 0});
  expect_near(column_x(d.loops[1].a.placement.R), {0, 1, 0});
  expect_near(d.loops[2].a.placement.p, {1, 2, 3});
  EXPECT_EQ(d.loops[3].a.frame, "b");
  expect_near(d.loops[3].a.placement.p, {0, 0, 1});
  EXPECT_EQ(d.loops[4].b.frame, "world");
  EXPECT_NE(find(read_sections(R"(<equality><connect body1="a" anchor="0 0 0" active="false"/></equality>)"),
                 "equality-inactive"),
            nullptr);
}

// The point is given in the second body, and by relpose in the first.
TEST(MjcfEquality, WeldsHaveAnAnchor) {
  const auto d = described(R"(<equality><weld body1="a" body2="b" anchor=".1 .2 .3"/>
    <weld body1="a" body2="b" anchor=".1 .2 .3" relpose="1 2 3 1 0 0 0"/></equality>)");
  ASSERT_EQ(d.loops.size(), 2u);
  expect_near(d.loops[0].b.placement.p, {.1, .2, .3});
  expect_near(d.loops[0].a.placement.p, {-.2, 2.1, .3});  // b is turned by 90 degrees, 2 m away
  expect_near(column_x(d.loops[0].a.placement.R), {0, 1, 0});
  expect_near(d.loops[1].b.placement.p, {.1, .2, .3});
  expect_near(d.loops[1].a.placement.p, {1, 2, 3});
}

TEST(MjcfEquality, JointsAndTendons) {
  const auto d = described(
      R"(<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed><fixed name="u"><joint joint="k" coef="4"/></fixed></tendon>
    <equality><joint joint1="k" joint2="j" polycoef="1 2 3 0 0"/><joint joint1="k" polycoef=".5"/><tendon tendon1="t" tendon2="u" polycoef="1 3 0 0 0"/>
    </equality>)");
  ASSERT_EQ(d.couplings.size(), 3u);
  // k = 1 + 2 (j - π/2) + 3 (j - π/2)²
  const auto& c = d.couplings[0].coefficients;
  ASSERT_EQ(c.size(), 3u);
  EXPECT_NEAR(c[0], 1 - pi + 3 * pi * pi / 4, 1e-12);
  EXPECT_NEAR(c[1], 2 - 3 * pi, 1e-12);
  EXPECT_NEAR(c[2], 3, 1e-12);
  EXPECT_EQ(d.couplings[1].of, "");
  EXPECT_EQ(d.couplings[1].coefficients, std::vector<double>{.5});
  // 2 (j - π/2) = 1 + 3 (4 k)
  EXPECT_EQ(d.couplings[2].joint, "j");
  EXPECT_NEAR(d.couplings[2].coefficients.at(0), .5 + pi / 2, 1e-12);
  EXPECT_NEAR(d.couplings[2].coefficients.at(1), 6, 1e-12);
}

// What relates two joints is a coupling, in whatever way tendons say it.
TEST(MjcfEquality, TendonsOfTwoJoints) {
  const auto coupled = [](const std::string& equality) {
    return described(
               R"(<tendon><fixed name="t"><joint joint="j" coef="2"/><joint joint="k" coef="-4"/></fixed>
        <fixed name="u"><joint joint="k" coef="3"/></fixed><fixed name="w"><joint joint="j" coef="1"/><joint joint="k" coef="-2"/></fixed>
        </tendon><equality>)" +
               equality + "</equality>")
        .couplings;
  };
  const auto expect = [&](const std::string& equality, const std::string& joint, const std::string& of, double c0,
                          double c1) {
    const auto all = coupled(equality);
    ASSERT_EQ(all.size(), 1u) << equality;
    EXPECT_EQ(all[0].joint, joint);
    EXPECT_EQ(all[0].of, of);
    EXPECT_NEAR(all[0].coefficients.at(0), c0, 1e-12);
    if (!of.empty()) EXPECT_NEAR(all[0].coefficients.at(1), c1, 1e-12);
  };
  // 2 (j - π/2) - 4 k = 0.5
  expect(R"(<tendon tendon1="t" polycoef=".5"/>)", "j", "k", pi / 2 + .25, 2);
  // 2 (j - π/2) - 4 k = 0.5 + 2 (3 k)
  expect(R"(<tendon tendon1="t" tendon2="u" polycoef=".5 2"/>)", "j", "k", pi / 2 + .25, 5);
  // 3 k = 1 - (j - π/2) + 2 k
  expect(R"(<tendon tendon1="u" tendon2="w" polycoef="1 -1"/>)", "k", "j", 1 + pi / 2, -1);
  // 2 (j - π/2) - 4 k = 0.5 - 4/3 (3 k): only j is left.
  expect(R"(<tendon tendon1="t" tendon2="u" polycoef=".5 -1.3333333333333333"/>)", "j", "", pi / 2 + .25, 0);
  EXPECT_TRUE(coupled(R"(<tendon tendon1="t" tendon2="u" polycoef="0 1 1"/>)").empty());  // not linear
}

TEST(MjcfTendon, Fixed) {
  const auto d = described(
      R"(<tendon><fixed name="t" range="0 1" stiffness="3" damping="4" frictionloss="5"><joint joint="j" coef="2"/>
    <joint joint="k" coef="-1"/></fixed><fixed springlength=".25" stiffness="1"><joint joint="k" coef="1"/></fixed></tendon>)");
  ASSERT_EQ(d.tendons.size(), 2u);
  EXPECT_EQ(d.tendons[0].terms.at(1).coefficient, -1);
  EXPECT_EQ(d.tendons[0].upper, 1);
  EXPECT_EQ(d.tendons[0].rest, 0);  // the length where springs of joints are at rest, not that at qpos0
  EXPECT_EQ(d.tendons[0].damping, 4);
  EXPECT_EQ(d.tendons[1].name, "tendon2");
  EXPECT_EQ(d.tendons[1].rest, .25);
}

TEST(MjcfActuator, LinearLaws) {
  const auto d = described(
      R"(<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon>
         <actuator><motor name="m" joint="j" gear="5" ctrlrange="-1 2"/><position joint="k" kp="5" kv="2" forcerange="-3 3"/>
         <velocity joint="k" kv="3"/><general joint="k" gainprm="4" biastype="affine" biasprm="1 2 3"/><position joint="k" inheritrange="1"/>
         <motor tendon="t"/><motor joint="f" gear="0 0 0 0 2 0"/></actuator>)");
  ASSERT_EQ(d.actuators.size(), 7u);
  using Bias = std::array<double, 3>;
  EXPECT_EQ(d.actuators[0].gear, 5);
  EXPECT_EQ(d.actuators[0].min_command, -1);
  EXPECT_EQ(d.actuators[0].bias, (Bias{0, 0, 0}));
  EXPECT_EQ(d.actuators[1].kind, ActuatorDescription::Kind::position);
  EXPECT_EQ(d.actuators[1].gain, 5);
  EXPECT_EQ(d.actuators[1].bias, (Bias{0, -5, -2}));
  EXPECT_EQ(d.actuators[1].max_force, 3);
  EXPECT_EQ(d.actuators[2].bias, (Bias{0, 0, -3}));
  EXPECT_EQ(d.actuators[3].gain, 4);
  EXPECT_EQ(d.actuators[3].bias, (Bias{1, 2, 3}));
  EXPECT_NEAR(d.actuators[4].max_command, pi / 2, 1e-12);
  EXPECT_EQ(d.actuators[5].tendon, "t");
  EXPECT_EQ(d.actuators[6].component, 4);
  EXPECT_EQ(d.actuators[6].gear, 2);
}

// Figures of MuJoCo 4.0.0: actuator_ctrlrange after compilation.
TEST(MjcfActuator, RangesAreInherited) {
  const std::string tendons =
      R"(<tendon><fixed name="t" range="-2 1"><joint joint="j" coef="2"/></fixed><fixed name="u" range="-2 1" limited="false"><joint joint="k" coef="1"/></fixed></tendon>)";
  const auto one = [&](const std::string& actuator) {
    return described(tendons + "<actuator>" + actuator + "</actuator>").actuators.at(0);
  };
  const auto of_tendon = one(R"(<position tendon="t" inheritrange=".5" gear="3"/>)");
  EXPECT_EQ(of_tendon.min_command, -1.25);
  EXPECT_EQ(of_tendon.max_command, .25);
  EXPECT_EQ(one(R"(<position tendon="u" inheritrange="1"/>)").min_command, -2);
  EXPECT_EQ(one(R"(<position tendon="t" inheritrange="1" ctrllimited="false"/>)").max_command,
            JointDescription::unlimited);
  // Only what pulls towards a position has the unit of the joint.
  EXPECT_EQ(one(R"(<general tendon="t" inheritrange="1" gainprm="2" biastype="affine" biasprm="0 -1 0"/>)").max_command,
            JointDescription::unlimited);
  const auto kept =
      described(R"(<actuator><general joint="j" input="pos" velrange="-1 1" ffrange="-2 2"/></actuator>)").kept;
  for (const char* name : {"input", "velrange", "ffrange"})
    EXPECT_TRUE(std::ranges::any_of(kept, [&](const auto& entry) { return entry.name == name; })) << name;
}

TEST(MjcfActuator, ShortcutsShareDefaults) {
  using Bias = std::array<double, 3>;
  const auto one = [](const std::string& defaults, const std::string& actuator) {
    return described("<actuator>" + actuator + "</actuator>", "<default>" + defaults + "</default>").actuators.at(0);
  };
  const auto general = one("<position kp=\"7\"/>", "<general joint=\"j\"/>");
  EXPECT_EQ(general.gain, 7);
  EXPECT_EQ(general.bias, (Bias{0, -7, 0}));
  const auto position =
      one("<general gainprm=\"9\" biastype=\"affine\" biasprm=\"1 -9 -2\"/>", "<position joint=\"j\"/>");
  EXPECT_EQ(position.bias, (Bias{0, -9, -2}));
  const auto motor = one("<general gainprm=\"9\" biastype=\"affine\" biasprm=\"1 -9 -2\"/>", "<motor joint=\"j\"/>");
  EXPECT_EQ(motor.gain, 1);
  EXPECT_EQ(motor.bias, (Bias{0, 0, 0}));
  EXPECT_EQ(one("<motor ctrlrange=\"-1 1\" gear=\"5\"/>", "<position joint=\"j\"/>").gear, 5);
}

TEST(MjcfActuator, RotorsAreBehindTheGear) {
  const auto d = described(R"(<actuator><motor joint="k" gear="3" armature="2" damping="5"/></actuator>)");
  const auto k = std::ranges::find(d.joints, "k", &JointDescription::name);
  EXPECT_EQ(k->armature, 18);
  EXPECT_EQ(k->damping[0], 45);
}

TEST(MjcfActuator, OthersAreKept) {
  const auto result = read_sections(
      R"(<actuator><muscle name="m" joint="j"/><motor site="s"/><general joint="j" dyntype="filter"/></actuator>)");
  EXPECT_TRUE(result.usable());
  EXPECT_TRUE(result.description.actuators.empty());
  EXPECT_NE(find(result, "actuator-kept"), nullptr);
  EXPECT_EQ(result.description.kept.at(0).subject, "actuator 'm'");
}

TEST(MjcfContact, PairsAndExclusions) {
  const auto d =
      described(R"(<contact><pair geom1="g" geom2="h" friction=".5"/><exclude body1="a" body2="b"/></contact>)");
  ASSERT_EQ(d.contact_pairs.size(), 1u);
  EXPECT_EQ(d.contact_pairs[0].friction, .5);
  ASSERT_EQ(d.contact_exclusions.size(), 1u);
  EXPECT_EQ(d.contact_exclusions[0].b, "b");
}

// Geoms with contype and conaffinity 0 are only seen, unless a pair names them; groups and masks are kept in every
// format.
TEST(MjcfContact, GroupsMasksAndGeomsThatOnlyPairsTouch) {
  const auto d = described(R"(<contact><pair geom1="pad" geom2="g" friction=".3"/></contact>)",
                           R"(<worldbody><geom name="floor" type="plane" size="1 1 1" contype="2" conaffinity="0"/>
      <body name="d" pos="0 0 3"><freejoint/><geom name="pad" size=".1" contype="0" conaffinity="0" group="3" friction=".7"/>
      <geom name="cover" size=".2" contype="0" conaffinity="0"/><geom name="sole" size=".3" contype="0" conaffinity="6"/></body></worldbody>)");
  const auto& link = *std::ranges::find(d.links, "d", &LinkDescription::name);
  ASSERT_EQ(link.collisions.size(), 2u);
  EXPECT_EQ(link.collisions[0].name, "sole");
  EXPECT_EQ(link.collisions[0].contact_group, 0);
  EXPECT_EQ(link.collisions[0].contact_mask, 6);
  EXPECT_EQ(link.collisions[1].name, "pad");
  EXPECT_EQ(link.collisions[1].contact_group, 0);
  EXPECT_EQ(link.collisions[1].contact_mask, 0);
  EXPECT_EQ(link.collisions[1].contact_material, "friction 0.7");
  ASSERT_EQ(link.visuals.size(), 2u);  // not the pad, whose group is hidden
  EXPECT_EQ(link.visuals[0].name, "cover");
  ASSERT_EQ(d.contact_pairs.size(), 1u);
  for (const auto format : {write::Format::urdf, write::Format::mjcf, write::Format::sdf}) {
    SCOPED_TRACE(to_string(format));
    const auto again = read_text(write::write(d, format).text, "again");
    ASSERT_TRUE(again.usable()) << to_text(again);
    const auto& links = again.description.links;
    const auto written = std::ranges::find(links, "d", &LinkDescription::name);
    ASSERT_NE(written, links.end());
    ASSERT_EQ(written->collisions.size(), 2u);
    for (const char* name : {"sole", "pad"}) {
      const auto one = std::ranges::find(written->collisions, name, &Geometry::name);
      const auto was = std::ranges::find(link.collisions, name, &Geometry::name);
      ASSERT_NE(one, written->collisions.end()) << name;
      EXPECT_EQ(one->contact_group, was->contact_group) << name;
      EXPECT_EQ(one->contact_mask, was->contact_mask) << name;
    }
    ASSERT_EQ(again.description.contact_pairs.size(), 1u);
    EXPECT_EQ(again.description.contact_pairs[0].friction, .3);
  }
}

TEST(MjcfReplicate, NamesPlacesAndReferences) {
  const auto result =
      read_text(R"(<mujoco><worldbody><replicate count="3" offset="1 .2 .3" euler="30 40 50" sep="-"><body name="b">
    <joint name="j"/><geom size=".1"/></body></replicate></worldbody><actuator><motor name="m" joint="j"/></actuator>
    <equality><joint joint1="j"/></equality></mujoco>)",
                "test.xml");
  ASSERT_TRUE(result.usable()) << to_text(result);
  const auto& d = result.description;
  ASSERT_EQ(d.links.size(), 4u);
  EXPECT_EQ(d.links[3].name, "b-2");
  ASSERT_EQ(d.actuators.size(), 3u);
  EXPECT_EQ(d.actuators[1].name, "m-1");
  EXPECT_EQ(d.actuators[1].joint, "j-1");
  EXPECT_EQ(d.couplings.size(), 3u);
}

// Bodies inside each other; the world is one level below the root, and geoms one below the last body.
std::string chain(int bodies) {
  std::string text = "<mujoco><worldbody>";
  for (int i = 0; i < bodies; ++i) text += "<body><joint/><geom size=\".1\"/>";
  for (int i = 0; i < bodies; ++i) text += "</body>";
  return text + "</worldbody></mujoco>";
}

TEST(MjcfLimits, DepthAndNumberOfElements) {
  EXPECT_TRUE(read_text(chain(limits::mjcf_depth - 2), "test.xml").usable());
  EXPECT_NE(find(read_text(chain(limits::mjcf_depth - 1), "test.xml"), "xml-depth"), nullptr);
  ReadOptions options;
  options.max_depth = 10;
  EXPECT_NE(find(read_text(chain(9), "test.xml", options), "xml-depth"), nullptr);
  const auto sites = [](std::size_t count) {
    return read_text("<mujoco><worldbody><replicate count=\"" + std::to_string(count) +
                         "\"><site/></replicate></worldbody></mujoco>",
                     "test.xml");
  };
  EXPECT_EQ(find(sites(limits::mjcf_elements / 2), "too-large"), nullptr);  // a replica and a site each
  EXPECT_NE(find(sites(limits::mjcf_elements / 2 + 1), "too-large"), nullptr);
}

// Figures of MuJoCo 4.0.0: actuator_biasprm after compilation.
TEST(MjcfActuators, DampingRatios) {
  const auto result = read_text(R"(<mujoco><worldbody><body pos="0 0 1" euler="0 20 0">
    <joint name="j" axis="0 1 0" pos=".1 0 0" ref="30" armature=".01"/><geom size=".1 .2 .3" type="box"/>
    <body pos=".3 0 0"><joint name="k" type="slide" axis="1 0 0" ref=".1"/><geom size=".1" pos="0 .1 0"/></body></body></worldbody>
    <tendon><fixed name="t"><joint joint="j" coef="2"/><joint joint="k" coef="-.5"/></fixed></tendon>
    <actuator><position joint="j" kp="100" dampratio="1"/><position joint="k" kp="50" dampratio=".7" gear="3"/>
    <position tendon="t" kp="20" dampratio="1" gear="2"/><general joint="j" gainprm="40" biasprm="0 -40 2" biastype="affine"/>
    <position joint="k" kp="50" kv="1" gear="3"/></actuator></mujoco>)",
                                "test.xml");
  ASSERT_TRUE(result.usable()) << to_text(result);
  const auto& all = result.description.actuators;
  ASSERT_EQ(all.size(), 5u);
  const double damping[] = {30.16160983, 6.75361171, 3.31637038, 38.15175399, 1};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(all[i].bias[2], -damping[i], 1e-8) << i;
}

// Figures of MuJoCo 4.0.0: jnt_stiffness and dof_damping after compilation.
TEST(MjcfJoints, SpringsByTimeConstant) {
  const auto d =
      described("", R"(<worldbody><body name="m" pos="0 0 5"><joint name="sj" axis="0 1 0" springdamper=".1 1"/>
    <geom size=".1" pos=".3 0 0"/><body name="n" pos=".3 0 0"><joint name="sk" axis="0 1 0" springdamper=".2 .5" damping="7"/>
    <geom size=".1" pos=".3 0 0"/></body></body></worldbody>)");
  const auto joint = [&](const char* name) { return *std::ranges::find(d.joints, name, &JointDescription::name); };
  EXPECT_NEAR(joint("sj").spring_stiffness[0], 40.97884545022936, 1e-11);
  EXPECT_NEAR(joint("sj").damping[0], 8.195769090045872, 1e-12);
  EXPECT_NEAR(joint("sk").spring_stiffness[0], 8.410505398082009, 1e-12);
  EXPECT_NEAR(joint("sk").damping[0], 0.841050539808201, 1e-13);
  const auto ball = read_text(
      R"(<mujoco><worldbody><body><joint type="ball" springdamper=".1 1"/><geom size=".1"/></body></worldbody></mujoco>)",
      "test.xml");
  EXPECT_NE(find(ball, "spring-damper"), nullptr);
}

TEST(MjcfBase, TheWorldStays) {
  const auto text = [](const std::string& joint) {
    return R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/><body name="table"><geom size=".1"/></body>
      <body name="a" pos="0 0 1" euler="0 0 90">)" +
           joint +
           R"(<geom size=".1"/><body name="b" pos="1 0 0"><joint name="j"/><geom size=".1"/></body></body></worldbody></mujoco>)";
  };
  const auto mounted = read_text(text(""), "test.xml").description;
  EXPECT_EQ(build(mounted).nv(), 1);
  for (const auto& [base, nv] : {std::pair{Base::fixed, 1}, {Base::planar, 4}, {Base::free, 7}}) {
    const auto model = build(mounted, {.base = base});
    EXPECT_EQ(model.nv(), nv);
    if (nv > 1) EXPECT_EQ(model.joint("base").child, "a");
  }
  const auto model = build(mounted, {.base = Base::free});
  Workspace work(model);
  Eigen::VectorXd q = initial_configuration(model);
  forward_kinematics(model, work, q);
  expect_near(placement(model, work, model.frame("b")).p, {0, 1, 1});  // where it was mounted
  q[0] = 5;
  forward_kinematics(model, work, q);
  expect_near(placement(model, work, model.frame("b")).p, {5, 1, 1});
  expect_near(placement(model, work, model.frame("world")).p, {0, 0, 0});
  expect_near(placement(model, work, model.frame("table")).p, {0, 0, 0});
  // What a joint attaches to the world is not released, and that is said.
  const auto sliding = read_text(text("<joint name='s' type='slide'/>"), "test.xml").description;
  EXPECT_EQ(build(sliding, {.base = Base::free}).nv(), 2);
  const auto found = validate(sliding, {.base = Base::free});
  EXPECT_EQ(std::ranges::count(found, "base-ground", &Diagnostic::code), 1);
  EXPECT_EQ(std::ranges::count(validate(mounted, {.base = Base::free}), "base-ground", &Diagnostic::code), 0);
  EXPECT_EQ(std::ranges::count(validate(sliding), "base-ground", &Diagnostic::code), 0);
}

TEST(MjcfGeoms, WhatCannotBeTouchedIsSaid) {
  const std::string assets =
      R"(<asset><hfield name="h" file="none.png" size="1 1 1 1"/><mesh name="m" vertex="0 0 0 1 1 1"/></asset>)";
  const auto read_geom = [&](const std::string& geom) {
    return read_text("<mujoco>" + assets + "<worldbody>" + geom + "</worldbody></mujoco>", "test.xml");
  };
  for (const char* geom : {"type='hfield' hfield='h'", "type='mesh' mesh='m'"}) {
    const auto* const lost = find(read_geom("<geom name='g' " + std::string(geom) + "/>"), "collision-lost");
    ASSERT_NE(lost, nullptr) << geom;
    EXPECT_EQ(lost->severity, Severity::warning);
  }
}

}  // namespace
}  // namespace lissom::io::mjcf_sections
