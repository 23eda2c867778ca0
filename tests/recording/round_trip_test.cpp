// A recording is read back bit for bit, in all formats.
#include <array>
#include <clocale>
#include <locale>

#include "lissom/api/dynamics.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/model/same_description.h"
#include "lissom/recording/header.h"
#include "lissom/recording/size.h"
#include "recording_test_support.h"

namespace lissom::recording::test {
namespace {

class RecordingRoundTrip : public RecordingTest {};

TEST_F(RecordingRoundTrip, AllFormatsAllNumbersBitForBit) {
  for (const auto& ending : endings)
    for (const std::size_t frames : {0, 1, 2, 3000}) {
      SCOPED_TRACE(ending + ", " + std::to_string(frames));
      const auto expected = example(frames);
      record(path("run" + ending), expected, {.chunk_bytes = 10000});
      const auto found = read_recording(path("run" + ending));
      EXPECT_TRUE(found.warnings.empty()) << found.warnings[0];
      expect_same(found, expected, frames);
      EXPECT_FALSE(std::filesystem::exists(path("run" + ending + ".part")));
    }
}

TEST_F(RecordingRoundTrip, AHundredThousandFrames) {
  const auto expected = example(100000);
  for (const auto& ending : endings) {
    record(path("run" + ending), expected);
    expect_same(read_recording(path("run" + ending)), expected, 100000);
  }
}

// The size that is told before a recording is written is the size that it then has, in all formats.
TEST_F(RecordingRoundTrip, EstimatedSize) {
  const auto expected = example(100000);
  for (const auto& ending : endings) {
    const auto file = path("run" + ending);
    record(file, expected);
    auto size = double(std::filesystem::file_size(file));
    if (ending == ".npz") {  // the part exists beside it until the archive is complete
      record(path("part.mcap"), expected);
      size += double(std::filesystem::file_size(path("part.mcap")));
    }
    const double estimate = estimated_bytes(file, expected.signals, 100000);
    // Lines of CSV are as long as their numbers.
    EXPECT_NEAR(estimate / size, 1, ending == ".csv" ? 0.7 : 0.02) << ending;
  }
  EXPECT_EQ(estimated_bytes("run.mcap", expected.signals, 0), 0);
}

TEST_F(RecordingRoundTrip, SameRecordingSameBytes) {
  const auto expected = example(100);
  for (const auto& ending : endings) {
    record(path("a" + ending), expected);
    record(path("b" + ending), expected);
    EXPECT_EQ(content(path("a" + ending)), content(path("b" + ending)));
  }
}

TEST_F(RecordingRoundTrip, RobotsFileNeedNotBeText) {
  auto expected = example(1);
  expected.header.robot_text.clear();
  for (int c = 0; c < 256; ++c) expected.header.robot_text += char(c);
  for (const auto& ending : endings) {
    record(path("run" + ending), expected);
    expect_same(read_recording(path("run" + ending)), expected, 1);
  }
}

TEST_F(RecordingRoundTrip, NoRobotsFile) {
  auto expected = example(1);
  expected.header.robot_text = expected.header.robot_file = "";
  for (const auto& ending : endings) {
    record(path("run" + ending), expected);
    expect_same(read_recording(path("run" + ending)), expected, 1);
  }
}

struct CommaForPoint : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_F(RecordingRoundTrip, WhateverTheLocale) {
  const auto before = std::locale::global(std::locale(std::locale(), new CommaForPoint));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // if it is installed; otherwise only streams are German
  const auto expected = example(200);
  for (const auto& ending : endings) {
    record(path("run" + ending), expected);
    expect_same(read_recording(path("run" + ending)), expected, 200);
  }
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
}

TEST_F(RecordingRoundTrip, RowsOfEveryKind) {
  const std::vector<Signal> signals{
      {"a", {{"x", "m"}, {"y", "m"}}}, {"b", {{"x", "m"}, {"y", "m"}}}, {"c", {{"e", "J"}}}};
  const Eigen::Vector2d eigen(1, 2);
  const std::array<double, 2> array{3, 4};
  Recorder recorder(path("run.mcap"), {}, signals);
  recorder.write(0, {eigen, array, 5.0});
  recorder.write(0, {std::vector{6.0, 7.0}, std::span(array), 8.0});  // the same time again is allowed
  recorder.close();
  const auto r = read_recording(path("run.mcap"));
  EXPECT_EQ(r.values, (std::vector<std::vector<double>>{{1, 2, 6, 7}, {3, 4, 3, 4}, {5, 8}}));
}

TEST_F(RecordingRoundTrip, TheModelComesBack) {
  const std::string file = LISSOM_MODELS_DIR "/humanoid.urdf";
  const auto model = load(file, {.base = Base::free}).with_gravity({0, 0, -1.62});
  const auto header = describe(model, R"({"on":"the moon"})");
  EXPECT_EQ(header.q.size(), std::size_t(model.nq()));
  EXPECT_EQ(header.v.size(), std::size_t(model.nv()));
  EXPECT_EQ(header.q[0], (Column{"base.x", "m"}));
  EXPECT_EQ(header.q[3], (Column{"base.qw", "1"}));
  EXPECT_EQ(header.v[5], (Column{"base.wz", "rad/s"}));
  const auto at = std::size_t(model.joint("left_knee").q_index);
  EXPECT_EQ(header.q[at], (Column{"left_knee", "rad"}));
  EXPECT_EQ(quaternions(header.q), std::vector<std::size_t>{3});

  const auto q = random_configuration(model, 1);
  {
    Recorder recorder(path("run.mcap"), header, {{"q", header.q}});
    recorder.write(0.5, {q});
  }  // (closed by going out of scope)
  const auto r = read_recording(path("run.mcap"));
  EXPECT_TRUE(r.warnings.empty());
  const auto again = rebuild(r.header);
  EXPECT_EQ(again.nq(), model.nq());
  EXPECT_EQ(again.gravity().z, -1.62);
  Workspace work(model), work_again(again);
  const auto row = r.row(r.signal("q"), 0);
  const Eigen::VectorXd q_again = Eigen::Map<const Eigen::VectorXd>(row.data(), long(row.size()));
  EXPECT_EQ(gravity_forces(model, work, q), gravity_forces(again, work_again, q_again));
}

TEST_F(RecordingRoundTrip, EveryElementHasAName) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LISSOM_MODELS_DIR))
    if (entry.path().extension() == ".urdf")
      for (const auto base : {Base::fixed, Base::free, Base::planar}) {
        const auto model = load(entry.path().string(), {.base = base});
        EXPECT_EQ(configuration_columns(model).size(), std::size_t(model.nq())) << entry.path();
        EXPECT_EQ(velocity_columns(model).size(), std::size_t(model.nv())) << entry.path();
        EXPECT_FALSE(describe(model).robot_text.empty()) << entry.path();
      }
}

