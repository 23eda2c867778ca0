// What xacro files become, and where findings about the result point.
#include <algorithm>

#include <gtest/gtest.h>

#include "lissom/api/load.h"
#include "lissom/model/same_description.h"
#include "xacro_test_support.h"

namespace lissom::io::xacro {
namespace {

TEST(Xacro, IsRecognizedByItsContent) {
  EXPECT_TRUE(is_xacro(file_of("<xacro:property name=\"a\" value=\"1\"/>")));
  EXPECT_TRUE(is_xacro(file_of("<link name=\"${1}\"/>")));
  EXPECT_TRUE(is_xacro(file_of("<link name=\"$(arg x)\"/>")));
  EXPECT_FALSE(is_xacro(file_of("<link name=\"a\"/>")));  // expanded files often keep the namespace
  EXPECT_FALSE(is_xacro("<robot name=\"r\"><link name=\"${1}\"/></robot>"));
  const ReadResult result = read_text(file_of("<link name=\"link${1 + 1}\"/>"), "whatever.txt");
  ASSERT_TRUE(result.usable()) << findings(result.diagnostics);
  EXPECT_EQ(result.description.links.at(0).name, "link2");
  EXPECT_EQ(result.description.file, "whatever.txt");
}

TEST(Xacro, IsWrittenAsXacroWritesIt) {
  const Expansion expansion = expand_text(
      "<?xml version=\"1.0\"?>\n<robot xmlns:xacro=\"x\" b=\"${1}\" a='\"'>\n  <t> one &amp; ${'two'} </t><e/>\n\n<!-- "
      "kept -->"
      "<e><f/> text </e></robot>",
      "test.xacro");
  EXPECT_EQ(
      expansion.text,
      "<?xml version=\"1.0\" ?>\n<robot a=\"&quot;\" b=\"1\">\n  <t> one &amp; two </t>\n  <e/>\n  <!-- kept -->\n"
      "  <e>\n    <f/>\n     text \n  </e>\n</robot>\n");
}

TEST(Xacro, TakesArguments) {
  const std::string text =
      "<xacro:arg name=\"side\" default=\"left\"/><link name=\"$(arg side)_${'$(arg side)'.upper()}\"/>";
  EXPECT_EQ(expanded(text), "  <link name=\"left_LEFT\"/>\n");
  EXPECT_EQ(expanded(text, {.xacro_arguments = {{"side", "right"}}}), "  <link name=\"right_RIGHT\"/>\n");
  EXPECT_EQ(expanded("<link name=\"$(arg undeclared)\"/>", {.xacro_arguments = {{"undeclared", "x"}}}),
            "  <link name=\"x\"/>\n");
  const auto model = load_text(file_of(text), "test.xacro", {.xacro_arguments = {{"side", "front"}}});
  EXPECT_EQ(model.description().links.at(0).name, "front_FRONT");
}

// Comments before an element of xacro belong to it; an empty line separates them.
TEST(XacroFindings, NameArgumentsThatNobodyTakes) {
  const auto found = [](const std::string& argument, const std::string& elements) {
    ReadOptions options;
    options.xacro_arguments = {{argument, "1"}};
    return findings(expand_text(file_of(elements), "test.xacro", options).diagnostics);
  };
  const std::string declared = R"(<xacro:arg name="prefix" default="l_"/><link name="a"/>)";
  EXPECT_EQ(found("prefix", declared), "");
  const std::string typing_error = found("prefx", declared);
  EXPECT_NE(typing_error.find("xacro-unused"), std::string::npos) << typing_error;
  EXPECT_NE(typing_error.find("did you mean 'prefix'?"), std::string::npos) << typing_error;
  EXPECT_EQ(found("used", R"x(<link name="$(arg used)"/>)x"), "");
  EXPECT_EQ(found("used", R"x(<link name="a$(eval used + 1)"/>)x"), "");
}

TEST(Xacro, KeepsCommentsOfElementsThatStay) {
  EXPECT_EQ(expanded("<!-- about x -->\n<xacro:property name=\"x\" value=\"1\"/>\n<!-- about a -->\n<a/>"),
            "  <!-- about a -->\n  <a/>\n");
  EXPECT_EQ(expanded("<!-- stays -->\n\n<!-- goes -->\n<!-- goes, too -->\n<xacro:if value=\"0\"/>\n<a/>"),
            "  <!-- stays -->\n  <a/>\n");
}

TEST(Xacro, SeesScopes) {
  EXPECT_EQ(expanded("<xacro:property name=\"x\" value=\"1\"/>"
                     "<xacro:macro name=\"m\"><xacro:property name=\"x\" value=\"2\"/><a x=\"${x}\"/></xacro:macro>"
                     "<xacro:m/><a x=\"${x}\"/>"),
            "  <a x=\"2\"/>\n  <a x=\"1\"/>\n");
  // A function that a property holds looks names up where it was made.
  EXPECT_EQ(expanded("<xacro:property name=\"k\" value=\"3\"/><xacro:property name=\"f\" value=\"${lambda v: v * k}\"/>"
                     "<xacro:macro name=\"m\" params=\"k\"><a x=\"${f(2)}\"/></xacro:macro><xacro:m k=\"100\"/>"),
            "  <a x=\"6\"/>\n");
  // One that outlives its macro is refused, not followed into the void.
  EXPECT_NE(
      expanded(
          "<xacro:macro name=\"m\"><xacro:property name=\"f\" value=\"${lambda: y}\" scope=\"parent\"/></xacro:macro>"
          "<xacro:m/><a x=\"${f()}\"/>")
          .find("after the macro that made it"),
      std::string::npos);
}

// Lines as in: file:17.
std::string place(const Diagnostic& d) {
  return std::filesystem::path(d.file).filename().string() + ":" + std::to_string(d.line);
}

TEST(XacroFindings, PointAtTheLineWhereTheElementIsWritten) {
  const Folder folder;
  folder.write(
      "wheel.xacro",
      "<robot xmlns:xacro=\"x\">\n<xacro:macro name=\"wheel\" params=\"name mass *origin\">\n<link name=\"${name}\">\n"
      "<inertial>\n<mass value=\"${mass}\"/>\n<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>\n"
      "</inertial></link>\n<joint name=\"${name}_joint\" type=\"continuous\">\n<xacro:insert_block name=\"origin\"/>\n"
      "<parent link=\"base\"/><child link=\"${name}\"/></joint>\n</xacro:macro>\n</robot>\n");
  const std::string robot = folder.write(
      "robot.urdf.xacro",
      "<robot xmlns:xacro=\"x\" name=\"r\">\n<xacro:include filename=\"wheel.xacro\"/>\n<link name=\"base\"/>\n\n"
      "<xacro:wheel name=\"w1\" mass=\"1\">\n<origin xyz=\"0 0\"/>\n</xacro:wheel>\n"
      "<xacro:wheel name=\"w2\" mass=\"-1\"><origin xyz=\"0 0 0\"/></xacro:wheel>\n</robot>\n");
  const ReadResult result = read(robot);
  const auto find = [&](const std::string& code) {
    const auto found = std::ranges::find(result.diagnostics, code, &Diagnostic::code);
    return found == result.diagnostics.end() ? "none" : place(*found);
  };
  EXPECT_EQ(find("number-count"), "robot.urdf.xacro:6") << findings(result.diagnostics);  // the block is the caller's
  EXPECT_EQ(find("mass-negative"), "wheel.xacro:3") << findings(result.diagnostics);
  EXPECT_FALSE(result.usable());
  ASSERT_EQ(result.description.sources.size(), 2u);
  EXPECT_EQ(result.description.sources[0].file, robot);
  EXPECT_EQ(std::filesystem::path(result.description.sources[1].file).filename(), "wheel.xacro");
  EXPECT_EQ(result.description.sources[1].first_line, 11);
}

// Numbers, names and shapes, whatever lines they are on.
void clear_lines(Description& description) {
  description.file.clear();
  description.sources.clear();
  for (auto& link : description.links) {
    link.line = 0;
    for (auto* geometries : {&link.visuals, &link.collisions})
      for (auto& geometry : *geometries) geometry.line = 0;
  }
  for (auto& joint : description.joints) joint.line = 0;
  for (auto& frame : description.frames) frame.line = 0;
}

TEST(Xacro, MakesOurRobotsOfMacros) {
  for (const std::string name : {"arm7", "humanoid", "planar3", "quadruped"}) {
    ReadResult plain = read(std::string(LISSOM_MODELS_DIR) + "/" + name + ".urdf");
    ReadResult made = read((here / "ours" / (name + ".urdf.xacro")).string());
    ASSERT_TRUE(plain.usable() && made.usable()) << findings(made.diagnostics);
    clear_lines(plain.description);
    clear_lines(made.description);
    EXPECT_TRUE(same_description(plain.description, made.description)) << name;
    made.description.links.back().mass += 1e-9;
    EXPECT_FALSE(same_description(plain.description, made.description)) << name;
  }
}

TEST(Xacro, ReadsTreesOfPackages) {
  const auto load_tree = [](const std::string& file, ReadOptions options) {
    ReadResult result = read((here / "trees" / file).string(), options);
    EXPECT_TRUE(result.usable()) << findings(result.diagnostics);
    EXPECT_TRUE(std::ranges::none_of(result.diagnostics, [](const auto& d) { return d.severity == Severity::warning; }))
        << findings(result.diagnostics);
    return result.description;
  };
  // arm_description lies beside: its folder has a manifest.
  const std::string mobile = "mobile_manipulator_description/urdf/mobile_manipulator.urdf.xacro";
  EXPECT_EQ(load_tree(mobile, {}).joints.size(), 21u);
  const Description two = load_tree(mobile, {.xacro_arguments = {{"arms", "2"}, {"prefix", "r1_"}}});
  EXPECT_EQ(two.joints.size(), 32u);
  EXPECT_TRUE(std::ranges::count(two.links, "r1_right_palm", &LinkDescription::name) == 1);
  EXPECT_EQ(load_tree("quadruped_description/xacro/robot.xacro", {}).joints.size(), 17u);
  EXPECT_EQ(load_tree("arm_description/urdf/arm.urdf.xacro", {}).sources.size(), 10u);
}

TEST(Xacro, SaysEveryWarningOnce) {
  const Expansion expansion = expand_text(
      file_of("<xacro:macro name=\"m\" params=\"e\"><a v=\"${e}\"/>${xacro.message('hello', 5)}</xacro:macro>"
              "<xacro:m e=\"1\"/><xacro:m e=\"2\"/>\n<a v=\"${sorted([2, 1])} ${sorted([])}\"/>"),
      "test.xacro");
  std::vector<std::string> codes;
  for (const Diagnostic& d : expansion.diagnostics) codes.push_back(d.code + " " + std::to_string(d.line));
  EXPECT_EQ(codes, (std::vector<std::string>{"xacro-redefined 2", "xacro-message 2", "xacro-deprecated 3"}));
}

TEST(Xacro, IsNestedOnlySoDeep) {
  const auto nested = [](int count) {
    return expanded(
        "<xacro:macro name=\"down\" params=\"n\"><xacro:if value=\"${n > 0}\"><xacro:down n=\"${n - 1}\"/>"
        "</xacro:if></xacro:macro><xacro:down n=\"" +
        std::to_string(count) + "\"/>");
  };
  // Each macro with its condition takes a few levels.
  EXPECT_EQ(nested(limits::xacro_depth / 4), "");
  EXPECT_NE(nested(limits::xacro_depth).find("xacro-limit"), std::string::npos);
  // The result is not deeper than other files may be.
  const auto deep = [](int count) {
    return file_of(
        "<xacro:macro name=\"down\" params=\"n\"><a><xacro:if value=\"${n > 0}\"><xacro:down n=\"${n - 1}\"/>"
        "</xacro:if></a></xacro:macro><xacro:down n=\"" +
        std::to_string(count) + "\"/>");
  };
  const auto has = [](const ReadResult& result, const char* code) {
    return std::ranges::count(result.diagnostics, code, &Diagnostic::code) > 0;
  };
  EXPECT_FALSE(has(read_text(deep(limits::xml_depth - 1), "deep.xacro"), "xml-depth"));
  EXPECT_TRUE(has(read_text(deep(limits::xml_depth), "deep.xacro"), "xml-depth"));
}

}  // namespace
}  // namespace lissom::io::xacro
