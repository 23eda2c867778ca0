#pragma once
// Reads a whole file, and reads values from its bytes with bounds checks. Not for users.
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "lissom/model/diagnostic.h"

namespace lissom::recording {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian, and so is this code");

// The bytes of a file. Throws an Error if it cannot be opened, is not a regular file, is not accepted (which is asked
// with its first bytes, before memory for all of them is allocated), or is larger than half of the machine's memory.
std::string read_whole(const std::string& path, void (*accept)(const std::string& path, std::string_view start) = {});

// Throws the Error "run.mcap: byte 17: …".
[[noreturn]] void fail(const std::string& file, std::uint64_t offset, const std::string& what);

// Reads one value after another from some bytes of a file; throws an Error with file and offset if they end too early.
class ByteReader {
 public:
  // `offset` is the position of the bytes in the file.
  ByteReader(std::string_view bytes, std::uint64_t offset, const std::string& file)
      : bytes_(bytes), start_(offset), file_(file) {}

  template <class T>
  T number(const char* what) {
    T value;
    const auto from = bytes(sizeof(T), what);
    std::memcpy(&value, from.data(), from.size());
    return value;
  }
  std::string_view bytes(std::uint64_t count, const char* what);
  // Text, after its length in four bytes.
  std::string_view text(const char* what) { return bytes(number<std::uint32_t>(what), what); }

  std::uint64_t offset() const { return start_ + at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  const std::string& file() const { return file_; }
  [[noreturn]] void fail(const std::string& what) const { recording::fail(file_, offset(), what); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t start_;
  const std::string& file_;
};

}  // namespace lissom::recording
