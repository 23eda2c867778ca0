// The loops file beside a robot's file: all that it can contain, and its errors.
#include "lissom/io/loops_file.h"

#include <filesystem>
#include <fstream>

#include "close.h"
#include "lissom/api/eigen.h"
#include "lissom/model/axes.h"
#include "loop_cases.h"

namespace lissom::test {
namespace {

namespace fs = std::filesystem;

class LoopsFile : public ::testing::Test {
 protected:
  static Description arm() {
    Random random(1);
    Description d;
    d.name = "arm";
    for (const char* name : {"base", "upper", "lower"}) d.links.push_back(random_link(name, random));
    for (std::size_t i = 0; i < 2; ++i) {
      JointDescription j;
      j.name = i == 0 ? "shoulder" : "elbow", j.type = JointType::revolute;
      j.parent = d.links[i].name, j.child = d.links[i + 1].name;
      d.joints.push_back(j);
    }
    d.links.push_back(random_link("ball", random));
    JointDescription j;
    j.name = "wrist", j.type = JointType::spherical, j.parent = "lower", j.child = "ball";
    d.joints.push_back(j);
    return d;
  }
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    path = fs::temp_directory_path() / ("lissom_loops_file_" + std::string(test->name()) + ".json");
  }
  void TearDown() override { fs::remove(path); }
  Description read(const std::string& text) {
    std::ofstream(path) << text;
    Description extended = description;
    io::read_loops(path.string(), extended);
    return extended;
  }
  // Expects an Error that names the file and the place in it, with these words.
  void refused(const std::string& text, const std::string& place, std::vector<std::string> words) {
    SCOPED_TRACE(text);
    // (All texts have one line; what is wrong with the whole has none.)
    words.insert(words.begin(), path.string() + (place.starts_with('/') ? ":1: " : ": ") + place);
    const auto message = refusal([&] { read(text); });
    expect_words(message, words);
    EXPECT_EQ(message.find(": :"), std::string::npos) << message;
  }

