// Scene files: what they say is what the scene has; what is wrong in them is said with its place.
#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/kinematics.h"
#include "scene_files.h"

namespace lissom::scenes::test {
namespace {

using lissom::test::larger;

TEST(SceneFile, HasWhatItSays) {
  const auto scene = scene_of(R"({
    // Comments are allowed.
    "name": "all", "description": "everything", "gravity": [0, 0, -1.6], "step": 0.002, "seconds": 3,
    "stepping": "semi_implicit_euler",
    "ground": {"name": "floor", "material": "stone"},
    "contact": {"friction": 0.3, "restitution": 0.1, "law": "impulse"},
    "fixed": [{"name": "shelf", "shape": {"kind": "box", "size": [1, 2, 0.1]}, "pose": [0, 0, 1, 0, 0, 1.5707963267948966],
               "rounding": 0.02}],
    "bodies": [{"name": "can", "shape": {"kind": "cylinder", "radius": 0.1, "length": 0.3}, "mass": 2, "pose": [1, 2, 3],
                "velocity": [1, 0, 0], "angular_velocity": [0, 2, 0], "rounding": 0.01, "color": [1, 0, 0], "force": [0, 0, 5],
                "material": "tin"}],
    "pairs": [{"between": ["can", "floor"], "friction": 0.9, "impact_friction": 0.2}, {"between": ["tin", "stone"], "friction": 0.1},
              {"between": ["can", "*"], "friction": 0.6}],
    "exclusions": [["can", "shelf"]]})");
  EXPECT_EQ(scene.name, "all");
  EXPECT_EQ(scene.options.gravity.z, -1.6);
  EXPECT_EQ(scene.step, .002);
  EXPECT_EQ(scene.seconds, 3);
  EXPECT_EQ(scene.options.stepping, World::Options::Stepping::semi_implicit_euler);
  EXPECT_EQ(scene.ground, "floor");
  EXPECT_EQ(scene.options.default_properties.friction, .3);
  EXPECT_EQ(scene.options.default_properties.law, ContactProperties::Law::impulse);
  ASSERT_EQ(scene.fixed.size(), 1u);
  EXPECT_NEAR(scene.fixed[0].pose.R.yx, 1, 1e-15);
  EXPECT_EQ(scene.fixed[0].rounding, .02);
  ASSERT_EQ(scene.bodies.size(), 1u);
  const auto& can = scene.bodies[0];
  EXPECT_EQ(can.body.shapes[0].shape.kind, Shape::Kind::cylinder);
  EXPECT_EQ(can.body.velocity.x, 1);
  EXPECT_EQ(can.body.angular_velocity.y, 2);
  EXPECT_EQ(can.body.rounding, .01);
  EXPECT_EQ(can.body.pose.p.z, 3);
  EXPECT_EQ(can.force.z, 5);
  EXPECT_NEAR(can.body.inertia.zz, .5 * 2 * .1 * .1, 1e-15);
  EXPECT_EQ(can.color->r, 1);
  // Pairs of materials come first, so that those of parts count more; what a pair does not say is as by default.
  ASSERT_EQ(scene.pairs.size(), 3u);
  EXPECT_EQ(scene.pairs[0].properties.friction, .1);
  EXPECT_EQ(scene.pairs[0].properties.restitution, .1);
  EXPECT_EQ(scene.pairs[1].properties.friction, .9);
  EXPECT_EQ(scene.pairs[1].properties.impact_friction, .2);
  EXPECT_EQ(scene.pairs[2].b, "");
  ASSERT_EQ(scene.exclusions.size(), 1u);
  auto world = make_world(scene);
  EXPECT_EQ(world.names(), (std::vector<std::string>{"floor", "shelf", "can"}));
  EXPECT_EQ(world.tau("can")[2], 5);
}

TEST(SceneFile, GridsAreSeeded) {
  const auto text = [](const std::string& seed) {
    return ball_with(
        R"("pose": [1, 0, 0], "grid": {"count": [2, 3, 4], "spacing": [1, 2, 3], "noise": 0.01, "seed": )" + seed +
        "}");
  };
  const auto one = scene_of(text("1")), same = scene_of(text("1")), other = scene_of(text("2"));
  ASSERT_EQ(one.bodies.size(), 24u);
  EXPECT_EQ(one.bodies[23].body.name, "ball23");
  double largest = 0;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto p = one.bodies[i].body.pose.p, q = same.bodies[i].body.pose.p, r = other.bodies[i].body.pose.p;
    EXPECT_TRUE(p.x == q.x && p.y == q.y && p.z == q.z);
    EXPECT_NE(p.x, r.x);
    const auto k = int(i);
    const double away = std::abs(p.x - 1 - k % 2) + std::abs(p.y - 2. * (k / 2 % 3)) + std::abs(p.z - 3. * (k / 6));
    EXPECT_LE(away, 3 * .01);
    largest = larger(largest, away);
  }
  EXPECT_GT(largest, .005);
}

