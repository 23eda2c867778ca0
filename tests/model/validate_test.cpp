// The findings of validate() on descriptions made by a program; tests/io tests them on files.
#include "lissom/model/validate.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom {
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
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  return j;
}
// a - j - b, without findings
Description pair(JointType type = JointType::revolute) {
  Description d;
  d.links = {solid("a"), solid("b")};
  d.joints = {joint("j", type, "a", "b")};
  return d;
}

// "code code …", in order, and a remedy for each
std::string codes(const Description& d) {
  std::string text;
  for (const Diagnostic& found : validate(d)) {
    EXPECT_FALSE(found.remedy.empty()) << found.code;
    EXPECT_FALSE(found.message.empty()) << found.code;
    text += (text.empty() ? "" : " ") + found.code;
  }
  return text;
}
std::string codes_after(const std::function<void(Description&)>& change, JointType type = JointType::revolute) {
  Description d = pair(type);
  change(d);
  return codes(d);
}

const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

TEST(Description, SizesOfJoints) {
  EXPECT_EQ(joint_traits(JointType::free).nq(), 7);
  EXPECT_EQ(joint_traits(JointType::free).nv(), 6);
  EXPECT_EQ(joint_traits(JointType::spherical).nq(), 4);
  EXPECT_EQ(joint_traits(JointType::spherical).nv(), 3);
  EXPECT_EQ(joint_traits(JointType::planar).nq(), 3);
  EXPECT_EQ(joint_traits(JointType::universal).nv(), 2);
  EXPECT_EQ(joint_traits(JointType::fixed).nv(), 0);
  EXPECT_STREQ(to_string(JointType::cylindrical), "cylindrical");
}

TEST(Diagnostic, ReadsLikeACompilersMessage) {
  const Diagnostic d{Severity::warning, "inertia-triangle", "robot.urdf", 17, "link 'foot'", "too long", "shorten it"};
  EXPECT_EQ(to_string(d), "robot.urdf:17: warning: link 'foot': too long [inertia-triangle]\n    remedy: shorten it");
}

TEST(Diagnostic, ErrorListsErrorsFirst) {
  const Error error(std::vector<Diagnostic>{{Severity::note, "n", "f", 1, "", "aside", "r"},
                                            {Severity::error, "e", "f", 2, "", "wrong", "mend it"}});
  EXPECT_STREQ(error.what(), "f:2: error: wrong [e]\n    remedy: mend it");
  ASSERT_EQ(error.diagnostics().size(), 2u);
  EXPECT_EQ(error.diagnostics()[0].code, "e");
}

TEST(Text, SuggestsOnlyWhatIsClose) {
  const std::string_view names[] = {"left_foot", "left_hand", "base"};
  EXPECT_EQ(nearest("left_fot", names), "left_foot");
  EXPECT_EQ(nearest("bsae", names), "base");
  EXPECT_EQ(nearest("bas", names), "base");
  EXPECT_EQ(nearest("camera", names), "");
}

TEST(Validate, AcceptsEveryKindOfJoint) {
  for (const JointType type :
       {JointType::fixed, JointType::revolute, JointType::continuous, JointType::prismatic, JointType::cylindrical,
        JointType::universal, JointType::planar, JointType::spherical, JointType::free})
    EXPECT_EQ(codes(pair(type)), "") << to_string(type);
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].pitch = 0.1; }, JointType::helical), "");
}

TEST(Validate, Names) {
  EXPECT_EQ(codes({}), "no-links");
  EXPECT_EQ(codes_after([](auto& d) { d.links.push_back(solid("")); }), "name-empty");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].name = ""; }), "name-empty");
  EXPECT_EQ(codes_after([](auto& d) { d.links.push_back(solid("a")); }), "name-duplicate");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].name = "a"; }), "name-shared");
  EXPECT_EQ(codes_after([](auto& d) { d.frames = {{"f", "a", {}, 0}, {"f", "b", {}, 0}}; }), "name-duplicate");
  EXPECT_EQ(codes_after([](auto& d) { d.frames = {{"a", "b", {}, 0}}; }), "frame-name-taken");
  EXPECT_EQ(codes_after([](auto& d) { d.frames = {{"f", "c", {}, 0}}; }), "link-unknown");
}

