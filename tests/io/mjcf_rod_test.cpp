// Rods of MJCF: a tendon between two sites with an equality of its length, and <distance> of two spheres.
#include <cmath>

#include <gtest/gtest.h>

#include "lissom/io/read.h"
#include "lissom/io/write/write.h"
#include "urdf_test_support.h"

namespace lissom::io::mjcf_rods {  // files of tests are compiled together
namespace {

const std::string bodies =
    R"(<worldbody><site name="w" pos="0 0 1"/><body name="a" pos="1 0 0"><joint name="j"/><geom name="ball" size=".1" pos="0 0 .2"/><site name="s" pos="0 1 0"/></body>
  <body name="b" pos="1 4 3"><freejoint name="f"/><geom name="ball2" size=".3"/><geom name="box" type="box" size=".1 .1 .1"/><site name="t"/></body></worldbody>)";

ReadResult read_rods(const std::string& sections) {
  return read_text("<mujoco>" + bodies + sections + "</mujoco>", "rods.xml");
}
std::string rope(const std::string& path = R"(<site site="s"/><site site="t"/>)") {
  return R"(<tendon><spatial name="rope" range="0 9" limited="true">)" + path + "</spatial></tendon>";
}

TEST(MjcfRods, OfATendonBetweenTwoSites) {
  const auto read = read_rods(rope() + R"(<equality><tendon name="rod" tendon1="rope" polycoef="0.5"/></equality>)");
  ASSERT_TRUE(read.usable()) << to_text(read);
  EXPECT_EQ(find(read, "tendon-spatial"), nullptr);
  EXPECT_EQ(find(read, "equality-tendon"), nullptr);
  ASSERT_EQ(read.description.loops.size(), 1u);
  const LoopDescription& rod = read.description.loops[0];
  EXPECT_EQ(rod.name, "rod");
  EXPECT_EQ(rod.kind, LoopKind::distance);
  EXPECT_EQ(rod.a.frame, "a");
  EXPECT_EQ(rod.a.placement.p.y, 1);
  EXPECT_EQ(rod.b.frame, "b");
  EXPECT_NEAR(rod.length.value_or(0), std::sqrt(9. + 9.) + .5, 1e-15);  // 1 1 0 to 1 4 3
}

TEST(MjcfRods, OthersAreLeftOut) {
  for (const auto& [tendon, equality] :
       {std::pair{rope(), std::string()},
        {rope(), R"(<tendon tendon1="rope" active="false"/>)"},
        {rope(), R"(<tendon tendon1="rope" polycoef="-9"/>)"},
        {rope(R"(<site site="s"/><site site="w"/><site site="t"/>)"), R"(<tendon tendon1="rope"/>)"},
        {rope(R"(<site site="s"/><geom geom="ball"/><site site="t"/>)"), R"(<tendon tendon1="rope"/>)"},
        {rope(R"(<site site="s"/><pulley divisor="2"/><site site="t"/>)"), R"(<tendon tendon1="rope"/>)"}}) {
    const auto read = read_rods(tendon + "<equality>" + equality + "</equality>");
    EXPECT_TRUE(read.usable()) << to_text(read);
    EXPECT_NE(find(read, "tendon-spatial"), nullptr) << tendon << equality;
    EXPECT_TRUE(read.description.loops.empty()) << tendon << equality;
  }
}

TEST(MjcfRods, OfTwoSpheres) {
  const auto read = read_rods(R"(<equality><distance name="d" geom1="ball" geom2="ball2" distance="2"/></equality>)");
  ASSERT_TRUE(read.usable()) << to_text(read);
  EXPECT_EQ(find(read, "unknown-tag"), nullptr);
  ASSERT_NE(find(read, "former-element"), nullptr);
  ASSERT_EQ(read.description.loops.size(), 1u);
  const LoopDescription& rod = read.description.loops[0];
  EXPECT_EQ(rod.name, "d");
  EXPECT_EQ(rod.kind, LoopKind::distance);
  EXPECT_NEAR(rod.length.value_or(0), 2.4, 1e-15);
  EXPECT_EQ(rod.a.placement.p.z, .2);
  const auto of_box = read_rods(R"(<equality><distance geom1="ball" geom2="box"/></equality>)");
  EXPECT_TRUE(of_box.usable());
  EXPECT_TRUE(of_box.description.loops.empty());
  EXPECT_NE(find(of_box, "equality-distance"), nullptr);
  EXPECT_FALSE(read_rods(R"(<equality><distance geom1="ball" geom2="none"/></equality>)").usable());
}

// Without extensions, only the tendon and its equality say it.
TEST(MjcfRods, ComeBack) {
  auto d =
      read_rods(rope() + R"(<equality><tendon name="rod" tendon1="rope" polycoef="0.5" solref="0.1 1"/></equality>)")
          .description;
  d.loops[0].b.placement.p = {0.1, 0.2, 0.3};
  for (const bool extensions : {true, false}) {
    const auto written = write::write_mjcf(d, {.extensions = extensions});
    EXPECT_TRUE(written.lossless());
    EXPECT_NE(written.text.find("<spatial"), std::string::npos) << written.text;
    EXPECT_NE(written.text.find("solref=\"0.1 1\""), std::string::npos) << written.text;
    const auto again = read_text(written.text, "again.xml").description;
    ASSERT_EQ(again.loops.size(), 1u) << written.text;
    EXPECT_EQ(again.loops[0].name, "rod");
    EXPECT_EQ(again.loops[0].kind, LoopKind::distance);
    EXPECT_NEAR(again.loops[0].length.value_or(0), *d.loops[0].length, 1e-12);
    EXPECT_NEAR(again.loops[0].b.placement.p.z, .3, 1e-15);
    EXPECT_TRUE(again.tendons.empty());
    EXPECT_EQ(again.frames.size(), extensions ? 3u : 5u);
  }
}

}  // namespace
}  // namespace lissom::io::mjcf_rods
