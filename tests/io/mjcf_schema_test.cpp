// Nothing of MJCF is dropped in silence: every attribute of the schema changes the description, or what is found.
#include <algorithm>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <pugixml.hpp>

#include "lissom/io/description_json.h"
#include "lissom/io/mjcf/schema.h"
#include "lissom/io/read.h"
#include "urdf_test_support.h"

namespace lissom::io::mjcf_schema {  // files of tests are compiled together
namespace {

const std::string model = R"(<mujoco model="m"><option><flag/></option>
<default><default class="x"><mesh scale="2 2 2"/><texture rgb1="1 0 0"/><material rgba="1 0 0 1"/><joint damping="0.2"/><geom margin="0.2"/>
<site group="2"/><pair margin="0.2"/><equality solref="0.2 1"/><tendon margin="0.2"/><general group="2"/></default></default>
<asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/><texture name="u" type="2d" file="u.png"/>
<material name="mat"/><material name="mat2" rgba="0 1 0 1"/>
<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="2" ncol="2" elevation="0 1 2 3" size="1 1 1 1"/></asset>
<worldbody><site name="w"/><frame><geom name="gf" size=".1"/></frame>
<body name="a"><joint name="j"/><joint name="j2" axis="0 1 0"/>
<geom name="g" type="box" size=".1 .2 .3" material="mat"/><site name="s"/><geom type="mesh" mesh="m" contype="0" conaffinity="0"/>
<geom type="hfield" hfield="h" pos="0 0 -9"/>
<body name="b"><joint name="k"/><geom name="g2" size=".1"/><geom name="g3" size=".1"/><site name="s2"/></body></body>
<body name="c" pos="0 0 3"><freejoint name="f"/><geom name="gc" size=".1" pos=".1 0 0"/></body>
<body name="d"><joint name="jd" range="-1 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1.1 1.2"/></body></worldbody>
<contact><pair name="p" geom1="g" geom2="g2"/><exclude name="e" body1="a" body2="c"/></contact>
<tendon><fixed name="ft"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed><fixed name="ft2"><joint joint="jd" coef="1"/></fixed>
<fixed name="ft3"><joint joint="j2" coef="1"/></fixed></tendon>
<equality><connect body1="a" body2="c" anchor="0 0 0"/><weld body1="a" body2="c"/><joint joint1="j" joint2="k"/><tendon tendon1="ft2" tendon2="ft3"/></equality>
<actuator><general joint="j"/><motor joint="j"/><position joint="j"/><velocity joint="j"/><intvelocity joint="j"/><orientation site="s"/><pid joint="j"/>
<damper joint="j"/><cylinder joint="j"/><muscle joint="j"/><adhesion body="a" ctrlrange="0 1"/><dcmotor joint="j"/><plugin joint="j"/></actuator>
<keyframe><key name="k1"/></keyframe></mujoco>)";

// Values that are valid, and not the default. Those of an element come before those of all; "" stands for the others.
const std::map<std::string, std::string> values = {
    {"", "0.3"},
    {"flag", "disable"},
    {"class", "x"},
    {"childclass", "x"},
    {"name", "other"},
    {"pos", "0.1 0.2 0.3"},
    {"quat", "0.5 0.5 0.5 0.5"},
    {"axisangle", "1 0 0 30"},
    {"xyaxes", "0 1 0 -1 0 0"},
    {"zaxis", "1 0 0"},
    {"euler", "10 20 30"},
    {"fromto", "0 0 0 0 0 1"},
    {"axis", "1 0 0"},
    {"range", "0.1 0.3"},
    {"actuatorfrcrange", "-2 3"},
    {"ctrlrange", "-2 3"},
    {"forcerange", "-2 3"},
    {"material", "mat2"},
    {"mesh", "m"},
    {"hfield", "h"},
    {"rgba", "1 0 0 1"},
    {"gravity", "0 0 -1"},
    {"integrator", "RK4"},
    {"cone", "elliptic"},
    {"jacobian", "dense"},
    {"solver", "CG"},
    {"wind", "1 0 0"},
    {"magnetic", "1 0 0"},
    {"diaginertia", "1 1 1"},
    {"fullinertia", "1 1.1 1.2 0 0 0.1"},
    {"springdamper", "0.1 1"},
    {"friction", "0.3 0.1 0.1"},
    {"geom1", "g3"},
    {"geom2", "g3"},
    {"body1", "b"},
    {"body2", "b"},
    {"site1", "s"},
    {"site2", "w"},
    {"anchor", "0.1 0.2 0.3"},
    {"relpose", "0.1 0 0 1 0 0 0"},
    {"joint1", "jd"},
    {"joint2", "jd"},
    {"joint", "jd"},
    {"tendon1", "ft"},
    {"tendon2", "ft"},
    {"polycoef", "0.1 1 0 0 0"},
    {"tendon", "ft"},
    {"actuator/.joint", "k"},
    {"site", "w"},
    {"refsite", "w"},
    {"cranksite", "s"},
    {"slidersite", "w"},
    {"body", "b"},
    {"jointinparent", "k"},
    {"gaintype", "affine"},
    {"biastype", "affine"},
    {"dyntype", "integrator"},
    {"qpos", "0.1 0.2 0.3 0 0 4 1 0 0 0 0.5"},
    {"texture", "t"},
    {"vertex", "0 0 0 2 0 0 0 2 0 0 0 2"},
    {"face", "0 2 1 0 1 3 0 3 2 1 2 3"},
    {"refpos", "0.1 0.2 0.3"},
    {"refquat", "0.5 0.5 0.5 0.5"},
    {"scale", "1 2 3"},
    {"rgb1", "1 0 0"},
    {"rgb2", "0 1 0"},
    {"type", "skybox"},
    {"builtin", "checker"},
    {"elevation", "0 1 2 4"},
    {"body/joint.type", "slide"},
    {"body/geom.type", "ellipsoid"},
    {"body/site.type", "box"},
    {"body/geom.size", ".1 .2 .4"},
    {"body/site.size", ".2"},
    {"asset/hfield.size", "1 1 2 1"},
    {"asset/hfield.nrow", "1"},
    {"asset/hfield.ncol", "1"},
    {"asset/mesh.inertia", "shell"},
    {"asset/mesh.builtin", "sphere"},
    {"contype", "2"},
    {"conaffinity", "2"},
    {"group", "4"},
    {"shellinertia", "true"},
    {"fluidshape", "ellipsoid"},
    {"surfacevel", "1 0 0"},
    {"limited", "true"},
    {"ctrllimited", "true"},
    {"forcelimited", "true"},
    {"actuatorfrclimited", "true"},
    {"mocap", "true"},
    {"align", "true"},
    {"active", "false"},
};

// What only has a meaning, or only is allowed, beside other attributes, which both files have; "-name" is removed.
const std::map<std::string, std::vector<std::pair<std::string, std::string>>> contexts = {
    {"body/geom.fitscale", {{"mesh", "m"}}},
    {"body/geom.hfield", {{"type", "hfield"}}},
    {"body/joint.limited", {{"range", "-1 1"}, {"limited", "false"}}},
    {"body/joint.actuatorfrclimited", {{"actuatorfrcrange", "-1 1"}, {"actuatorfrclimited", "false"}}},
    {"tendon/fixed.limited", {{"range", "-1 1"}, {"limited", "false"}}},
    {"tendon/fixed.actuatorfrclimited", {{"actuatorfrcrange", "-1 1"}, {"actuatorfrclimited", "false"}}},
    {".ctrllimited", {{"ctrlrange", "-1 1"}, {"ctrllimited", "false"}}},
    {".forcelimited", {{"forcerange", "-1 1"}, {"forcelimited", "false"}}},
    {".biasprm", {{"biastype", "affine"}}},
    {".biastype", {{"biasprm", "0 -1 0"}}},
    {".gaintype", {{"gainprm", "1 2 3"}}},
    {"actuator/general.inheritrange", {{"joint", "jd"}, {"biastype", "affine"}, {"biasprm", "0 -1 0"}}},
    {".inheritrange", {{"joint", "jd"}}},
    {".jointinparent", {{"-joint", ""}, {"jointinparent", "j"}}},
    {"actuator/.tendon", {{"-joint", ""}, {"tendon", "ft2"}}},
    {".refsite", {{"-joint", ""}, {"site", "s"}}},
    {"body/inertial.fullinertia", {{"-diaginertia", ""}}},
    {"equality/connect.site1", {{"-body1", ""}, {"-body2", ""}, {"-anchor", ""}, {"site2", "s2"}, {"site1", "w"}}},
    {"equality/connect.site2", {{"-body1", ""}, {"-body2", ""}, {"-anchor", ""}, {"site1", "s"}, {"site2", "s2"}}},
    {"equality/weld.site1", {{"-body1", ""}, {"-body2", ""}, {"site2", "s2"}, {"site1", "w"}}},
    {"equality/weld.site2", {{"-body1", ""}, {"-body2", ""}, {"site1", "s"}, {"site2", "s2"}}},
    {"asset/mesh.builtin", {{"-vertex", ""}, {"params", "2"}, {"builtin", "hemisphere"}}},
    {"asset/mesh.params", {{"-vertex", ""}, {"params", "2"}, {"builtin", "sphere"}}},
};

// Which attributes are not tried here, and why.
const std::map<std::string, std::string> exempt = {
    {"asset/hfield.content_type", "it says how a file is encoded"},
    {"name", "what refers to it would refer to nothing"},
    {"asset/hfield.nrow", "there have to be as many heights"},
    {"asset/hfield.ncol", "there have to be as many heights"},
    {"asset/hfield.file", "it replaces the heights; mjcf_files_test reads such files"},
    {"asset/mesh.file", "it replaces the vertices; mjcf_files_test reads such files"},
};

// Settings of how a file is read, classes, what is put together from several files, and what is left out as a whole.
bool is_tested(const mjcf::SchemaRow& row) {
  const std::string_view skipped[] = {"mujoco",   "compiler",  "include",    "attach",   "replicate", "model",
                                      "size",     "statistic", "visual",     "default",  "camera",    "light",
                                      "flexcomp", "composite", "distance",   "skin",     "texture",   "lengthrange",
                                      "spatial",  "flex",      "flexstrain", "extension"};
  return row.parent != "" && row.parent != "default" && row.parent != "spatial" && !row.attributes.empty() &&
         std::ranges::find(skipped, row.tag) == std::end(skipped);
}

std::string errors_in(const std::string& findings) {
  std::istringstream lines(findings);
  std::string errors;
  for (std::string line; std::getline(lines, line);)
    if (line.find(": error: ") != std::string::npos) errors += line + "\n";
  return errors;
}

std::string read_all(const std::string& text, bool& usable) {
  const auto read = read_text(text, "test.xml");
  usable = read.usable();
  std::string all = description_to_json(read.description);
  for (const auto& found : read.diagnostics) all += "\n" + to_string(found);
  return all;
}

std::string changed(const mjcf::SchemaRow& row, const std::vector<std::pair<std::string, std::string>>& attributes) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(model.c_str()));
  const std::string path = "//" + std::string(row.parent == "mujoco" && row.tag == "body" ? "worldbody" : row.parent) +
                           "/" + std::string(row.tag);
  auto element = (row.tag == "frame" ? document.select_node("//frame") : document.select_node(path.c_str())).node();
  EXPECT_TRUE(element) << path;
  for (const auto& [name, value] : attributes) {
    if (name[0] == '-') {
      element.remove_attribute(name.c_str() + 1);
      continue;
    }
    auto attribute = element.attribute(name.c_str());
    if (!attribute) attribute = element.append_attribute(name.c_str());
    attribute.set_value(value.c_str());
  }
  std::ostringstream text;
  document.save(text, "", pugi::format_raw);
  return text.str();
}

