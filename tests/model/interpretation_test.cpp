// What build() and validate() make of a description that leaves something open: a base that floats already, links
// called "world", limits that are none, mimics on fixed joints, links without mass on a free base.
#include <algorithm>
#include <numbers>
#include <set>

#include <Eigen/Eigenvalues>

#include "lissom/lissom.h"
#include "lissom/model/validate.h"
#include "random_tree.h"

namespace lissom::interpretation_test {
namespace {

LinkDescription solid(const std::string& name) {
  LinkDescription link;
  link.name = name;
  link.mass = 1;
  link.inertia = {1, 0, 0, 1, 0, 1};
  return link;
}
LinkDescription massless(const std::string& name) {
  LinkDescription link;
  link.name = name;
  return link;
}
JointDescription joint(const std::string& name, JointType type, const std::string& parent, const std::string& child) {
  JointDescription j;
  j.name = name, j.type = type, j.parent = parent, j.child = child;
  j.axis = {0, 0, 1};
  return j;
}

// "severity code; …"
std::string findings(const Description& d, const BuildOptions& options = {}) {
  std::string text;
  for (const auto& found : validate(d, options))
    text += (text.empty() ? "" : "; ") + std::string(to_string(found.severity)) + " " + found.code;
  return text;
}

// root ─ free ─ trunk ─ revolute ─ leg
Description flying(const LinkDescription& root) {
  Description d;
  d.links = {root, solid("trunk"), solid("leg")};
  d.joints = {joint("flight", JointType::free, root.name, "trunk"), joint("hip", JointType::revolute, "trunk", "leg")};
  return d;
}

TEST(Base, ARobotThatFloatsAlreadyGetsNoSecondBase) {
  for (const char* name : {"world", "ground"})
    for (const auto base : {Base::file, Base::fixed, Base::free, Base::planar}) {
      const Description d = flying(massless(name));
      const auto model = build(d, {.base = base});
      EXPECT_EQ(model.nv(), 7);
      EXPECT_FALSE(model.has_joint("base"));
      EXPECT_TRUE(model.is_root_joint(model.joint("flight")));
      EXPECT_FALSE(model.is_root_joint(model.joint("hip")));
      EXPECT_EQ(model.frame_at(model.frame(name)).body, 0);
      EXPECT_EQ(findings(d, {.base = base}), base == Base::file    ? ""
                                             : base == Base::fixed ? "warning base-floats"
                                                                   : "note base-floats");
    }
}

TEST(Base, SoDoesOneBehindFixedJointsButNotARootWithMass) {
  Description d = flying(massless("ground"));
  d.links.push_back(massless("table"));
  d.joints[0].parent = "table";
  d.joints.push_back(joint("weld", JointType::fixed, "ground", "table"));
  EXPECT_EQ(build(d, {.base = Base::free}).nv(), 7);
  EXPECT_EQ(build(flying(solid("tray")), {.base = Base::free}).nv(), 13);
  // A joint of another type moves the root, too.
  d.links.push_back(solid("door"));
  d.joints.push_back(joint("hinge", JointType::revolute, "table", "door"));
  EXPECT_EQ(build(d, {.base = Base::free}).nv(), 14);
}

// world ─ fixed ─ trunk ─ revolute ─ leg
Description mounted() {
  Description d = flying(massless("world"));
  d.joints[0].type = JointType::fixed;
  d.joints[0].origin.p = {0, 0, 0.5};
  return d;
}

TEST(World, IsTheLinkOfThatNameWhereItMoves) {
  const auto model = build(mounted(), {.base = Base::free});
  EXPECT_EQ(findings(mounted(), {.base = Base::free}), "note world-moves; note massless-link");
  EXPECT_EQ(model.frame_at(world_frame).name, "universe");
  EXPECT_EQ(model.frame("universe"), world_frame);
  EXPECT_NE(model.frame("world"), world_frame);
  EXPECT_EQ(model.joint("base").parent, "universe");
  EXPECT_TRUE(model.is_root_joint(model.joint("base")));
  std::set<std::string> names;
  for (const auto& frame : model.frames()) EXPECT_TRUE(names.insert(frame.name).second) << frame.name;

  Workspace work(model);
  Eigen::VectorXd q = neutral(model);
  q.head<3>() << 1, 2, 3;
  forward_kinematics(model, work, q);
  const auto p = placement(model, work, model.frame("world")).p;
  EXPECT_TRUE(p.x == 1 && p.y == 2 && p.z == 3);
  EXPECT_EQ(placement(model, work, world_frame).p.z, 0);
  EXPECT_EQ(jacobian(model, work, q, model.frame("world")).norm(), std::sqrt(6.0));
}

TEST(World, IsTheInertialFrameWhereItDoesNot) {
  const auto model = build(mounted());
  EXPECT_EQ(findings(mounted()), "");
  EXPECT_EQ(model.frame_at(model.frame("world")).body, 0);
  EXPECT_EQ(model.frame("universe"), world_frame);
  auto d = mounted();
  d.links[0].name = d.joints[0].parent = "pedestal";
  EXPECT_EQ(build(d, {.base = Base::free}).frame("world"), world_frame);
  EXPECT_FALSE(build(d).has_frame("universe"));
}

TEST(World, MayAlsoBeANamedFrameOrHaveAllNamesTaken) {
  auto d = mounted();
  d.links[0].name = d.joints[0].parent = "universe";
  d.frames = {{"world", "leg", {}, 0}};
  const auto model = build(d);
  EXPECT_EQ(findings(d), "note world-moves");
  EXPECT_EQ(model.frame_at(model.frame("world")).body, model.joint("hip").body);
  EXPECT_EQ(model.frame("universe_"), world_frame);
  // Loops and springs may name the inertial frame by its name.
  d.springs = {{"rope", {"universe_"}, {"world"}, 5, 1, 2}};
  EXPECT_EQ(build(d).springs()[0].a.frame, world_frame);
  d.springs[0].a.frame = "universe__";
  EXPECT_THROW(build(d), Error);
}

TEST(Limits, OfMoreThanAThousandRevolutionsAreNone) {
  Description d = mounted();
  auto& hip = d.joints[1];
  const auto limits = [&](double lower, double upper) {
    hip.lower = {lower}, hip.upper = {upper};
    return findings(d);
  };
  EXPECT_EQ(limits(-1e16, 1e16), "note limit-infinite");
  auto model = build(d);
  EXPECT_TRUE(model.joint("hip").lower.empty() && model.joint("hip").upper.empty());
  EXPECT_EQ(model.upper()[0], INFINITY);
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    EXPECT_LE(std::abs(random_configuration(model, seed)[0]), std::numbers::pi);

  EXPECT_EQ(limits(-1, 1e9), "note limit-infinite");
  model = build(d);
  EXPECT_EQ(model.joint("hip").lower, std::vector<double>{-1});
  EXPECT_EQ(model.joint("hip").upper, std::vector<double>{INFINITY});
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const double q = random_configuration(model, seed)[0];
    EXPECT_TRUE(q >= -1 && q <= -1 + 2 * std::numbers::pi) << q;
  }
  EXPECT_EQ(limits(-9999, 9999), "");
  EXPECT_EQ(build(d).upper()[0], 9999);
  EXPECT_EQ(limits(2e4, 3e4), "note limit-infinite");  // only the upper one
  EXPECT_EQ(build(d).lower()[0], 2e4);
}

TEST(Limits, OfVelocityAndEffortBelowZeroAreNone) {
  Description d = mounted();
  d.joints[1].velocity_limit = -1;
  EXPECT_EQ(findings(d), "note limit-negative");
  EXPECT_EQ(build(d).velocity_limit()[0], INFINITY);
  d.joints[1].velocity_limit = 3, d.joints[1].effort_limit = -50;
  EXPECT_EQ(findings(d), "warning limit-negative");
  EXPECT_EQ(build(d).effort_limit()[0], INFINITY);
  EXPECT_EQ(build(d).velocity_limit()[0], 3);
  d.joints[1].effort_limit = 0;  // no motor
  EXPECT_EQ(build(d).effort_limit()[0], 0);
}

TEST(Mimics, OnOrOfAFixedJointAreIgnored) {
  Description d = mounted();
  d.joints[0].mimic = Mimic{"hip", 1, 0};  // on a fixed joint
  EXPECT_EQ(findings(d), "warning mimic-ignored");
  EXPECT_EQ(build(d).nv(), 1);
  d.joints[0].mimic = Mimic{"no such joint", 1, 0};
  EXPECT_EQ(findings(d), "warning mimic-ignored");
  EXPECT_EQ(build(d).nv(), 1);
  d.joints[0].mimic.reset();
  d.joints[1].mimic = Mimic{"flight", 2, 0};  // of a fixed joint
  EXPECT_EQ(findings(d), "warning mimic-ignored");
  EXPECT_EQ(build(d).nv(), 1);
  EXPECT_FALSE(build(d).joint("hip").follows);
}

TEST(Validate, SeesTheMassMatrixOfTheBaseThatIsAskedFor) {
  Description d;
  d.links = {massless("point")};
  EXPECT_EQ(findings(d), "note no-mass");
  EXPECT_EQ(findings(d, {.base = Base::free}), "warning no-mass");
  // About the hinge of its only child, a base without mass moves nothing.
  d.links.push_back(solid("arm"));
  d.joints = {joint("hinge", JointType::revolute, "point", "arm")};
  EXPECT_EQ(findings(d), "");
  EXPECT_EQ(findings(d, {.base = Base::free}), "warning dynamics-singular; note massless-link");
  EXPECT_EQ(findings(d, {.base = Base::planar}), "warning dynamics-singular; note massless-link");
  d.joints[0].type = JointType::fixed;
  EXPECT_EQ(findings(d, {.base = Base::free}), "note massless-link");
}

// Whether M at q = 0 is singular, in units in which its diagonal is 1.
bool is_singular(const Model& model) {
  Workspace work(model);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(model.nq());
  for (const int at : model.quaternions()) q[at] = 1;
  const Eigen::MatrixXd M = mass_matrix(model, work, q);
  const Eigen::VectorXd diagonal = M.diagonal();
  if (!(diagonal.array() > 0).all()) return true;
  const Eigen::VectorXd unit = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = unit.asDiagonal() * M * unit.asDiagonal();
  return !(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled).eigenvalues()[0] > 1e-9);
}

