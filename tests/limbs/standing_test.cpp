// Robots that stand, from their files alone.
#include <cmath>
#include <filesystem>

#include "../support/refusal.h"
#include "../support/test_folder.h"
#include "largest.h"
#include "lissom/api/dynamics.h"
#include "lissom/api/kinematics.h"
#include "lissom/geometry/collision_geometry.h"
#include "lissom/io/write/write.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/sim/simulated_robot.h"
#include "robots.h"

namespace lissom::test {
namespace {

const std::string foot_box = box(".24 .12 .03", ".04 0 -.065");

std::string written(const TestFolder& folder, const std::string& text) {
  const auto path = folder.path() + "/robot.urdf";
  std::ofstream(path) << text;
  return path;
}

// Checks with kinematics and inverse dynamics alone that a robot is at rest on its feet, and keeps its limits.
void expect_standing(const StandingRobot& robot) {
  const auto& model = robot.model;
  Workspace work(model);
  forward_kinematics(model, work, robot.q);
  for (const auto* c : robot.contacts.of_role(ContactRole::foot)) {
    const auto X = placement(model, work, model.frame(c->name));
    EXPECT_NEAR(X.p.z, c->radius, 1e-6) << c->name;
    if (c->kind == ContactKind::surface) EXPECT_NEAR(X.R.zz, 1, 1e-9) << c->name;
  }
  // Forces at the points of contact carry the robot: the base has no motor.
  Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  std::vector<ExternalForce> forces;
  double carried = 0;
  for (const auto& c : robot.stance.contacts)
    for (std::size_t i = 0; i < c.points.size(); ++i) {
      EXPECT_NEAR(c.points[i].z, 0, 1e-6);
      forces.push_back({.on = model.frame(c.frame), .force = c.point_forces[i], .at = {world_frame, c.points[i]}});
      carried += c.point_forces[i].z;
    }
  const double weight = lissom::weight(model);
  EXPECT_NEAR(carried, weight, 1e-4 * weight);
  const Eigen::VectorXd tau = inverse_dynamics(model, work, robot.q, zero, zero, forces);
  EXPECT_LT(largest(tau.head(6)), 1e-6 * weight);
  const Eigen::VectorXd off = tau - robot.stance.torques;
  EXPECT_LT(largest(off.tail(model.nv() - 6)), 1e-6 * weight);
  for (int i = 0; i < model.nq(); ++i) {
    EXPECT_GE(robot.q[i], model.lower()[std::size_t(i)] - 1e-9);
    EXPECT_LE(robot.q[i], model.upper()[std::size_t(i)] + 1e-9);
  }
  EXPECT_GT(robot.stance.balance_margin, 0);
}

TEST(Standing, OwnModels) {
  const auto humanoid = load_standing_robot(std::string(LISSOM_MODELS_DIR) + "/humanoid.urdf");
  expect_standing(humanoid);
  EXPECT_EQ(humanoid.contacts.limbs.size(), 4u);
  EXPECT_EQ(humanoid.contacts.limbs[2].role, ContactRole::hand);
  EXPECT_GT(humanoid.q[humanoid.model.joint("left_knee").q_index], .4);
  EXPECT_LT(humanoid.q[humanoid.model.joint("left_knee").q_index], 1.3);
  const auto quadruped = load_standing_robot(std::string(LISSOM_MODELS_DIR) + "/quadruped.urdf");
  expect_standing(quadruped);
  EXPECT_EQ(quadruped.contacts.of_role(ContactRole::foot).size(), 4u);
}

TEST(Standing, RobotsOfTests) {
  const TestFolder folder;
  expect_standing(load_standing_robot(written(folder, Biped{foot_box}.text())));
  expect_standing(load_standing_robot(written(folder, walker({".3", "-.3"}, sphere(".02", "0 0 -.3")))));
  expect_standing(load_standing_robot(written(folder, walker({".3", "0", "-.3"}, sphere(".03", "0 0 -.3")))));
}

// An MJCF file without a free joint mounts the robot on its world, which has a floor.
TEST(Standing, MountedOnTheWorld) {
  std::string legs;
  for (const auto& [name, at] : {std::pair{"fl", ".2 .1"}, {"fr", ".2 -.1"}, {"rl", "-.2 .1"}, {"rr", "-.2 -.1"}})
    legs += std::string("<body name='") + name + "_thigh' pos='" + at + " 0'><joint name='" + name +
            "_hip' axis='0 1 0' range='-60 60'/><geom type='capsule' fromto='0 0 0 0 0 -.2' size='.02'/><body name='" +
            name + "_shank' pos='0 0 -.2'><joint name='" + name +
            "_knee' axis='0 1 0' range='-150 -10'/><geom type='capsule' fromto='0 0 0 0 0 -.2' size='.015'/>"
            "<geom size='.02' pos='0 0 -.2'/></body></body>";
  const TestFolder folder;
  const auto robot = load_standing_robot(
      written(folder,
              "<mujoco><worldbody><geom type='plane' size='0 0 .1'/><body name='trunk' pos='0 0 .4'>"
              "<geom type='box' size='.25 .1 .05'/>" +
                  legs + "</body></worldbody></mujoco>"));
  expect_standing(robot);
  EXPECT_EQ(robot.contacts.of_role(ContactRole::foot).size(), 4u);
  EXPECT_EQ(robot.model.joint("base").child, "trunk");
}

// A ball touches at its surface in stances and in the simulator alike: nothing jumps when the run begins.
TEST(Standing, BallsAreWhereTheSimulatorHasThem) {
  const auto robot = load_standing_robot(std::string(LISSOM_MODELS_DIR) + "/quadruped.urdf");
  auto contacts = control_contacts(robot.contacts);
  for (const bool placed : {false, true}) {
    if (placed) {
      Workspace work(robot.model);
      forward_kinematics(robot.model, work, robot.q);
      for (auto& c : contacts)
        c.placement = Pose<double>{.p = placement(robot.model, work, robot.model.frame(c.frame)).p};
    }
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(robot.model.nv());
    const auto simulated = sim::contact_robot(robot.model, contacts, robot.q, still);
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(simulated->step(robot.stance.torques)) << simulated->failure();
    EXPECT_LT(largest(simulated->q() - robot.q), 2e-4);
    double carried = 0;
    for (const auto& c : simulated->contacts()) carried += c.normal;
    EXPECT_NEAR(carried, lissom::weight(robot.model), .02 * lissom::weight(robot.model));
  }
}

TEST(Standing, TheFileBesideTheRobotCounts) {
  const TestFolder folder;
  const auto path = written(folder, Biped{foot_box}.text());
  auto [model, contacts] = load_robot_with_contacts(path);
  EXPECT_TRUE(contacts.source.empty());
  contacts.limbs[0].points[0].x -= .01;
  contacts.limbs[1].friction = .4;
  contacts.posture["l_knee"] = {1.1};
  const auto file = contacts_file_of(path);
  EXPECT_EQ(file, folder.path() + "/robot.contacts.json");
  write_contacts(io::read(path).description, contacts, file);
  const auto again = load_robot_with_contacts(path);
  EXPECT_EQ(again.contacts.source, file);
  EXPECT_NEAR(again.contacts.limbs[0].points[0].x, contacts.limbs[0].points[0].x, 1e-9);
  EXPECT_EQ(again.contacts.limbs[1].friction, .4);
  EXPECT_EQ(again.contacts.limbs[0].joints, contacts.limbs[0].joints);
  EXPECT_EQ(again.contacts.limbs[0].name, "left_foot");
  EXPECT_NEAR(again.contacts.limbs[0].pose.p.z, contacts.limbs[0].pose.p.z, 1e-9);
  EXPECT_NEAR(again.contacts.posture.at("l_knee")[0], 1.1, 1e-9);
  EXPECT_TRUE(load_robot_with_contacts(path, {.propose = true}).contacts.source.empty());
}

TEST(Standing, WrongFilesAreRefused) {
  const TestFolder folder;
  const auto path = written(folder, Biped{foot_box}.text());
  const auto file = contacts_file_of(path);
  const std::string good =
      R"({"name": "f", "role": "foot", "link": "l_toes", "kind": "point", "position": [0, 0, -0.08])";
  const struct {
    std::string text, says;
  } cases[] = {
      {R"({"contacts": []})", "there is no contact"},
      {R"({"contacts": [)" + good + R"(, "radius": -1}]})", "expected 0 to 10"},
      {R"({"contacts": [)" + good + R"(, "corners": []}]})", "unknown key"},
      {R"({"contacts": [)" + good + R"(}, )" + good + R"(}]})", "is given twice"},
      {R"({"contacts": [)" + good + R"(}], "posture": {"l_kne": 1}})", "no joint 'l_kne'"},
      {R"({"contacts": [{"name": "f", "role": "foot", "link": "l_toe", "kind": "point"}]})", "did you mean 'l_toes'?"},
      {R"({"contacts": [{"name": "f", "role": "leg", "link": "l_toes", "kind": "point"}]})",
       "expected foot, hand or pad"},
      {R"({"contacts": [{"name": "trunk", "role": "foot", "link": "l_toes", "kind": "point"}]})",
       "choose another name"},
      {R"({"contacts": [{"name": "f", "role": "foot", "link": "l_toes", "kind": "surface", "points": [[0, 0]]}]})",
       "expected three or more"},
  };
  for (const auto& c : cases) {
    std::ofstream(file) << c.text;
    const auto said = refusal([&] { load_standing_robot(path); });
    EXPECT_NE(said.find(c.says), std::string::npos) << said;
    EXPECT_NE(said.find("robot.contacts.json"), std::string::npos) << said;
  }
}

TEST(Standing, UselessModelsAreRefused) {
  const TestFolder folder;
  const auto said = [&](const Biped& biped) {
    return refusal([&] { load_standing_robot(written(folder, biped.text())); });
  };
  Biped still{foot_box}, weak{foot_box}, empty{foot_box};
  still.velocity = 0, weak.effort = 0, empty.mass = 0;
  EXPECT_NE(said(still).find("the velocity limit is zero: the joint can never move"), std::string::npos);
  EXPECT_NE(said(weak).find("the effort limit is zero"), std::string::npos);
  EXPECT_NE(said(empty).find("has no mass"), std::string::npos);
}

// The biped as MJCF, with something else in its world.
std::string mjcf_with(const std::string& option, const std::string& bodies) {
  auto text = io::write::write_mjcf(described(Biped{foot_box}.text())).text;
  const auto insert = [&](const std::string& after, const std::string& what) {
    const auto at = text.find(after);
    ASSERT_NE(at, std::string::npos) << text;
    text.insert(at + after.size(), what);
  };
  insert("<worldbody>", bodies);
  insert("</worldbody>", option);
  return text;
}

TEST(Standing, NeedsGravity) {
  const TestFolder folder;
  const auto said = refusal([&] { load_standing_robot(written(folder, mjcf_with("<option gravity='0 0 0'/>", ""))); });
  EXPECT_NE(said.find("cannot stand: gravity is zero in its file"), std::string::npos) << said;
}

// What else is in its file has no part in the robot's balance: a table, a ball, a door with a spring.
TEST(Standing, OtherThingsBesideIt) {
  const TestFolder folder;
  const auto alone = load_standing_robot(written(folder, mjcf_with("", "")));
  const std::string table = "<body name='table' pos='3 0 .5'><geom type='box' size='.5 .5 .5'/></body>";
  const std::string ball =
      "<body name='ball' pos='2 0 .1'><freejoint name='rolls'/><geom name='skin' size='.1'/></body>";
  const std::string door =
      "<body name='door' pos='0 3 1'><joint name='hinge' axis='0 0 1' stiffness='3'/><geom name='panel' type='box' "
      "size='.5 .02 1'/></body>";
  const std::string sections =
      "<actuator><motor joint='hinge'/></actuator><contact><pair geom1='skin' geom2='panel'/></contact>";
  const auto beside = load_standing_robot(written(folder, mjcf_with(sections, table + ball + door)));
  EXPECT_EQ(beside.model.nv(), alone.model.nv());
  expect_standing(beside);
  EXPECT_NEAR(lissom::weight(beside.model), lissom::weight(alone.model), 1e-9);
  EXPECT_NEAR(beside.stance.balance_margin, alone.stance.balance_margin, 1e-6);
}

// Fingers without mass, or with limits of zero, do not keep a robot from standing.
TEST(Standing, UselessFingersAreFixed) {
  const TestFolder folder;
  auto text = Biped{foot_box}.text();
  text.insert(text.find("</robot>"), link("finger", 0) + link("other", .1) +
                                         hinge("f", "trunk", "finger", "0 0 .4", "0 1 0", .2, 1) +
                                         hinge("g", "trunk", "other", "0 0 .5", "0 1 0", -1, 1, 0, 0));
  const auto robot = load_standing_robot(written(folder, text));
  expect_standing(robot);
  EXPECT_EQ(robot.model.joint("f").nv, 0);
  EXPECT_EQ(robot.model.joint("g").nv, 0);
  ASSERT_EQ(robot.contacts.remarks.size(), 1u);
  EXPECT_NE(robot.contacts.remarks[0].find("2 joints are taken as fixed"), std::string::npos);
  // It stays where it would be in the neutral posture: 0.2 rad about y.
  Workspace work(robot.model);
  forward_kinematics(robot.model, work, robot.q);
  const auto in_trunk = inverse(placement(robot.model, work, robot.model.frame("trunk"))) *
                        placement(robot.model, work, robot.model.frame("finger"));
  EXPECT_NEAR(in_trunk.R.xz, std::sin(.2), 1e-12);
}

struct CorpusRobot {
  const char* path;
  std::size_t feet;
  ContactKind kind;
  double radius_or_length;  // of the ball or the sole; 0: not judged, because the file does not have it
  double height;            // of the base, m
};

// Judged by hand: sizes are those of the shapes in the files, heights those of the legs.
TEST(Standing, Corpus) {
  const CorpusRobot robots[] = {
      {"urdf/atlas/atlas_convex_hull.urdf", 2, ContactKind::surface, .2603, .88},
      {"urdf/h1_with_hand/h1_with_hand.urdf", 2, ContactKind::surface, .28, .98},
      {"urdf/romeo/romeo.urdf", 2, ContactKind::surface, .17, .83},
      {"urdf/drchubo/drchubo.urdf", 2, ContactKind::surface, 0, .95},
      {"urdf/simple_humanoid/simple_humanoid.urdf", 2, ContactKind::surface, 0, .71},
      {"urdf/cassie_v2/cassie_v2.urdf", 2, ContactKind::surface, .1744, 1.07},
      {"urdf/anymal_b/anymal.urdf", 4, ContactKind::point, .031, .52},
      {"urdf/hyq/hyq_no_sensors.urdf", 4, ContactKind::point, .02175, .70},
      {"urdf/as2_floating/as2.urdf", 4, ContactKind::point, .028, .36},
      {"mjcf/mj_go1/go1.xml", 4, ContactKind::point, .023, .29},
      {"mjcf/mj_ant/ant.xml", 4, ContactKind::point, .08, .36},
      {"mjcf/mj_humanoid/humanoid.xml", 2, ContactKind::surface, .21, 1.23},
  };
  if (!std::filesystem::exists(corpus_file(robots[0].path))) GTEST_SKIP() << "no " << corpus_file(robots[0].path);
  for (const auto& r : robots) {
    SCOPED_TRACE(r.path);
    const auto robot = load_standing_robot(corpus_file(r.path));
    expect_standing(robot);
    const auto feet = robot.contacts.of_role(ContactRole::foot);
    ASSERT_EQ(feet.size(), r.feet);
    EXPECT_EQ(feet[0]->kind, r.kind);
    const double size = r.kind == ContactKind::point ? feet[0]->radius : extent(*feet[0]).x;
    if (r.radius_or_length > 0) EXPECT_NEAR(size, r.radius_or_length, 1e-3);
    for (const auto& joint : robot.model.joints())
      if (joint.type == JointType::free) EXPECT_NEAR(robot.q[joint.q_index + 2], r.height, .02);
  }
}

TEST(Standing, CorpusWithoutFeet) {
  if (!std::filesystem::exists(corpus_file("urdf/panda/panda.urdf"))) GTEST_SKIP() << "no corpus";
  for (const auto* path : {"urdf/panda/panda.urdf", "urdf/husky/husky.urdf", "urdf/b2w/b2w_description.urdf",
                           "urdf/baxter/baxter.urdf", "urdf/ur5/ur5_robot.urdf", "mjcf/mj_shadow_right/right_hand.xml"})
    EXPECT_THROW(load_standing_robot(corpus_file(path)), NoFeet) << path;
}

}  // namespace
}  // namespace lissom::test
