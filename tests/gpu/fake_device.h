#pragma once
// Makes the library find a device and a compiler which are none: kernels are compiled for the processor and run by
// fake/driver.cpp. Everything else is as with a real device.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "test_folder.h"

namespace lissom::test {

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
