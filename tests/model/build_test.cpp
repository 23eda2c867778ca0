// Building a model from a description: order, names, roots, and trees at the limits of what is possible.
#include <cmath>
#include <numbers>

#include "close.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;

LinkDescription solid(const std::string& name) {
  LinkDescription link;
  link.name = name;
  link.mass = 1;
  link.com = {0.1, 0.2, 0.3};
  link.inertia = {1, 0, 0, 1, 0, 1};
  return link;
}
JointDescription joint(const std::string& name, JointType type, const std::string& parent, const std::string& child) {
  JointDescription j;
  j.name = name, j.type = type, j.parent = parent, j.child = child;
  j.axis = {0, 0, 1};
  j.origin.p = {0, 0, 0.1};
  return j;
}
std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}
#define EXPECT_MENTIONS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

//        torso ── arm ── hand
//          ├──── head          (the joint of the head is written between those of the arm)
//          └──── leg (spherical)
Description person() {
  Description d;
  d.name = "person";
  for (const char* name : {"hand", "leg", "torso", "arm", "head"}) d.links.push_back(solid(name));
  d.joints = {joint("shoulder", JointType::revolute, "torso", "arm"),
              joint("neck", JointType::revolute, "torso", "head"), joint("wrist", JointType::universal, "arm", "hand"),
              joint("hip", JointType::spherical, "torso", "leg")};
  d.joints[2].axis2 = {1, 0, 0};
  d.frames = {{"eye", "head", {}, 0}};
  return d;
}

TEST(Build, NamesOfTheDescriptionAreFound) {
  auto d = person();
  d.loops = {{"grip", {"hand", {identity3<double>(), {1, 2, 3}}}, {"eye"}, loop_axes("x ry"), 0}};
  d.springs = {{"rope", {"world"}, {"leg"}, 5, 1, 2}};
  d.couplings = {{"nod", "neck", "shoulder", {0, 2}}};
  d.joints[1].mimic = Mimic{"shoulder", 3, 0};
  d.actuators = {{.name = "twist", .joint = "wrist", .component = 1, .gear = 10, .max_command = 4},
                 {.name = "nod", .joint = "neck", .gear = 2}};
  d.contact_materials = {{"rubber", 0.9, 0.1}};
  const auto model = build(d, {.base = Base::free});
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_EQ(model.loops()[0].a.frame, model.frame("hand"));
  EXPECT_EQ(model.loops()[0].a.placement.p.y, 2);
  EXPECT_EQ(model.loops()[0].b.frame, model.frame("eye"));
  EXPECT_EQ(model.loops()[0].axes, loop_axes("x ry"));
  ASSERT_EQ(model.springs().size(), 1u);
  EXPECT_EQ(model.springs()[0].a.frame, world_frame);
  EXPECT_EQ(model.springs()[0].stiffness, 5);
  EXPECT_EQ(model.couplings()[0].joint, "neck");
  ASSERT_EQ(model.actuators().size(), 2u);
  EXPECT_EQ(model.actuators()[0].v_index, model.joint("wrist").v_index + 1);
  EXPECT_EQ(model.actuators()[0].gear, 10);
  EXPECT_EQ(model.actuators()[0].max_command, 4);
  EXPECT_EQ(model.actuators()[1].v_index, model.joint("shoulder").v_index);  // the leader of the neck
  EXPECT_EQ(model.actuators()[1].gear, 6);
  EXPECT_EQ(model.contact_material("rubber").friction, 0.9);
  EXPECT_MENTIONS(message([&] { model.contact_material("rubbr"); }), "; contact materials: rubber");
  EXPECT_EQ(model.with_gravity({0, 0, 0}).loops().size(), 1u);
}

TEST(Build, EachDegreeOfFreedomHasItsOwnLimits) {
  auto d = person();
  const double efforts[] = {5, 7};
  d.joints[2].effort_limit = PerDof(efforts);
  d.joints[2].velocity_limit = 3;
  const auto model = build(d);
  const auto v = std::size_t(model.joint("wrist").v_index);
  EXPECT_EQ(model.effort_limit()[v], 5);
  EXPECT_EQ(model.effort_limit()[v + 1], 7);
  EXPECT_EQ(model.velocity_limit()[v + 1], 3);
}

TEST(Build, ModelsRememberHowTheyWereBuilt) {
  const auto model = build(person(), {.base = Base::planar, .mimic = false, .axis_tolerance = 1e-7});
  EXPECT_EQ(model.options().base, Base::planar);
  EXPECT_FALSE(model.options().mimic);
  EXPECT_EQ(model.options().axis_tolerance, 1e-7);
  EXPECT_EQ(model.with_gravity({0, 0, 0}).options().axis_tolerance, 1e-7);
}