TEST(Validate, TellsWhichMassMatricesAreSingular) {
  int singular = 0, regular = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    test::Random random(seed);
    Description d = test::random_description(seed, {.max_joints = 6});
    for (auto& link : d.links)
      if (random.chance(0.3)) link.mass = 0, link.inertia = {0, 0, 0, 0, 0, 0};
    for (const auto base : {Base::fixed, Base::free, Base::planar}) {
      const auto model = build(d, {.base = base});
      if (model.nv() == 0) continue;
      const auto found = validate(d, {.base = base});
      const bool reported = std::ranges::any_of(
          found, [](const auto& f) { return f.code == "dynamics-singular" || f.code == "no-mass"; });
      EXPECT_EQ(reported, is_singular(model)) << "seed " << seed << ", base " << int(base);
      ++(reported ? singular : regular);
    }
  }
  EXPECT_TRUE(singular > 100 && regular > 100) << singular << " " << regular;
}

TEST(Validate, SeesFollowersWhereTheyMoveOnTheirOwn) {
  Description d = mounted();
  d.links.push_back(massless("finger"));
  d.joints.push_back(joint("follower", JointType::revolute, "trunk", "finger"));
  d.joints.back().mimic = Mimic{"hip", 1, 0};
  EXPECT_EQ(findings(d), "");
  EXPECT_EQ(findings(d, {.mimic = false}), "warning dynamics-singular");
  // The other way round, the leader moves no mass, but its follower does.
  d.joints[1].mimic = Mimic{"second", 1, 0};
  d.joints[2].mimic.reset();
  d.links.push_back(massless("second_finger"));
  d.joints.push_back(joint("second", JointType::revolute, "trunk", "second_finger"));
  d.joints.back().mimic = Mimic{"follower", 2, 0};  // a chain: hip, second, follower
  EXPECT_EQ(findings(d), "");
  EXPECT_EQ(build(d).nv(), 1);
  EXPECT_EQ(findings(d, {.mimic = false}), "warning dynamics-singular; warning dynamics-singular");
  d.joints[1].mimic->ratio = 0;
  EXPECT_EQ(findings(d), "warning mimic-zero; warning dynamics-singular");
}