  const Description description = arm();
  fs::path path;
};

TEST_F(LoopsFile, SaysNothing) {
  const auto d = read("{}");
  EXPECT_TRUE(d.loops.empty());
  EXPECT_TRUE(d.couplings.empty());
  EXPECT_TRUE(d.springs.empty());
  EXPECT_EQ(d.gravity.z, -9.81);
}

TEST_F(LoopsFile, SaysEverything) {
  const auto model = build(read(R"({  // with comments
    "gravity": [0, -9.81, 1],
    "loops": [
      {"name": "rod", "a": {"frame": "upper", "position": [1, 2, 3], "rpy": [0.1, 0.2, 0.3]}, "b": "world",
       "axes": "xyz rx ry"},
      {"a": {"frame": "lower"}, "b": {"frame": "base", "position": [0, 0, 1]}}
    ],
    "couplings": [
      {"name": "gear", "joint": "shoulder", "of": "elbow", "coefficients": [0.5, 2, -1]},
      {"joint": "elbow", "of": "shoulder"},
      {"joint": "elbow", "coefficients": [0.25]}
    ],
    "springs": [
      {"name": "coil", "a": "base", "b": {"frame": "lower", "position": [0, 0, 2]}, "stiffness": 10, "damping": 3,
       "rest": 0.5},
      {"a": "base", "b": "upper", "stiffness": 7, "rest": 0}
    ]})"));
  EXPECT_TRUE(identical(lissom::to_eigen(model.gravity()), Eigen::Vector3d(0, -9.81, 1)));

  ASSERT_EQ(model.loops().size(), 2u);
  const auto& rod = model.loops()[0];
  EXPECT_EQ(rod.name, "rod");
  EXPECT_EQ(rod.a.frame, model.frame("upper"));
  EXPECT_EQ(rod.b.frame, world_frame);
  EXPECT_EQ(rod.axes, loop_axes("xyz rx ry"));
  EXPECT_TRUE(identical(lissom::to_eigen(rod.a.placement.p), Eigen::Vector3d(1, 2, 3)));
  EXPECT_TRUE(identical(to_eigen(rod.a.placement.R), to_eigen(rotation_rpy(0.1, 0.2, 0.3))));
  EXPECT_TRUE(identical(lissom::to_eigen(rod.b.placement.p), Eigen::Vector3d::Zero()));
  EXPECT_TRUE(identical(to_eigen(rod.b.placement.R), Eigen::Matrix3d::Identity()));
  const auto& other = model.loops()[1];
  EXPECT_EQ(other.name, "loop 1");
  EXPECT_EQ(other.axes, loop_axes("xyz"));
  EXPECT_EQ(other.a.frame, model.frame("lower"));
  EXPECT_TRUE(identical(lissom::to_eigen(other.b.placement.p), Eigen::Vector3d(0, 0, 1)));

  ASSERT_EQ(model.couplings().size(), 3u);
  const auto& c = model.couplings();
  EXPECT_EQ(c[0].name, "gear");
  EXPECT_EQ(c[0].joint, "shoulder");
  EXPECT_EQ(c[0].of, "elbow");
  EXPECT_EQ(c[0].coefficients, (std::vector<double>{0.5, 2, -1}));
  EXPECT_EQ(c[1].name, "coupling 1");
  EXPECT_EQ(c[1].coefficients, (std::vector<double>{0, 1}));
  EXPECT_EQ(c[2].of, "");
  EXPECT_EQ(c[2].coefficients, (std::vector<double>{0.25}));

  ASSERT_EQ(model.springs().size(), 2u);
  const auto& coil = model.springs()[0];
  EXPECT_EQ(coil.name, "coil");
  EXPECT_EQ(coil.a.frame, model.frame("base"));
  EXPECT_EQ(coil.b.frame, model.frame("lower"));
  EXPECT_EQ(coil.b.placement.p.z, 2);
  EXPECT_EQ(coil.stiffness, 10);
  EXPECT_EQ(coil.damping, 3);
  EXPECT_EQ(coil.rest, 0.5);
  EXPECT_EQ(model.springs()[1].name, "spring 1");
  EXPECT_EQ(model.springs()[1].damping, 0);
  EXPECT_EQ(ClosedLoops(model).rows().count(), 5 + 3 + 3);  // all of them can be used
}

TEST_F(LoopsFile, CannotBeRead) {
  auto d = description;
  expect_words(refusal([&] { io::read_loops("/nowhere/robot.json", d); }), {"/nowhere/robot.json", "cannot be read"});
  expect_words(refusal([&] { io::read_loops(fs::temp_directory_path().string(), d); }),
               {fs::temp_directory_path().string()});
}

TEST_F(LoopsFile, IsNoJson) {
  for (const char* text : {"", "{", "loops", "{\"loops\": [}", "{\"gravity\": [0, 0, nan]}", "{} {}", "[1, 2", "\xff",
                           "{\"gravity\": [0, 0, 1e999]}", "{'loops': []}", "{\"loops\": [],}"})
    refused(text, "invalid JSON", {});
}

TEST_F(LoopsFile, HasKeysThatAreNotKnown) {
  refused(R"({"loop": []})", "", {"unknown key \"loop\"", "couplings, gravity, loops, springs"});
  refused(R"({"loops": [{"a": "base", "b": "lower", "axis": "xyz"}]})", "/loops/0: ", {"unknown key \"axis\""});
  refused(R"({"loops": [{"a": "base", "b": {"frame": "lower", "xyz": [0, 0, 0]}}]})", "/loops/0/b: ", {"\"xyz\""});
  refused(R"({"couplings": [{"joint": "elbow", "ratio": 2}]})", "/couplings/0: ", {"unknown key \"ratio\""});
  refused(R"({"springs": [{"a": "base", "b": "lower", "stiffness": 1, "rest": 1, "length": 1}]})",
          "/springs/0: ", {"unknown key \"length\""});
}

TEST_F(LoopsFile, LacksKeys) {
  refused(R"({"loops": [{"a": "base", "b": "lower"}, {"b": "lower"}]})", "/loops/1: ", {"\"a\" is missing"});
  refused(R"({"loops": [{"a": "base"}]})", "/loops/0: ", {"\"b\" is missing"});
  refused(R"({"loops": [{"a": "base", "b": {"position": [0, 0, 0]}}]})", "/loops/0/b: ", {"\"frame\" is missing"});
  refused(R"({"couplings": [{"of": "elbow"}]})", "/couplings/0: ", {"\"joint\" is missing"});
  refused(R"({"springs": [{"b": "lower", "stiffness": 1, "rest": 1}]})", "/springs/0: ", {"\"a\" is missing"});
  refused(R"({"springs": [{"a": "base", "stiffness": 1, "rest": 1}]})", "/springs/0: ", {"\"b\" is missing"});
  refused(R"({"springs": [{"a": "base", "b": "lower", "rest": 1}]})", "/springs/0: ", {"\"stiffness\" is missing"});
  refused(R"({"springs": [{"a": "base", "b": "lower", "stiffness": 1}]})", "/springs/0: ", {"\"rest\" is missing"});
}

TEST_F(LoopsFile, HasValuesOfTheWrongType) {
  for (const char* text : {"[]", "1", "null", "\"loops\""}) refused(text, "", {"expected an object"});
  for (const char* key : {"loops", "couplings", "springs"}) {
    const std::string k = key;
    for (const char* value : {"{}", "1", "null", "\"x\""})
      refused("{\"" + k + "\": " + value + "}", "/" + k + ": ", {"expected a list"});
    for (const char* value : {"[]", "1", "null", "\"x\""})
      refused("{\"" + k + "\": [" + value + "]}", "/" + k + "/0: ", {"expected an object"});
  }
  for (const char* value : {"1", "null", "[\"base\"]", "true"}) {
    const std::string v = value;
    refused(R"({"loops": [{"a": )" + v + R"(, "b": "lower"}]})", "/loops/0/a: ", {"expected an object"});
    refused(R"({"loops": [{"a": {"frame": )" + v + R"(}, "b": "lower"}]})",
            "/loops/0/a/frame: ", {"expected a string"});
    refused(R"({"loops": [{"a": "base", "b": "lower", "name": )" + v + "}]}", "/loops/0/name: ", {"expected a string"});
    refused(R"({"loops": [{"a": "base", "b": "lower", "axes": )" + v + "}]}", "/loops/0/axes: ", {"expected a string"});
    refused(R"({"couplings": [{"joint": )" + v + "}]}", "/couplings/0/joint: ", {"expected a string"});
    refused(R"({"couplings": [{"joint": "elbow", "of": )" + v + "}]}", "/couplings/0/of: ", {"expected a string"});
  }
  for (const char* value : {"null", "[1]", "true", "\"1\"", "{}"}) {
    const std::string v = value, spring = R"({"springs": [{"a": "base", "b": "lower", )";
    refused(spring + R"("rest": 1, "stiffness": )" + v + "}]}", "/springs/0/stiffness: ", {"expected a number"});
    refused(spring + R"("rest": )" + v + R"(, "stiffness": 1}]})", "/springs/0/rest: ", {"expected a number"});
    refused(spring + R"("rest": 1, "stiffness": 1, "damping": )" + v + "}]}",
            "/springs/0/damping: ", {"expected a number"});
    refused(R"({"gravity": [0, 0, )" + v + "]}", "/gravity/2: ", {"expected a number"});
    refused(R"({"couplings": [{"joint": "elbow", "coefficients": [0, )" + v + "]}]}",
            "/couplings/0/coefficients/1: ", {"expected a number"});
  }
}

TEST_F(LoopsFile, HasNotThreeNumbers) {
  for (const char* value : {"[]", "[1, 2]", "[1, 2, 3, 4]"}) {
    const std::string v = value;
    refused("{\"gravity\": " + v + "}", "/gravity: ", {"expected 3"});
    refused(R"({"loops": [{"a": "base", "b": {"frame": "lower", "position": )" + v + "}}]}",
            "/loops/0/b/position: ", {"expected 3"});
    refused(R"({"springs": [{"a": {"frame": "lower", "rpy": )" + v + R"(}, "b": "base", "stiffness": 1, "rest": 0}]})",
            "/springs/0/a/rpy: ", {"expected 3"});
  }
  for (const char* value : {"1", "null", "\"0 0 1\"", "{\"x\": 1}"})
    refused("{\"gravity\": " + std::string(value) + "}", "/gravity: ", {"expected numbers"});
}

TEST_F(LoopsFile, NamesWhatTheRobotHasNot) {
  refused(R"({"loops": [{"a": "base", "b": "lowr"}]})", "/loops/0/b: ", {"lowr", "lower"});
  refused(R"({"loops": [{"a": {"frame": "uper"}, "b": "lower"}]})", "/loops/0/a/frame: ", {"uper", "upper"});
  refused(R"({"springs": [{"a": "base", "b": "lowr", "stiffness": 1, "rest": 0}]})", "/springs/0/b: ", {"lowr"});
  refused(R"({"couplings": [{"joint": "elbw"}]})", "/couplings/0/joint: ", {"elbw", "elbow"});
  refused(R"({"couplings": [{"joint": "elbow", "of": "sholder"}]})", "/couplings/0/of: ", {"sholder", "shoulder"});
  refused(R"({"couplings": [{"joint": "wrist"}]})", "/couplings/0/joint: ", {"'wrist'", "3"});
  refused(R"({"couplings": [{"joint": "elbow", "of": "wrist"}]})", "/couplings/0/of: ", {"'wrist'", "3"});
}

TEST_F(LoopsFile, SaysWhatMakesNoSense) {
  const std::string loop = R"({"loops": [{"a": "base", "b": "lower", "axes": )";
  refused(loop + "\"xyw\"}]}", "/loops/0/axes: ", {"\"xyw\"", "'w'"});
  refused(loop + "\"\"}]}", "/loops/0/axes: ", {"constrains no axis"});
  refused(R"({"couplings": [{"joint": "elbow", "coefficients": []}]})",
          "/couplings/0/coefficients: ", {"no coefficients"});
  refused(R"({"springs": [{"a": "base", "b": "lower", "stiffness": 1, "rest": -1}]})",
          "/springs/0/rest: ", {"-1", "0 or more"});
}

TEST_F(LoopsFile, HasRods) {
  const auto model = build(read(R"({"loops": [
    {"name": "achilles", "kind": "distance", "a": {"frame": "upper", "position": [0, 0, 1]}, "b": "base", "length": 0.5},
    {"kind": "distance", "a": "upper", "b": {"frame": "base", "position": [0, 0, 9]}},
    {"kind": "axes", "a": "upper", "b": "base", "axes": "x"}]})"));
  ASSERT_EQ(model.loops().size(), 3u);
  EXPECT_EQ(model.loops()[0].kind, LoopKind::distance);
  EXPECT_EQ(model.loops()[0].length, 0.5);
  EXPECT_EQ(model.loops()[0].a.placement.p.z, 1);
  EXPECT_FALSE(model.loops()[1].length.has_value());
  EXPECT_EQ(model.loops()[2].kind, LoopKind::axes);
  const auto rod = [](const std::string& more) { return R"({"loops": [{"a": "upper", "b": "base", )" + more + "}]}"; };
  refused(rod(R"("kind": "distance", "length": 0)"), "/loops/0/length: ", {"found 0 m", "positive", "xyz"});
  refused(rod(R"("kind": "distance", "length": -1)"), "/loops/0/length: ", {"found -1 m", "positive"});
  refused(rod(R"("kind": "distance", "length": "1 m")"), "/loops/0/length: ", {"expected a number"});
  refused(rod(R"("kind": "distance", "axes": "xyz")"), "/loops/0/axes: ", {"distance", "axes"});
  refused(rod(R"("length": 1)"), "/loops/0/length: ", {"kind axes", "length"});
  refused(rod(R"("kind": "rod")"), "/loops/0/kind: ", {"'rod'", "axes or distance"});
}

}  // namespace
}  // namespace lissom::test
