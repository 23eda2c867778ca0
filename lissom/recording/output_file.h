#pragma once
// Files that are written: one that grows by complete pieces, of which a piece that could not be written completely is
// removed again; and one that takes the place of another when it is complete. Not for users.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lissom::recording {

// Thrown if the system cannot write; the Recorder converts it to an Error that says how many frames are safe.
struct WriteFailure {
  std::string why;
  std::string remedy = "free disk space, or choose another path";
};

// That of an error number of the system.
WriteFailure write_failure(int reason);

class OutputFile {
 public:
  // Creates the file, or truncates an existing one, unless another program is writing to it: it is locked until it is
  // closed. Pipes are refused.
  explicit OutputFile(const std::string& path);
  OutputFile(std::string path, int file) : path_(std::move(path)), file_(file) {}  // takes over an open file
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends all pieces or none.
  void append(std::span<const std::string_view> pieces);
  void append(std::string_view piece) { append(std::span(&piece, 1)); }
  // Waits until everything is on the disk.
  void sync() const;
  void close();
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

// Writes a file under another name in the same folder, and renames it when it is complete: at any time there is the old
// file, or the whole new one. If the path is a symbolic link, what it points at is replaced. A device, such as
// /dev/stdout, is written to directly.
class Replacement {
 public:
  explicit Replacement(const std::string& path);
  ~Replacement();  // without commit(), the old file stays
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  OutputFile& file() { return *file_; }
  void commit();

 private:
  std::string target_, temporary_;
  std::optional<OutputFile> file_;
};

}  // namespace lissom::recording
