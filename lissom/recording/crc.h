#pragma once
// The checksum of MCAP and ZIP: CRC-32 as in zlib. Not for users.
#include <cstdint>
#include <string_view>
#include <zlib.h>

namespace lissom::recording {

// The checksum of some bytes, continuing the checksum of the bytes before them.
inline std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0) {
  if (bytes.empty()) return before;  // zlib would start anew if the pointer is null
  return std::uint32_t(::crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// The same if the checksum of the `size` further bytes is known already.
inline std::uint32_t crc32_joined(std::uint32_t before, std::uint32_t further, std::uint64_t size) {
  return std::uint32_t(::crc32_combine(before, further, z_off_t(size)));
}

// Whether bytes have the checksum that a file states. Fuzzers would hardly ever find the right one, and then never get
// behind it: for them every checksum is right.
inline bool crc32_matches([[maybe_unused]] std::string_view bytes, [[maybe_unused]] std::uint32_t stated) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return true;
#else
  return crc32_of(bytes) == stated;
#endif
}

}  // namespace lissom::recording