TEST(Validate, Tree) {
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].parent = "c"; }), "link-unknown");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].child = ""; }), "joint-ends");
  EXPECT_EQ(codes_after([](auto& d) { d.joints.push_back(joint("k", JointType::fixed, "b", "b")); }), "joint-self");
  EXPECT_EQ(codes_after([](auto& d) { d.joints.push_back(joint("k", JointType::fixed, "a", "b")); }),
            "link-several-parents");
  EXPECT_EQ(codes_after([](auto& d) { d.joints.push_back(joint("k", JointType::fixed, "b", "a")); }), "cycle");
  EXPECT_EQ(codes_after([](auto& d) { d.links.push_back(solid("c")); }), "several-roots");
}

TEST(Validate, NamesTheCycle) {
  Description d;
  d.links = {solid("root"), solid("a"), solid("b"), solid("c"), solid("tail")};
  d.joints = {joint("1", JointType::fixed, "a", "b"), joint("2", JointType::fixed, "b", "c"),
              joint("3", JointType::fixed, "c", "a"), joint("4", JointType::fixed, "c", "tail")};
  const auto found = validate(d);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("→"), std::string::npos) << found[0].message;
  for (const char* name : {"'a'", "'b'", "'c'"}) EXPECT_NE(found[0].message.find(name), std::string::npos);
  EXPECT_EQ(found[0].message.find("'tail'"), std::string::npos);
}

TEST(Validate, NumbersThatAreNotFinite) {
  const char* code = "number-not-finite";
  EXPECT_EQ(codes_after([](auto& d) { d.links[1].mass = nan; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.links[1].com.y = inf; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.links[1].inertia.yz = nan; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].origin.p.x = nan; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].origin.R.xx = nan; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].axis.x = nan; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].damping = inf; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].lower = {nan}, d.joints[0].upper = {1}; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].effort_limit = nan; }), code);
  EXPECT_EQ(codes_after([](auto& d) { d.gravity.z = nan; }), code);
}

TEST(Validate, Rotations) {
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].origin.R.xx = 1.1; }), "rotation");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].origin.R.xx = -1; }), "rotation");  // mirrored
}

TEST(Validate, Axes) {
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].axis = {0, 0, 0}; }), "axis-zero");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].axis = {0, 0, 2}; }), "axis-not-unit");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].axis = {0, 0, 1 + 1e-8}; }), "");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].axis = {0, 0, 0}; }, JointType::fixed), "");  // not used there
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].axis2 = {-1, 0, 0}; }, JointType::universal), "axes-parallel");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].axis2 = {0, 0, 0}; }, JointType::universal), "axis-zero");
}

TEST(Validate, Limits) {
  const auto limits = [](double lower, double upper) {
    return codes_after([=](auto& d) { d.joints[0].lower = {lower}, d.joints[0].upper = {upper}; });
  };
  EXPECT_EQ(limits(-1, 1), "");
  EXPECT_EQ(limits(-inf, inf), "");
  EXPECT_EQ(limits(1, -1), "limit-reversed");
  EXPECT_EQ(limits(0, 0), "limit-locked");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].lower = {0}; }), "limit-count");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].lower = {0, 0}, d.joints[0].upper = {1, 1}; }), "limit-count");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].lower = {0, 0}, d.joints[0].upper = {1, 1}; }, JointType::universal),
            "");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].velocity_limit = 0; }), "limit-zero");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].velocity_limit = 0, d.joints[0].effort_limit = 0; }), "limit-zero");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].effort_limit = -1; }), "limit-negative");
  EXPECT_EQ(codes_after([](auto& d) { d.joints[0].dry_friction = -1; }), "dynamics-negative");
}