// A grid stands for all of its bodies, in pairs and exclusions.
TEST(SceneFile, AGridIsAGroup) {
  const auto scene = scene_of(
      R"({"ground": true, "bodies": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 2,
          "grid": {"count": [3, 1, 1], "spacing": [1, 0, 0]}}], "pairs": [{"between": ["ball", "ground"], "friction": 0.2}],
          "exclusions": [["ball", "ball"]]})");
  EXPECT_EQ(scene.pairs.size(), 3u);
  EXPECT_EQ(scene.exclusions.size(), 9u);
}

// Two boxes side by side are one box.
TEST(SceneFile, SeveralShapesHaveOneDensity) {
  const auto scene = scene_of(R"({"bodies": [
    {"name": "two", "mass": 3, "shapes": [{"shape": {"kind": "box", "size": [0.2, 0.3, 0.4]}, "pose": [0.1, 0, 0]},
                                          {"shape": {"kind": "box", "size": [0.3, 0.4, 0.4]}, "pose": [0.35, 0.05, 0, 0, 0, 1.5707963267948966]}]},
    {"name": "one", "mass": 3, "shape": {"kind": "box", "size": [0.6, 0.3, 0.4]}}]})");
  const auto scene2 = scene_of(R"({"bodies": [
    {"name": "two", "mass": 3, "shapes": [{"shape": {"kind": "box", "size": [0.2, 0.3, 0.4]}, "pose": [0.1, 0, 0]},
                                          {"shape": {"kind": "box", "size": [0.3, 0.4, 0.4]}, "pose": [0.4, 0, 0, 0, 0, 1.5707963267948966]}]}]})");
  const auto &two = scene2.bodies[0].body, &one = scene.bodies[1].body;
  EXPECT_NEAR(two.com.x, .3, 1e-12);
  EXPECT_NEAR(two.inertia.xx, one.inertia.xx, 1e-12);
  EXPECT_NEAR(two.inertia.yy, one.inertia.yy, 1e-12);
  EXPECT_NEAR(two.inertia.zz, one.inertia.zz, 1e-12);
  EXPECT_NEAR(two.inertia.xy, 0, 1e-12);
  EXPECT_GT(std::abs(scene.bodies[0].body.inertia.xy), 1e-4);
}

