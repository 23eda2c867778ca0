#include "lissom/files/cache.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "lissom/files/hash.h"
#include "lissom/files/read_bytes.h"
#include "lissom/files/replace_file.h"

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

// Where the content begins; 0 if the bytes are not an intact entry of this key.
std::size_t content_of(std::string_view bytes, std::string_view key) {
  constexpr auto begin = magic.size() + sizeof(Header);
  if (bytes.size() < begin || !bytes.starts_with(magic)) return 0;
  Header header;
  std::memcpy(&header, bytes.data() + magic.size(), sizeof header);
  bytes.remove_prefix(begin);
  if (header.key_bytes != key.size() || bytes.size() < key.size()) return 0;
  if (header.content_bytes != bytes.size() - key.size()) return 0;
  const auto content = bytes.substr(key.size());
  if (bytes.substr(0, key.size()) != key || header.checksum != checksum_of(key, content)) return 0;
  return begin + key.size();
}

struct Bytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;
};

std::optional<Bytes> read_own_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about = {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
  // What another user wrote, or others may write, may be machine code that is not to be run.
  if (about.st_uid != ::geteuid() || (about.st_mode & S_IWOTH) != 0) return {};
  if (std::uint64_t(about.st_size) > max_entry_bytes) return {};
  const auto size = std::size_t(about.st_size);
  Bytes bytes{std::make_unique_for_overwrite<char[]>(size), size};
  for (std::size_t done = 0; done < size;) {
    const auto n = ::read(file.number(), bytes.data.get() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    done += std::size_t(n);
  }
  return bytes;
}

}  // namespace

Cache::Cache() : folder_(default_folder()) {}

std::string Cache::path(std::string_view key) const {
  return folder_ + "/" + to_text(hash_of(key)) + ".entry";
}

std::optional<CacheEntry> Cache::find_entry(std::string_view key) const {
  if (folder_.empty()) return {};
  auto bytes = read_own_file(path(key));
  if (!bytes) return {};
  const auto begin = content_of({bytes->data.get(), bytes->size}, key);
  if (begin == 0) return {};
  return CacheEntry(std::move(bytes->data), bytes->size, begin);
}

std::optional<std::string> Cache::find(std::string_view key) const {
  const auto entry = find_entry(key);
  return entry ? std::optional(std::string(entry->content())) : std::nullopt;
}

std::string Cache::store(std::string_view key, std::string_view content) const {
  if (folder_.empty()) return "neither LISSOM_CACHE nor XDG_CACHE_HOME nor HOME is set";
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  if (error) return error.message();
  return replace_file(path(key), encoded(key, content), 0600);
}

}  // namespace lissom
