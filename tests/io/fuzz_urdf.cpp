// For libFuzzer: clang++ -fsanitize=fuzzer,address,undefined. Seeds: tests/io/malformed.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lissom/io/urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lissom::io::ReadOptions options;
  options.check_meshes = false;
  lissom::io::read_urdf_text(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.urdf", options);
  return 0;
}
