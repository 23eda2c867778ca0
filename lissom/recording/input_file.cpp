#include "lissom/recording/input_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

#include "lissom/files/machine_memory.h"
#include "lissom/files/read_bytes.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::recording {
namespace {

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw Error("cannot read " + in_quotes(path) + ": " + why + "; check the path");
}

// Reading takes about twice the size of the file.
std::uint64_t max_bytes() {
  return machine_memory() / 2;
}

void read_up_to(int file, const std::string& path, std::size_t size, std::string& bytes) {
  std::size_t got = bytes.size();
  bytes.resize(size);
  while (got < size) {
    const ssize_t n = ::read(file, bytes.data() + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot_read(path, std::strerror(errno));
    if (n == 0) break;  // the file was truncated meanwhile
    got += std::size_t(n);
  }
  bytes.resize(got);
}

}  // namespace

std::string read_whole(const std::string& path, void (*accept)(const std::string&, std::string_view)) {
  // Nonblocking, because opening a pipe without a writer would wait forever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about = {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) cannot_read(path, std::strerror(errno));
  if (!S_ISREG(about.st_mode)) cannot_read(path, "not a regular file");
  const auto size = std::uint64_t(about.st_size);
  constexpr std::uint64_t start = 64;
  std::string bytes;
  read_up_to(file.number(), path, std::size_t(std::min(size, start)), bytes);
  if (accept) accept(path, bytes);
  if (size > max_bytes())
    cannot_read(path, "it has " + std::to_string(size) + " bytes, expected at most " + std::to_string(max_bytes()) +
                          ", half of the memory of this machine");
  try {
    read_up_to(file.number(), path, std::size_t(size), bytes);
  } catch (const std::bad_alloc&) {
    cannot_read(path, "there is not enough memory for its " + std::to_string(size) + " bytes");
  }
  return bytes;
}

void fail(const std::string& file, std::uint64_t offset, const std::string& what) {
  throw Error(printable(file) + ": byte " + std::to_string(offset) + ": " + what);
}

std::string_view ByteReader::bytes(std::uint64_t count, const char* what) {
  if (count > left())
    fail(std::string(what) + ": expected " + std::to_string(count) + " bytes, found " + std::to_string(left()) +
         "; the file is damaged: copy the original again, or record again");
  const auto found = bytes_.substr(at_, std::size_t(count));
  at_ += std::size_t(count);
  return found;
}

}  // namespace lissom::recording
