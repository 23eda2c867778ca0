#pragma once
// Reads the content of a file, a pipe or a device, up to a limit, without ever waiting for a pipe that no program
// writes to. Not installed.
#include <cstddef>
#include <optional>
#include <string>

namespace lissom {

// Closes a file descriptor at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  // The caller closes it.
  int release();

 private:
  int number_;
};

// Why something could not be read.
struct ReadProblem {
  bool too_large = false;
  std::string message;  // what was found
  std::string remedy;
};

// Opens a file for reading, and makes sure that reading begins: that it is no directory, and that a program writes to
// it if it is a pipe. (`robot.urdf <(xacro …)` is one.) On failure, the number is negative and `problem` is set.
Descriptor open_for_reading(const std::string& path, std::optional<ReadProblem>& problem);

// Reads everything into `bytes`, or as much as shows that there are more than `max_bytes`.
std::optional<ReadProblem> read_bytes(const std::string& path, std::size_t max_bytes, std::string& bytes);
// The same from an open file, such as standard input.
std::optional<ReadProblem> read_bytes(int descriptor, std::size_t max_bytes, std::string& bytes);

}  // namespace lissom
