// Scenes: does a reader that knows only docs/stream.md see the same robot as the library?
#include "lissom/view/scene.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lissom/limbs/propose.h"
#include "lissom/lissom.h"
#include "lissom/recording/header.h"
#include "lissom/recording/read.h"
#include "lissom/recording/recorder.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/view/mesh_files.h"
#include "lissom/view/page.h"
#include "random_tree.h"

namespace lissom::view {
namespace {

using nlohmann::json;

Vec3<double> vec3(const json& x) {
  return {x[0], x[1], x[2]};
}
Pose<double> pose(const json& x) {
  return {matrix(Quaternion<double>{x[3], x[4], x[5], x[6]}), {x[0], x[1], x[2]}};
}

// The pose of every link, as docs/stream.md says.
std::vector<Pose<double>> link_poses(const json& robot, const Eigen::VectorXd& q) {
  std::vector<Pose<double>> X(robot["links"].size());
  for (const auto& joint : robot["joints"]) {
    const int parent = joint["parent"];
    Pose<double> X_child = (parent < 0 ? Pose<double>{} : X[std::size_t(parent)]) * pose(joint["origin"]);
    for (const auto& move : joint["moves"]) {
      const int i = move["q"];
      if (move["kind"] == "quaternion") {
        X_child = X_child * Pose<double>{matrix(Quaternion<double>{q[i], q[i + 1], q[i + 2], q[i + 3]}), {0, 0, 0}};
        continue;
      }
      const double amount = move["ratio"].get<double>() * q[i] + move["offset"].get<double>();
      if (move["kind"] == "translate")
        X_child = X_child * Pose<double>{identity3<double>(), amount * vec3(move["axis"])};
      else
        X_child = X_child * Pose<double>{matrix(exponential(amount * vec3(move["axis"]))), {0, 0, 0}};
    }
    X[joint["child"].get<std::size_t>()] = X_child;
  }
  return X;
}

json scene_of(const Model& model, const Eigen::VectorXd& q) {
  Scene scene(Mode::pose, model.name());
  scene.add_robot(model, q);
  return json::parse(scene.json_text());
}

void expect_same_poses(const Model& model, const Eigen::VectorXd& q) {
  const auto scene = scene_of(model, q);
  const auto X = link_poses(scene["robots"][0], q);
  Workspace work(model);
  forward_kinematics(model, work, q);
  ASSERT_EQ(X.size(), model.links().size());
  for (std::size_t i = 0; i < X.size(); ++i) {
    const auto expected = placement(model, work, model.frame(model.links()[i].name));
    const auto d = X[i].p - expected.p;
    EXPECT_LT(std::sqrt(dot(d, d)), 1e-8) << model.name() << ", " << model.links()[i].name;
    EXPECT_NEAR(X[i].R.xx, expected.R.xx, 1e-8);
    EXPECT_NEAR(X[i].R.xy, expected.R.xy, 1e-8);
    EXPECT_NEAR(X[i].R.yz, expected.R.yz, 1e-8);
    EXPECT_NEAR(X[i].R.zx, expected.R.zx, 1e-8);
  }
}

TEST(Scene, PosesFollowFromMovesForAllOwnModels) {
  int count = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(LISSOM_MODELS_DIR)) {
    if (file.path().extension() != ".urdf") continue;
    for (const auto base : {Base::file, Base::free, Base::planar}) {
      const auto model = load(file.path(), {.base = base});
      expect_same_poses(model, random_configuration(model, 5));
      ++count;
    }
  }
  EXPECT_GE(count, 3 * 20);
}

TEST(Scene, PosesFollowFromMovesForRandomTrees) {
  test::for_each_tree({.mimic = .2}, [](test::Case& c) { expect_same_poses(c.model, c.q); }, 100);
}

// Where the contacts of a world are among the columns; settings of other people may have anything.
TEST(Scene, ContactPointsOfAWorld) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  recording::Signal contacts{"contacts", {}};
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 14; ++k)
      contacts.columns.push_back({std::to_string(i) + (k == 0 ? ".x" : "." + std::to_string(k)), "1"});
  const auto points = [&](const std::string& settings, const std::string& name) {
    Scene scene(Mode::live, "world");
    scene.add_robot(model, neutral(model));
    auto signal = contacts;
    signal.name = name;
    scene.set_live("run", {{"q", recording::configuration_columns(model)}, signal}, settings);
    return json::parse(scene.json_text())["live"]["contact_points"];
  };
  EXPECT_EQ(points(R"({"contact_names": ["ground", "arm/link1"]})", "contacts"),
            json::parse(R"({"first": 7, "count": 2, "names": ["ground", "arm/link1"]})"));
  EXPECT_EQ(points(R"({"contact_names": ["ground", 3]})", "contacts")["names"], json::parse(R"(["ground", ""])"));
  EXPECT_TRUE(points(R"({"contact_names": "ground"})", "contacts").is_null());
  EXPECT_TRUE(points("{}", "contacts").is_null());
  EXPECT_TRUE(points(R"({"contact_names": []})", "others").is_null());
}

