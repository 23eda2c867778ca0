// Compiled kernels in files: what is found again, and what is not used.
#include "lissom/files/cache.h"

#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>

#include "fake_device.h"
#include "lissom/api/load.h"
#include "lissom/gpu/batch.h"

namespace lissom::test::gpu_cache {
namespace {

std::string bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

TEST(GpuCache, FindsWhatWasStored) {
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

TEST(GpuCache, DoesNotUseWhatIsDamaged) {
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

TEST(GpuCache, ManyProcessesAtOnce) {
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

class GpuKernelCache : public FakeDevice {};

TEST_F(GpuKernelCache, CompilesOnceAndAgainWhereSomethingDiffers) {
  const auto arm = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  const auto make = [&](const Model& model) {
    return gpu::Batch<float>(model, {"rnea"}, 10).kernels().at(0).from_cache;
  };
  EXPECT_FALSE(make(arm));
  EXPECT_TRUE(make(arm));
  EXPECT_EQ(compilations(), 2);  // straight, and with more threads
  auto description = arm.description();
  for (auto& link : description.links) link.mass += 1e-6;
  EXPECT_FALSE(make(build(description)));  // another robot
  EXPECT_EQ(compilations(), 4);
  ::setenv("LISSOM_FAKE_VERSION", "1", 1);
  EXPECT_FALSE(make(arm));  // another compiler
  ::unsetenv("LISSOM_FAKE_VERSION");
  EXPECT_TRUE(make(arm));
  for (const auto& entry : std::filesystem::directory_iterator(cache().path())) write(entry.path().string(), "junk");
  EXPECT_FALSE(make(arm));  // rebuilt
  EXPECT_TRUE(make(arm));
}

TEST_F(GpuKernelCache, WorksWithoutAFolder) {
  const auto arm = load(std::string(LISSOM_MODELS_DIR) + "/arm7.urdf");
  ::setenv("LISSOM_CACHE", "/proc/nothing/here", 1);
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    gpu::Batch<float> batch(arm, {"rnea"}, 10);
    EXPECT_FALSE(batch.kernels().at(0).from_cache);
    EXPECT_NO_THROW(batch.run("rnea", 10));
  }
  const auto said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("compiled kernels are not kept, because /proc/nothing/here cannot be written"), std::string::npos)
      << said;
  EXPECT_EQ(said.find("not kept"), said.rfind("not kept"));  // once
}

}  // namespace
}  // namespace lissom::test::gpu_cache
