// Meshes without files, the meshes that MuJoCo makes by itself, and height fields: from files to shapes, and back.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "lissom/files/data_uri.h"
#include "lissom/io/check_meshes.h"
#include "lissom/io/read.h"
#include "lissom/io/write/write.h"
#include "lissom/mesh/height_map.h"
#include "lissom/mesh/load.h"
#include "lissom/mesh/mass_properties.h"
#include "lissom/model/limits.h"
#include "test_folder.h"
#include "urdf_test_support.h"

namespace lissom::io::shapes {
namespace {

namespace fs = std::filesystem;
using test::TestFolder;

const std::string wedge =
    R"(<mesh name="wedge" vertex="0 0 0 1 0 0 0 2 0 0 0 3" face="0 2 1 0 1 3 1 2 3 0 3 2" scale="2 1 1" refpos="1 0 0"/>)";

ReadResult read_geom(const std::string& assets, const std::string& geom) {
  return read_text(
      "<mujoco><asset>" + assets + "</asset><worldbody><body name='b'><joint/>" + geom + "</body></worldbody></mujoco>",
      "test.xml");
}
const LinkDescription& body(const ReadResult& result) {
  EXPECT_TRUE(result.usable()) << to_text(result);
  return result.description.links.back();
}

TEST(InlineMeshes, AreShownAndTouched) {
  const auto result = read_geom(wedge, "<geom name='g' type='mesh' mesh='wedge' pos='0 0 5'/>");
  const auto& link = body(result);
  ASSERT_EQ(link.visuals.size(), 1u);
  ASSERT_EQ(link.collisions.size(), 1u);
  const Shape& shape = link.collisions[0].shape;
  EXPECT_EQ(shape.kind, Shape::Kind::mesh);
  EXPECT_EQ(data_uri_name(shape.file), "wedge");
  EXPECT_EQ(find(result, "collision-lost"), nullptr);
  EXPECT_EQ(link.collisions[0].origin.p.z, 5);
  const auto loaded = mesh::load_mesh(shape.path, {.scale = shape.scale});
  ASSERT_TRUE(loaded.ok());
  // refpos first, then the scale: x from -2 to 0.
  const auto box = mesh::bounds(loaded.mesh);
  EXPECT_EQ(box.lower.x, -2);
  EXPECT_EQ(box.upper.x, 0);
  EXPECT_EQ(box.upper.y, 2);
  EXPECT_EQ(box.upper.z, 3);
  EXPECT_NEAR(1000 * mesh::mass_properties(loaded.mesh).mass, link.mass, 1e-9);
}

TEST(InlineMeshes, TooMuchOfThemIsLeftOut) {
  std::string vertices;
  for (int i = 0; i < 30'000; ++i)
    vertices += std::to_string(i % 31) + " " + std::to_string(i % 37) + " " + std::to_string(i) + " ";
  const auto result = read_text("<mujoco><asset><mesh name='m' inertia='shell' vertex='" + vertices +
                                    "' face='0 1 2 1 2 3 2 3 4'/></asset><worldbody><replicate count='2000'>"
                                    "<geom type='mesh' mesh='m' group='3'/></replicate></worldbody></mujoco>",
                                "test.xml");
  std::size_t bytes = 0;
  for (const auto& g : result.description.links[0].collisions) bytes += g.shape.file.size();
  EXPECT_GT(bytes, limits::mesh_bytes / 4);
  EXPECT_LE(bytes, limits::mesh_bytes / 2);
  EXPECT_NE(find(result, "collision-lost"), nullptr);
}

// Masses, centers and inertias as MuJoCo 4.0.0 computes them; it keeps coordinates in single precision.
TEST(BuiltinMeshes, HaveTheMassThatMujocoFinds) {
  const struct {
    const char* mesh;
    double mass;
    Vec3<double> center, moments;
  } known[] = {
      {"sphere' params='1", 21.95227276, {0, 0, 0}, {0.5219473699, 0.4014979769, 0.2007489884}},
      {"hemisphere' params='3", 11.45846215, {0, 0, 0.1087818322}, {0.1447253774, 0.08003639115, 0.1078149771}},
      {"cone' params='5 .3", 13.21968583, {0, 0, -0.09820143955}, {0.3596578524, 0.3127149347, 0.07823819529}},
      {"supersphere' params='7 .5 1.5",
       18.39929931,
       {0.0009169763806, 0, 0},
       {0.364311947, 0.2639688376, 0.1667819527}},
      {"supertorus' params='9 .4 .5 1.5",
       20.76858577,
       {0.0006469037548, 0, 0},
       {0.3693107906, 0.1492159014, 0.3672444309}},
      {"wedge' params='9 5 100 40 .3",
       6.658764878,
       {0, 0, -0.1426724076},
       {0.04766601287, 0.04211425428, 0.03261258629}}};
  for (const auto& k : known) {
    SCOPED_TRACE(k.mesh);
    const auto result = read_geom(std::string("<mesh name='m' scale='.1 .2 .3' builtin='") + k.mesh + "'/>",
                                  "<geom type='mesh' mesh='m'/>");
    const auto& link = body(result);
    EXPECT_NEAR(link.mass, k.mass, 1e-5 * k.mass);
    EXPECT_NEAR(link.com.x, k.center.x, 1e-7);
    EXPECT_NEAR(link.com.y, k.center.y, 1e-7);
    EXPECT_NEAR(link.com.z, k.center.z, 1e-7);
    EXPECT_NEAR(link.inertia.xx, k.moments.x, 1e-6);
    EXPECT_NEAR(link.inertia.yy, k.moments.y, 1e-6);
    EXPECT_NEAR(link.inertia.zz, k.moments.z, 1e-6);
    EXPECT_EQ(link.collisions.size(), 1u);
  }
}

TEST(BuiltinMeshes, WrongParametersAreErrors) {
  for (const char* const mesh :
       {"sphere' params='5", "sphere", "cone' params='2 1", "cone' params='4", "cone' params='4 1.5",
        "supertorus' params='4 0 1 1", "wedge' params='3 3 0 90 .5", "plate' params='0 1"})
    EXPECT_NE(find(read_geom(std::string("<mesh name='m' builtin='") + mesh + "'/>", "<geom type='mesh' mesh='m'/>"),
                   "mesh-parameters"),
              nullptr)
        << mesh;
  EXPECT_NE(
      find(read_geom("<mesh name='m' builtin='prism' params='3'/>", "<geom type='mesh' mesh='m'/>"), "word-unknown"),
      nullptr);
}

std::vector<double> heights_of(const Shape& shape) {
  return mesh::load_heights(shape.path).map.heights;
}

// MuJoCo 4.0.0 has the same numbers in hfield_data.
TEST(HeightFields, OfMjcfAreThoseOfMujoco) {
  const auto result = read_geom("<hfield name='t' nrow='2' ncol='3' size='2 1 .5 .1' elevation='1 2 3 4 5 7'/>",
                                "<geom size='.1'/><geom name='g' type='hfield' hfield='t' pos='0 0 1'/>");
  const auto& link = body(result);
  ASSERT_EQ(link.collisions.size(), 2u);
  const Shape& shape = link.collisions[1].shape;
  EXPECT_EQ(shape.kind, Shape::Kind::height_field);
  EXPECT_EQ(shape.size.x, 4);
  EXPECT_EQ(shape.size.y, 2);
  EXPECT_EQ(shape.size.z, .5);
  EXPECT_EQ(shape.length, .1);
  const double expected[] = {.5, 2. / 3, 1, 0, 1. / 6, 1. / 3};
  const auto heights = heights_of(shape);
  ASSERT_EQ(heights.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(heights[i], expected[i], 1e-7);
  EXPECT_NEAR(link.mass, 4188.79 / 1000, 1e-4);  // that of the ball
}

TEST(HeightFields, OfSdfBeginWhereBlackWouldBe) {
  const TestFolder folder;
  std::ofstream(folder.path() + "/hill.png", std::ios::binary)
      << mesh::to_png(mesh::HeightMap{3, 2, {.2, .3, .4, .25, .3, .35}});
  const auto file = folder.path() + "/hill.sdf";
  std::ofstream(file) << R"(<sdf version="1.9"><model name="m"><static>true</static><link name="l"><collision name="c">
    <geometry><heightmap><uri>hill.png</uri><size>10 20 8</size><pos>1 2 3</pos></heightmap></geometry></collision></link></model></sdf>)";
  const auto result = io::read(file);
  ASSERT_TRUE(result.usable()) << to_text(result);
  ASSERT_EQ(result.description.links[0].collisions.size(), 1u);
  const auto& origin = result.description.links[0].collisions[0].origin;
  const auto& shape = result.description.links[0].collisions[0].shape;
  EXPECT_EQ(shape.kind, Shape::Kind::height_field);
  // The highest pixel, .4, is at 8 m: the lowest one at 4 m.
  EXPECT_NEAR(origin.p.z, 3 + 4, 1e-3);
  EXPECT_NEAR(shape.size.z, 4, 1e-3);
  EXPECT_EQ(origin.p.x, 1);
  EXPECT_EQ(shape.size.y, 20);
  EXPECT_NEAR(heights_of(shape)[3], .25, 1e-3);
}

TEST(WrittenShapes, ComeBackFromEveryFormat) {
  const auto result =
      read_geom(wedge + "<hfield name='t' nrow='2' ncol='3' size='2 1 .5 .1' elevation='1 2 3 4 5 7'/>",
                "<geom name='m' type='mesh' mesh='wedge' pos='0 0 5'/><geom name='h' type='hfield' hfield='t'/>");
  const auto& was = body(result);
  ASSERT_EQ(was.collisions.size(), 2u);
  for (const auto format : {write::Format::urdf, write::Format::mjcf, write::Format::sdf}) {
    SCOPED_TRACE(to_string(format));
    const TestFolder folder;
    const auto path = folder.path() + "/robot.txt";
    const auto written = write::write(result.description, format, {.path = path});
    EXPECT_TRUE(written.lossless());
    std::ofstream(path) << written.text;
    for (const auto& file : written.files) {
      const auto beside = fs::path(folder.path()) / file.path;
      fs::create_directories(beside.parent_path());
      std::ofstream(beside, std::ios::binary) << file.bytes;
    }
    const auto again = io::read(path);
    ASSERT_TRUE(again.usable()) << to_text(again);
    const auto link = std::ranges::find(again.description.links, "b", &LinkDescription::name);
    ASSERT_NE(link, again.description.links.end());
    ASSERT_EQ(link->collisions.size(), 2u) << written.text;
    const Shape &mesh_shape = link->collisions[0].shape, &field = link->collisions[1].shape;
    const auto before = mesh::load_mesh(was.collisions[0].shape.path).mesh,
               after = mesh::load_mesh(mesh_shape.path).mesh;
    ASSERT_EQ(after.vertices.size(), before.vertices.size());
    EXPECT_EQ(after.triangles, before.triangles);
    for (std::size_t i = 0; i < after.vertices.size(); ++i) EXPECT_EQ(after.vertices[i].z, before.vertices[i].z);
    EXPECT_EQ(field.kind, Shape::Kind::height_field);
    EXPECT_EQ(field.size.x, 4);
    EXPECT_EQ(field.size.z, .5);
    const auto heights = heights_of(field), had = heights_of(was.collisions[1].shape);
    ASSERT_EQ(heights.size(), had.size());
    for (std::size_t i = 0; i < had.size(); ++i) EXPECT_NEAR(heights[i], had[i], 1e-5);
  }
}

// Frames as MuJoCo 4.0.0 has them: position and quaternion of the body, and where its site is then.
TEST(AlignedBodies, HaveTheFramesOfMujoco) {
  const std::string box = "<geom type='box' size='.1 .2 .3' pos='1 .2 .3' euler='10 20 30'/>",
                    ball = "<geom size='.2' pos='-.3 .1 .2'/><site name='s' pos='.1 .2 .3'/>";
  const auto posture = [](const std::string& body, const std::string& compiler = "") {
    const auto result = read_text("<mujoco><compiler " + compiler + "/><worldbody><body name='b' pos='1 2 3'>" + body +
                                      "</body></worldbody></mujoco>",
                                  "test.xml");
    EXPECT_TRUE(result.usable()) << to_text(result);
    return result.description;
  };
  const auto expect_near = [](const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 6e-5) << i;
  };
  const std::vector<double> several{1.4655, 2.1589, 3.2589, .4752, .4851, .4696, .5643};
  for (const auto& d :
       {posture("<freejoint align='true'/>" + box + ball), posture("<freejoint/>" + box + ball, "alignfree='true'"),
        posture("<joint type='free'/>" + box + ball, "alignfree='true'")}) {
    expect_near(d.postures.at(0).positions.at(0).q, several);
    const auto& site = d.frames.at(0).origin.p;
    expect_near({site.x, site.y, site.z}, {.0734, .0658, -.3568});
    EXPECT_NEAR(d.links[1].inertia.xy, 0, 1e-9);
    EXPECT_EQ(d.links[1].com.x, 0);
  }
  expect_near(
      posture("<freejoint align='true'/><inertial pos='.1 .2 .3' quat='1 .2 .3 .4' mass='1' diaginertia='.1 .2 .25'/>")
          .postures[0]
          .positions[0]
          .q,
      {1.1, 2.2, 3.3, .8805, .1761, .2641, .3522});
  expect_near(
      posture("<freejoint align='true'/><inertial pos='.1 .2 .3' mass='1' fullinertia='.1 .2 .25 .01 .02 .03'/>")
          .postures[0]
          .positions[0]
          .q,
      {1.1, 2.2, 3.3, .1661, .734, .1414, .6432});
  // Bodies that carry others stay where they are.
  expect_near(posture("<freejoint align='true'/>" + box + "<body><geom size='.1'/></body>").postures[0].positions[0].q,
              {1, 2, 3, 1, 0, 0, 0});
}

TEST(CheckMeshes, DamagedAndHugeOnesAreFound) {
  const TestFolder folder;
  std::ofstream(folder.path() + "/millimeters.obj")
      << "v 0 0 0\nv 100 0 0\nv 0 200 0\nv 0 0 50\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  std::ofstream(folder.path() + "/damaged.stl") << "solid x\n facet normal 0 0 1\n";
  const auto findings = [&](const std::string& scale, const std::string& tag, const std::string& file) {
    const auto read =
        read_text("<robot name='r'><link name='a'/><link name='b'>\n<" + tag + "><geometry><mesh filename='" +
                      folder.path() + "/" + file + "' scale='" + scale + "'/></geometry></" + tag +
                      "></link><joint name='j' type='fixed'><origin xyz='0 0 .5'/><parent link='a'/><child "
                      "link='b'/></joint></robot>",
                  "test.urdf");
    return check_meshes(read.description);
  };
  EXPECT_TRUE(findings("0.001 0.001 0.001", "visual", "millimeters.obj").empty());
  EXPECT_TRUE(findings("0.05 0.05 0.05", "visual", "millimeters.obj").empty());
  const auto huge = findings("1 1 1", "visual", "millimeters.obj");
  ASSERT_EQ(huge.size(), 1u);
  EXPECT_EQ(huge[0].code, "mesh-units");
  EXPECT_EQ(huge[0].severity, Severity::warning);
  EXPECT_EQ(huge[0].line, 2);
  for (const char* const tag : {"visual", "collision"}) {
    const auto damaged = findings("1 1 1", tag, "damaged.stl");
    ASSERT_FALSE(damaged.empty());
    EXPECT_EQ(damaged[0].severity, std::string_view(tag) == "visual" ? Severity::note : Severity::warning);
    EXPECT_EQ(damaged[0].subject, "link 'b'");
  }
}

}  // namespace
}  // namespace lissom::io::shapes
