#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "targets.h"

namespace lissom::fuzz {

void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

InputFile::InputFile() {
  // In memory where that is possible: a million files are written.
  const std::filesystem::path memory = "/dev/shm";
  std::error_code error;
  auto at = (std::filesystem::is_directory(memory, error) ? memory : std::filesystem::temp_directory_path()) /
            "lissom-fuzz-XXXXXX";
  folder_ = at.string();
  expect(mkdtemp(folder_.data()) != nullptr, "a temporary folder");
  std::filesystem::create_directory(folder_ + "/files");
  path_ = folder_ + "/files/input";
}
InputFile::~InputFile() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}
const std::string& InputFile::write(std::string_view bytes) {
  std::ofstream(path_, std::ios::binary | std::ios::trunc).write(bytes.data(), std::streamsize(bytes.size()));
  return path_;
}

}  // namespace lissom::fuzz
