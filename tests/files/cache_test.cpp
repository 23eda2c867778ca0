// Entries of the cache: what is found again, and what is not used.
#include "lissom/files/cache.h"

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

}  // namespace
}  // namespace lissom::test::cache_folder
