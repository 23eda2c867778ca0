// libFuzzer's entry for the target LISSOM_FUZZ_TARGET. CMake compiles it once for each.
#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lissom::fuzz::LISSOM_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