TEST(SceneFile, PlacesRobots) {
  const auto arm =
      scene_of(arm_with(R"("pose": [1, 2, 3], "posture": {"joint2": 0.5, "finger": 0.01}, "velocity": {"joint1": 2})"));
  const auto& model = arm.robots[0].model;
  Workspace work(model);
  forward_kinematics(model, work, arm.robots[0].q);
  EXPECT_EQ(placement(model, work, model.frame("base")).p.z, 3);
  EXPECT_EQ(arm.robots[0].q[model.joint("joint2").q_index], .5);
  EXPECT_EQ(arm.robots[0].v[model.joint("joint1").v_index], 2);
  EXPECT_FALSE(arm.robots[0].raised);

  const auto humanoid = [](const std::string& keys) {
    return scene_of(R"({"ground": true, "robots": [{"name": "h", "file": ")" + models +
                    R"(/humanoid.urdf", "base": "free")" + keys + "}]}")
        .robots[0];
  };
  const auto standing = humanoid("");
  ASSERT_TRUE(standing.raised);
  EXPECT_NEAR(standing.q[2], .765, 1e-12);
  const auto placed = humanoid(R"(, "pose": [0, 0, 2])");
  EXPECT_FALSE(placed.raised);
  EXPECT_EQ(placed.q[2], 2);
  const auto crouching = humanoid(R"(, "posture": ")" + models + R"(/postures/humanoid.json#stand")");
  EXPECT_FALSE(crouching.raised);
}

// The lowest point is that of a mesh: half a cube below the wheel.
TEST(SceneFile, PutsRobotsOfMeshesOnTheGround) {
  const SceneFile file(R"({"ground": true, "robots": [{"name": "r", "file": "r.urdf", "base": "free"}]})");
  const auto beside = [&](const char* name) { return std::filesystem::path(file.path()).parent_path() / name; };
  std::ofstream(beside("cube.obj")) << "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\n"
                                       "v -1 1 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const auto robot = [&](const std::string& wheel) {
    std::ofstream(beside("r.urdf")) << R"(<robot name="r"><link name="a"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)" +
                                           wheel + R"(<collision><geometry><mesh filename="cube.obj" scale=".5 .5 .5"/>
      </geometry></collision></link></robot>)";
    return read_scene(file.path()).robots[0];
  };
  EXPECT_NEAR(robot("").q[2], .5, 1e-9);
  EXPECT_NEAR(robot(R"(<collision><geometry><sphere radius=".3"/></geometry></collision>)").q[2], .5, 1e-9);
  std::filesystem::remove(beside("cube.obj"));
  EXPECT_THROW(robot(""), Error);
}

TEST(SceneFile, ServosFollowTheirKeyframes) {
  const auto scene =
      scene_of(arm_with(R"("settings": {"joint_limits": false}, "servos": {"stiffness": {"joint1": 50}, "damping": 3,
    "torques": {"finger": -8}, "keyframes": [{"time": 1, "posture": {"joint1": 0.4}}, {"time": 3, "posture": {"joint2": 0.2}, "torques": {"finger": -20}}]})"));
  const auto& robot = scene.robots[0];
  EXPECT_FALSE(robot.settings.joint_limits);
  EXPECT_TRUE(robot.settings.dry_friction);
  const auto& m = robot.model;
  const int one = m.joint("joint1").v_index, two = m.joint("joint2").v_index, finger = m.joint("finger").v_index;
  Servos servos;
  Eigen::VectorXd tau;
  robot.servos.at(m, .5, servos, tau);
  EXPECT_EQ(servos.stiffness[one], 50);
  EXPECT_EQ(servos.stiffness[two], 0);
  EXPECT_EQ(servos.damping[two], 3);
  EXPECT_NEAR(servos.q_target[one], .2, 1e-12);
  EXPECT_NEAR(servos.v_target[one], .4 * 30. / 16, 1e-12);
  EXPECT_EQ(tau[finger], -8);
  robot.servos.at(m, 2, servos, tau);
  EXPECT_NEAR(servos.q_target[one], .4, 1e-12);
  EXPECT_NEAR(servos.q_target[two], .1, 1e-12);
  EXPECT_NEAR(tau[finger], -14, 1e-12);
  robot.servos.at(m, 9, servos, tau);
  EXPECT_NEAR(servos.q_target[two], .2, 1e-12);
  EXPECT_EQ(servos.v_target.norm(), 0);
  EXPECT_EQ(tau[finger], -20);
}

