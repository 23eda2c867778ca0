#pragma once
// The checksum of MCAP and ZIP: CRC-32 as in zlib. Not for users.
#include <cstdint>
#include <string_view>
#include <zlib.h>

namespace lissom::recording {

// Of everything until now, with some bytes more.
inline std::uint32_t crc32_of(std::string_view bytes, std::uint32_t until_now = 0) {
  if (bytes.empty()) return until_now;  // (zlib starts anew where there is no address)
  return std::uint32_t(::crc32_z(until_now, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// The same where the checksum of those `size` bytes more is known already.
inline std::uint32_t crc32_joined(std::uint32_t until_now, std::uint32_t of_more, std::uint64_t size) {
  return std::uint32_t(::crc32_combine(until_now, of_more, z_off_t(size)));
}

}  // namespace lissom::recording