template <class Map>
auto entry(const Map& map, const mjcf::SchemaRow& row, const std::string& attribute) {
  auto found = map.find(std::string(row.parent) + "/" + std::string(row.tag) + "." + attribute);
  if (found == map.end()) found = map.find(std::string(row.parent) + "/." + attribute);
  if (found == map.end()) found = map.find("." + attribute);
  if (found == map.end()) found = map.find(attribute);
  return found;
}

TEST(MjcfSchema, EveryAttributeIsReadKeptOrSaid) {
  int tried = 0;
  for (const auto& row : mjcf::schema()) {
    if (!is_tested(row)) continue;
    std::istringstream words{std::string(row.attributes)};
    for (std::string attribute; words >> attribute;) {
      if (entry(exempt, row, attribute) != exempt.end()) continue;
      auto value = entry(values, row, attribute);
      if (value == values.end() || row.tag == "flag") value = values.find(row.tag == "flag" ? "flag" : "");
      auto attributes = entry(contexts, row, attribute) == contexts.end()
                            ? std::vector<std::pair<std::string, std::string>>{}
                            : entry(contexts, row, attribute)->second;
      bool usable = false, usable_before = false;
      const auto before = read_all(changed(row, attributes), usable_before);
      attributes.emplace_back(attribute, value->second);
      const auto after = read_all(changed(row, attributes), usable);
      const std::string what =
          std::string(row.parent) + "/" + std::string(row.tag) + " " + attribute + "=" + attributes.back().second;
      EXPECT_TRUE(usable) << what << "\n" << errors_in(after);
      EXPECT_TRUE(before != after) << what << " is dropped in silence";
      ++tried;
    }
  }
  EXPECT_GT(tried, 300);
}

