// What MCAP files have for other people's viewers does not get in the way of what they have for us.
// (viewers_test.py reads it as the viewers do.)
#include <csignal>
#include <cstring>
#include <sys/resource.h>

#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/recording/header.h"
#include "lissom/recording/size.h"
#include "recording_test_support.h"

namespace lissom::recording::test {
namespace {

class RecordingForViewers : public RecordingTest {
 protected:
  // A motion of the humanoid at 1 kHz, with some frames that are no configurations, unless it is `smooth`.
  static Recording motion(const Model& model, std::size_t frames, bool smooth = false) {
    Recording r{describe(model), {{"q", {}}, {"energy", {{"total", "J"}}}, {"v", {}}}, {}, {}, {}};
    r.signals[0].columns = r.header.q;
    r.signals[2].columns = r.header.v;
    r.values.resize(3);
    for (std::size_t k = 0; k < frames; ++k) {
      r.times.push_back(0.25 + double(k) * 1e-3);
      auto q = random_configuration(model, k);
      if (!smooth && k % 20 == 3) q[long(k) % q.size()] = std::numeric_limits<double>::quiet_NaN();
      if (!smooth && k % 20 == 5) q.setZero();  // no quaternion
      r.values[0].insert(r.values[0].end(), q.begin(), q.end());
      r.values[1].push_back(double(k));
      r.values[2].insert(r.values[2].end(), std::size_t(model.nv()), double(k));
    }
    return r;
  }
  // A robot of two links with meshes, in the folder of the test.
  std::string write_robot(const std::string& name, const std::string& first, const std::string& second) const {
    const auto link = [](const std::string& link_name, const std::string& mesh) {
      return "<link name=\"" + link_name + "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" " +
             "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><visual><geometry><mesh filename=\"" + mesh +
             "\"/></geometry></visual></link>\n";
    };
    put(path(name), "<robot name=\"two\">\n" + link("a", first) + link("b", second) +
                        "<joint name=\"hinge\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\n" +
                        "</robot>\n");
    return path(name);
  }
  // The bytes of a file with two frames of this robot.
  std::string recorded(const Model& model, const Header& header, const RosTopics& ros,
                       std::vector<std::string>* notes = nullptr) const {
    Recorder recorder(path("run.mcap"), header, {{"q", header.q}}, {.robot = model, .ros = ros});
    if (notes) *notes = recorder.notes();
    recorder.write(0, {1.0});
    recorder.write(1, {2.0});
    recorder.close();
    return content(path("run.mcap"));
  }
};

const Model& humanoid() {
  static const Model model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  return model;
}

TEST_F(RecordingForViewers, WeReadWhatWeReadBefore) {
  const auto r = motion(humanoid(), 300);
  for (const auto& ending : endings)
    for (const double max_rate : {1.0, 60.0, 1e9}) {
      SCOPED_TRACE(ending + ", " + std::to_string(max_rate));
      record(path("run" + ending), r, {.chunk_bytes = 20000, .robot = humanoid(), .ros = {.max_rate = max_rate}});
      const auto found = read_recording(path("run" + ending));
      EXPECT_TRUE(found.warnings.empty());
      expect_same(found, r, 300);
    }
  // Only MCAP is for viewers.
  record(path("plain.npz"), r);
  EXPECT_EQ(content(path("run.npz")), content(path("plain.npz")));
  EXPECT_CONTAINS(content(path("run.mcap")), "sensor_msgs/msg/JointState");
  const Recorder recorder(path("run.npz"), r.header, r.signals, {.robot = humanoid()});
  EXPECT_EQ(content(path("run.npz.part")).find("sensor_msgs/msg/JointState"), std::string::npos);
}

// What is no configuration is recorded, but not shown; and no more frames are shown than asked for.
TEST_F(RecordingForViewers, OnlyConfigurationsAreShown) {
  const auto shown = [&](const Recording& r, double max_rate) {
    record(path("run.mcap"), r, {.robot = humanoid(), .ros = {.joint_states = false, .max_rate = max_rate}});
    const auto bytes = content(path("run.mcap"));
    const auto& leaf = humanoid().links().back().name;  // it occurs once in each message
    std::string name(4, '\0');
    name[0] = char(leaf.size() + 1);
    name += leaf + '\0';
    int count = 0;
    for (auto at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(shown(motion(humanoid(), 100, true), 1e9), 100);
  EXPECT_EQ(shown(motion(humanoid(), 100), 1e9), 90);
  EXPECT_EQ(shown(motion(humanoid(), 100, true), 1e3), 100);  // the rate of the frames
  EXPECT_EQ(shown(motion(humanoid(), 1001, true), 60), 61);
}

TEST_F(RecordingForViewers, CutAnywhere) {
  const auto r = motion(humanoid(), 40);
  record(path("run.mcap"), r, {.chunk_bytes = 6000, .robot = humanoid()});
  const auto whole = content(path("run.mcap"));
  std::size_t last_frames = 0, readable = 0;
  for (std::size_t size = 0; size < whole.size(); size += 211) {
    put(path("cut.mcap"), std::string_view(whole).substr(0, size));
    Recording found;
    const auto error = error_of([&] { found = read_recording(path("cut.mcap")); });
    if (!error.empty()) {
      EXPECT_EQ(readable, 0u) << error;
      continue;
    }
    ++readable;
    EXPECT_GE(found.frames(), last_frames);
    last_frames = found.frames();
    ASSERT_NO_FATAL_FAILURE(expect_same(found, r, last_frames));
    ASSERT_EQ(found.warnings.size(), 1u) << size;
  }
  EXPECT_EQ(last_frames, 40u);
}

TEST_F(RecordingForViewers, AFullDiskTakesWhatFits) {
  const auto r = motion(humanoid(), 2000);
  for (const rlim_t bytes : {100'000, 137'000, 200'001}) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{bytes, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    std::string error;
    std::uint64_t safe_frames = 0;
    {
      Recorder recorder(path("run.mcap"), r.header, r.signals, {.flush_seconds = 1000, .robot = humanoid()});
      error = error_of([&] { write_frames(recorder, r, 0, r.frames()); });
      safe_frames = recorder.safe_frames();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    (void)std::signal(SIGXFSZ, handler);
    EXPECT_GT(safe_frames, 20u);
    EXPECT_GT(std::filesystem::file_size(path("run.mcap")), bytes - 12'000);
    EXPECT_CONTAINS(error, std::to_string(safe_frames) + " frames until ");
    expect_same(read_recording(path("run.mcap")), r, safe_frames);
  }
}

TEST_F(RecordingForViewers, TheSizeIsEstimated) {
  const auto r = motion(humanoid(), 1500, true);
  for (const double max_rate : {60.0, 1e3}) {
    const RecorderOptions options{.robot = humanoid(), .ros = {.max_rate = max_rate}};
    record(path("run.mcap"), r, options);
    const auto size = double(std::filesystem::file_size(path("run.mcap")));
    EXPECT_NEAR(estimated_bytes("run.mcap", r.header, r.signals, options, 1500, 1.5) / size, 1, 0.03);
  }
  EXPECT_EQ(estimated_bytes("run.csv", r.header, r.signals, {.robot = humanoid()}, 10, 1),
            estimated_bytes("run.csv", r.signals, 10));
}

// Who gets the recording must not get files that a hostile robot calls meshes.
TEST_F(RecordingForViewers, OnlyMeshesAreAttached) {
  put(path("secret.txt"), "a password");
  put(path("first.stl"), "the first mesh");
  const auto model = load(write_robot("bad.urdf", "secret.txt", "first.stl"));
  std::vector<std::string> notes;
  const auto bytes = recorded(model, describe(model), {}, &notes);
  EXPECT_CONTAINS(bytes, "the first mesh");
  EXPECT_EQ(bytes.find("a password"), std::string::npos);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_CONTAINS(notes[0], "'secret.txt' is not a mesh that viewers show");
}

TEST_F(RecordingForViewers, MeshesAreAttached) {
  put(path("first.stl"), "the first mesh");
  put(path("second.dae"), "the second mesh, which is larger");
  const auto model = load(write_robot("two.urdf", "first.stl", "package://nowhere/second.dae"));
  const auto header = describe(model);
  std::vector<std::string> notes;
  auto bytes = recorded(model, header, {}, &notes);
  EXPECT_CONTAINS(bytes, "the first mesh");
  EXPECT_CONTAINS(bytes, "<mesh filename=\"first.stl\"/>");                         // the robot file as it is
  EXPECT_CONTAINS(bytes, "<mesh filename=\"file://" + path("first.stl") + "\"/>");  // and for viewers
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "1 mesh file is not in the recording: 'package://nowhere/second.dae' not found");
  EXPECT_CONTAINS(bytes, "lissom.meshes_left_out");
  EXPECT_EQ(read_recording(path("run.mcap")).header, header);

  // Found elsewhere, but too large.
  std::filesystem::create_directory(path("nowhere"));
  std::filesystem::rename(path("second.dae"), path("nowhere/second.dae"));
  std::filesystem::create_directory(path("other"));
  std::filesystem::rename(path("nowhere"), path("other/nowhere"));
  const std::vector<std::string> packages{path("other")};
  bytes = recorded(model, header, {.max_mesh_bytes = 20, .package_paths = packages}, &notes);
  EXPECT_CONTAINS(bytes, "the first mesh");
  EXPECT_EQ(bytes.find("the second mesh"), std::string::npos);
  EXPECT_CONTAINS(bytes, "filename=\"file://" + path("other/nowhere/second.dae"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_CONTAINS(notes[0], "has 32 bytes, more than are left for meshes");
  bytes = recorded(model, header, {.package_paths = packages}, &notes);
  EXPECT_CONTAINS(bytes, "the second mesh");
  EXPECT_TRUE(notes.empty());
  bytes = recorded(model, header, {.meshes = false}, &notes);
  EXPECT_EQ(bytes.find("the first mesh"), std::string::npos);
  EXPECT_TRUE(notes.empty());
}

TEST_F(RecordingForViewers, NoMeshIsTakenForTheRobot) {
  put(path("first.stl"), "the first mesh");
  put(path("two.urdf.dae"), "<robot name=\"not this one\"/>");
  const auto model = load(write_robot("two.urdf", "first.stl", "two.urdf.dae"));
  auto description = model.description();
  description.links[0].mass = 7;
  const auto changed = build(description);  // there is no robot file in the recording
  const auto header = describe(changed);
  const auto bytes = recorded(changed, header, {});
  EXPECT_CONTAINS(bytes, "the first mesh");
  EXPECT_CONTAINS(bytes, "/tf");
  EXPECT_EQ(bytes.find("/robot_description"), std::string::npos);  // it would be another robot
  EXPECT_EQ(read_recording(path("run.mcap")).header, header);
}

// The header cannot have such names, and MCAP should not.
TEST_F(RecordingForViewers, NamesThatAreNotUtf8) {
  const auto model = load(write_robot("two\xFF.urdf", "first.stl", "first.stl"));
  const auto header = describe(model);
  recorded(model, header, {});
  const auto found = read_recording(path("run.mcap"));
  EXPECT_EQ(found.header.robot_text, header.robot_text);
  EXPECT_FALSE(header.robot_text.empty());
}

TEST_F(RecordingForViewers, OneByOne) {
  const auto model = load(LISSOM_MODELS_DIR "/planar2.urdf");
  const auto header = describe(model);
  const auto has = [&](const RosTopics& ros, const char* topic) {
    record(path("run.mcap"), {header, {{"q", header.q}}, {0.0}, {std::vector<double>(header.q.size())}, {}},
           {.robot = model, .ros = ros});
    return content(path("run.mcap")).find(topic) != std::string::npos;
  };
  EXPECT_TRUE(has({}, "/robot_description"));
  EXPECT_FALSE(has({.description = false}, "/robot_description"));
  EXPECT_TRUE(has({}, "/joint_states"));
  EXPECT_FALSE(has({.joint_states = false}, "/joint_states"));
  EXPECT_TRUE(has({}, "/tf"));
  EXPECT_FALSE(has({.tf = false}, "/tf"));
}

TEST_F(RecordingForViewers, Errors) {
  const auto model = load(LISSOM_MODELS_DIR "/planar2.urdf");
  const auto header = describe(model);
  const auto making = [&](const std::vector<Signal>& signals, const RosTopics& ros = {}) {
    return error_of([&] { const Recorder recorder(path("run.mcap"), header, signals, {.robot = model, .ros = ros}); });
  };
  EXPECT_CONTAINS(making({{"q", {{"other", "rad"}}}}), "no signal 'q'");
  EXPECT_CONTAINS(making({{"v", header.v}}), "no signal 'q'");
  EXPECT_EQ(making({{"v", header.v}}, {.joint_states = false, .tf = false}), "");
  EXPECT_CONTAINS(making({{"q", header.q}, {"/tf", {}}}), "'/tf', which is a ROS topic");
  EXPECT_EQ(making({{"q", header.q}, {"/tf", {}}}, {.tf = false}), "");
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_CONTAINS(making({{"q", header.q}}, {.max_rate = rate}), "max_rate");
}

}  // namespace
}  // namespace lissom::recording::test