TEST(Validate, FiguresOfSeveralDegreesOfFreedom) {
  const auto damped = [](std::vector<double> each, JointType type) {
    return codes_after([&](auto& d) { d.joints[0].damping = PerDof(each); }, type);
  };
  EXPECT_EQ(damped({1, 2}, JointType::universal), "");
  EXPECT_EQ(damped({1, 2}, JointType::revolute), "figure-count");
  EXPECT_EQ(damped({1, 2, 3, 4, 5, 6, 7}, JointType::free), "figure-count");
  EXPECT_EQ(damped({1, nan}, JointType::universal), "number-not-finite");
  EXPECT_EQ(damped({1, -1}, JointType::universal), "dynamics-negative");
  const auto limited = [](std::vector<double> each) {
    return codes_after([&](auto& d) { d.joints[0].effort_limit = PerDof(each); }, JointType::universal);
  };
  EXPECT_EQ(limited({1, inf}), "");
  EXPECT_EQ(limited({1, 0}), "limit-zero");
  EXPECT_EQ(limited({-1, 1}), "limit-negative");
}

TEST(Validate, Loops) {
  const auto loop = [](const AttachmentDescription& a, const char* axes) {
    return codes_after([&](auto& d) { d.loops = {{"l", a, {"world", {}}, loop_axes(axes), 0}}; });
  };
  EXPECT_EQ(loop({"b", {}}, "xyz"), "");
  EXPECT_EQ(loop({"c", {}}, "xyz"), "frame-unknown");
  EXPECT_EQ(loop({"b", {}}, ""), "loop-empty");
  EXPECT_EQ(loop({"b", {identity3<double>(), {nan, 0, 0}}}, "x"), "number-not-finite");
  EXPECT_EQ(codes_after([](auto& d) { d.loops = {{"l", {"a"}, {"b"}}, {"l", {"a"}, {"b"}}}; }), "name-duplicate");
  EXPECT_EQ(codes_after([](auto& d) { d.loops = {{"", {"a"}, {"b"}}}; }), "name-empty");

  Description d = pair();
  d.file = "robot.xml";
  d.loops = {{"l", {"a"}, {"bb"}, loop_axes("x"), 7}};
  const auto found = validate(d);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(to_string(found[0]),
            "robot.xml:7: error: loop 'l': its end b is on the frame 'bb', which does not exist [frame-unknown]\n"
            "    remedy: did you mean 'b'?");
}

TEST(Validate, CouplingsAndSprings) {
  const auto coupling = [](const JointCoupling& c, JointType type = JointType::revolute) {
    return codes_after([&](auto& d) { d.couplings = {c}; }, type);
  };
  EXPECT_EQ(coupling({"c", "j", "", {1}}), "");
  EXPECT_EQ(coupling({"c", "k", "", {1}}), "joint-unknown");
  EXPECT_EQ(coupling({"c", "", "", {1}}), "joint-unknown");
  EXPECT_EQ(coupling({"c", "j", "k", {1}}), "joint-unknown");
  EXPECT_EQ(coupling({"c", "j", "", {1}}, JointType::planar), "coupling-size");
  EXPECT_EQ(coupling({"c", "j", "", {}}), "coupling-empty");
  EXPECT_EQ(coupling({"c", "j", "", {nan}}), "number-not-finite");
  const auto spring = [](double stiffness, double rest) {
    return codes_after([&](auto& d) { d.springs = {{"s", {"a"}, {"b"}, stiffness, 0, rest}}; });
  };
  EXPECT_EQ(spring(1, 0), "");
  EXPECT_EQ(spring(1, -1), "spring-rest");
  EXPECT_EQ(spring(inf, 1), "number-not-finite");
  EXPECT_EQ(codes_after([](auto& d) { d.springs = {{"s", {"a"}, {"c"}, 1, 0, 0}}; }), "frame-unknown");
}

