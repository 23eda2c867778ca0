#pragma once
// Other programs that the command runs (gnuplot, ffmpeg, browsers), and the folders in which they work.
#include <filesystem>
#include <string>
#include <vector>

// A temporary folder, which is removed at the end.
class TemporaryFolder {
 public:
  // Throws an Error if it cannot be made.
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs a program in the folder, without input and output; what it prints on standard error goes to the file "errors"
// there. Returns its exit status; throws an Error with `if_missing` if it is not installed.
int run_program(const TemporaryFolder& folder, std::vector<std::string> words, const std::string& if_missing);
// Starts a program that prints nothing, in a process group of its own, so that Ctrl-C does not end it. Returns its
// process, or -1 if it cannot be started.
int start_program(std::vector<std::string> words);

// The content of a file; empty if it cannot be read.
std::string text_of(const std::string& path);
// Puts some bytes in the place of a file. Throws an Error that begins with `who` if that is not possible.
void replace_file(const std::string& path, std::string_view bytes, const std::string& who);
