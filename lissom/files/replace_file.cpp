#include "lissom/files/replace_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "lissom/files/read_bytes.h"

namespace lissom {
namespace {

namespace fs = std::filesystem;

// Why the bytes could not be written to a new file; empty where they were.
std::string write_new_file(const std::string& path, std::string_view bytes, unsigned mode) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (file.number() < 0) return std::strerror(errno);
  while (!bytes.empty()) {
    const auto n = ::write(file.number(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? std::strerror(errno) : "nothing could be written";
    bytes.remove_prefix(std::size_t(n));
  }
  return {};
}

}  // namespace

std::string link_target(const std::string& path) {
  fs::path at = path;
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(at, error)); ++links) {
    const auto target = fs::read_symlink(at, error);
    if (error) break;
    at = at.parent_path() / target;  // an absolute target replaces the folder
  }
  return at.string();
}

std::string not_replaceable(const std::string& path) {
  std::error_code none;
  const auto about = fs::status(path, none);
  if (!fs::exists(about) || fs::is_regular_file(about)) return {};
  return fs::is_directory(about) ? "it is a directory, expected a regular file"
                                 : "it is a device or a pipe, expected a regular file";
}

std::string replace_file(const std::string& path, std::string_view bytes, unsigned mode) {
  if (const auto why = not_replaceable(path); !why.empty()) return why;
  static std::atomic<unsigned> count = 0;
  const auto target = link_target(path);
  const auto temporary = target + "." + std::to_string(::getpid()) + "." + std::to_string(count++) + ".part";
  auto why = write_new_file(temporary, bytes, mode);
  if (why.empty() && ::rename(temporary.c_str(), target.c_str()) != 0) why = std::strerror(errno);
  if (!why.empty()) ::unlink(temporary.c_str());
  return why;
}

}  // namespace lissom
