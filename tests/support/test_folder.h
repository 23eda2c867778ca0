#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace lissom::test {

// A folder of one test, removed at the end.
class TestFolder {
 public:
  TestFolder() {
    auto pattern = (std::filesystem::temp_directory_path() / "lissom-test-XXXXXX").string();
    if (::mkdtemp(pattern.data())) path_ = pattern;
  }
  ~TestFolder() {
    std::error_code error;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, error);
    std::filesystem::remove_all(path_, error);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::string& path() const { return path_; }
  int files() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) count += entry.is_regular_file();
    return count;
  }

 private:
  std::string path_;
};

}  // namespace lissom::test
