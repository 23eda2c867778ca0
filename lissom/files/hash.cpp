#include "lissom/files/hash.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace lissom {
namespace {

// Odd numbers with digits of π.
constexpr std::uint64_t first_factor = 0x243f6a8885a308d3, second_factor = 0x13198a2e03707345;

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// Both halves of the product of 128 bits: a bit of the word changes bits above and below it. (With the lower half
// alone, the highest bit of a word would change a single bit, which the next word could change back.)
std::uint64_t added(std::uint64_t accumulator, std::uint64_t word) {
  const auto product = static_cast<unsigned __int128>(accumulator ^ word) * first_factor;
  return std::rotl(accumulator, 27) + (std::uint64_t(product) ^ std::uint64_t(product >> 64));
}

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 32;
  x *= first_factor;
  x ^= x >> 29;
  x *= second_factor;
  return x ^ (x >> 32);
}

}  // namespace

Hash128 hash_of(std::string_view bytes, std::uint64_t seed) {
  constexpr std::size_t block = 32;
  std::array<std::uint64_t, 4> lanes{seed, seed + second_factor, ~seed, seed ^ first_factor};
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= block; left -= block, at += block)
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = added(lanes[i], word_at(at + 8 * i));
  std::array<char, block> rest{};
  if (left > 0) std::memcpy(rest.data(), at, left);
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = added(lanes[i], word_at(rest.data() + 8 * i));
  // The length tells bytes of zero at the end from none.
  Hash128 hash{mixed(seed ^ bytes.size()), mixed(seed + second_factor * (bytes.size() + 1))};
  for (const std::uint64_t lane : lanes) {
    hash.first = mixed(hash.first ^ lane);
    hash.second = mixed(std::rotl(hash.second, 17) + lane);
  }
  return hash;
}

std::string to_text(const Hash128& hash) {
  std::array<char, 33> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.first),
                static_cast<unsigned long long>(hash.second));
  return digits.data();
}

}  // namespace lissom