TEST(Validate, InertiaThatOthersMakeUpForIsANote) {
  Description d = mounted();
  d.links.push_back(solid("plate"));
  d.joints.push_back(joint("screws", JointType::fixed, "leg", "plate"));
  d.links[3].inertia = {0, 0, 0, 0, 0, 3e-6};
  EXPECT_EQ(findings(d), "note inertia-triangle");
  d.links[3].inertia = {0, 0, 0, 0, 0, 0};
  EXPECT_EQ(findings(d), "note mass-without-inertia");
  d.links[3].inertia = {-1e-3, 0, 0, 1, 0, 1};
  EXPECT_EQ(findings(d), "note inertia-not-positive");
  d.links[3].inertia = {0, 0, 0, 0, 0, 30};
  EXPECT_EQ(findings(d), "warning inertia-triangle");
  d.joints.back().type = JointType::revolute;
  d.links[3].inertia = {1, 0, 0, 1, 0, 2.001};  // printed with few digits
  EXPECT_EQ(findings(d), "note inertia-triangle");
  d.links[3].inertia = {1, 0, 0, 1, 0, 2.3133};
  EXPECT_EQ(findings(d), "warning inertia-triangle");
  EXPECT_NE(validate(d)[0].message.find("by 14 %"), std::string::npos) << validate(d)[0].message;
}

