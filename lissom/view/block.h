#pragma once
// Frames of a run as bytes: a block of docs/stream.md. Not for users.
#include <cstdint>
#include <span>
#include <string>

namespace lissom::view {

inline constexpr std::uint32_t block_magic = 0x5254534C;  // "LSTR"

// values: frame by frame, `columns` for each of the times.
std::string block(std::uint32_t columns, std::uint32_t skipped, std::span<const double> times,
                  std::span<const float> values);

}  // namespace lissom::view