TEST(Build, NamesAndFramesCanBeAskedFor) {
  const auto model = build(person());
  EXPECT_TRUE(model.has_joint("neck") && model.has_link("arm") && model.has_frame("eye") && model.has_frame("arm"));
  EXPECT_FALSE(model.has_joint("arm") || model.has_link("eye") || model.has_frame("neck"));
  EXPECT_EQ(model.frame_at(model.frame("eye")).name, "eye");
  EXPECT_MENTIONS(message([&] { model.frame_at({99}, "targets[3].of"); }),
                  "targets[3].of is 99, expected a frame of model 'person' (0 to ");
  EXPECT_MENTIONS(message([&] { model.frame_at({-1}); }), "frame is -1, expected a frame of model 'person'");
  EXPECT_EQ(model.link_description("leg").name, "leg");
}

TEST(Build, CoordinatesAreNumberedDepthFirstInTheOrderOfTheFile) {
  const auto model = build(person(), {.base = Base::free});
  std::string order;
  for (const auto& j : model.joints())
    order += j.name + " q" + std::to_string(j.q_index) + "+" + std::to_string(j.nq) + " v" + std::to_string(j.v_index) +
             "+" + std::to_string(j.nv) + "; ";
  EXPECT_EQ(order, "base q0+7 v0+6; shoulder q7+1 v6+1; wrist q8+2 v7+2; neck q10+1 v9+1; hip q11+4 v10+3; ");
  EXPECT_EQ(model.nq(), 15);
  EXPECT_EQ(model.nv(), 13);
  EXPECT_EQ(model.body_count(), 6);  // one of them between the universal joint's axes
  EXPECT_EQ(model.mass(), 5);
}

TEST(Build, NamesAreFoundAndNearMissesAreHelped) {
  const auto model = build(person());
  EXPECT_EQ(model.joint("neck").child, "head");
  EXPECT_EQ(model.link("hand").mass, 1);
  EXPECT_EQ(model.frame("world"), world_frame);
  EXPECT_EQ(model.frames()[std::size_t(model.frame("eye").index)].name, "eye");
  EXPECT_MENTIONS(message([&] { model.joint("shouldr"); }), "; nearest joints: shoulder, ");
  EXPECT_MENTIONS(message([&] { model.joint("shouldr"); }), "no joint 'shouldr' in model 'person'");
  EXPECT_MENTIONS(message([&] { model.link("hnad"); }), "; nearest links: hand, head, ");
  EXPECT_MENTIONS(message([&] { model.frame("eyes"); }), "; nearest frames: eye, ");
  EXPECT_THROW(model.frame(""), Error);
}

TEST(Build, SeveralRootsEachHaveABaseOfTheirOwn) {
  Description d;
  d.links = {solid("left"), solid("right")};
  const auto model = build(d, {.base = Base::free});
  EXPECT_EQ(model.nv(), 12);
  EXPECT_EQ(model.joint("base:left").v_index, 0);
  EXPECT_EQ(model.joint("base:right").v_index, 6);
  EXPECT_EQ(build(d, {.base = Base::planar}).joint("base:right").q_index, 3);
  EXPECT_EQ(build(d, {.base = Base::fixed}).nv(), 0);
}

TEST(Build, ADescriptionWithoutLinksIsRefused) {
  EXPECT_MENTIONS(message([] { build(Description{}); }), "no links");
  EXPECT_THROW(build(person(), {.axis_tolerance = -1}), Error);
  EXPECT_THROW(build(person(), {.axis_tolerance = std::nan("")}), Error);
}

TEST(Build, AnotherGravity) {
  const auto model = build(person()), moon = model.with_gravity({0, 0, -1.62});
  EXPECT_EQ(moon.gravity().z, -1.62);
  EXPECT_EQ(model.gravity().z, -9.81);
  EXPECT_EQ(moon.description().gravity.z, -1.62);
  Workspace work(model);
  const auto q = random_configuration(model, 1);
  const VectorXd g = gravity_forces(model, work, q), g_moon = gravity_forces(moon, work, q);
  EXPECT_TRUE(close(g_moon, g * (1.62 / 9.81), 1e-13));
  EXPECT_MENTIONS(message([&] { model.with_gravity({0, std::nan(""), 0}); }), "gravity");
  EXPECT_THROW(model.with_gravity({0, INFINITY, 0}), Error);
}

// Checks a model that is larger than the random trees of other tests.
void expect_consistent(const Model& model, double tolerance) {
  Workspace work(model);
  Random random(1);
  const auto q = random_configuration(model, 1);
  const VectorXd v = random.vector(model.nv(), 0.3), a = random.vector(model.nv(), 1);
  const VectorXd tau = inverse_dynamics(model, work, q, v, a);
  EXPECT_TRUE(close(forward_dynamics(model, work, q, v, tau), a, tolerance));
  const Eigen::MatrixXd M = mass_matrix(model, work, q);
  const VectorXd h = bias_forces(model, work, q, v);
  EXPECT_TRUE(close(M * a + h, tau, 1e-9));
  EXPECT_TRUE(close(factorize_mass_matrix(model, work, q).solve(tau - h), a, tolerance));
  EXPECT_TRUE(close(coriolis_matrix(model, work, q, v) * v + gravity_forces(model, work, q), h, 1e-9));
  EXPECT_TRUE(close(centroidal_map(model, work, q) * v, centroidal_momentum(model, work, q, v), 1e-9));
}