// The contacts of the layer are those of `lissom contacts`.
TEST(Scene, ContactsAreProposedWhereTheyAreShown) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/humanoid.urdf");
  Scene scene(Mode::pose, model.name());
  scene.add_robot(model, neutral(model));
  EXPECT_TRUE(json::parse(scene.json_text())["robots"][0]["contacts"].is_null());
  scene.set_layers({"contacts"});
  const auto all = json::parse(scene.json_text());
  EXPECT_EQ(all["show"], json::array({"contacts"}));
  const auto expected = propose_contacts(model.description());
  const auto& found = all["robots"][0]["contacts"];
  ASSERT_EQ(found.size(), expected.limbs.size());
  ASSERT_GE(found.size(), 4u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& c = expected.limbs[i];
    EXPECT_EQ(found[i]["name"], c.name);
    EXPECT_EQ(found[i]["role"], to_string(c.role));
    EXPECT_EQ(all["robots"][0]["links"][found[i]["link"].get<std::size_t>()]["name"], c.link);
    EXPECT_EQ(found[i]["points"].size(), c.points.size());
    EXPECT_EQ(found[i]["friction"], c.friction);
    const auto d = pose(found[i]["pose"]).p - c.pose.p;
    EXPECT_LT(dot(d, d), 1e-20);
  }
}

TEST(Scene, AnArmHasNoFeetToShow) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  Scene scene(Mode::pose, model.name());
  scene.add_robot(model, neutral(model));
  scene.set_layers({"contacts"});
  const auto all = json::parse(scene.json_text());
  EXPECT_TRUE(all["robots"][0]["contacts"].is_null());
  ASSERT_EQ(all["findings"].size(), 1u);
  EXPECT_TRUE(all["findings"][0]["text"].get<std::string>().starts_with("contacts: "));
  RobotContacts given;
  given.limbs.push_back({.name = "tip", .link = model.links().back().name, .role = ContactRole::pad, .pose = {}});
  scene.set_contacts(0, given);
  const auto contacts = json::parse(scene.json_text())["robots"][0]["contacts"];
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0]["name"], "tip");
  EXPECT_EQ(contacts[0]["link"], model.links().size() - 1);
  given.limbs.push_back({.name = "lost", .link = "no such link", .pose = {}});
  EXPECT_THROW(scene.set_contacts(0, given), Error);
}

TEST(Scene, CoordinatesNameLimitsAndQuaternions) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/humanoid.urdf", {.base = Base::free});
  const auto robot = scene_of(model, neutral(model))["robots"][0];
  ASSERT_EQ(robot["coordinates"].size(), std::size_t(model.nq()));
  ASSERT_EQ(robot["velocities"].size(), std::size_t(model.nv()));
  const auto& knee = model.joint("left_knee");
  const auto& c = robot["coordinates"][std::size_t(knee.q_index)];
  EXPECT_EQ(c["name"], "left_knee");
  EXPECT_EQ(c["unit"], "rad");
  EXPECT_EQ(c["lower"], knee.lower[0]);
  EXPECT_EQ(c["upper"], knee.upper[0]);
  EXPECT_TRUE(c["quaternion"].is_null());
  EXPECT_TRUE(robot["coordinates"][0]["lower"].is_null());
  EXPECT_EQ(robot["coordinates"][6]["quaternion"], 3);
}

