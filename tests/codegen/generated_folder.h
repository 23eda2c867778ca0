#pragma once
// Generated code that is written, compiled and run.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "lissom/codegen/generate.h"

namespace lissom::test {

inline bool installed(const std::string& program) {
  return std::system((program + " --version > /dev/null 2>&1").c_str()) == 0;
}

// A folder for what is generated, which is removed at the end.
class GeneratedFolder {
 public:
  GeneratedFolder()
      : path_(std::filesystem::path(testing::TempDir()) / ("lissom-codegen-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~GeneratedFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  void write(const codegen::Generated& made) const {
    for (const auto& file : made.files) std::ofstream(path_ / file.name) << file.text;
  }
  // Whether the generated test compiles without warnings, and passes.
  ::testing::AssertionResult passes(const std::string& compiler, const std::string& source) const {
    const auto command = "cd '" + path_.string() + "' && " + compiler + " -Wall -Wextra -Werror " + source +
                         " -lm -o test > log 2>&1 && ./test >> log 2>&1";
    if (std::system(command.c_str()) == 0) return ::testing::AssertionSuccess();
    std::ifstream log(path_ / "log");
    std::string text(std::istreambuf_iterator<char>(log), {});
    return ::testing::AssertionFailure() << compiler << "\n" << text.substr(0, 2000);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lissom::test
