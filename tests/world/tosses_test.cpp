// Measured tosses: what the reader takes and refuses, flight without contact, and the real ones where they are at hand.
#include "lissom/benchmarks/tosses.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <zlib.h>

#include <gtest/gtest.h>

#include "lissom/benchmarks/csv_table.h"
#include "refusal.h"
#include "test_folder.h"

namespace lissom::test::tosses {
namespace {

using benchmarks::Toss;

const std::string frame_columns = "toss,t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
const std::string start_columns = "toss,frames_before_contact,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
const std::string two_frames = "7,0,0,0,1,1,0,0,0,0,0,0,0,0,0\n7,.01,0,0,1,1,0,0,0,0,0,0,0,0,0\n";
const std::string one_start = "7,2,0,0,1,1,0,0,0,0,0,0,0,0,0\n";

class TossFiles : public testing::Test {
 protected:
  void write(const std::string& tosses, const std::string& starts) {
    const auto file = gzopen((folder_.path() + "/tosses.csv.gz").c_str(), "wb");
    gzwrite(file, tosses.data(), unsigned(tosses.size()));
    gzclose(file);
    std::ofstream(folder_.path() + "/starts.csv") << starts;
  }
  std::string error() const {
    try {
      benchmarks::read_tosses(folder_.path());
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }
  void refused(const std::string& tosses, const std::string& starts, std::initializer_list<const char*> words) {
    write(tosses, starts);
    for (const auto* const word : words) EXPECT_NE(error().find(word), std::string::npos) << word << ": " << error();
  }
  TestFolder folder_;
};

// At the limit and one byte beyond, as they are and unpacked.
TEST_F(TossFiles, MayHaveSoManyBytes) {
  const std::string text(5000, 'x');
  write(text, text);
  const auto plain = folder_.path() + "/starts.csv", packed = benchmarks::read_plain(folder_.path() + "/tosses.csv.gz");
  EXPECT_LT(packed.size(), 100u);
  EXPECT_EQ(benchmarks::read_plain(plain, 5000), text);
  EXPECT_EQ(benchmarks::unpacked("tosses", packed, 5000), text);
  const auto expect_said = [](const std::string& message, std::initializer_list<const char*> words) {
    for (const auto* const word : words) EXPECT_NE(message.find(word), std::string::npos) << word << ": " << message;
  };
  expect_said(refusal([&] { benchmarks::read_plain(plain, 4999); }), {"starts.csv", "4999 bytes"});
  expect_said(refusal([&] { benchmarks::unpacked("tosses", packed, 4999); }), {"tosses", "unpacks", "4999 bytes"});
}

TEST_F(TossFiles, AreRead) {
  write(frame_columns + two_frames + "b, 0.5, 1,2,3, 0.6,0,.8,0, 0,0,0,0,0,0\r\nb,.75,1,2,4,-.6,0,-.8,0,0,0,0,0,0,0",
        start_columns + "b,1,1,2,3,.6,0,.8,0,4,5,6,7,8,9\n\n" + one_start);
  const auto tosses = benchmarks::read_tosses(folder_.path());
  ASSERT_EQ(tosses.size(), 2u);
  EXPECT_EQ(tosses[0].name, "7");
  const auto& toss = tosses[1];
  EXPECT_EQ(toss.name, "b");
  ASSERT_EQ(toss.frames.size(), 2u);
  EXPECT_EQ(toss.frames[1].time, .75);
  EXPECT_EQ(toss.frames[1].position.z, 4);
  EXPECT_NEAR(toss.frames[0].rotation.y, .8, 1e-12);
  EXPECT_EQ(toss.start.position.y, 2);
  EXPECT_EQ(toss.start.time, .5);
  EXPECT_EQ(toss.velocity.x, 4);
  EXPECT_EQ(toss.angular_velocity.z, 9);
}

TEST_F(TossFiles, ThatAreWrongAreRefused) {
  const auto good = frame_columns + two_frames, start = start_columns + one_start;
  refused("", start, {"tosses.csv.gz:1", "column names"});
  refused("a,b\n1,2\n", start, {"tosses.csv.gz:1", "no column 'toss'", "a, b"});
  refused(frame_columns, start, {"tosses.csv.gz", "no lines"});
  refused(good + "7,.02,0\n", start, {"tosses.csv.gz:4", "3 fields", "expected 15"});
  refused(frame_columns + "7,0,0,0,high,1,0,0,0,0,0,0,0,0,0\n", start, {":2", "z is 'high'", "finite"});
  refused(frame_columns + "7,0,0,0,nan,1,0,0,0,0,0,0,0,0,0\n", start, {":2", "z is 'nan'"});
  refused(frame_columns + "7,0,0,0,1,2,0,0,0,0,0,0,0,0,0\n", start, {":2", "norm 2"});
  refused(good + "7,.005,0,0,1,1,0,0,0,0,0,0,0,0,0\n", start, {":4", "later time"});
  refused(good + "7,1e9,0,0,1,1,0,0,0,0,0,0,0,0,0\n", start, {":4", "at most 1 s"});
  refused(good + "7,.010000001,0,0,1,1,0,0,0,0,0,0,0,0,0\n", start, {"'7'", "1e-09 to 0.01 s apart"});
  refused(good + "8,0,0,0,1,1,0,0,0,0,0,0,0,0,0\n", start, {"'8'", "one frame"});
  refused(frame_columns + two_frames + "8,0,0,0,1,1,0,0,0,0,0,0,0,0,0\n" + two_frames, start, {":5", "begins again"});
  refused(good, "", {"starts.csv:1", "column names"});
  refused(good, start_columns + "9,2,0,0,1,1,0,0,0,0,0,0,0,0,0\n", {"starts.csv:2", "no toss '9'"});
  refused(good, start + one_start, {"starts.csv:3", "two starts"});
  refused(good + "8,0,0,0,1,1,0,0,0,0,0,0,0,0,0\n8,1,0,0,1,1,0,0,0,0,0,0,0,0,0\n", start, {"no start of toss '8'"});
}

TEST_F(TossFiles, ThatCannotBeUnpackedAreRefused) {
  EXPECT_NE(error().find("does not exist"), std::string::npos) << error();
  write(frame_columns + two_frames, start_columns + one_start);
  EXPECT_EQ(error(), "nothing");
  const auto path = folder_.path() + "/tosses.csv.gz";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
  EXPECT_NE(error().find("ends too early"), std::string::npos) << error();
  std::ofstream(path) << frame_columns + two_frames;
  EXPECT_NE(error().find("gzip"), std::string::npos) << error();
}

// A cube that does not meet the floor: its center of mass falls, and its center circles about that.
TEST(Tosses, FlightIsExact) {
  const benchmarks::TossParameters cube;
  Toss toss;
  const Vec3<double> omega{0, 5, 0};
  toss.start = {0, {.1, .2, 2}, {1, 0, 0, 0}};
  toss.angular_velocity = omega;
  toss.velocity = {1, -.5, 2};
  const auto com_velocity = toss.velocity + cross(omega, cube.com);
  for (const double t : {0., .01, .02, .04, .05}) {
    const double c = std::cos(2.5 * t), s = std::sin(2.5 * t);
    const Quaternion<double> turn{c, 0, s, 0};
    const auto com = toss.start.position + cube.com + t * com_velocity - Vec3<double>{0, 0, .5 * cube.gravity * t * t};
    toss.frames.push_back({t, com - matrix(turn) * cube.com, turn});
  }
  std::vector<benchmarks::TossFrame> seen;
  const auto error = simulate(toss, cube, &seen);
  EXPECT_LT(error.position, 1e-6);
  EXPECT_LT(error.rotation, 1e-6);
  EXPECT_EQ(error.steps, 7 * 5);  // a frame is missing
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen[4].time, .05);
  // What is off counts in full.
  toss.frames[0].position.x += .05;
  toss.frames[1].rotation = {std::sqrt(.5), std::sqrt(.5), 0, 0};
  const auto off = simulate(toss, cube);
  EXPECT_NEAR(off.position, .01, 1e-6);
  EXPECT_NEAR(off.rotation, std::numbers::pi / 2 / 5, 1e-3);
}

TEST(Tosses, OfARealCubeAreMet) {
  const char* const shared = std::getenv("LISSOM_SHARED");
  const auto folder = std::string(shared ? shared : LISSOM_SHARED_DIR) + "/reference/tosses";
  if (!std::filesystem::exists(folder + "/tosses.csv.gz")) GTEST_SKIP() << "there are no tosses in " << folder;
  const auto tosses = benchmarks::read_tosses(folder);
  EXPECT_EQ(tosses.size(), 285u);
  const auto error = benchmarks::mean_error(tosses);
  EXPECT_LT(1e3 * error.position, 7.3);
  EXPECT_LT(180 / std::numbers::pi * error.rotation, 7.7);
  // Each part of the model counts: without it the error grows.
  benchmarks::TossParameters sharp;
  sharp.rounding = 0;
  EXPECT_GT(benchmarks::mean_error(tosses, sharp).rotation, 1.2 * error.rotation);
}

}  // namespace
}  // namespace lissom::test::tosses
