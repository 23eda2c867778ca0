// Descriptions as JSON: all of them come back with the same bits, and damaged ones are refused.
#include "lissom/io/description_json.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "lissom/io/read.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/same_description.h"

namespace lissom::io {
namespace {

std::string error_of(const std::string& text) {
  try {
    (void)description_from_json(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DescriptionJson, EveryModelComesBack) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LISSOM_MODELS_DIR)) {
    if (entry.path().extension() != ".urdf") continue;
    const auto read = io::read(entry.path().string());
    const auto again = description_from_json(description_to_json(read.description));
    EXPECT_TRUE(same_description(again, read.description)) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 10);
}

TEST(DescriptionJson, EveryMemberComesBack) {
  Description d;
  d.name = "größer \"quoted\"\n";
  LinkDescription link;
  link.name = "a", link.mass = 0.1 + 0.2, link.inertia = {1, 2, 3, 4, 5, 6}, link.connects_joints = true;
  Geometry geometry;
  geometry.shape.kind = Shape::Kind::ellipsoid;
  geometry.material = Material{"red", {1, 0, 0, .5}, "skin.png"};
  link.collisions = {geometry};
  d.links = {link};
  JointDescription joint;
  joint.type = JointType::universal;
  const double each[] = {1, 2};
  joint.damping = PerDof(each), joint.mimic = Mimic{"b", -2, .5}, joint.lower = {-INFINITY, 0},
  joint.upper = {1, INFINITY};
  d.joints = {joint};
  d.loops = {{.name = "l", .a = {"a"}, .b = {"world"}, .kind = LoopKind::distance, .length = 3}};
  d.couplings = {{.name = "c", .joint = "x", .of = "y", .coefficients = {}}};
  d.actuators = {
      {.name = "m", .joint = "x", .kind = ActuatorDescription::Kind::position, .gain = 3, .bias = {0, -3, -1}}};
  d.roots = {{.link = "a", .base = Base::free}};
  d.tendons = {{.name = "t", .terms = {{"x", 2}}}};
  d.postures = {{.name = "p", .positions = {{"x", {1, 2}}}}};
  d.contact_pairs = {{.name = "cp", .a = "x", .b = "y", .friction = .7}};
  d.time_step = 1e-3;
  d.sources = {{"a", 1}, {"b", 9}};
  const auto again = description_from_json(description_to_json(d));
  EXPECT_TRUE(same_description(again, d));
  // The comparison notices a difference in each of them.
  for (int i = 0; i < 9; ++i) {
    auto other = d;
    if (i == 0) other.links[0].connects_joints = false;
    if (i == 1) other.links[0].collisions[0].material->color.a = .6;
    if (i == 2) other.joints[0].damping = 1;
    if (i == 3) other.joints[0].lower[0] = 0;
    if (i == 4) other.loops[0].length.reset();
    if (i == 5) other.couplings[0].coefficients = {0, 1};
    if (i == 6) other.actuators[0].bias[2] = 0;
    if (i == 7) other.roots[0].base = Base::fixed;
    if (i == 8) other.time_step = 1e-2;
    EXPECT_FALSE(same_description(again, other)) << i;
  }
}

TEST(DescriptionJson, DamagedTextsAreRefused) {
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("{}").find("lissom_robot"), std::string::npos);
  EXPECT_NE(error_of(R"({"lissom_robot": 2, "robot": {}})").find("newer"), std::string::npos);
  EXPECT_NE(error_of(R"({"lissom_robot": 1, "robot": []})").find("object"), std::string::npos);
  EXPECT_NE(error_of(R"({"lissom_robot": 1, "robot": {"nme": "x"}})").find("key"), std::string::npos);
  EXPECT_NE(error_of(R"({"lissom_robot": 1, "robot": {"joints": [{"type": "hinge"}]}})").find("/robot/joints/0/type"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"lissom_robot": 1, "robot": {"links": [{"com": [1, 2]}]}})").find("3 numbers"),
            std::string::npos);
  EXPECT_EQ(error_of(R"({"lissom_robot": 1, "robot": {}})"), "");
}

}  // namespace
}  // namespace lissom::io