TEST(Diagnostics, OfOneCodeAreWrittenTogether) {
  std::vector<Diagnostic> all;
  const auto add = [&](Severity severity, const char* code, int line, const char* subject) {
    all.push_back({severity, code, "robot.urdf", line, subject, "it is odd", "mend it"});
  };
  add(Severity::warning, "odd", 1, "link 'a'");
  EXPECT_EQ(to_grouped_string(all), to_string(all[0]));
  add(Severity::note, "small", 2, "");
  add(Severity::warning, "odd", 3, "link 'b'");
  add(Severity::warning, "odd", 3, "link 'b'");
  add(Severity::error, "odd", 4, "link 'c'");
  EXPECT_EQ(to_grouped_string(all),
            "robot.urdf:1: warning: link 'a': it is odd [odd]\n"
            "    and 2 more of this kind: link 'b' (line 3)\n"
            "    remedy: mend it\n"
            "robot.urdf:2: note: it is odd [small]\n"
            "    remedy: mend it\n"
            "robot.urdf:4: error: link 'c': it is odd [odd]\n"
            "    remedy: mend it");
  for (int line = 10; line < 30; ++line) add(Severity::error, "odd", line, "");
  EXPECT_NE(to_grouped_string(all).find("    and 20 more of this kind: line 10, line 11, line 12, line 13, …\n"),
            std::string::npos);
  EXPECT_EQ(Error(all).what(), to_grouped_string({all.begin() + 4, all.end()}));
}

}  // namespace
}  // namespace lissom::interpretation_test