TEST(Validate, Actuators) {
  const auto actuator = [](const ActuatorDescription& a) {
    return codes_after([&](auto& d) { d.actuators = {a}; }, JointType::universal);
  };
  EXPECT_EQ(actuator({.name = "m", .joint = "j", .component = 1}), "");
  EXPECT_EQ(actuator({.name = "m", .joint = "k"}), "joint-unknown");
  EXPECT_EQ(actuator({.name = "m", .joint = "j", .component = 2}), "actuator-component");
  EXPECT_EQ(actuator({.name = "m", .joint = "j", .gear = 0}), "actuator-zero");
  EXPECT_EQ(actuator({.name = "m", .joint = "j", .gear = nan}), "number-not-finite");
  EXPECT_EQ(actuator({.name = "m", .joint = "j", .min_command = 1, .max_command = -1}), "actuator-range");
  EXPECT_EQ(actuator({.name = "m", .joint = "j", .min_command = nan}), "actuator-range");
}

TEST(Validate, ContactMaterials) {
  const auto material = [](double friction, double restitution, const char* used) {
    return codes_after([&](auto& d) {
      d.contact_materials = {{"rubber", friction, restitution}};
      d.links[0].collisions.resize(1);
      d.links[0].collisions[0].shape.size = {1, 1, 1};
      d.links[0].collisions[0].contact_material = used;
    });
  };
  EXPECT_EQ(material(0.8, 0.5, "rubber"), "");
  EXPECT_EQ(material(0.8, 0.5, ""), "");
  EXPECT_EQ(material(0.8, 0.5, "ruber"), "contact-material-unknown");
  EXPECT_EQ(material(-1, 0.5, "rubber"), "contact-friction");
  EXPECT_EQ(material(nan, 0.5, "rubber"), "contact-friction");
  EXPECT_EQ(material(1, 1.5, "rubber"), "contact-restitution");
}

TEST(Validate, Mimics) {
  Description d;
  d.links = {solid("a"), solid("b"), solid("c")};
  d.joints = {joint("j", JointType::revolute, "a", "b"), joint("k", JointType::prismatic, "b", "c")};
  const auto with = [&](const std::string& leader_of_j, const std::string& leader_of_k, double ratio = 1) {
    Description changed = d;
    if (!leader_of_j.empty()) changed.joints[0].mimic = Mimic{leader_of_j, ratio, 0};
    if (!leader_of_k.empty()) changed.joints[1].mimic = Mimic{leader_of_k, ratio, 0};
    return codes(changed);
  };
  EXPECT_EQ(with("k", ""), "");
  EXPECT_EQ(with("nobody", ""), "mimic-unknown");
  EXPECT_EQ(with("j", ""), "mimic-self");
  EXPECT_EQ(with("k", "j"), "mimic-cycle");
  EXPECT_EQ(with("k", "", 0), "mimic-zero");
  d.joints[1].type = JointType::planar;
  EXPECT_EQ(with("k", ""), "mimic-size");
  EXPECT_EQ(with("", "j"), "mimic-size");
}

TEST(Validate, MassAndInertia) {
  const auto link = [](double mass, const Sym3<double>& inertia) {
    return codes_after([&](auto& d) { d.links[1].mass = mass, d.links[1].inertia = inertia; });
  };
  EXPECT_EQ(link(-1, {1, 0, 0, 1, 0, 1}), "mass-negative");
  EXPECT_EQ(link(0, {1, 0, 0, 1, 0, 1}), "inertia-without-mass");
  EXPECT_EQ(link(1, {1, 0, 0, 1, 0, 2 + 1e-7}), "");  // rounding
  EXPECT_EQ(link(1, {1, 0, 0, 1, 0, 2.1}), "inertia-triangle");
  EXPECT_EQ(link(1, {1, 2, 0, 1, 0, 3}), "inertia-not-positive");
  EXPECT_EQ(link(1, {-1, 0, 0, 1, 0, 1}), "inertia-not-positive dynamics-indefinite");  // about the joint's axis, x
  EXPECT_EQ(link(1, {0, 0, 0, 0, 0, 0}), "mass-without-inertia dynamics-singular");     // a point on the axis
  EXPECT_EQ(link(0, {0, 0, 0, 0, 0, 0}), "dynamics-singular");
  EXPECT_EQ(link(1, {1e-9, 0, 0, 1e-9, 0, 1e-9}), "");  // small inertia is not singular
}

