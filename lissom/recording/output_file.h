#pragma once
// A file that grows by whole pieces: what was appended stays, what could not be appended leaves no trace. Not for
// users.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lissom::recording {

// Thrown where the system will not write; the Recorder turns it into an Error that says how much is safe.
struct WriteFailure {
  std::string why;
};

class OutputFile {
 public:
  // Created, or emptied where it exists.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // All pieces or none.
  void append(std::span<const std::string_view> pieces);
  void append(std::string_view piece) { append(std::span(&piece, 1)); }
  void close();
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace lissom::recording