// What is left out as a whole is said, each by its name.
TEST(MjcfSchema, EveryElementThatIsLeftOutIsSaid) {
  const std::pair<const char*, const char*> elements[] = {
      {"light", "<worldbody><light/></worldbody>"},
      {"camera", "<worldbody><camera/></worldbody>"},
      {"composite", "<worldbody><composite/></worldbody>"},
      {"flexcomp", "<worldbody><flexcomp/></worldbody>"},
      {"skin", "<asset><skin/></asset>"},
      {"texture of type skybox", "<asset><texture type='skybox' builtin='flat' width='8' height='8'/></asset>"},
      {"texture checker", "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8'/></asset>"},
      {"texture parameters", "<asset><texture name='t' type='2d' file='t.png' hflip='true'/></asset>"},
      {"material layer",
       "<asset><texture name='t' file='t.png' type='2d'/><material name='m'><layer texture='t' "
       "role='rgb'/></material></asset>"},
      {"lengthrange", "<compiler><lengthrange/></compiler>"},
      {"size", "<size nkey='3'/>"},
      {"statistic", "<statistic extent='2'/>"},
      {"visual", "<visual/>"},
      {"extension", "<extension><plugin plugin='p'/></extension>"},
      {"deformable", "<deformable><flex/></deformable>"},
      {"sensor", "<sensor><clock/></sensor>"},
      {"custom", "<custom><numeric name='n' data='1'/></custom>"},
      {"equality flex", "<equality><flex flex='f'/></equality>"},
      {"equality flexstrain", "<equality><flexstrain flex='f'/></equality>"},
      {"spatial", "<tendon><spatial name='t'/></tendon>"},
  };
  for (const auto& [name, text] : elements) {
    const auto read = read_text("<mujoco>" + std::string(text) + "</mujoco>", "test.xml");
    EXPECT_TRUE(std::ranges::any_of(
        read.diagnostics,
        [&](const Diagnostic& d) {
          return d.line == 1 && (d.code == "not-read" || d.code == "composite" || d.code == "tendon-spatial") &&
                 (d.subject + d.message).find(name) != std::string::npos;
        }))
        << name << "\n"
        << to_text(read);
  }
}

}  // namespace
}  // namespace lissom::io::mjcf_schema
