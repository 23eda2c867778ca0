#include "lissom/recording/input_file.h"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "lissom/model/text.h"

namespace lissom::recording {
namespace {

struct Descriptor {
  int number;
  explicit Descriptor(int n) : number(n) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw Error("cannot read " + in_quotes(path) + ": " + why + "; check the path");
}

}  // namespace

std::string read_whole(const std::string& path) {
  // Nonblocking, because opening a pipe without a writer would wait forever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about = {};
  if (file.number < 0 || ::fstat(file.number, &about) != 0) cannot_read(path, std::strerror(errno));
  if (!S_ISREG(about.st_mode)) cannot_read(path, "not a regular file");
  std::string bytes(std::size_t(about.st_size), '\0');
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t n = ::read(file.number, bytes.data() + got, bytes.size() - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot_read(path, std::strerror(errno));
    if (n == 0) break;  // the file was truncated meanwhile
    got += std::size_t(n);
  }
  bytes.resize(got);
  return bytes;
}

void fail(const std::string& file, std::uint64_t offset, const std::string& what) {
  throw Error(file + ": byte " + std::to_string(offset) + ": " + what);
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
