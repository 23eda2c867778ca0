// libFuzzer's entries, of one program for all readers: the argument --target=NAME says which of them is fuzzed.
// (libFuzzer passes over what begins with two dashes, and hands it on to the processes that it starts.)
#include <cstdio>
#include <cstdlib>

#include "targets.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void (*chosen)(std::string_view) = nullptr;

}  // namespace

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::string_view option = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (!argument.starts_with(option)) continue;
    const auto found = lissom::fuzz::targets().find(std::string(argument.substr(option.size())));
    if (found != lissom::fuzz::targets().end()) chosen = found->second;
  }
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "expected --target=NAME, with one of these names:");
  for (const auto& [name, unused] : lissom::fuzz::targets()) std::fprintf(stderr, " %s", name.c_str());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen({reinterpret_cast<const char*>(data), size});
  return 0;
}
