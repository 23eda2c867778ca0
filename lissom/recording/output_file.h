#pragma once
// A file that grows by complete pieces: a piece that could not be written completely is removed again. Not for users.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lissom::recording {

// Thrown if the system cannot write; the Recorder converts it to an Error that says how many frames are safe.
struct WriteFailure {
  std::string why;
};

class OutputFile {
 public:
  // Creates the file, or truncates an existing one.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends all pieces or none.
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
