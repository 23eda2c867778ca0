#pragma once
// Example recordings, and a folder for them.
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "lissom/recording/read.h"
#include "lissom/recording/recorder.h"

namespace lissom::recording::test {

// Each test has its own folder, which is removed afterwards.
class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lissom-recording-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~RecordingTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

inline const std::vector<std::string> endings{".mcap", ".npz", ".csv"};

inline Header example_header() {
  Header header;
  header.model = "two \"arms\", héros";
  header.robot_file = "robots/two arms.urdf";
  header.robot_text = "<robot name=\"two\">\r\n\t<!-- größer, 大 -->\n</robot>\n";
  header.base = Base::free;
  header.mimic = false;
  header.axis_tolerance = 1.0 / 3;
  header.gravity = {0.1, -0.2, -9.80665};
  header.q = {{"base.x", "m"}, {"base.qw", "1"}, {"left_knee", "rad"}};
  header.v = {{"base.vx", "m/s"}, {"left_knee", "rad/s"}};
  header.settings = R"({"step":0.001,"solver":{"name":"größer","tolerances":[1e-09,0.1]},"seed":18446744073709551615})";
  return header;
}

inline std::vector<Signal> example_signals() {
  return {
      {"q", {{"base.x", "m"}, {"base.qw", "1"}, {"left_knee", "rad"}}},
      {"foot, \"left\" größe/2", {{"a,b", "N·m"}, {"say \"hi\"", "%"}, {"# größe", ""}, {"Time", "s"}, {"time", "s"}}},
      {"nothing", {}},
      {"Energy", {{"total energy", "J"}}}};
}

// A double of any kind, also those that few programs expect.
inline double any_number(std::mt19937_64& random) {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  switch (random() % 12) {
    case 0:
      return 0.0;
    case 1:
      return -0.0;
    case 2:
      return infinity;
    case 3:
      return -infinity;
    case 4:
      return std::bit_cast<double>(0x7ff8000000000000);  // NaN
    case 5:
      return std::bit_cast<double>(0xfff8000000000000);  // what 0/0 gives here
    case 6:
      return std::bit_cast<double>(0x7ff0000000000001 | (random() & 0x8007ffffffffffff));  // with a payload
    case 7:
      return std::bit_cast<double>(random() & 0x800fffffffffffff);  // subnormal
    case 8:
      return std::numeric_limits<double>::max();
    case 9:
      return double(random()) / 1e19;
    default:
      return std::bit_cast<double>(random());
  }
}

inline Recording example(std::size_t frames, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  Recording r{example_header(), example_signals(), {}, {}, {}};
  r.values.resize(r.signals.size());
  for (std::size_t k = 0; k < frames; ++k) {
    r.times.push_back(-0.002 + double(k) * 0.001);
    for (std::size_t s = 0; s < r.signals.size(); ++s)
      for (std::size_t c = 0; c < r.signals[s].columns.size(); ++c) r.values[s].push_back(any_number(random));
  }
  return r;
}

inline void write_frames(Recorder& recorder, const Recording& r, std::size_t first, std::size_t last) {
  std::vector<Row> rows;
  for (std::size_t k = first; k < last; ++k) {
    rows.clear();
    for (std::size_t s = 0; s < r.signals.size(); ++s) rows.emplace_back(r.row(s, k));
    recorder.write(r.times[k], rows);
  }
}

inline void record(const std::string& path, const Recording& r, const RecorderOptions& options = {}) {
  Recorder recorder(path, r.header, r.signals, options);
  write_frames(recorder, r, 0, r.frames());
  recorder.close();
}

inline std::vector<std::uint64_t> bits(std::span<const double> numbers) {
  std::vector<std::uint64_t> out;
  for (const double x : numbers) out.push_back(std::bit_cast<std::uint64_t>(x));
  return out;
}

// Expects the same header and signals, and exactly the first `frames` frames, bit for bit.
inline void expect_same(const Recording& found, const Recording& expected, std::size_t frames) {
  EXPECT_EQ(found.header, expected.header);
  EXPECT_EQ(found.signals, expected.signals);
  ASSERT_EQ(found.frames(), frames);
  EXPECT_EQ(bits(found.times), bits(std::span(expected.times).first(frames)));
  ASSERT_EQ(found.values.size(), expected.values.size());
  for (std::size_t s = 0; s < expected.signals.size(); ++s)
    EXPECT_EQ(bits(found.values[s]),
              bits(std::span(expected.values[s]).first(frames * expected.signals[s].columns.size())));
}

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void put(const std::string& path, std::string_view bytes) {
  std::filesystem::remove(path);  // (some file systems wait for the disk when a file is replaced)
  std::ofstream(path, std::ios::binary) << bytes;
}

// The message of the Error that f throws; empty if it throws none.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

}  // namespace lissom::recording::test
