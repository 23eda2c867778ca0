// Entries of the cache: what is found again, and what is not used.
#include "lissom/files/cache.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <sys/wait.h>
#include <vector>

#include <gtest/gtest.h>

#include "test_folder.h"

namespace lissom::test::cache_folder {
namespace {

std::string bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

TEST(CacheFolder, FindsWhatWasStored) {
  const TestFolder folder;
  const Cache cache(folder.path() + "/new/folder");
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(cache.store("key", std::string("con\0tent", 8)), "");
  EXPECT_EQ(cache.find("key"), std::string("con\0tent", 8));
  EXPECT_FALSE(cache.find("other key"));
  EXPECT_EQ(cache.store("key", "new"), "");
  EXPECT_EQ(cache.find("key"), "new");
  EXPECT_EQ(cache.store("empty", ""), "");
  EXPECT_EQ(cache.find("empty"), "");
}

TEST(CacheFolder, DoesNotUseWhatIsDamaged) {
  const TestFolder folder;
  const Cache cache(folder.path());
  cache.store("key", "some content");
  const auto path = cache.path("key");
  const auto good = bytes(path);
  ASSERT_GT(good.size(), 30u);
  for (std::size_t n = 0; n < good.size(); ++n) {
    write(path, good.substr(0, n));
    EXPECT_FALSE(cache.find("key")) << "cut off at " << n;
    auto changed = good;
    changed[n] = char(changed[n] ^ 4);
    write(path, changed);
    EXPECT_FALSE(cache.find("key")) << "changed at " << n;
  }
  write(path, good + "x");
  EXPECT_FALSE(cache.find("key"));
  write(path, good);
  EXPECT_EQ(cache.find("key"), "some content");
  // The file of another key, as if two keys had the same hash.
  cache.store("another", "other content");
  write(path, bytes(cache.path("another")));
  EXPECT_FALSE(cache.find("key"));
  // What others could have written.
  write(path, good);
  ::chmod(path.c_str(), 0666);
  EXPECT_FALSE(cache.find("key"));
}

TEST(CacheFolder, ManyProcessesAtOnce) {
  const TestFolder folder;
  const std::string content(1 << 20, 'x');
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const Cache cache(folder.path());
      bool good = true;
      for (int k = 0; k < 50; ++k) {
        good &= cache.store("key", content).empty();
        const auto found = cache.find("key");
        good &= found && *found == content;
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(folder.files(), 1);  // nothing is left over
}

// Makes an entry as old as if it had been used so many hours ago.
void age(const Cache& cache, const std::string& key, int hours) {
  namespace fs = std::filesystem;
  fs::last_write_time(cache.path(key), fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

TEST(CacheFolder, RemovesWhatWasUsedLeastRecently) {
  const TestFolder folder;
  const Cache cache(folder.path(), 10000);
  const std::string content(2000, 'x');
  const char* const keys[] = {"a", "b", "c", "d"};
  int hours = 10;
  for (const char* key : keys) cache.store(key, content), age(cache, key, hours--);
  ASSERT_EQ(folder.files(), 4);              // 2.1 kB each
  EXPECT_TRUE(cache.find("a"));              // so "b" is now the oldest
  EXPECT_EQ(cache.store("e", content), "");  // 10.4 kB: more than there may be; a tenth becomes free
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  for (const char* key : {"c", "d", "e"}) EXPECT_TRUE(cache.find(key)) << key;
  EXPECT_EQ(folder.files(), 4);
}

TEST(CacheFolder, LeavesOtherFilesAlone) {
  const TestFolder folder;
  const Cache cache(folder.path(), 5000);
  write(folder.path() + "/notes.txt", std::string(20000, 'x'));
  std::filesystem::create_symlink("/nowhere", folder.path() + "/link.entry");
  for (const char* key : {"a", "b", "c", "d"}) EXPECT_EQ(cache.store(key, std::string(1500, 'x')), "");
  EXPECT_TRUE(cache.find("d"));  // what was just stored is never removed
  EXPECT_EQ(folder.files(), 3);  // 1.6 kB each: two of them, and the notes
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() + "/link.entry"));
}

TEST(CacheFolder, DoesNotKeepWhatIsTooLarge) {
  const TestFolder folder;
  EXPECT_NE(Cache(folder.path(), 1000).store("key", std::string(1000, 'x')), "");
  EXPECT_NE(Cache(folder.path(), 0).store("key", ""), "");
  EXPECT_EQ(folder.files(), 0);
}

TEST(CacheFolder, ShrinksWithManyProcessesAtOnce) {
  const TestFolder folder;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const Cache cache(folder.path(), 100000);
      bool good = true;
      for (int k = 0; k < 100; ++k) {
        const auto key = std::to_string(i) + " " + std::to_string(k);
        const std::string content(1000 + std::size_t(k), char('a' + i));
        good &= cache.store(key, content).empty();
        // Others may have removed it again, but nobody finds anything else.
        const auto found = cache.find(key);
        good &= !found || *found == content;
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::uint64_t sum = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) sum += file.file_size();
  EXPECT_LE(sum, 100000u);
  EXPECT_GT(sum, 50000u);
}

TEST(CacheFolder, SizesAsText) {
  EXPECT_EQ(bytes_of_text("0"), 0u);
  EXPECT_EQ(bytes_of_text("1234"), 1234u);
  EXPECT_EQ(bytes_of_text("3k"), 3072u);
  EXPECT_EQ(bytes_of_text("256M"), 256u << 20);
  EXPECT_EQ(bytes_of_text("2G"), std::uint64_t{2} << 30);
  for (const char* wrong : {"", "M", "-1", "1.5G", "1T", "1 G", "99999999999999999999", "18446744073709551615k"})
    EXPECT_FALSE(bytes_of_text(wrong)) << wrong;
  ::setenv("LISSOM_CACHE_MAXSIZE", "5M", 1);
  EXPECT_EQ(Cache().max_bytes(), 5u << 20);
  ::setenv("LISSOM_CACHE_MAXSIZE", "five", 1);
  EXPECT_EQ(Cache().max_bytes(), Cache::default_max_bytes);
  ::unsetenv("LISSOM_CACHE_MAXSIZE");
  EXPECT_EQ(Cache().max_bytes(), Cache::default_max_bytes);
}

}  // namespace
}  // namespace lissom::test::cache_folder
