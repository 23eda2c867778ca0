#pragma once
// Numbers in the bytes of a file. Not installed.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace lissom::mesh {

// The offset has to be checked by the caller.
template <class T>
T number_at(std::string_view bytes, std::size_t offset, std::endian order = std::endian::little) {
  std::array<char, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes.data() + offset, sizeof(T));
  if (order != std::endian::native) std::ranges::reverse(copy);
  return std::bit_cast<T>(copy);
}

}  // namespace lissom::mesh
