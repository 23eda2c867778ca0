// Files that are complete or not there; what is no file stays what it is.
#include "lissom/files/replace_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "test_folder.h"

namespace lissom::test::replaced {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ReplaceFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

 private:
  TestFolder folder_;
};

TEST_F(ReplaceFile, TakesThePlaceOfAnother) {
  for (const std::string text : {"first", "", "third"}) {
    EXPECT_EQ(replace_file(path("a"), text), "");
    EXPECT_EQ(content(path("a")), text);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), {}), 1);
}

TEST_F(ReplaceFile, DevicesPipesAndFoldersStay) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", path("link"));
  fs::create_directory(path("folder"));
  for (const char* name : {"pipe", "link"}) EXPECT_NE(replace_file(path(name), "x").find("a pipe"), std::string::npos);
  EXPECT_NE(replace_file(path("folder"), "x"), "");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(fs::is_directory(path("folder")));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), {}), 3);
}

TEST_F(ReplaceFile, LinksStay) {
  EXPECT_EQ(replace_file(path("file"), "old"), "");
  fs::create_directory(path("folder"));
  fs::create_symlink("../file", path("folder/link"));
  fs::create_symlink("folder/link", path("link"));
  fs::create_symlink("nowhere", path("dangling"));
  EXPECT_EQ(replace_file(path("link"), "new"), "");
  EXPECT_EQ(replace_file(path("dangling"), "made"), "");
  for (const char* name : {"link", "folder/link", "dangling"}) EXPECT_TRUE(fs::is_symlink(path(name))) << name;
  EXPECT_EQ(content(path("file")), "new");
  EXPECT_EQ(content(path("nowhere")), "made");
}

}  // namespace
}  // namespace lissom::test::replaced
