#include "lissom/recording/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lissom/files/replace_file.h"

namespace lissom::recording {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_with(int reason) {
  throw write_failure(reason);
}

// Opens a file without truncating it, locks it, and then truncates it. (Two writers would otherwise mix their frames,
// and both would report success.) Some file systems have no locks; there, it is written without.
int open_locked(const std::string& path) {
  // Nonblocking, because opening a pipe without a reader would wait forever.
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  struct stat about = {};
  const auto refuse = [&](WriteFailure failure) {
    if (file >= 0) ::close(file);
    throw failure;
  };
  const WriteFailure pipe{"it is a pipe, expected a regular file", "choose another path"};
  if (file < 0 && errno == ENXIO) refuse(pipe);
  if (file < 0 || ::fstat(file, &about) != 0) refuse(write_failure(errno));
  if (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode)) refuse(pipe);
  if (!S_ISREG(about.st_mode)) return file;
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    refuse({"another program is recording to it", "choose another path, or wait until it ends"});
  if (::ftruncate(file, 0) != 0) refuse(write_failure(errno));
  return file;
}

}  // namespace

WriteFailure write_failure(int reason) {
  const std::string why = std::strerror(reason);
  switch (reason) {
    case ENOENT:
    case ENOTDIR:
      return {why, "make the folder first, or choose another path"};
    case EACCES:
    case EPERM:
    case EROFS:
      return {why, "change the permissions, or choose another path"};
    case EISDIR:
      return {why, "name the file inside it"};
    default:
      return {why};
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path), file_(open_locked(path)) {}

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
        fail_with(reason);
      }
      piece.remove_prefix(std::size_t(n));
      written += std::uint64_t(n);
    }
  size_ += written;
}

void OutputFile::sync() const {
  // Devices cannot be synced, and need not.
  while (::fdatasync(file_) != 0)
    if (errno == EINVAL || errno == ENOTSUP)
      return;
    else if (errno != EINTR)
      fail_with(errno);
}

void OutputFile::close() {
  if (file_ < 0) return;
  const int result = ::close(file_);
  file_ = -1;
  // Some file systems report a full disk only now.
  if (result != 0 && errno != EINTR) fail_with(errno);
}

Replacement::Replacement(const std::string& path) : target_(link_target(path)) {
  struct stat about = {};
  const bool exists = ::stat(target_.c_str(), &about) == 0;
  if (exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
    file_.emplace(target_);
    return;
  }
  temporary_ = target_ + "." + std::to_string(::getpid()) + ".new";
  (void)::unlink(temporary_.c_str());  // of a process that had the same number and crashed
  const int file = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) fail_with(errno);
  if (exists) (void)::fchmod(file, about.st_mode & 0777);
  file_.emplace(temporary_, file);
}

Replacement::~Replacement() {
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
}

void Replacement::commit() {
  file_->sync();
  file_->close();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_with(errno);
  temporary_.clear();
  // The new name is on the disk when the folder is. (Not all file systems can do that, and not every folder is ours.)
  const auto folder = fs::path(target_).parent_path();
  const int opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  (void)::fsync(opened);
  ::close(opened);
}

}  // namespace lissom::recording