TEST(Validate, GivesThePrincipalMoments) {
  Description d = pair();
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Mat3<double> R{c, -s, 0, s, c, 0, 0, 0, 1};
  d.links[1].inertia = congruence(R, Sym3<double>{-0.25, 0, 0, 3, 0, 3});
  const auto found = validate(d);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].code, "inertia-not-positive");
  EXPECT_NE(found[0].message.find("-0.25, 3, 3 kg m²"), std::string::npos) << found[0].message;
}

TEST(Validate, PointMassOffTheAxisIsNotSingular) {
  EXPECT_EQ(codes_after([](auto& d) { d.links[1].inertia = {0, 0, 0, 0, 0, 0}, d.links[1].com = {0, 1, 0}; }),
            "mass-without-inertia");
}

TEST(Validate, ArmatureMakesAMasslessLinkMovable) {
  EXPECT_EQ(codes_after([](auto& d) { d.links[1] = massless("b"), d.joints[0].armature = 0.1; }), "");
}

TEST(Validate, MasslessLinksThatDoNoHarm) {
  Description d;
  d.links = {massless("world"), solid("a"), massless("between"), solid("b"), massless("camera")};
  d.joints = {joint("1", JointType::fixed, "world", "a"), joint("2", JointType::revolute, "a", "between"),
              joint("3", JointType::revolute, "between", "b"), joint("4", JointType::fixed, "b", "camera")};
  d.joints[2].axis = {0, 1, 0};
  EXPECT_EQ(codes(d), "massless-link massless-link");
  d.joints[2].axis = {1, 0, 0};  // the same axis twice: one of the two moves no mass
  EXPECT_EQ(codes(d), "dynamics-singular massless-link massless-link");
}

TEST(Validate, KinematicsOnly) {
  Description d = pair();
  d.links = {massless("a"), massless("b")};
  EXPECT_EQ(codes(d), "no-mass");
  d.joints[0].type = JointType::fixed;  // a note only: nothing moves
  EXPECT_EQ(codes(d), "no-mass");
}

TEST(Validate, GivesFileAndLine) {
  Description d = pair();
  d.file = "robot.urdf";
  d.links[1].mass = -1;
  d.links[1].line = 12;
  const auto found = validate(d);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "robot.urdf");
  EXPECT_EQ(found[0].line, 12);
  EXPECT_TRUE(any_error(found));
}

// A chain, or a star, of very many links: validate() must not recurse, and take linear time.
Description many(int n, bool star) {
  Description d;
  d.links.push_back(solid("0"));
  for (int i = 1; i < n; ++i) {
    d.links.push_back(solid(std::to_string(i)));
    d.joints.push_back(
        joint("j" + std::to_string(i), JointType::revolute, std::to_string(star ? 0 : i - 1), std::to_string(i)));
  }
  return d;
}
// Quadratic time in any of these would take minutes.
TEST(Validate, LargeTrees) {
  constexpr int n = 20000, most = int(limits::degrees_of_freedom) - 6;
  EXPECT_EQ(codes(many(most, true)), "");
  EXPECT_EQ(codes(many(most, false)), "");
  EXPECT_EQ(codes(many(n, true)), "too-large");
  EXPECT_EQ(codes(many(n, false)), "too-large");
  Description ring = many(n, false);
  ring.joints.push_back(joint("closing", JointType::revolute, std::to_string(n - 1), "0"));
  EXPECT_EQ(codes(ring), "cycle too-large");
  Description lost = many(n, true);
  for (JointDescription& j : lost.joints) j.parent += "?";
  EXPECT_EQ(validate(lost).size(), limits::diagnostics_per_code + 2);  // "and 18999 more", "too-large"
  Description followers = many(most, true);
  for (std::size_t i = 1; i < followers.joints.size(); ++i)
    followers.joints[i].mimic = Mimic{followers.joints[i - 1].name, 1, 0};
  EXPECT_EQ(codes(followers), "");
}

}  // namespace
}  // namespace lissom
