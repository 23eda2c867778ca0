// What files of several formats add to a description: places in several files, roots, tendons, postures, filters.
#include <gtest/gtest.h>

#include "lissom/api/kinematics.h"
#include "lissom/api/state.h"
#include "lissom/api/workspace.h"
#include "lissom/model/source_place.h"
#include "lissom/model/validate.h"

namespace lissom {
namespace {

Description two_links() {
  Description d;
  d.name = "two";
  d.file = "main.xml";
  for (const char* name : {"base_link", "arm"}) {
    LinkDescription link;
    link.name = name, link.mass = 1, link.inertia = {1, 0, 0, 1, 0, 1};
    d.links.push_back(link);
  }
  JointDescription joint;
  joint.name = "elbow", joint.type = JointType::continuous, joint.parent = "base_link", joint.child = "arm";
  joint.origin.p = {0, 0, 1};
  d.joints.push_back(joint);
  return d;
}

std::vector<Diagnostic> errors_of(const Description& d) {
  auto found = validate(d, {});
  std::erase_if(found, [](const Diagnostic& x) { return x.severity != Severity::error; });
  return found;
}

TEST(SourcePlace, LinesAreThoseOfTheirFiles) {
  Description d = two_links();
  EXPECT_EQ(place_of(d, 7).file, "main.xml");
  EXPECT_EQ(place_of(d, 7).line, 7);
  d.sources = {{"main.xml", 1}, {"arm.xml", 11}, {"hand.xml", 31}};
  const struct {
    int line;
    const char* file;
    int in_file;
  } cases[] = {{1, "main.xml", 1}, {10, "main.xml", 10}, {11, "arm.xml", 1}, {30, "arm.xml", 20}, {31, "hand.xml", 1}};
  for (const auto& c : cases) {
    EXPECT_EQ(place_of(d, c.line).file, c.file) << c.line;
    EXPECT_EQ(place_of(d, c.line).line, c.in_file) << c.line;
  }
  EXPECT_EQ(place_of(d, 0).file, "main.xml");
}

TEST(SourcePlace, FindingsOfValidateNameTheFile) {
  Description d = two_links();
  d.sources = {{"main.xml", 1}, {"arm.xml", 11}};
  d.links[1].line = 14;
  d.links[1].mass = std::numeric_limits<double>::quiet_NaN();
  const auto found = errors_of(d);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "arm.xml");
  EXPECT_EQ(found[0].line, 4);
}

TEST(SourcePlace, FindingsAreSortedFileByFile) {
  std::vector<Diagnostic> found(3);
  found[0].file = "arm.xml", found[0].line = 1;
  found[1].file = "main.xml", found[1].line = 9;
  found[2].file = "main.xml", found[2].line = 2;
  sort_by_place(found, {{"main.xml", 1}, {"arm.xml", 11}});
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[1].line, 9);
  EXPECT_EQ(found[2].file, "arm.xml");
}

TEST(Roots, StandWhereTheFileSays) {
  Description d = two_links();
  RootDescription root;
  root.link = "base_link", root.placement.p = {1, 2, 3};
  d.roots.push_back(root);
  const Model model = build(d, {});
  Workspace work(model);
  forward_kinematics(model, work, neutral(model));
  EXPECT_EQ(placement(model, work, model.frame("arm")).p.z, 4);
  EXPECT_EQ(placement(model, work, model.frame("base_link")).p.x, 1);
}

TEST(Roots, FloatIfTheFileSaysSo) {
  Description d = two_links();
  RootDescription root;
  root.link = "base_link", root.base = Base::free, root.placement.p = {1, 2, 3};
  d.roots.push_back(root);
  EXPECT_EQ(build(d, {}).nv(), 7);
  EXPECT_EQ(build(d, {.base = Base::fixed}).nv(), 1);
  EXPECT_EQ(build(d, {.base = Base::planar}).nv(), 4);
  // The coordinates of a free base are those of the world, wherever it starts.
  const Model model = build(d, {.base = Base::free});
  Workspace work(model);
  forward_kinematics(model, work, neutral(model));
  EXPECT_EQ(placement(model, work, model.frame("base_link")).p.x, 0);
}

TEST(References, NamesThatDoNotExistAreErrors) {
  const auto code_of = [](auto change) {
    Description d = two_links();
    change(d);
    const auto found = errors_of(d);
    return found.size() == 1 ? found[0].code : std::to_string(found.size()) + " findings";
  };
  EXPECT_EQ(code_of([](Description& d) { d.roots.push_back({.link = "leg"}); }), "link-unknown");
  EXPECT_EQ(code_of([](Description& d) { d.roots.push_back({.link = "arm"}); }), "root-has-joint");
  EXPECT_EQ(code_of([](Description& d) { d.roots.push_back({.link = "base_link", .base = Base::planar}); }),
            "root-base");
  EXPECT_EQ(code_of([](Description& d) { d.tendons.push_back({.name = "t", .terms = {{"knee", 1}}}); }),
            "joint-unknown");
  EXPECT_EQ(code_of([](Description& d) { d.postures.push_back({.name = "p", .positions = {{"knee", {1}}}}); }),
            "joint-unknown");
  EXPECT_EQ(code_of([](Description& d) { d.postures.push_back({.name = "p", .positions = {{"elbow", {1, 2}}}}); }),
            "posture-size");
  EXPECT_EQ(code_of([](Description& d) { d.contact_exclusions.push_back({.name = "e", .a = "arm", .b = "leg"}); }),
            "link-unknown");
  EXPECT_EQ(code_of([](Description& d) { d.contact_pairs.push_back({.name = "c", .a = "x", .b = "x"}); }),
            "2 findings");
  EXPECT_EQ(code_of([](Description& d) { d.actuators.push_back({.name = "m", .joint = "", .tendon = "t"}); }),
            "tendon-unknown");
}

TEST(References, TendonsDriveSumsOfJoints) {
  Description d = two_links();
  d.tendons.push_back({.name = "t", .terms = {{"elbow", 2}}});
  d.actuators.push_back({.name = "m", .joint = "", .tendon = "t"});
  d.postures.push_back({.name = "bent", .positions = {{"elbow", {1}}}});
  EXPECT_TRUE(errors_of(d).empty());
  EXPECT_TRUE(build(d, {}).actuators().empty());  // it drives no joint alone
}

}  // namespace
}  // namespace lissom
