// Calls fuzz targets with files: seeds, and what once was a finding. With any compiler, so that every run of the tests
// does it.
//
// usage: fuzz_replay TARGET FILE_OR_FOLDER…
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "targets.h"

namespace {

namespace fs = std::filesystem;
using lissom::fuzz::targets;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  const auto target = argc > 2 ? targets().find(argv[1]) : targets().end();
  if (target == targets().end()) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET FILE_OR_FOLDER…\ntargets:");
    for (const auto& [name, unused] : targets()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  int count = 0;
  for (int i = 2; i < argc; ++i)
    for (const auto& file : files_of(argv[i])) {
      // The name comes first, so that it is known if the program does not survive.
      std::fprintf(stderr, "%s\n", file.c_str());
      std::ifstream in(file, std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(in), {});
      if (!in) return std::fprintf(stderr, "cannot read %s\n", file.c_str()), 2;
      target->second(bytes);
      // Cut off in the middle, as a full disk leaves it.
      target->second(std::string_view(bytes).substr(0, bytes.size() / 2));
      ++count;
    }
  std::printf("%s: %d files\n", argv[1], count);
  return count > 0 ? 0 : 2;
}
