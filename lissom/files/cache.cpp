#include "lissom/files/cache.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "lissom/files/hash.h"

namespace lissom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "lissom cache 2\n";
constexpr std::uint64_t max_entry_bytes = 256u << 20;

std::string default_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const auto own = variable("LISSOM_CACHE"); !own.empty()) return own;
  if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/lissom";
  if (const auto home = variable("HOME"); !home.empty()) return home + "/.cache/lissom";
  return {};
}

// The fixed part of an entry, after the magic text; the key and the content follow.
struct Header {
  std::uint64_t key_bytes, content_bytes;
  Hash128 checksum;
};

Hash128 checksum_of(std::string_view key, std::string_view content) {
  return hash_of(content, hash_of(key).first);
}

std::string encoded(std::string_view key, std::string_view content) {
  const Header header{key.size(), content.size(), checksum_of(key, content)};
  std::string bytes(magic);
  bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
  return bytes.append(key).append(content);
}

std::optional<std::string> decoded(std::string_view bytes, std::string_view key) {
  constexpr auto begin = magic.size() + sizeof(Header);
  if (bytes.size() < begin || !bytes.starts_with(magic)) return {};
  Header header;
  std::memcpy(&header, bytes.data() + magic.size(), sizeof header);
  bytes.remove_prefix(begin);
  if (header.key_bytes != key.size() || bytes.size() < key.size()) return {};
  if (header.content_bytes != bytes.size() - key.size()) return {};
  const auto content = bytes.substr(key.size());
  if (bytes.substr(0, key.size()) != key || header.checksum != checksum_of(key, content)) return {};
  return std::string(content);
}

// An open file, closed at the end.
struct File {
  int number;
  ~File() {
    if (number >= 0) ::close(number);
  }
};

std::optional<std::string> read_own_file(const std::string& path) {
  const File file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat about = {};
  if (file.number < 0 || ::fstat(file.number, &about) != 0 || !S_ISREG(about.st_mode)) return {};
  // What another user wrote, or others may write, may be machine code that is not to be run.
  if (about.st_uid != ::geteuid() || (about.st_mode & S_IWOTH) != 0) return {};
  if (std::uint64_t(about.st_size) > max_entry_bytes) return {};
  std::string bytes(std::size_t(about.st_size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const auto n = ::read(file.number, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    done += std::size_t(n);
  }
  return bytes;
}

// Why the bytes could not be written to a new file; empty where they were.
std::string write_new_file(const std::string& path, std::string_view bytes) {
  const File file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  if (file.number < 0) return std::strerror(errno);
  while (!bytes.empty()) {
    const auto n = ::write(file.number, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? std::strerror(errno) : "nothing could be written";
    bytes.remove_prefix(std::size_t(n));
  }
  return {};
}

}  // namespace

Cache::Cache() : folder_(default_folder()) {}

std::string Cache::path(std::string_view key) const {
  return folder_ + "/" + to_text(hash_of(key)) + ".entry";
}

std::optional<std::string> Cache::find(std::string_view key) const {
  if (folder_.empty()) return {};
  const auto bytes = read_own_file(path(key));
  return bytes ? decoded(*bytes, key) : std::nullopt;
}

std::string Cache::store(std::string_view key, std::string_view content) const {
  if (folder_.empty()) return "neither LISSOM_CACHE nor XDG_CACHE_HOME nor HOME is set";
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  if (error) return error.message();
  static std::atomic<unsigned> count = 0;
  const auto target = path(key);
  const auto temporary = target + "." + std::to_string(::getpid()) + "." + std::to_string(count++) + ".part";
  auto why = write_new_file(temporary, encoded(key, content));
  if (why.empty() && ::rename(temporary.c_str(), target.c_str()) != 0) why = std::strerror(errno);
  if (!why.empty()) ::unlink(temporary.c_str());
  return why;
}

}  // namespace lissom
