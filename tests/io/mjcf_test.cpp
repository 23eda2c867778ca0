// What is read from MJCF. Numbers in these tests are those that MuJoCo 4 compiles from the same texts.
#include "lissom/io/mjcf/mjcf.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "lissom/model/source_place.h"
#include "urdf_test_support.h"

namespace lissom::io::mjcf_bodies {  // files of tests are compiled together
namespace {

using std::numbers::pi;

std::string mujoco(const std::string& world, const std::string& head = "", const std::string& tail = "") {
  return "<mujoco model=\"m\">" + head + "<worldbody>" + world + "</worldbody>" + tail + "</mujoco>";
}
Description described(const std::string& text) {
  const auto result = read_text(text, "test.xml");
  EXPECT_TRUE(result.usable()) << to_text(result);
  return result.description;
}
const LinkDescription& link_named(const Description& d, const std::string& name) {
  for (const auto& link : d.links)
    if (link.name == name) return link;
  throw Error("no link " + name);
}
const JointDescription& joint_named(const Description& d, const std::string& name) {
  for (const auto& joint : d.joints)
    if (joint.name == name) return joint;
  throw Error("no joint " + name);
}
std::string kept(const Description& d, const std::string& subject, const std::string& name) {
  for (const auto& k : d.kept)
    if (k.subject == subject && k.name == name) return k.value;
  return "(not kept)";
}
void expect_near(const Vec3<double>& a, const Vec3<double>& b) {
  EXPECT_NEAR(a.x, b.x, 1e-12);
  EXPECT_NEAR(a.y, b.y, 1e-12);
  EXPECT_NEAR(a.z, b.z, 1e-12);
}
void expect_diagonal(const LinkDescription& link, double x, double y, double z) {
  const double tolerance = 1e-7 * (x + y + z);
  EXPECT_NEAR(link.inertia.xx, x, tolerance);
  EXPECT_NEAR(link.inertia.yy, y, tolerance);
  EXPECT_NEAR(link.inertia.zz, z, tolerance);
}

TEST(Mjcf, BodiesBecomeLinks) {
  const auto d = described(mujoco(R"(<geom name="floor" type="plane" size="1 2 .1"/>
    <body name="a" pos="1 2 3"><joint name="j" axis="0 2 0"/><geom size=".1"/><body name="b" pos="0 0 1"><geom size=".1"/></body></body>)"));
  EXPECT_EQ(d.name, "m");
  ASSERT_EQ(d.links.size(), 3u);
  EXPECT_EQ(d.links[0].name, "world");
  EXPECT_EQ(d.links[0].collisions.at(0).shape.kind, Shape::Kind::plane);
  EXPECT_EQ(d.links[0].mass, 0);
  const auto& j = joint_named(d, "j");
  EXPECT_EQ(j.type, JointType::continuous);
  EXPECT_EQ(j.parent, "world");
  EXPECT_EQ(j.child, "a");
  expect_near(j.origin.p, {1, 2, 3});
  expect_near(j.axis, {0, 1, 0});
  const auto& fixed = joint_named(d, "b/fixed");
  EXPECT_EQ(fixed.type, JointType::fixed);
  EXPECT_EQ(fixed.parent, "a");
}

TEST(Mjcf, ElementsWithoutNamesGetReadableOnes) {
  const auto d = described(mujoco(R"(<body name="body2"><freejoint/><geom size=".1"/></body>
    <body><joint/><geom size=".1"/><site/><body><joint/><joint axis="1 0 0"/><geom size=".1"/></body></body>)"));
  EXPECT_EQ(joint_named(d, "body2/free").type, JointType::free);
  EXPECT_EQ(joint_named(d, "body2_/joint").child, "body2_");  // the second body, whose name is taken
  EXPECT_EQ(joint_named(d, "body3/joint2").child, "body3");
  EXPECT_EQ(link_named(d, "body3").collisions.at(0).name, "body3/geom1");
  EXPECT_EQ(d.frames.at(0).name, "body2_/site1");
}

TEST(Mjcf, JointsWithAnchorsHaveLinksBetween) {
  const auto d = described(mujoco(R"(<body name="a" pos="1 0 0" euler="0 0 90"><joint name="j" pos="0 1 0"/>
    <joint name="k" type="slide" axis="1 0 0"/><joint name="l" pos="0 0 2" axis="0 1 0"/><geom size=".1"/></body>)"));
  const auto &j = joint_named(d, "j"), &k = joint_named(d, "k"), &l = joint_named(d, "l");
  expect_near(j.origin.p, {0, 0, 0});  // (1 0 0) + R (0 1 0)
  EXPECT_EQ(j.child, "a/j");
  EXPECT_TRUE(link_named(d, "a/j").connects_joints);
  expect_near(k.origin.p, {0, -1, 0});
  EXPECT_EQ(k.parent, "a/j");
  expect_near(l.origin.p, {0, 0, 2});
  EXPECT_EQ(l.child, "a/l");
  const auto& end = joint_named(d, "a/frame");
  EXPECT_EQ(end.type, JointType::fixed);
  EXPECT_EQ(end.child, "a");
  expect_near(end.origin.p, {0, 0, -2});
  EXPECT_FALSE(link_named(d, "a").connects_joints);
}

TEST(Mjcf, RefMovesTheOriginAndTheStart) {
  const auto d = described(
      mujoco(R"(<body name="a" pos="0 0 1"><joint name="h" axis="0 0 1" ref="90" range="0 180"/><geom size=".1"/>
    <body name="b"><joint name="s" type="slide" axis="1 0 0" ref=".5"/><geom size=".1"/></body></body>)"));
  const auto& h = joint_named(d, "h");
  expect_near(column_x(h.origin.R), {0, -1, 0});  // rotated by -90 degrees
  EXPECT_NEAR(h.lower.at(0), 0, 1e-12);
  EXPECT_NEAR(h.upper.at(0), pi, 1e-12);
  expect_near(joint_named(d, "s").origin.p, {-.5, 0, 0});
  ASSERT_EQ(d.postures.size(), 1u);
  EXPECT_EQ(d.postures[0].name, "qpos0");
  ASSERT_EQ(d.postures[0].positions.size(), 2u);
  EXPECT_NEAR(d.postures[0].positions[0].q.at(0), pi / 2, 1e-12);
  EXPECT_EQ(d.postures[0].positions[1].q.at(0), .5);
}

TEST(Mjcf, FreeJointsStartWhereTheirBodyIs) {
  const auto d = described(
      mujoco(R"(<body name="a" pos="0 0 1" quat="0 1 0 0"><joint type="free" name="f"/><geom size=".1"/></body>)", "",
             R"(<keyframe><key name="home" qpos="1 2 3 2 0 0 0"/><key ctrl="1"/></keyframe>)"));
  const auto& f = joint_named(d, "f");
  expect_near(f.origin.p, {0, 0, 0});
  ASSERT_EQ(d.postures.size(), 2u);
  EXPECT_EQ(d.postures[0].positions.at(0).q, (std::vector<double>{0, 0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(d.postures[1].name, "home");
  EXPECT_EQ(d.postures[1].positions.at(0).q, (std::vector<double>{1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(kept(d, "key 'key1'", "ctrl"), "1");
  EXPECT_TRUE(described(mujoco(R"(<body><freejoint/><geom size=".1"/></body>)")).postures.empty());
}

TEST(Mjcf, InertialInAllForms) {
  const auto d = described(mujoco(
      R"(<body name="a"><joint/><inertial pos="1 2 3" mass="2" diaginertia=".1 .2 .25" zaxis="1 0 0"/></body>
         <body name="b"><joint/><inertial pos="0 0 0" mass="1" fullinertia=".1 .2 .25 .01 .02 .03"/></body>
         <body name="c"><joint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .2 .25" axisangle="0 0 1 90"/><geom size="1"/></body>)"));
  EXPECT_EQ(link_named(d, "a").mass, 2);
  expect_near(link_named(d, "a").com, {1, 2, 3});
  expect_diagonal(link_named(d, "a"), .25, .2, .1);  // a rotation about y by 90 degrees
  EXPECT_EQ(link_named(d, "b").inertia.xz, .02);
  EXPECT_EQ(link_named(d, "b").inertia.yz, .03);
  expect_diagonal(link_named(d, "c"), .2, .1, .25);
}

TEST(Mjcf, MassesOfGeoms) {
  const struct {
    const char* geom;
    double mass, x, y, z;
  } cases[] = {
      {R"(type="sphere" size=".3")", 113.09733552923255, 4.071504079052372, 4.071504079052372, 4.071504079052372},
      {R"(type="capsule" size=".2 .4")", 134.04128655316455, 14.275397017912027, 14.275397017912027, 2.546784444510126},
      {R"(type="cylinder" size=".2 .4")", 100.5309649148734, 6.366961111275316, 6.366961111275316, 2.010619298297468},
      {R"(type="box" size=".1 .2 .3")", 48, 2.08, 1.6, .8},
      {R"(type="ellipsoid" size=".1 .2 .3")", 25.132741228718345, 0.653451271946677, 0.5026548245743669,
       0.25132741228718347},
      {R"(type="sphere" size=".3" shellinertia="true")", 1130.9733552923256, 67.85840131753953, 67.85840131753953,
       67.85840131753953},
      {R"(type="capsule" size=".2 .4" shellinertia="true")", 1507.9644737231008, 207.76399415740502, 207.76399415740502,
       53.61651462126581},
      {R"(type="cylinder" size=".2 .4" shellinertia="true")", 1256.6370614359173, 116.44836769306168,
       116.44836769306168, 45.23893421169302},
      {R"(type="box" size=".1 .2 .3" shellinertia="true")", 880, 54.13333333333334, 42.13333333333334,
       24.266666666666673},
      {R"(type="ellipsoid" size=".1 .2 .3" shellinertia="true")", 489.7193333371731, 18.075174882542342,
       14.068366576335393, 8.102680936804973},
      {R"(type="box" size=".1" fromto="0 0 0 0 0 2" mass="3")", 3, 1.01, 1.01, .02},
  };
  for (const auto& c : cases) {
    const auto d = described(mujoco("<body name=\"a\"><joint/><geom " + std::string(c.geom) + "/></body>"));
    EXPECT_NEAR(link_named(d, "a").mass, c.mass, 1e-9 * c.mass) << c.geom;
    expect_diagonal(link_named(d, "a"), c.x, c.y, c.z);
  }
}

// A prism over an L, which is not convex.
TEST(Mjcf, MassesOfMeshes) {
  const std::string vertices = "0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0 0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 1";
  const std::string faces =
      "0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 "
      "11 10 "
      "5 0 6 5 6 11";
  const struct {
    const char* inertia;
    double mass;
    Vec3<double> com;
  } cases[] = {{"", 3000, {.83333333333333, .83333333333333, .5}},
               {"inertia=\"exact\"", 3000, {.83333333333333, .83333333333333, .5}},
               {"inertia=\"convex\"", 3500, {.904761904761905, .904761904761905, .5}},
               {"inertia=\"shell\"", 14000, {.857142857142857, .857142857142857, .5}}};
  for (const auto& c : cases) {
    const auto d = described(mujoco(
        "<body name=\"a\"><joint/><geom type=\"mesh\" mesh=\"l\"/></body>",
        "<asset><mesh name=\"l\" vertex=\"" + vertices + "\" face=\"" + faces + "\" " + c.inertia + "/></asset>"));
    EXPECT_NEAR(link_named(d, "a").mass, c.mass, 1e-9 * c.mass) << c.inertia;
    expect_near(link_named(d, "a").com, c.com);
  }
  const auto moved = described(mujoco(
      "<body name=\"a\"><joint/><geom type=\"mesh\" mesh=\"t\"/></body>",
      R"(<asset><mesh name="t" vertex="0 0 0 1 0 0 0 2 0 0 0 3" refquat="1 0 0 1" refpos="1 0 0" scale="2 1 1"/></asset>)"));
  expect_near(link_named(moved, "a").com, {1, .75, .75});
  EXPECT_NEAR(link_named(moved, "a").mass, 2000, 1e-9);
}

TEST(Mjcf, PrimitivesAreFittedToMeshes) {
  const std::string asset =
      R"(<asset><mesh name="m" inertia="convex" scale="1 2 3" vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1"/></asset>)";
  const auto fitted = [&](const std::string& geom, const std::string& compiler) {
    const auto d = described(mujoco("<body name=\"a\"><joint/><geom " + geom + " mesh=\"m\"/></body>",
                                    "<compiler " + compiler + "/>" + asset));
    return std::pair{link_named(d, "a").collisions.at(0).shape, link_named(d, "a").mass};
  };
  // (MuJoCo's bounding boxes are exact to single precision only.)
  {
    const auto [shape, mass] = fitted("type=\"capsule\"", "");
    EXPECT_NEAR(shape.radius, 0.6202861688781609, 1e-6);
    EXPECT_NEAR(shape.length, 2 * 0.9750966355156054, 1e-6);
    EXPECT_NEAR(mass, 3356.971955505207, 1e-2);
  }
  {
    const auto [shape, mass] = fitted("type=\"capsule\"", "fitaabb=\"true\"");
    EXPECT_NEAR(shape.radius, 1.2667515206401305, 1e-6);
    EXPECT_NEAR(shape.length, 2 * 0.423676780299876, 1e-6);
    EXPECT_NEAR(mass, 12786.240864747506, 1e-2);
  }
  {
    const auto [shape, mass] = fitted("type=\"sphere\"", "fitaabb=\"true\"");
    EXPECT_NEAR(shape.radius, 1.6904283009400065, 1e-6);
    EXPECT_NEAR(mass, 20233.86622382242, 1e-2);
  }
  {
    const auto [shape, mass] = fitted("type=\"box\"", "");
    EXPECT_NEAR(shape.size.x, 2 * 0.4117408105253055, 1e-6);
    EXPECT_NEAR(shape.size.z, 2 * 1.2852397199546859, 1e-6);
    EXPECT_NEAR(mass, 3508.8459641312334, 1e-2);
  }
  {
    const auto [shape, mass] = fitted("type=\"cylinder\"", "fitaabb=\"true\"");
    EXPECT_NEAR(shape.radius, 1.2667515206401305, 1e-6);
    EXPECT_NEAR(shape.length, 2 * 1.6904283009400065, 1e-6);
    EXPECT_NEAR(mass, 17043.527746380663, 1e-2);
  }
}

TEST(Mjcf, TheCompilerChangesMasses) {
  const std::string body =
      R"(<body name="a"><joint/><inertial pos="1 0 0" mass="1" diaginertia="1 1 3"/><geom size=".1" group="3"/></body>
    <body name="b"><joint/><geom size=".1" mass="1"/></body>)";
  const auto balanced = described(mujoco(body, R"(<compiler balanceinertia="true" boundmass="2" boundinertia=".5"/>)"));
  expect_diagonal(link_named(balanced, "a"), 5. / 3, 5. / 3, 5. / 3);
  EXPECT_EQ(link_named(balanced, "a").mass, 2);
  expect_diagonal(link_named(balanced, "b"), .5, .5, .5);
  const auto inferred = described(mujoco(body, R"(<compiler inertiafromgeom="true"/>)"));
  EXPECT_NEAR(link_named(inferred, "a").mass, 1000 * 4. / 3 * pi * 1e-3, 1e-9);
  expect_near(link_named(inferred, "a").com, {0, 0, 0});
  const auto groups =
      described(mujoco(R"(<body name="a"><joint/><geom size=".1" group="3"/><geom size=".1" mass="2"/></body>)",
                       R"(<compiler inertiagrouprange="0 2"/>)"));
  EXPECT_EQ(link_named(groups, "a").mass, 2);
  const auto total = described(mujoco(body, R"(<compiler settotalmass="10" balanceinertia="true"/>)"));
  EXPECT_NEAR(link_named(total, "a").mass, 5, 1e-12);
}

TEST(Mjcf, DefaultsAndClasses) {
  const auto d = described(mujoco(
      R"(<body name="a" childclass="c"><joint name="j"/><geom/><body name="b"><joint name="k" class="main"/><geom class="d"/></body></body>
         <body name="e"><joint name="l" class="d" damping="7"/><geom size=".3"/></body>)",
      R"(<default><joint damping="1"/><geom size=".1" mass="1"/>
         <default class="c"><joint damping="2" armature=".5"/><default class="d"><joint armature=".25"/><geom mass="3"/></default></default>
         </default>)"));
  EXPECT_EQ(joint_named(d, "j").damping[0], 2);
  EXPECT_EQ(joint_named(d, "j").armature, .5);
  EXPECT_EQ(joint_named(d, "k").damping[0], 1);
  EXPECT_EQ(joint_named(d, "k").armature, 0);
  EXPECT_EQ(joint_named(d, "l").damping[0], 7);
  EXPECT_EQ(joint_named(d, "l").armature, .25);
  EXPECT_EQ(link_named(d, "a").mass, 1);
  EXPECT_EQ(link_named(d, "b").mass, 3);
}

TEST(Mjcf, OrientationsInAllForms) {
  const struct {
    const char* compiler;
    const char* attribute;
    Vec3<double> x, z;
  } cases[] = {{"", "euler=\"90 0 90\"", {0, 0, 1}, {0, -1, 0}},
               {"eulerseq=\"XYZ\"", "euler=\"90 0 90\"", {0, 1, 0}, {1, 0, 0}},
               {"eulerseq=\"zyx\"", "euler=\"90 0 90\"", {0, 1, 0}, {1, 0, 0}},
               {"angle=\"radian\"", "axisangle=\"0 0 2 1.5707963267948966\"", {0, 1, 0}, {0, 0, 1}},
               {"", "xyaxes=\"0 1 0 1 5 0\"", {0, 1, 0}, {0, 0, -1}},
               {"", "zaxis=\"0 0 -2\"", {1, 0, 0}, {0, 0, -1}},
               {"", "zaxis=\"1 0 0\"", {0, 0, -1}, {1, 0, 0}},
               {"", "quat=\"1 0 0 1\"", {0, 1, 0}, {0, 0, 1}}};
  for (const auto& c : cases) {
    const auto d = described(
        mujoco("<body name=\"a\" " + std::string(c.attribute) + "><joint name=\"j\"/><geom size=\".1\"/></body>",
               "<compiler " + std::string(c.compiler) + "/>"));
    const auto& R = joint_named(d, "j").origin.R;
    expect_near(column_x(R), c.x);
    expect_near(column_z(R), c.z);
  }
}

TEST(Mjcf, Limits) {
  const auto d = described(mujoco(
      R"(<body name="a"><joint name="h" range="-90 45" actuatorfrcrange="-5 5"/><joint name="u" range="-90 45" limited="false"/>
         <joint name="s" type="slide" range="-1 2"/><geom size=".1"/></body>
         <body name="b"><joint name="t" type="ball" range="0 60"/><geom size=".1"/></body>)"));
  EXPECT_EQ(joint_named(d, "h").type, JointType::revolute);
  EXPECT_NEAR(joint_named(d, "h").lower.at(0), -pi / 2, 1e-12);
  EXPECT_EQ(joint_named(d, "h").effort_limit[0], 5);
  EXPECT_EQ(joint_named(d, "u").type, JointType::continuous);
  EXPECT_EQ(joint_named(d, "s").upper.at(0), 2);
  EXPECT_EQ(kept(d, "joint 't'", "range"), "0 1.0471975511965976");  // in radians, whatever the file's angles are in
}

TEST(Mjcf, PassiveForcesAndWhatIsKept) {
  const auto d = described(mujoco(
      R"(<body name="a"><joint name="j" stiffness="3" springref="90" damping=".1" frictionloss=".2" armature=".3" solreflimit="1 2"/>
         <geom name="g" size=".1" solref=".1 1" condim="4" friction=".7 .1"/></body>)",
      R"(<option gravity="0 0 -1" timestep=".01" cone="elliptic"><flag contact="disable"/></option>)"));
  const auto& j = joint_named(d, "j");
  EXPECT_EQ(j.spring_stiffness[0], 3);
  EXPECT_NEAR(j.spring_rest[0], pi / 2, 1e-12);
  EXPECT_EQ(j.damping[0], .1);
  EXPECT_EQ(j.dry_friction[0], .2);
  EXPECT_EQ(j.armature, .3);
  EXPECT_EQ(kept(d, "joint 'j'", "solreflimit"), "1 2");
  EXPECT_EQ(kept(d, "geom 'g'", "condim"), "4");
  EXPECT_EQ(kept(d, "option", "cone"), "elliptic");
  EXPECT_EQ(kept(d, "option/flag", "contact"), "disable");
  EXPECT_EQ(d.gravity.z, -1);
  EXPECT_EQ(d.time_step, .01);
  const auto& collision = link_named(d, "a").collisions.at(0);
  ASSERT_EQ(d.contact_materials.size(), 1u);
  EXPECT_EQ(collision.contact_material, d.contact_materials[0].name);
  EXPECT_EQ(d.contact_materials[0].friction, .7);
}

TEST(Mjcf, VisualsAndCollisions) {
  const auto d = described(mujoco(
      R"(<body name="a"><joint/><geom name="seen" size=".1" contype="0" conaffinity="0" material="red"/><geom name="both" size=".1" rgba="0 1 0 1"/>
         <geom name="felt" size=".1" group="3"/><geom type="capsule" size=".1" fromto="0 0 0 0 0 -4"/></body>)",
      R"(<asset><texture name="t" builtin="flat" rgb1="1 0 0"/><material name="red" texture="t"/></asset>)"));
  const auto& a = link_named(d, "a");
  ASSERT_EQ(a.visuals.size(), 3u);
  ASSERT_EQ(a.collisions.size(), 3u);
  EXPECT_EQ(a.visuals[0].name, "seen");
  EXPECT_EQ(a.visuals[0].material->color.g, 0);
  EXPECT_EQ(a.visuals[1].material->color.g, 1);
  EXPECT_EQ(a.collisions[1].name, "felt");
  EXPECT_EQ(a.visuals[2].shape.length, 4);
  expect_near(a.visuals[2].origin.p, {0, 0, -2});
}

TEST(Mjcf, SitesAreFrames) {
  const auto d = described(mujoco(
      R"(<body name="a" pos="1 0 0"><joint/><geom size=".1"/><frame pos="0 1 0"><site name="tip" pos="0 0 1"/></frame><site name="a"/></body>)"));
  ASSERT_EQ(d.frames.size(), 2u);
  EXPECT_EQ(d.frames[0].name, "tip");
  EXPECT_EQ(d.frames[0].link, "a");
  expect_near(d.frames[0].origin.p, {0, 1, 1});
  EXPECT_EQ(d.frames[1].name, "a/site");
}

}  // namespace
}  // namespace lissom::io::mjcf_bodies