TEST(Build, AChainOfAThousandLinks) {
  Description d;
  d.links.push_back(solid("0"));
  for (int i = 1; i <= 1000; ++i) {
    d.links.push_back(solid(std::to_string(i)));
    d.joints.push_back(joint("j" + std::to_string(i), JointType::revolute, std::to_string(i - 1), std::to_string(i)));
    d.joints.back().axis = i % 2 ? Vec3<double>{0, 1, 0} : Vec3<double>{1, 0, 0};
  }
  const auto model = build(d);
  EXPECT_EQ(model.nv(), 1000);
  EXPECT_EQ(model.joints().back().name, "j1000");
  expect_consistent(model, 1e-4);  // such a chain is ill-conditioned
}

TEST(Build, AStarOfAThousandBranches) {
  Description d;
  d.links.push_back(solid("hub"));
  for (int i = 1; i <= 1000; ++i) {
    d.links.push_back(solid(std::to_string(i)));
    d.joints.push_back(joint("j" + std::to_string(i), JointType::revolute, "hub", std::to_string(i)));
  }
  const auto model = build(d, {.base = Base::free});
  EXPECT_EQ(model.nv(), 1006);
  expect_consistent(model, 1e-8);
}

TEST(Build, ATreeOfFiveHundredLinks) {
  TreeOptions options{.min_joints = 500, .max_joints = 500};
  const auto model = build(random_description(5, options), {.base = Base::free});
  EXPECT_GT(model.nv(), 500);
  expect_consistent(model, 1e-4);
}

TEST(Build, ALeafWithoutMassGivesNoFiniteAccelerationButNoHarmEither) {
  auto d = person();
  d.links[0].mass = 0, d.links[0].inertia = {0, 0, 0, 0, 0, 0};  // the hand, on the wrist
  const auto model = build(d);
  Workspace work(model);
  const auto q = neutral(model);
  const VectorXd zero = VectorXd::Zero(model.nv());
  EXPECT_FALSE(forward_dynamics(model, work, q, zero, VectorXd::Ones(model.nv())).allFinite());
  EXPECT_TRUE(inverse_dynamics(model, work, q, zero, zero).allFinite());
  EXPECT_TRUE(mass_matrix(model, work, q).allFinite());
}

TEST(Build, HugeAnglesAreTakenOffInWholeTurns) {
  const auto model = build(person());
  Workspace work(model);
  const auto q = random_configuration(model, 3);
  auto far = q;
  const int shoulder = model.joint("shoulder").q_index;
  far[shoulder] = 1e6;
  auto reduced = far;
  reduced[shoulder] = double(std::remainder(1e6L, 2 * std::numbers::pi_v<long double>));
  Random random(1);
  const VectorXd v = random.vector(model.nv(), 1), a = random.vector(model.nv(), 1);
  EXPECT_TRUE(close(VectorXd(inverse_dynamics(model, work, far, v, a)),
                    VectorXd(inverse_dynamics(model, work, reduced, v, a)), 1e-13));
  EXPECT_TRUE(close(mass_matrix(model, work, far), Eigen::MatrixXd(mass_matrix(model, work, reduced)), 1e-13));
}

TEST(Build, ASingularPoseIsNoTrouble) {
  // Collinear universal axes and a stretched chain: M stays regular, a Jacobian loses rank.
  Description d;
  d.links = {solid("0"), solid("1"), solid("2"), solid("3")};
  for (int i = 1; i <= 3; ++i)
    d.joints.push_back(joint("j" + std::to_string(i), JointType::revolute, std::to_string(i - 1), std::to_string(i)));
  for (auto& j : d.joints) j.origin.p = {1, 0, 0};
  const auto model = build(d);
  Workspace work(model);
  const VectorXd q = VectorXd::Zero(3), v = VectorXd::Ones(3);
  const VectorXd tau = inverse_dynamics(model, work, q, v, v);
  EXPECT_TRUE(close(forward_dynamics(model, work, q, v, tau), v, 1e-12));
}

TEST(Build, RefusesArmatureOnFreeAndPlanarJoints) {
  for (const auto type : {JointType::free, JointType::planar}) {
    Description d;
    d.links = {solid("a"), solid("b")};
    d.joints = {joint("j", type, "a", "b")};
    d.joints[0].armature = 0.5;
    EXPECT_MENTIONS(message([&] { build(d, {.base = Base::fixed}); }), "armature");
    EXPECT_MENTIONS(message([&] { build(d, {.base = Base::free}); }), "armature");
  }
}

}  // namespace
}  // namespace lissom::test