struct Malformed {
  std::string text, at, what;
};

void expect_refused(const std::vector<Malformed>& all) {
  for (const auto& [text, at, what] : all) {
    auto message = refusal(text);
    // The line is that of a value; what is wrong with the whole has none.
    if (const auto end = message.find_first_not_of("0123456789", 1); !at.empty() && end > 1) message.erase(0, end);
    EXPECT_TRUE(message.starts_with(at.empty() ? ": " : ": " + at + ": ")) << text << "\n" << message;
    EXPECT_NE(message.find(what), std::string::npos) << text << "\n" << message;
  }
}

TEST(SceneFile, RefusesMalformedScenes) {
  const std::string sphere = R"("shape": {"kind": "sphere", "radius": 0.1})";
  expect_refused({
      {"", "", "invalid JSON"},
      {"[]", "", "expected an object"},
      {"{}", "", "nothing in the scene moves"},
      {R"({"bodies": []})", "", "nothing in the scene moves"},
      {with_ball(R"("stpe": 1)"), "", "unknown key \"stpe\""},
      {with_ball(R"("step": 0)"), "/step", "found 0 s, expected a positive number"},
      {with_ball(R"("step": "fast")"), "/step", "expected a number"},
      {with_ball(R"("step": NaN)"), "", "invalid JSON"},
      {with_ball(R"("step": 1e999)"), "", "invalid JSON"},
      {with_ball(R"("seconds": -1)"), "/seconds", "expected 0 or more"},
      {with_ball(R"("gravity": [0, 0])"), "/gravity", "found 2 numbers, expected 3"},
      {with_ball(R"("ground": 3)"), "/ground", "expected true, false or an object"},
      {with_ball(R"("ground": {"name": "ball"})"), "/bodies/0", "the name 'ball' is already that of /ground"},
      {with_ball(R"("contact": {"friction": -1})"), "/contact/friction", "expected 0 or more"},
      {with_ball(R"("contact": {"restitution": 2})"), "/contact/restitution", "expected 0 (plastic) to 1 (elastic)"},
      {with_ball(R"("contact": {"law": "hertz"})"), "/contact/law", "expected newton or impulse"},
      {with_ball(R"("contact": {"mu": 1})"), "/contact", "unknown key \"mu\""},
      {with_ball(R"("name": 3)"), "/name", "expected a string"},
      {R"({"bodies": {"name": "a"}})", "/bodies", "expected a list"},
      {R"({"bodies": [3]})", "/bodies/0", "expected an object"},
      {R"({"bodies": [)" + ball + "," + ball + "]}", "/bodies/1", "the name 'ball' is already that of /bodies/0"},
      {R"({"bodies": [{"mass": 1, )" + sphere + "}]}", "/bodies/0", "\"name\" is missing"},
      {R"({"bodies": [{"name": "a/b", "mass": 1, )" + sphere + "}]}", "/bodies/0/name", "expected a name without '/'"},
      {R"({"bodies": [{"name": "", "mass": 1, )" + sphere + "}]}", "/bodies/0/name", "expected a name"},
      {R"({"bodies": [{"name": "a", )" + sphere + "}]}", "/bodies/0", "\"mass\" is missing"},
      {R"({"bodies": [{"name": "a", "mass": 0, )" + sphere + "}]}", "/bodies/0/mass", "expected a positive number"},
      {R"({"bodies": [{"name": "a", "mass": 1e-300, )" + sphere + "}]}", "/bodies/0/mass",
       "expected 1e-12 to 1e+15 kg"},
      {R"({"bodies": [{"name": "a", "mass": 1e16, )" + sphere + "}]}", "/bodies/0/mass", "expected 1e-12 to 1e+15 kg"},
      {R"({"bodies": [{"name": "a", "mass": 1}]})", "/bodies/0", "expected \"shape\", or \"shapes\""},
      {R"({"bodies": [{"name": "a", "mass": 1, "shapes": []}]})", "/bodies/0/shapes", "at least one shape"},
      {R"({"bodies": [{"name": "a", "mass": 1, "shape": {"kind": "cone"}}]})", "/bodies/0/shape/kind",
       "expected box, sphere"},
      {R"({"bodies": [{"name": "a", "mass": 1, "shape": {"kind": "plane"}}]})", "/bodies/0/shape/kind",
       "expected box, sphere"},
      {R"({"bodies": [{"name": "a", "mass": 1, "shape": "ball"}]})", "/bodies/0/shape", "expected an object such as"},
      {R"({"bodies": [{"name": "a", "mass": 1, "shape": {"kind": "sphere", "radius": -1}}]})", "/bodies/0/shape/radius",
       "found -1 m"},
      {R"({"bodies": [{"name": "a", "mass": 1, "shape": {"kind": "box", "size": [1, 0, 1]}}]})", "/bodies/0/shape/size",
       "positive lengths"},
      {R"({"bodies": [{"name": "a", "mass": 1, "shape": {"kind": "box", "radius": 1}}]})", "/bodies/0/shape",
       "unknown key \"radius\""},
  });
}

