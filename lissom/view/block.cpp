#include "lissom/view/block.h"

#include <bit>
#include <cstring>

namespace lissom::view {

static_assert(std::endian::native == std::endian::little, "the format is little-endian, and so is this code");

std::string block(std::uint32_t columns, std::uint32_t skipped, std::span<const double> times,
                  std::span<const float> values) {
  const std::uint32_t head[] = {block_magic, columns, std::uint32_t(times.size()), skipped};
  std::string bytes(sizeof(head) + times.size_bytes() + values.size_bytes(), '\0');
  char* at = bytes.data();
  for (const std::span<const std::byte> part : std::initializer_list<std::span<const std::byte>>{
           std::as_bytes(std::span(head)), std::as_bytes(times), std::as_bytes(values)})
    if (!part.empty()) std::memcpy(at, part.data(), part.size()), at += part.size();
  return bytes;
}

}  // namespace lissom::view
