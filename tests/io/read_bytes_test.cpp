// Files, pipes and devices as input.
#include "lissom/files/read_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "lissom/model/limits.h"
#include "urdf_test_support.h"

namespace lissom::io {
namespace {

class ReadBytes : public testing::Test {
 protected:
  ReadBytes() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lissom-read-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~ReadBytes() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

TEST_F(ReadBytes, UpToTheLimit) {
  std::ofstream(path("ten")) << "0123456789";
  std::string bytes;
  EXPECT_FALSE(read_bytes(path("ten"), 10, bytes));
  EXPECT_EQ(bytes, "0123456789");
  EXPECT_FALSE(read_bytes(path("ten"), 11, bytes));
  const auto problem = read_bytes(path("ten"), 9, bytes);
  ASSERT_TRUE(problem);
  EXPECT_TRUE(problem->too_large);
  const auto endless = read_bytes("/dev/zero", 100'000, bytes);
  ASSERT_TRUE(endless);
  EXPECT_TRUE(endless->too_large);
  EXPECT_EQ(bytes.size(), 100'001u);
}

TEST_F(ReadBytes, WhatIsNoFile) {
  std::string bytes;
  EXPECT_EQ(read_bytes(path("none"), 10, bytes)->message, "the file does not exist");
  EXPECT_EQ(read_bytes(path(""), 10, bytes)->message, "this is a directory, not a file");
}

TEST_F(ReadBytes, APipeWithoutAWriterDoesNotBlock) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string bytes;
  EXPECT_EQ(read_bytes(path("pipe"), 10, bytes)->message, "this is a pipe that no program writes to");
  const ReadResult robot = read(path("pipe"));
  EXPECT_TRUE(find(robot, "file-open"));
}

TEST_F(ReadBytes, APipeIsReadToItsEnd) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] {
    const int to = ::open(path("pipe").c_str(), O_WRONLY);
    for (int k = 0; k < 50; ++k) {
      EXPECT_EQ(::write(to, "0123456789", 10), 10);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ::close(to);
  });
  std::string bytes;
  EXPECT_FALSE(read_bytes(path("pipe"), 1000, bytes));
  EXPECT_EQ(bytes.size(), 500u);
  writer.join();
}

TEST_F(ReadBytes, RobotsAtTheLimit) {
  const auto text = robot(link("a"));
  ReadOptions options;
  EXPECT_EQ(options.max_bytes, limits::robot_bytes);
  EXPECT_EQ(options.max_depth, limits::xml_depth);
  options.max_bytes = text.size();
  std::ofstream(path("robot.urdf")) << text;
  EXPECT_TRUE(read(path("robot.urdf"), options).usable());
  --options.max_bytes;
  EXPECT_TRUE(find(read(path("robot.urdf"), options), "file-size"));
  // <robot> is the first level.
  const auto nested = [](int levels) {
    std::string open, close;
    for (int i = 0; i < levels; ++i) open += "<gazebo>", close += "</gazebo>";
    return robot(link("a") + open + close);
  };
  EXPECT_FALSE(find(read_text(nested(limits::xml_depth), "r"), "xml-depth"));
  EXPECT_TRUE(find(read_text(nested(limits::xml_depth + 1), "r"), "xml-depth"));
}

TEST_F(ReadBytes, FindingsAreCountedWhereThereAreTooMany) {
  const auto unknown = [](std::size_t count) {
    std::string tags;
    for (std::size_t i = 0; i < count; ++i) tags += "<tag" + std::to_string(i) + "/>\n";
    return read_text(robot(link("a") + tags), "r").diagnostics;
  };
  EXPECT_EQ(unknown(limits::diagnostics_per_code).size(), limits::diagnostics_per_code);
  EXPECT_EQ(unknown(limits::diagnostics_per_code + 1).back().message, "and 1 more of this kind");
  const auto many = unknown(limits::diagnostics_per_code + 50'000);
  EXPECT_EQ(many.size(), limits::diagnostics_per_code + 1);
  EXPECT_EQ(many.back().message, "and 50000 more of this kind");
}

}  // namespace
}  // namespace lissom::io