TEST(Scene, TheEllipsoidHasTheInertiaOfTheLink) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/quadruped.urdf");
  const auto links = scene_of(model, neutral(model))["robots"][0]["links"];
  int count = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i]["ellipsoid"].is_null()) continue;
    ++count;
    const auto& d = model.link_description(model.links()[i].name);
    const auto a = vec3(links[i]["ellipsoid"]["size"]);
    const double m = d.mass / 5;
    // The trace does not depend on the axes, and the determinant hardly on anything else.
    const double xx = m * (a.y * a.y + a.z * a.z), yy = m * (a.x * a.x + a.z * a.z), zz = m * (a.x * a.x + a.y * a.y);
    EXPECT_NEAR(xx + yy + zz, d.inertia.xx + d.inertia.yy + d.inertia.zz, 1e-9);
    const auto R = pose(links[i]["ellipsoid"]["pose"]).R;
    EXPECT_NEAR(R.xx * xx * R.xx + R.xy * yy * R.xy + R.xz * zz * R.xz, d.inertia.xx, 1e-9);
    EXPECT_NEAR(R.xx * xx * R.yx + R.xy * yy * R.yy + R.xz * zz * R.yz, d.inertia.xy, 1e-9);
  }
  EXPECT_GT(count, 5);
}

class Files : public testing::Test {
 protected:
  Files() { std::filesystem::create_directories(folder / "meshes"); }
  ~Files() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) /
      ("lissom_view_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Files, OnlyMeshesAndTheirPartsCanBeReached) {
  write("secret.txt", "password");
  write("meshes/secret.png.txt", "password");
  write("meshes/skin.png", "png");
  write("skin.jpg", "jpg");
  write("meshes/buffer 1.bin", "bin");
  write("meshes/foot.gltf",
        R"({"buffers":[{"uri":"buffer%201.bin"},{"uri":"../secret.txt"},{"uri":"data:;base64,AA=="},{"uri":7}],
            "images":[{"uri":"skin.png"},{"uri":"../skin.jpg"},{"uri":"/etc/passwd"},{"uri":"missing.png"}]})");
  write("meshes/head.dae",
        "<image><init_from>\n  skin.png </init_from></image><init_from>../secret.txt</init_from><init_from>" +
            std::string(1'000'000, ' ') + "<init_from>");
  write("meshes/hand.obj", "mtllib hand.mtl\nv 0 0 0\n");
  write("meshes/hand.mtl", "newmtl a\nmap_Kd skin.png\nmap_Kd ../secret.txt\n");
  MeshFiles files;
  EXPECT_EQ(files.add(folder / "meshes/foot.gltf"), "meshes/0/-/-/-/-/foot.gltf");
  EXPECT_EQ(files.add(folder / "meshes/foot.gltf"), "meshes/0/-/-/-/-/foot.gltf");
  EXPECT_EQ(files.add(folder / "meshes/hand.obj"), "meshes/1/-/-/-/-/hand.obj");
  EXPECT_EQ(files.add(folder / "meshes/head.dae"), "meshes/2/-/-/-/-/head.dae");
  std::vector<std::string> paths;
  for (const auto& [path, file] : files.all()) paths.push_back(path);
  EXPECT_EQ(paths, (std::vector<std::string>{
                       "meshes/0/-/-/-/-/buffer 1.bin", "meshes/0/-/-/-/-/foot.gltf", "meshes/0/-/-/-/-/skin.png",
                       "meshes/0/-/-/-/skin.jpg", "meshes/1/-/-/-/-/hand.mtl", "meshes/1/-/-/-/-/hand.obj",
                       "meshes/1/-/-/-/-/skin.png", "meshes/2/-/-/-/-/head.dae", "meshes/2/-/-/-/-/skin.png"}));
  EXPECT_EQ(files.add(folder / "secret.txt"), "");  // a robot may call anything a mesh
  EXPECT_EQ(files.find("meshes/0/../../secret.txt"), nullptr);
  EXPECT_EQ(file_bytes(*files.find("meshes/0/-/-/-/skin.jpg")), "jpg");
}

