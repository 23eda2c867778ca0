#include "lissom/recording/output_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace lissom::recording {

OutputFile::OutputFile(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) throw WriteFailure{std::strerror(errno)};
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

void OutputFile::append(std::span<const std::string_view> pieces) {
  std::uint64_t written = 0;
  for (auto piece : pieces)
    while (!piece.empty()) {
      const ssize_t n = ::write(file_, piece.data(), piece.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        const int reason = n < 0 ? errno : ENOSPC;
        // Truncate to the last complete piece. (If that fails too, readers still find its end.)
        if (::ftruncate(file_, off_t(size_)) == 0) ::lseek(file_, off_t(size_), SEEK_SET);
        throw WriteFailure{std::strerror(reason)};
      }
      piece.remove_prefix(std::size_t(n));
      written += std::uint64_t(n);
    }
  size_ += written;
}

void OutputFile::close() {
  if (file_ < 0) return;
  const int result = ::close(file_);
  file_ = -1;
  // Some file systems report a full disk only now.
  if (result != 0 && errno != EINTR) throw WriteFailure{std::strerror(errno)};
}

}  // namespace lissom::recording
