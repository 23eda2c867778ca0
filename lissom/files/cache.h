#pragma once
// What takes long to make is kept in files of the user's cache folder: compiled kernels, meshes, hulls.
//
// An entry belongs to a text, its key, which has everything that the content depends on: for a kernel the source, the
// compiler and its version, the flags, the architecture, the version of lissom; for a mesh a hash of the file, the
// options, and the version of the reader. The file's name is a hash of the key; the file holds the key itself, too, and
// a checksum, and both are compared. So a file that was cut off, changed, or written by another version is not used; it
// is as if it were not there, and is replaced.
//
// All entries of a folder together have a largest size; beyond it, those that were used least recently are removed.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lissom/model/limits.h"

namespace lissom {

/// What was found in the cache.
class CacheEntry {
 public:
  CacheEntry(std::unique_ptr<char[]> bytes, std::size_t size, std::size_t begin)
      : bytes_(std::move(bytes)), size_(size), begin_(begin) {}
  std::string_view content() const { return std::string_view(bytes_.get(), size_).substr(begin_); }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_, begin_;
};

class Cache {
 public:
  static constexpr std::uint64_t default_max_bytes = limits::cache_bytes;

  /// The user's: $LISSOM_CACHE, or lissom/ in $XDG_CACHE_HOME, or ~/.cache/lissom; of $LISSOM_CACHE_MAXSIZE bytes at
  /// most.
  Cache();
  /// A folder of one's own.
  explicit Cache(std::string folder, std::uint64_t max_bytes = default_max_bytes)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  const std::string& folder() const { return folder_; }
  /// All entries together have at most so many; 0: nothing is kept.
  std::uint64_t max_bytes() const { return max_bytes_; }
  /// The file of a key.
  std::string path(std::string_view key) const;
  /// What store() was given for this key; nothing if there is no such entry, or it is not intact, or it belongs to
  /// another user.
  std::optional<std::string> find(std::string_view key) const;
  /// The same without a copy of the content.
  std::optional<CacheEntry> find_entry(std::string_view key) const;
  /// Keeps `content`. The file is written under another name and then renamed, so that processes which do the same at
  /// the same time do not disturb each other. If the entries have more than max_bytes() then, those that were stored or
  /// found least recently are removed, until a tenth is free; a process that reads one of them is not disturbed.
  /// Returns why it could not be written; empty where it was.
  std::string store(std::string_view key, std::string_view content) const;

 private:
  std::string folder_;
  std::uint64_t max_bytes_;
};

/// The number of bytes that a text such as "256M" means: a whole number, and k, M or G for powers of 1024 if that is
/// wanted. Nullopt if it means none.
std::optional<std::uint64_t> bytes_of_text(std::string_view text);

}  // namespace lissom