// A recording of some frames, 1 ms apart, whose energy is the number of the frame.
recording::Recording recorded(const Model& model, int frames) {
  recording::Recording run;
  run.header = recording::describe(model, R"({"contacts":[{"name":"foot","frame":"tool","friction":0.5,
      "points":[[0,0,0],[1,0,0]]},{"name":"broken"},7]})");
  run.signals = {{"q", run.header.q}, {"forces", {{"foot.x", "N"}, {"foot.y", "N"}, {"foot.z", "N"}}}};
  run.values.resize(2);
  for (int k = 0; k < frames; ++k) {
    run.times.push_back(.5 + 1e-3 * k);
    for (int i = 0; i < model.nq(); ++i) run.values[0].push_back(i + 1e-3 * k);
    for (int i = 0; i < 3; ++i) run.values[1].push_back(k);
  }
  return run;
}

TEST(Scene, RunsAreThinnedButKeepTheirEnds) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  const auto run = recorded(model, 1002);
  for (const auto& [rate, frames] : {std::pair{0., 1002u}, {100., 102u}, {1e6, 1002u}, {1e-6, 2u}}) {
    Scene scene(Mode::replay, "run");
    scene.add_run(run, "run.mcap", {.rate = rate});
    const auto all = json::parse(scene.json_text());
    EXPECT_EQ(all["runs"][0]["frames"], frames) << rate;
    EXPECT_EQ(all["runs"][0]["recorded_frames"], 1002);
    const auto& block = scene.blocks()[0];
    std::uint32_t head[4];
    std::memcpy(head, block.data(), sizeof(head));
    EXPECT_EQ(head[2], frames);
    EXPECT_EQ(head[1], std::uint32_t(model.nq() + 3));
    double first = 0, last = 0;
    std::memcpy(&first, block.data() + 16, 8);
    std::memcpy(&last, block.data() + 16 + 8 * (frames - 1), 8);
    EXPECT_EQ(first, run.times.front());
    EXPECT_EQ(last, run.times.back());
    float force = 0;
    std::memcpy(&force, block.data() + block.size() - 4, 4);
    EXPECT_EQ(force, 1001.f);
  }
}

TEST(Scene, ContactsComeFromSettingsAndNonsenseIsLeftOut) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  ASSERT_TRUE(model.has_frame("tool"));
  Scene scene(Mode::replay, "run");
  scene.add_run(recorded(model, 3), "run.mcap");
  const auto contacts = json::parse(scene.json_text())["runs"][0]["contacts"];
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0]["name"], "foot");
  EXPECT_EQ(contacts[0]["force"], model.nq());
  EXPECT_EQ(contacts[0]["friction"], .5);
}

TEST(Scene, UnknownLayersAreRefused) {
  Scene scene(Mode::pose, "robot");
  scene.set_layers({"com", "forces"});
  EXPECT_EQ(json::parse(scene.json_text())["show"], json({"com", "forces"}));
  EXPECT_THROW(scene.set_layers({"coms"}), Error);
}

TEST(Scene, ARunWithoutFramesIsRefused) {
  const auto model = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  Scene scene(Mode::replay, "run");
  EXPECT_THROW(scene.add_run(recorded(model, 0), "run.mcap"), Error);
}

TEST(Scene, ASavedPageHasItsDataInsideAndNothingCanEndThem) {
  if (page().empty()) GTEST_SKIP() << "this build has no viewer page (no Node.js)";
  auto description = load(std::string(LISSOM_MODELS_DIR) + "/planar2.urdf").description();
  description.name = "</script><script>alert(1)</script><!--";
  const auto model = build(description);
  Scene scene(Mode::pose, model.name());
  scene.add_robot(model, neutral(model));
  const auto text = saved_page(scene);
  const std::string begin = "<script type=\"application/json\" id=\"lissom-data\">";
  const auto from = text.find(begin);
  ASSERT_NE(from, std::string::npos);
  const auto to = text.find("</script>", from);
  const auto data = json::parse(text.substr(from + begin.size(), to - from - begin.size()));
  EXPECT_EQ(data["scene.json"]["robots"][0]["name"], description.name);
  EXPECT_EQ(data["scene.json"]["robots"][0]["links"].size(), model.links().size());
}

}  // namespace
}  // namespace lissom::view