TEST_F(RecordingRoundTrip, AHeaderWithoutARobotSaysSo) {
  EXPECT_FALSE(has_robot(Header{}));
  EXPECT_CONTAINS(error_of([] { (void)rebuild(Header{}); }), "neither a robot file nor a description");
}

// Whatever was changed: the same robot comes back, and no text that gives another one.
TEST_F(RecordingRoundTrip, AChangedModelComesBackAsItIs) {
  const std::string file = LISSOM_MODELS_DIR "/arm7.urdf";
  const auto model = load(file);
  for (const auto& same :
       {model, model.with_gravity({0, 0, -1}), load(file, {.find_meshes = true}), build(model.description())}) {
    EXPECT_FALSE(describe(same).robot_text.empty());
    EXPECT_TRUE(describe(same).robot_description.empty());
  }

  const std::vector<std::function<void(Description&)>> changes{
      [](Description& d) { d.name = "another"; },
      [](Description& d) { d.links[2].mass = 50; },
      [](Description& d) { d.links[2].inertia.yz += 1e-9; },
      [](Description& d) { d.links[2].collisions.push_back({}), d.links[2].collisions[0].shape.size = {1, 1, 1}; },
      [](Description& d) { d.joints[3].origin.p.x += 1e-12; },
      [](Description& d) { d.joints[3].origin.R = {0, -1, 0, 1, 0, 0, 0, 0, 1}; },
      [](Description& d) { d.joints[3].damping = 0.123; },
      [](Description& d) { d.joints[3].upper[0] += 1e-3; },
      [](Description& d) { d.joints[3].mimic = Mimic{d.joints[2].name}; },
      [](Description& d) { d.joints.pop_back(), d.links.pop_back(); },
      [](Description& d) { d.frames.push_back({"camera", d.links[2].name, {}}); },
      [](Description& d) {
        d.springs.push_back({.name = "spring", .a = {"world"}, .b = {d.links[3].name}, .stiffness = 7});
      },
      [](Description& d) { d.loops.push_back({.name = "pin", .a = {"world"}, .b = {d.links[7].name}}); },
      [](Description& d) { d.file.clear(); }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    auto description = model.description();
    changes[i](description);
    const auto changed = build(description);
    const auto header = describe(changed);
    EXPECT_EQ(header.robot_text, "");
    for (const char* name : {"run.mcap", "run.npz"}) {
      record(path(name), {header, {{"q", header.q}}, {}, {{}}, {}});
      const auto again = rebuild(read_recording(path(name)).header);
      EXPECT_TRUE(same_description(again.description(), changed.description())) << name;
    }
  }
}

}  // namespace
}  // namespace lissom::recording::test
