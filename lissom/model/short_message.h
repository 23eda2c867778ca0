#pragma once
// A message in memory of its own, for code that must not allocate: a tick that refuses a state says why.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace lissom {

/// Text of up to 511 bytes; what is longer is cut between two characters of UTF-8.
class ShortMessage {
 public:
  const char* c_str() const { return bytes_.data(); }
  void clear() { end_at(0); }

  ShortMessage& operator+=(std::string_view more) {
    std::size_t n = std::min(more.size(), bytes_.size() - 1 - size_);
    if (n < more.size())
      while (n > 0 && (static_cast<unsigned char>(more[n]) & 0xC0) == 0x80) --n;
    std::copy_n(more.data(), n, bytes_.data() + size_);
    end_at(size_ + n);
    return *this;
  }

 private:
  void end_at(std::size_t size) {
    size_ = size;
    bytes_[size] = '\0';
  }
  std::array<char, 512> bytes_ = {};
  std::size_t size_ = 0;
};

}  // namespace lissom