TEST(SceneFile, RefusesMalformedBodies) {
  expect_refused({
      {ball_with(R"("pose": [1, 2])"), "/bodies/0/pose", "expected x y z, or x y z roll pitch yaw"},
      {ball_with(R"("velocity": 3)"), "/bodies/0/velocity", "expected numbers"},
      {ball_with(R"("color": [0, 0, 2])"), "/bodies/0/color", "from 0 to 1"},
      {ball_with(R"("com": [0, 0, 0])"), "/bodies/0/com", "needs \"inertia\""},
      {ball_with(R"("inertia": [1, 1])"), "/bodies/0/inertia", "expected xx yy zz"},
      {ball_with(R"("inertia": [1, 1, -1])"), "/bodies/0/inertia", "positive definite"},
      {ball_with(R"("inertia": [1, 2, 0, 1, 0, 1])"), "/bodies/0/inertia", "positive definite"},
      {ball_with(R"("rounding": -1)"), "/bodies/0/rounding", "expected 0 or more"},
      {ball_with(R"("material": 1)"), "/bodies/0/material", "expected a string"},
      {ball_with(R"("material": "ball")"), "/bodies/0", "is already that of /bodies/0"},
      {ball_with(R"("grid": {"count": [2, 2], "spacing": [1, 1, 1]})"), "/bodies/0/grid/count", "expected 3"},
      {ball_with(R"("grid": {"count": [2, 2, 0], "spacing": [1, 1, 1]})"), "/bodies/0/grid/count",
       "whole numbers from 1 on"},
      {ball_with(R"("grid": {"count": [2, 2, 1.5], "spacing": [1, 1, 1]})"), "/bodies/0/grid/count",
       "whole numbers from 1 on"},
      {ball_with(R"("grid": {"count": [1601, 1, 1], "spacing": [1, 1, 1]})"), "/bodies/0/grid/count", "at most 1600"},
      {ball_with(R"("grid": {"count": [1, 1, 1]})"), "/bodies/0/grid", "\"spacing\" is missing"},
      {ball_with(R"("grid": {"count": [1, 1, 1], "spacing": [1, 1, 1], "seed": -1})"), "/bodies/0/grid/seed",
       "whole number"},
      {with_ball(R"("fixed": [{"name": "a"}])"), "/fixed/0", "\"shape\" is missing"},
      {with_ball(R"("pairs": [{"friction": 1}])"), "/pairs/0", "\"between\" is missing"},
      {with_ball(R"("pairs": [{"between": ["ball"]}])"), "/pairs/0/between", "expected two names"},
      {with_ball(R"("pairs": [{"between": ["ball", "bal"]}])"), "/pairs/0/between", "did you mean 'ball'?"},
      {with_ball(R"("pairs": [{"between": ["*", "*"]}])"), "/pairs/0/between", "\"contact\""},
      {with_ball(R"("pairs": [{"between": ["ball", "*"]}, {"between": ["*", "ball"]}])"), "/pairs/1/between",
       "was given before"},
      {with_ball(R"("exclusions": [["ball", 3]])"), "/exclusions/0/1", "expected a string"},
      {with_ball(R"("exclusions": [["ball", "arm/hand"]])"), "/exclusions/0", "no robot is called 'arm'"},
  });
  EXPECT_EQ(refusal(ball_with(R"("grid": {"count": [1600, 1, 1], "spacing": [1, 1, 1]})")), "");
  // One part more than the limit.
  expect_refused(
      {{R"({"ground": true, "bodies": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 2,
                       "grid": {"count": [1600, 1, 1], "spacing": [1, 1, 1]}}]})",
        "/bodies/0", "more than 1600"}});
}

