#pragma once
// Writes a ROS message as CDR, little-endian: numbers at multiples of their size, counted from the end of the head. Not
// for users.
#include "lissom/recording/byte_writer.h"
#include "lissom/recording/mcap_format.h"

namespace lissom::recording {

class CdrWriter {
 public:
  explicit CdrWriter(std::string& out) : out_(out) { out_ = mcap::cdr_head; }

  // Numbers, and their position in the message.
  template <class T>
  std::size_t number(T value) {
    align(sizeof(T));
    ByteWriter(out_).number(value);
    return out_.size() - sizeof(T);
  }
  void text(std::string_view content) {
    number(std::uint32_t(content.size() + 1));
    ByteWriter(out_).bytes(content).number('\0');
  }
  // A sequence of zeros, to be filled later, and the position of its first element.
  std::size_t zeros(std::size_t count) {
    number(std::uint32_t(count));
    if (count == 0) return out_.size();
    align(sizeof(double));
    out_.append(count * sizeof(double), '\0');
    return out_.size() - count * sizeof(double);
  }

 private:
  void align(std::size_t size) {
    while ((out_.size() - mcap::cdr_head.size()) % size != 0) out_ += '\0';
  }
  std::string& out_;
};

}  // namespace lissom::recording
