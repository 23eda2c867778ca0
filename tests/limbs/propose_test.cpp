// Which contacts are found for which feet.
#include "lissom/limbs/propose.h"

#include <cmath>
#include <filesystem>

#include "../support/refusal.h"
#include "../support/test_folder.h"
#include "robots.h"

namespace lissom::test {
namespace {

void expect_refused(const std::function<void()>& f, const std::string& text) {
  const auto said = refusal(f);
  EXPECT_NE(said.find(text), std::string::npos) << said;
}

RobotContacts proposed(const std::string& text) {
  return propose_contacts(described(text));
}

std::vector<std::string> names(const RobotContacts& contacts) {
  std::vector<std::string> all;
  for (const auto& c : contacts.limbs) all.push_back(c.name);
  return all;
}

bool remarks_on(const RobotContacts& contacts, const std::string& text) {
  for (const auto& remark : contacts.remarks)
    if (remark.find(text) != std::string::npos) return true;
  return false;
}

TEST(Propose, TheBottomOfABox) {
  const auto found = proposed(Biped{box(".24 .12 .03", ".04 0 -.065")}.text());
  EXPECT_EQ(names(found), (std::vector<std::string>{"left_foot", "right_foot"}));
  const auto& foot = named(found, "left_foot");
  EXPECT_EQ(foot.link, "l_toes");
  EXPECT_EQ(foot.kind, ContactKind::surface);
  EXPECT_EQ(foot.role, ContactRole::foot);
  EXPECT_EQ(foot.joints, (std::vector<std::string>{"l_hip_yaw", "l_hip_roll", "l_hip_pitch", "l_knee", "l_ankle_pitch",
                                                   "l_ankle_roll"}));
  const auto [x, y, below] = extent(foot);
  EXPECT_NEAR(x, .24, 1e-9);
  EXPECT_NEAR(y, .12, 1e-9);
  EXPECT_NEAR(below, .08, 1e-9);
  EXPECT_NEAR(foot.pose.p.x, .04, 1e-9);
  EXPECT_NEAR(foot.pose.R.zz, 1, 1e-12);
  EXPECT_NEAR(foot.pose.R.xx, 1, 1e-12);
  EXPECT_TRUE(found.remarks.empty()) << found.remarks[0];
}

// Thick shins, whose ends are 18 mm above the soles.
TEST(Propose, AShinThatIsWiderThanTheFoot) {
  const auto found = proposed(Biped{box(".18 .06 .016", ".04 0 -.03"),
                                    link("S_calf", .1, sphere(".07", "0 0 0")) + fixed("S_shank", "S_calf", "0 0 -.35")}
                                  .text());
  EXPECT_EQ(named(found, "left_foot").link, "l_toes");
  EXPECT_EQ(named(found, "right_foot").link, "r_toes");
}

TEST(Propose, FourSmallSpheres) {
  std::string spheres;
  for (const auto* at : {"-.05 -.03 -.05", "-.05 .03 -.05", ".12 -.03 -.05", ".12 .03 -.05"})
    spheres += sphere(".005", at);
  const auto found = proposed(Biped{spheres}.text());
  const auto [x, y, below] = extent(named(found, "right_foot"));
  EXPECT_NEAR(x, .17, 1e-9);
  EXPECT_NEAR(y, .06, 1e-9);
  EXPECT_NEAR(below, .055, 1e-9);
}

TEST(Propose, ASoleFrameAboveTheSoleIsNoticed) {
  Biped biped{box(".24 .12 .03", ".04 0 -.065"), link("S_sole", 0) + fixed("S_toes", "S_sole", "0 0 -.05")};
  const auto found = proposed(biped.text());
  EXPECT_NEAR(extent(named(found, "left_foot")).below, .08, 1e-9);
  EXPECT_TRUE(remarks_on(found, "frame 'l_sole' lies 30 mm above the sole"));
  biped.foot_links = link("S_sole", 0) + fixed("S_toes", "S_sole", "0 0 -.08");
  EXPECT_TRUE(proposed(biped.text()).remarks.empty());
}

TEST(Propose, TwoPointsAreALine) {
  const auto found = proposed(Biped{sphere("0", ".1 0 -.06") + sphere("0", "-.06 0 -.06")}.text());
  const auto [x, y, below] = extent(named(found, "left_foot"));
  EXPECT_NEAR(x, .16, 1e-9);
  EXPECT_NEAR(y, .02, 1e-9);
  EXPECT_NEAR(below, .06, 1e-9);
  EXPECT_TRUE(remarks_on(found, "touches along a line"));
}

TEST(Propose, AMeshsLowestFace) {
  const TestFolder folder;
  // A wedge: its sole is level, its top is not.
  std::ofstream(folder.path() + "/foot.obj") << "v -.08 -.05 -.07\nv .14 -.05 -.07\nv .14 .05 -.07\nv -.08 .05 -.07\n"
                                                "v -.08 -.05 0\nv -.08 .05 0\nf 1 4 3\nf 1 3 2\nf 5 2 3\nf 5 3 6\n"
                                                "f 1 2 5\nf 4 6 3\nf 1 5 6\nf 1 6 4\n";
  const auto path = folder.path() + "/biped.urdf";
  std::ofstream(path) << Biped{collision("<mesh filename='foot.obj'/>", "0 0 0")}.text();
  const auto robot = io::read(path).description;
  const auto [x, y, below] = extent(named(propose_contacts(robot), "left_foot"));
  EXPECT_NEAR(x, .22, 1e-6);
  EXPECT_NEAR(y, .1, 1e-6);
  EXPECT_NEAR(below, .07, 1e-6);
  std::filesystem::remove(folder.path() + "/foot.obj");
  const auto without = propose_contacts(io::read(path).description);
  EXPECT_TRUE(remarks_on(without, "mesh of the foot was not found"));
  EXPECT_TRUE(remarks_on(without, "is assumed") || remarks_on(without, "estimate"));
}

TEST(Propose, FramesOfASole) {
  std::string frames;
  for (const auto* at : {".13 .03 -.06", ".13 -.03 -.06", "-.04 0 -.06"}) {
    const auto name = "S_sensor" + std::to_string(frames.size());
    frames += link(name, 0) + fixed("S_toes", name, at);
  }
  const auto found = proposed(Biped{"", frames}.text());
  const auto [x, y, below] = extent(named(found, "left_foot"));
  EXPECT_NEAR(x, .17, 1e-9);
  EXPECT_NEAR(y, .06, 1e-9);
  EXPECT_NEAR(below, .06, 1e-9);
}

TEST(Propose, BallsAtTheEndsOfLegsOfThreeJoints) {
  // The shank's own box ends in the plane of the ball's center, and is no sole.
  const auto shank = box(".03 .03 .3", "0 0 -.15") + sphere(".02", "0 0 -.3");
  const auto found = proposed(walker({".3", "-.3"}, shank));
  EXPECT_EQ(names(found),
            (std::vector<std::string>{"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"}));
  for (const auto& c : found.limbs) {
    EXPECT_EQ(c.kind, ContactKind::point);
    EXPECT_EQ(c.radius, .02);
    EXPECT_NEAR(c.pose.p.z, -.3, 1e-12);
    EXPECT_TRUE(c.points.empty());
    EXPECT_EQ(c.joints.size(), 3u);
  }
  EXPECT_EQ(named(found, "rear_right_foot").link, "r1_shank");
  // Knees bend towards the middle.
  EXPECT_LT(found.posture.at("l0_k")[0], -.5);
  EXPECT_GT(found.posture.at("l1_k")[0], .5);
}

TEST(Propose, ABallThatIsAMesh) {
  const TestFolder folder;
  std::ofstream mesh(folder.path() + "/foot.obj");
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 8; ++k) {
      const double a = i * 3.14159265358979 / 6, b = (k + .5) * 3.14159265358979 / 8;
      mesh << "v " << .02 * std::sin(b) * std::cos(a) << " " << .02 * std::sin(b) * std::sin(a) << " "
           << .02 * std::cos(b) << "\n";
    }
  for (int i = 1; i + 2 <= 96; ++i) mesh << "f " << i << " " << i + 1 << " " << i + 2 << "\n";
  mesh.close();
  const auto path = folder.path() + "/robot.urdf";
  std::ofstream(path) << walker({".3", "-.3"}, collision("<mesh filename='foot.obj'/>", "0 0 -.3") +
                                                   collision("<cylinder radius='.01' length='.2'/>", "0 0 -.1"));
  const auto found = propose_contacts(io::read(path).description);
  EXPECT_NEAR(found.limbs[0].radius, .02, 1e-4);
  EXPECT_NEAR(found.limbs[0].pose.p.z, -.3, 1e-4);
  EXPECT_TRUE(found.remarks.empty());
}

TEST(Propose, TheEndOfARod) {
  const auto found = proposed(walker({".3", "-.3"}, collision("<cylinder radius='.01' length='.3'/>", "0 0 -.15")));
  EXPECT_EQ(found.limbs[0].radius, 0);
  EXPECT_NEAR(found.limbs[0].pose.p.x, 0, 1e-9);
  EXPECT_NEAR(found.limbs[0].pose.p.z, -.3, 1e-9);
  EXPECT_TRUE(remarks_on(found, "a point without a radius"));
}

TEST(Propose, SixLegs) {
  const auto found = proposed(walker({".3", "0", "-.3"}, sphere(".02", "0 0 -.3")));
  EXPECT_EQ(names(found), (std::vector<std::string>{"front_left_foot", "front_right_foot", "middle_left_foot",
                                                    "middle_right_foot", "rear_left_foot", "rear_right_foot"}));
}

TEST(Propose, NoFeet) {
  expect_refused([&] { proposed(walker({".3", "-.3"}, "", "continuous")); }, "its limbs end in wheels");
  const std::string arm = "<robot name='arm'>" + link("base", 5, box(".2 .2 .1", "0 0 .05")) + link("upper", 2) +
                          link("lower", 1) + hinge("a", "base", "upper", "0 0 .1", "0 1 0") +
                          hinge("b", "upper", "lower", "0 0 .4", "0 1 0") + "</robot>";
  expect_refused([&] { proposed(arm); }, "robot 'arm' has no feet");
  EXPECT_THROW(proposed(arm), NoFeet);
}

TEST(Propose, NamesThatTheRobotHasAreNotTakenAgain) {
  auto text = Biped{box(".24 .12 .03", ".04 0 -.065"), link("left_foot", 0)}.text();
  const auto at = text.find("<link name='left_foot'");
  text.replace(text.rfind("<link name='left_foot'"), link("left_foot", 0).size(), "");
  ASSERT_NE(at, std::string::npos);
  text.insert(text.find("</robot>"), fixed("l_toes", "left_foot", "0 0 0"));
  auto robot = described(text);
  const auto found = propose_contacts(robot);
  EXPECT_EQ(names(found), (std::vector<std::string>{"left_foot_contact", "right_foot"}));
  add_contact_frames(robot, found);
  EXPECT_TRUE(build(robot).has_frame("left_foot_contact"));
  expect_refused([&] { add_contact_frames(robot, found); }, "has a link or frame of this name already");
}

TEST(Propose, OtherAxes) {
  // The same robot with y forward: its base is turned.
  auto robot = described(Biped{box(".24 .12 .03", ".04 0 -.065")}.text());
  const Mat3<double> turn{0, -1, 0, 1, 0, 0, 0, 0, 1};  // x becomes y
  for (auto& joint : robot.joints)
    if (joint.parent == "trunk") joint.origin = Pose<double>{turn, {0, 0, 0}} * joint.origin;
  const auto found = propose_contacts(robot);
  EXPECT_NEAR(found.base.xy, 1, 1e-12);
  EXPECT_EQ(named(found, "left_foot").link, "l_toes");
  EXPECT_NEAR(extent(named(found, "left_foot")).x, .24, 1e-9);
}

// Robots that face backward, or to a side: joints and names tell.
TEST(Propose, WhichWayItFaces) {
  const auto text = walker({".3", "-.3"}, sphere(".02", "0 0 -.3"));
  for (const auto& turn : {Mat3<double>{-1, 0, 0, 0, -1, 0, 0, 0, 1}, Mat3<double>{0, -1, 0, 1, 0, 0, 0, 0, 1},
                           Mat3<double>{0, 1, 0, -1, 0, 0, 0, 0, 1}}) {
    auto robot = described(text);
    for (auto& joint : robot.joints) {
      if (joint.parent == "trunk") joint.origin = Pose<double>{turn, {0, 0, 0}} * joint.origin;
      const bool left = joint.name[0] == 'l', front = joint.name[1] == '0';
      joint.name = std::string(front ? "F" : "R") + (left ? "L" : "R") + joint.name.substr(2);
    }
    const auto found = propose_contacts(robot);
    EXPECT_EQ(names(found),
              (std::vector<std::string>{"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"}));
    EXPECT_EQ(named(found, "front_left_foot").joints[0], "FL_a");
    EXPECT_EQ(named(found, "rear_right_foot").joints[0], "RR_a");
    const auto back = found.base * turn;
    EXPECT_NEAR(back.xx, 1, 1e-12);
    EXPECT_NEAR(back.yy, 1, 1e-12);
  }
}

std::vector<std::string> four_feet() {
  return {"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"};
}

// Both left legs are before both right ones: names count along a side.
TEST(Propose, LegsThatAreNotBesideEachOther) {
  auto robot = described(walker({".3", "-.3"}, sphere(".02", "0 0 -.3")));
  for (auto& joint : robot.joints)
    if (joint.parent == "trunk" && joint.name[0] == 'r') joint.origin.p.x -= .8;
  auto found = names(propose_contacts(robot));
  std::ranges::sort(found);
  EXPECT_EQ(found, four_feet());
}

// y up, and x to a side: with z up, two of its legs would be arms.
TEST(Propose, FourLegsThatPointSideways) {
  auto robot = described(walker({".3", "-.3"}, sphere(".02", "0 0 -.3")));
  const Mat3<double> turn{0, 1, 0, 0, 0, 1, 1, 0, 0};  // x becomes z, z becomes y
  for (auto& joint : robot.joints) {
    if (joint.name.ends_with("_k")) joint.origin.p.x = -.25;  // which is down where x is up
    if (joint.parent == "trunk") joint.origin = Pose<double>{turn, {0, 0, 0}} * joint.origin;
  }
  for (auto& g : robot.links[0].collisions) g.origin = Pose<double>{turn, {0, 0, 0}} * g.origin;
  const auto found = propose_contacts(robot);
  EXPECT_EQ(names(found), four_feet());
  EXPECT_NEAR((found.base * turn).zz, 1, 1e-12);
}

// A keyframe in which the front legs point up is not a posture to stand in.
TEST(Propose, AKeyframeWithLegsInTheAir) {
  auto robot = described(walker({".3", "-.3"}, sphere(".02", "0 0 -.3")));
  PostureDescription home;
  home.name = "home";
  for (const auto* joint : {"l0_h", "r0_h"}) home.positions.push_back({joint, {-2}});
  robot.postures = {home};
  const auto found = propose_contacts(robot);
  EXPECT_EQ(names(found), four_feet());
  ASSERT_TRUE(found.posture.contains("l0_h"));
  EXPECT_GT(found.posture.at("l0_h")[0], -1.5);
  robot.postures[0].positions = {{"l0_h", {.4}}, {"r0_h", {.4}}, {"l1_h", {.4}}, {"r1_h", {.4}}};
  EXPECT_EQ(propose_contacts(robot).posture.at("l0_h")[0], .4);
}

// The hands of a torso are not feet; the forelegs of a dog are.
TEST(Propose, LimbsWithWristsAreArmsIfAllOfThemAre) {
  auto text = Biped{box(".24 .12 .03", ".04 0 -.065")}.text();
  for (auto at = text.find("ankle_pitch"); at != std::string::npos; at = text.find("ankle_pitch", at + 1))
    text.replace(at, 11, "wrist_pitch");
  expect_refused([&] { proposed(text); }, "the limbs that reach down farthest are arms");
  auto dog = described(walker({".3", "-.3"}, sphere(".02", "0 0 -.3")));
  for (auto& joint : dog.joints)
    if (joint.name == "l0_k" || joint.name == "r0_k") joint.name += "_wrist";
  EXPECT_EQ(names(propose_contacts(dog)), four_feet());
}

// Names that only a comparison of left and right tells apart: lfemur, rfemur.
TEST(Propose, PairsOfNamesTellWhichWayItFaces) {
  const auto named_so = [](const std::string& left, const std::string& right) {
    auto robot = described(Biped{box(".24 .12 .03", ".04 0 -.065")}.text());
    for (auto& joint : robot.joints) joint.name = (joint.name[0] == 'l' ? left : right) + joint.name.substr(2);
    return robot;
  };
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"l", "r"}, {"leg_left", "leg_right"}, {"LEFT", "RIGHT"}};
  for (const auto& [left, right] : pairs) {
    EXPECT_NEAR(propose_contacts(named_so(left, right)).base.xx, 1, 1e-12) << left;
    EXPECT_NEAR(propose_contacts(named_so(right, left)).base.xx, -1, 1e-12) << left;
  }
  EXPECT_NEAR(propose_contacts(named_so("a", "b")).base.xx, 1, 1e-12);
}

}  // namespace
}  // namespace lissom::test
