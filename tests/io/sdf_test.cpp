// Links of SDF: inertia, shapes, surfaces; and what is kept.
#include <algorithm>
#include <numbers>

#include "sdf_test_support.h"

namespace lissom::io {
namespace {

LinkDescription link_with(const std::string& elements) {
  return read_usable(sdf(model("<link name=\"a\">" + elements + "</link>"), "1.11")).links.at(0);
}
std::string collision(const std::string& shape, const std::string& more = {}) {
  return "<collision name=\"c\">" + more + "<geometry>" + shape + "</geometry></collision>";
}

TEST(SdfInertia, IsRotatedIntoTheLink) {
  const auto link = link_with(
      "<inertial><pose>1 2 3 1.5707963267948966 0 0</pose><mass>4</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz>"
      "<ixy>0.1</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>");
  EXPECT_EQ(link.mass, 4);
  EXPECT_LT(distance(link.com, {1, 2, 3}), 1e-15);
  EXPECT_NEAR(link.inertia.xx, 1, 1e-15);
  EXPECT_NEAR(link.inertia.yy, 2.5, 1e-15);
  EXPECT_NEAR(link.inertia.zz, 2, 1e-15);
  EXPECT_NEAR(link.inertia.xz, 0.1, 1e-15);
}

TEST(SdfInertia, DefaultsAreThoseOfTheFormat) {
  const auto result = read_sdf_text(sdf(model("<link name=\"a\"/><link name=\"b\"><inertial/></link>")), "made.sdf");
  for (const LinkDescription& link : result.description.links) {
    EXPECT_EQ(link.mass, 1);
    EXPECT_EQ(link.inertia.yy, 1);
  }
  for (const char* code : {"inertial-default", "mass-default", "inertia-default"})
    EXPECT_TRUE(find(result, code)) << code;
}

TEST(SdfInertia, OfShapes) {
  const std::string automatic = "<inertial auto=\"true\"/>";
  const auto box = link_with(automatic + collision("<box><size>1 2 3</size></box>", pose("0 0 1 0 0 0")));
  EXPECT_NEAR(box.mass, 6000, 1e-9);
  EXPECT_LT(distance(box.com, {0, 0, 1}), 1e-15);
  EXPECT_NEAR(box.inertia.xx, 6000 * (4 + 9) / 12., 1e-9);
  const auto two = link_with("<inertial auto=\"true\"><density>10</density></inertial>" +
                             collision("<sphere><radius>1</radius></sphere>", pose("1 0 0 0 0 0")) +
                             collision("<sphere><radius>1</radius></sphere>", pose("-1 0 0 0 0 0")));
  const double ball = 10 * 4 * std::numbers::pi / 3;
  EXPECT_NEAR(two.mass, 2 * ball, 1e-12);
  EXPECT_NEAR(two.inertia.xx, 2 * 0.4 * ball, 1e-12);
  EXPECT_NEAR(two.inertia.zz, 2 * (0.4 * ball + ball), 1e-12);
  const auto scaled = link_with("<inertial auto=\"true\"><mass>6</mass></inertial>" +
                                collision("<box><size>1 2 3</size></box>", "<density>7</density>"));
  EXPECT_NEAR(scaled.mass, 6, 1e-15);
  EXPECT_NEAR(scaled.inertia.xx, 6 * (4 + 9) / 12., 1e-12);
}

// Compared with sums over many small cubes.
TEST(SdfInertia, OfRoundShapesAgreesWithSums) {
  const struct {
    std::string shape;
    bool (*inside)(double x, double y, double z);
  } shapes[] = {{"<cylinder><radius>0.5</radius><length>1.5</length></cylinder>",
                 [](double x, double y, double z) { return x * x + y * y < 0.25 && std::abs(z) < 0.75; }},
                {"<capsule><radius>0.4</radius><length>1</length></capsule>",
                 [](double x, double y, double z) {
                   const double beyond = std::max(0., std::abs(z) - 0.5);
                   return x * x + y * y + beyond * beyond < 0.16;
                 }},
                {"<ellipsoid><radii>0.3 0.6 0.9</radii></ellipsoid>",
                 [](double x, double y, double z) { return x * x / 0.09 + y * y / 0.36 + z * z / 0.81 < 1; }},
                {"<cone><radius>0.8</radius><length>1.6</length></cone>", [](double x, double y, double z) {
                   return std::abs(z) < 0.8 && std::hypot(x, y) < 0.8 * (0.8 - z) / 1.6;
                 }}};
  for (const auto& [shape, inside] : shapes) {
    const auto link = link_with("<inertial auto=\"true\"><density>1</density></inertial>" + collision(shape));
    constexpr int n = 80;
    constexpr double h = 2. / n;
    double mass = 0, z_sum = 0, xx = 0, zz = 0;
    for (int i = 0; i < n * n * n; ++i) {
      const double x = (i % n + 0.5) * h - 1, y = (i / n % n + 0.5) * h - 1, z = (i / n / n + 0.5) * h - 1;
      if (!inside(x, y, z)) continue;
      mass += h * h * h, z_sum += h * h * h * z, xx += h * h * h * (y * y + z * z), zz += h * h * h * (x * x + y * y);
    }
    EXPECT_NEAR(link.mass, mass, 0.01 * mass) << shape;
    EXPECT_NEAR(link.com.z, z_sum / mass, 0.01) << shape;
    EXPECT_NEAR(link.inertia.xx, xx - z_sum * z_sum / mass, 0.01 * xx) << shape;
    EXPECT_NEAR(link.inertia.zz, zz, 0.02 * zz) << shape;
  }
}

TEST(SdfShapes, AreRead) {
  const auto link = link_with(collision("<box><size>1 2 3</size></box>") +
                              collision("<cylinder><radius>0.5</radius><length>2</length></cylinder>") +
                              collision("<ellipsoid><radii>1 2 3</radii></ellipsoid>") +
                              collision("<plane><normal>1 0 0</normal><size>4 5</size></plane>") +
                              collision("<mesh><uri>a.stl</uri><scale>2 2 -2</scale></mesh>"));
  ASSERT_EQ(link.collisions.size(), 5u);
  EXPECT_EQ(link.collisions[0].shape.size.z, 3);
  EXPECT_EQ(link.collisions[1].shape.length, 2);
  EXPECT_EQ(link.collisions[2].shape.kind, Shape::Kind::ellipsoid);
  EXPECT_EQ(link.collisions[3].shape.kind, Shape::Kind::plane);
  EXPECT_NEAR(link.collisions[3].origin.R.xz, 1, 1e-15);
  EXPECT_EQ(link.collisions[4].shape.file, "a.stl");
  EXPECT_EQ(link.collisions[4].shape.scale.z, -2);
}

TEST(SdfShapes, HaveColors) {
  const auto link = link_with(
      "<visual name=\"v\"><transparency>0.25</transparency><geometry><sphere><radius>1</radius></sphere></geometry>"
      "<material><ambient>1 1 1 1</ambient><diffuse>0.1 0.2 0.3 0.8</diffuse></material></visual>");
  ASSERT_TRUE(link.visuals.at(0).material);
  EXPECT_EQ(link.visuals[0].material->color.b, 0.3);
  EXPECT_DOUBLE_EQ(link.visuals[0].material->color.a, 0.6);
}

TEST(SdfSurfaces, AreContactMaterials) {
  const std::string ball = "<sphere><radius>1</radius></sphere>";
  const auto surface = [](const std::string& mu, const std::string& more) {
    return "<surface><friction><ode><mu>" + mu + "</mu><mu2>1</mu2></ode></friction>" + more + "</surface>";
  };
  const std::string bounce = "<bounce><restitution_coefficient>0.5</restitution_coefficient></bounce>";
  const auto robot = read_usable(sdf(model(
      "<link name=\"a\">" + collision(ball, surface("0.7", "")) + collision(ball, surface("0.7", bounce)) +
      collision(ball, surface("0.7", "<contact><ode><kp>1e6</kp></ode></contact>")) + collision(ball) + "</link>")));
  ASSERT_EQ(robot.contact_materials.size(), 2u);
  EXPECT_EQ(robot.contact_materials[0].friction, 0.7);
  EXPECT_EQ(robot.contact_materials[1].restitution, 0.5);
  const auto& collisions = robot.links[0].collisions;
  EXPECT_EQ(collisions[0].contact_material, collisions[2].contact_material);
  EXPECT_TRUE(collisions[3].contact_material.empty());
  const auto stiffness = std::ranges::find(robot.kept, "surface/contact/ode/kp", &KeptAttribute::name);
  ASSERT_NE(stiffness, robot.kept.end());
  EXPECT_EQ(stiffness->value, "1e6");
}

TEST(SdfNotes, AreFewAndCounted) {
  std::string sensors;
  for (int i = 0; i < 20; ++i) sensors += "<sensor name=\"s" + std::to_string(i) + "\" type=\"imu\"/>";
  const auto result =
      read_sdf_text(sdf(model(sdf_link("a", sensors) + "<plugin name=\"p\" filename=\"f\"/>")), "m.sdf");
  EXPECT_TRUE(result.usable());
  EXPECT_EQ(std::ranges::count(result.diagnostics, "not-read", &Diagnostic::code), 2);
  EXPECT_NE(find(result, "not-read")->message.find("20 times"), std::string::npos);
}

TEST(SdfRoots, WithoutSdfAreExplained) {
  for (const char* text : {"<model name=\"m\"><link name=\"a\"/></model>", "<world name=\"w\"/>"}) {
    const auto result = read_text(text, "m.sdf");
    ASSERT_TRUE(find(result, "not-sdf")) << to_text(result);
    EXPECT_NE(find(result, "not-sdf")->remedy.find("<sdf version"), std::string::npos);
  }
  EXPECT_TRUE(find(read_text("<gazebo version=\"1.2\"/>", "old.sdf"), "version"));
}

// What is neither used nor left out with a note is in Description::kept.
TEST(SdfKept, WhatHasNoMeaningHere) {
  struct Case {
    const char *where, *text, *name, *value;
  };
  const Case cases[] = {
      {"visual", "<cast_shadows>false</cast_shadows>", "cast_shadows", "false"},
      {"visual", "<laser_retro>1</laser_retro>", "laser_retro", "1"},
      {"visual", "<visibility_flags>3</visibility_flags>", "visibility_flags", "3"},
      {"visual", "<meta><layer>1</layer></meta>", "meta/layer", "1"},
      {"visual", "<material><specular>1 1 1 1</specular></material>", "material/specular", "1 1 1 1"},
      {"collision", "<laser_retro>2</laser_retro>", "laser_retro", "2"},
      {"collision", "<max_contacts>3</max_contacts>", "max_contacts", "3"},
      {"collision", "<density>300</density>", "density", "300"},
      {"joint", "<gearbox_ratio>2</gearbox_ratio>", "gearbox_ratio", "2"},
      {"joint", "<physics><ode><cfm_damping>1</cfm_damping></ode></physics>", "physics/ode/cfm_damping", "1"},
      {"link", "<self_collide>true</self_collide>", "self_collide", "true"},
      {"link", "<velocity_decay><linear>.1</linear></velocity_decay>", "velocity_decay/linear", ".1"},
      {"model", "<allow_auto_disable>false</allow_auto_disable>", "allow_auto_disable", "false"},
  };
  for (const Case& c : cases) {
    const auto in = [&](const char* where) { return std::string(c.where == std::string_view(where) ? c.text : ""); };
    const std::string box = "<geometry><box><size>1 1 1</size></box></geometry>";
    const auto d = read_usable(
        sdf(model(in("model") +
                  sdf_link("a", in("link") + "<visual name=\"v\">" + in("visual") + box +
                                    "</visual><collision name=\"c\">" + in("collision") + box + "</collision>") +
                  sdf_link("b") + sdf_joint("j", "revolute", "a", "b", in("joint") + "<axis><xyz>0 0 1</xyz></axis>")),
            "1.11"));
    EXPECT_TRUE(std::ranges::any_of(d.kept, [&](const KeptAttribute& k) {
      return k.name == c.name && k.value == c.value && k.subject.find(c.where) != std::string::npos;
    })) << c.text;
  }
}

}  // namespace
}  // namespace lissom::io
