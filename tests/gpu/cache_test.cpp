// Compiled kernels in files: when they are compiled again.
#include <fstream>

#include "fake_device.h"
#include "lissom/api/load.h"
#include "lissom/gpu/batch.h"

namespace lissom::test::gpu_cache {
namespace {

void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
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