TEST(SceneFile, RefusesMalformedRobots) {
  expect_refused({
      {R"({"robots": [{"name": "a"}]})", "/robots/0", "\"file\" is missing"},
      {R"({"robots": [{"name": "a", "file": "nowhere.urdf"}]})", "/robots/0/file", "nowhere.urdf"},
      {arm_with(R"("base": "glued")"), "/robots/0/base", "expected file, fixed or free"},
      {arm_with(R"("postur": 1)"), "/robots/0", "unknown key \"postur\""},
      {arm_with(R"("posture": {"joint9": 1})"), "/robots/0/posture/joint9", "joint9"},
      {arm_with(R"("posture": {"joint1": [1, 2]})"), "/robots/0/posture/joint1", "found 2 numbers, expected 1"},
      {arm_with(R"("posture": {"right_finger": 0.01})"), "/robots/0/posture/right_finger", "follows another one"},
      {arm_with(R"("posture": "home")"), "/robots/0/posture", "no posture 'home'"},
      {arm_with(R"("posture": "gone.json")"), "/robots/0/posture", "gone.json"},
      {arm_with(R"("posture": 3)"), "/robots/0/posture", "an object of joints"},
      {arm_with(R"("settings": {"loop": true})"), "/robots/0/settings", "unknown key \"loop\""},
      {arm_with(R"("settings": {"loops": 1})"), "/robots/0/settings/loops", "expected true or false"},
      {arm_with(R"("servos": {"stiffness": -1})"), "/robots/0/servos/stiffness", "expected 0 or more"},
      {arm_with(R"("servos": {"gain": 1})"), "/robots/0/servos", "unknown key \"gain\""},
      {arm_with(R"("servos": {"keyframes": [{"time": 0}]})"), "/robots/0/servos/keyframes/0/time", "positive"},
      {arm_with(R"("servos": {"keyframes": [{"time": 2}, {"time": 1}]})"), "/robots/0/servos/keyframes/1/time",
       "times that increase"},
      {arm_with(R"("servos": {"keyframes": [{"posture": {}}]})"), "/robots/0/servos/keyframes/0",
       "\"time\" is missing"},
      {arm_with(R"("base": "free", "servos": {"stiffness": {"base": 1}})"), "/robots/0/servos/stiffness/base",
       "has no motor"},
      {arm_with(R"("loops": "gone.json")"), "/robots/0/file", "gone.json"},
  });
  EXPECT_NE(refusal(R"({"robots": [{"name": "arm", "file": ")" + models +
                    R"(/arm7.urdf"}], "exclusions": [["arm/link1", "arm/link99"]]})")
                .find("link99"),
            std::string::npos);
}

TEST(SceneFile, AMissingFileIsSaid) {
  try {
    (void)read_scene("/nowhere/scene.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/scene.json: cannot be read"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lissom::scenes::test
