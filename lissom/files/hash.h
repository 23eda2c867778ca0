#pragma once
// A hash of bytes for names of cache entries and checksums: as fast as memory is read, the same on every machine, not
// made against people who look for collisions. Not installed.
#include <cstdint>
#include <string>
#include <string_view>

namespace lissom {

struct Hash128 {
  std::uint64_t first, second;
  bool operator==(const Hash128&) const = default;
};

// Words of 8 bytes go round robin to four accumulators, which do not wait for each other.
Hash128 hash_of(std::string_view bytes, std::uint64_t seed = 0);

// 32 hexadecimal digits
std::string to_text(const Hash128& hash);

}  // namespace lissom
