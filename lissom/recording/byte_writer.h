#pragma once
// Appends numbers and text to a string of bytes, little-endian. Not for users.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace lissom::recording {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian, and so is this code");

class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  template <class T>
  ByteWriter& number(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out_.append(bytes, sizeof(T));
    return *this;
  }
  ByteWriter& bytes(std::string_view content) {
    out_ += content;
    return *this;
  }
  // Text, after its length in four bytes.
  ByteWriter& text(std::string_view content) { return number(std::uint32_t(content.size())).bytes(content); }

 private:
  std::string& out_;
};

}  // namespace lissom::recording
