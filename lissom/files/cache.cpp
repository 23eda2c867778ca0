#include "lissom/files/cache.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "lissom/files/hash.h"
#include "lissom/files/read_bytes.h"
#include "lissom/files/replace_file.h"

namespace lissom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "lissom cache 2\n";
constexpr std::string_view ending = ".entry";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::string default_folder() {
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
  if (std::uint64_t(about.st_size) > limits::cache_entry_bytes) return {};
  // The time of the file is that of its last use, which decides on what is removed first. (Systems do not keep that of
  // the last access, for speed.)
  ::futimens(file.number(), nullptr);
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

struct StoredFile {
  fs::path path;
  fs::file_time_type used;
  std::uint64_t bytes;
};

std::vector<StoredFile> stored_files(const std::string& folder) {
  std::vector<StoredFile> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // another process removes files as well
    const auto status = at->symlink_status(gone);
    if (gone || !fs::is_regular_file(status) || at->path().extension() != ending) continue;
    const auto used = at->last_write_time(gone);
    const auto bytes = gone ? 0 : at->file_size(gone);
    if (!gone) files.push_back({at->path(), used, bytes});
  }
  return files;
}

// Removes what was used least recently. Two processes that do it at the same time remove the same files.
void shrink(const std::string& folder, std::uint64_t max_bytes) {
  auto files = stored_files(folder);
  std::uint64_t sum = 0;
  for (const auto& file : files) sum += file.bytes;
  if (sum <= max_bytes) return;
  std::ranges::sort(files, [](const StoredFile& a, const StoredFile& b) {
    return a.used != b.used ? a.used < b.used : a.path < b.path;
  });
  // Not only what is too much, so that the next entry does not have to wait for another removal.
  const std::uint64_t wanted = max_bytes - max_bytes / 10;
  for (std::size_t i = 0; i + 1 < files.size() && sum > wanted; ++i) {
    std::error_code failed;
    fs::remove(files[i].path, failed);
    if (!failed) sum -= files[i].bytes;
  }
}

}  // namespace

std::optional<std::uint64_t> bytes_of_text(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit = text.substr(std::size_t(end - text.data()));
  const int shift = unit.empty() ? 0 : unit == "k" || unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (shift < 0 || number > UINT64_MAX >> shift) return std::nullopt;
  return number << shift;
}

// What cannot be read as a size has no effect: a cache is no reason to refuse work.
Cache::Cache()
    : folder_(default_folder()),
      max_bytes_(bytes_of_text(variable("LISSOM_CACHE_MAXSIZE")).value_or(default_max_bytes)) {}

std::string Cache::path(std::string_view key) const {
  return folder_ + "/" + to_text(hash_of(key)) + std::string(ending);
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
  const auto bytes = encoded(key, content);
  if (bytes.size() > std::min(max_bytes_, limits::cache_entry_bytes))
    return "the entry has " + std::to_string(bytes.size()) + " bytes, which is more than the cache may have";
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  if (error) return error.message();
  auto why = replace_file(path(key), bytes, 0600);
  if (why.empty()) shrink(folder_, max_bytes_);
  return why;
}

}  // namespace lissom
