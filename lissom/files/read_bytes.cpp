#include "lissom/files/read_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lissom {
namespace {

constexpr const char* check_path = "check the path and the permissions";

ReadProblem cannot(const std::string& what, const char* remedy = check_path) {
  return {false, what, remedy};
}

// Whether nobody has a pipe open for writing, and nothing is left in it. (tee() copies without reading.)
bool is_without_writer(int pipe) {
  int copy[2];
  if (::pipe2(copy, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  const Descriptor from(copy[0]), to(copy[1]);
  return ::tee(pipe, to.number(), 1, SPLICE_F_NONBLOCK) == 0;
}

// Waits until something can be read from a pipe, or all writers have closed it. A writer that has not come after a
// second will probably never come; one that is there may take its time.
std::optional<ReadProblem> wait_for_writer(int pipe) {
  constexpr int timeout = 1000;  // ms
  pollfd waited{pipe, POLLIN, 0};
  while (::poll(&waited, 1, timeout) < 0 && errno == EINTR) {
  }
  if (waited.revents == 0 && is_without_writer(pipe))
    return cannot("this is a pipe that no program writes to", "write to it, or give a file");
  ::fcntl(pipe, F_SETFL, ::fcntl(pipe, F_GETFL) & ~O_NONBLOCK);
  return {};
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}
int Descriptor::release() {
  return std::exchange(number_, -1);
}

Descriptor open_for_reading(const std::string& path, std::optional<ReadProblem>& problem) {
  problem.reset();
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat about = {};
  if (number < 0 || ::fstat(number, &about) != 0)
    problem = errno == ENOENT ? cannot("the file does not exist")
                              : cannot("the file cannot be opened: " + std::string(std::strerror(errno)));
  else if (S_ISDIR(about.st_mode))
    problem = cannot("this is a directory, not a file", "name the file inside it");
  else if (S_ISFIFO(about.st_mode))
    problem = wait_for_writer(number);
  if (problem && number >= 0) ::close(number);
  return Descriptor(problem ? -1 : number);
}

std::optional<ReadProblem> read_bytes(int descriptor, std::size_t max_bytes, std::string& bytes) {
  bytes.clear();
  // A file tells its size, so that the text need not be copied as it grows.
  struct stat about = {};
  if (::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode))
    bytes.reserve(std::min(std::size_t(about.st_size), max_bytes) + 1);
  std::string chunk(std::size_t{1} << 16, '\0');
  // One byte more than allowed is enough to detect that there is too much.
  while (bytes.size() <= max_bytes) {
    const auto got = ::read(descriptor, chunk.data(), std::min(chunk.size(), max_bytes + 1 - bytes.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return cannot("the file cannot be read to its end: " + std::string(std::strerror(errno)), "check the disk");
    if (got == 0) return {};
    bytes.append(chunk, 0, std::size_t(got));
  }
  return ReadProblem{true, "the file is larger than the limit of " + std::to_string(max_bytes) + " bytes",
                     "check that this is the right file"};
}

std::optional<ReadProblem> read_bytes(const std::string& path, std::size_t max_bytes, std::string& bytes) {
  std::optional<ReadProblem> problem;
  const auto file = open_for_reading(path, problem);
  return problem ? problem : read_bytes(file.number(), max_bytes, bytes);
}

}  // namespace lissom
