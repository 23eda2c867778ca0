#pragma once
// Makes the library find a device and a compiler which are none: kernels are compiled for the processor and run by
// fake/driver.cpp. Everything else is as with a real device.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

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

class FakeDevice : public ::testing::Test {
 protected:
  FakeDevice() {
    ::setenv("LISSOM_CUDA_DRIVER", LISSOM_FAKE_DRIVER, 1);
    ::setenv("LISSOM_NVCC", LISSOM_FAKE_NVCC, 1);
    ::setenv("LISSOM_CACHE", cache_.path().c_str(), 1);
    ::setenv("LISSOM_FAKE_LOG", (log_.path() + "/log").c_str(), 1);
    ::unsetenv("LISSOM_FAKE_FAIL");
  }
  // How often the compiler was called.
  int compilations() const {
    int count = 0;
    if (auto* const file = std::fopen((log_.path() + "/log").c_str(), "r")) {
      for (int c = 0; (c = std::fgetc(file)) != EOF;) count += c == '\n';
      std::fclose(file);
    }
    return count;
  }
  const TestFolder& cache() const { return cache_; }

 private:
  TestFolder cache_, log_;
};

}  // namespace lissom::test
