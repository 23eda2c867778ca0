// The last frames of a live run.
#include "lissom/view/frame_ring.h"

#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "lissom/recording/recorder.h"
#include "lissom/view/block.h"

namespace lissom::view {
namespace {

using recording::Row;

struct Block {
  std::uint32_t columns = 0, frames = 0, skipped = 0;
  std::vector<double> times;
  std::vector<float> values;
};

// A reader of its own, after docs/stream.md.
Block read(const std::string& bytes) {
  Block b;
  std::uint32_t head[4];
  if (bytes.size() < sizeof(head)) return b;
  std::memcpy(head, bytes.data(), sizeof(head));
  EXPECT_EQ(std::string(bytes.data(), 4), "LSTR");
  b.columns = head[1], b.frames = head[2], b.skipped = head[3];
  EXPECT_EQ(bytes.size(), 16 + b.frames * (8 + 4 * std::size_t(b.columns)));
  b.times.resize(b.frames);
  b.values.resize(std::size_t(b.frames) * b.columns);
  std::memcpy(b.times.data(), bytes.data() + 16, 8 * b.times.size());
  std::memcpy(b.values.data(), bytes.data() + 16 + 8 * b.times.size(), 4 * b.values.size());
  return b;
}

void write(FrameRing& ring, int k) {
  const std::vector<double> q{k + .5, -1. * k};
  const double energy = 100 + k;
  const Row rows[] = {q, energy};
  ring.write(1e-3 * k, std::span<const Row>(rows));
}

TEST(FrameRing, GivesEveryFrameOnceAndInOrder) {
  FrameRing ring(3);
  std::uint64_t next = 0;
  EXPECT_EQ(ring.read(next), "");
  for (int k = 0; k < 10; ++k) write(ring, k);
  const auto first = read(ring.read(next));
  ASSERT_EQ(first.frames, 10u);
  EXPECT_EQ(first.columns, 3u);
  EXPECT_EQ(first.skipped, 0u);
  EXPECT_EQ(first.times[7], 7e-3);
  EXPECT_EQ(first.values[3 * 7], 7.5f);
  EXPECT_EQ(first.values[3 * 7 + 1], -7.f);
  EXPECT_EQ(first.values[3 * 7 + 2], 107.f);
  EXPECT_EQ(ring.read(next), "");
  write(ring, 10);
  const auto second = read(ring.read(next));
  ASSERT_EQ(second.frames, 1u);
  EXPECT_EQ(second.times[0], 10e-3);
}

TEST(FrameRing, ASlowReaderLosesTheOldestAndIsTold) {
  FrameRing ring(3);
  std::uint64_t next = 0;
  for (int k = 0; k < 10000; ++k) write(ring, k);
  std::uint32_t frames = 0;
  auto block = read(ring.read(next));
  EXPECT_EQ(block.skipped, 10000u - 4096u);
  EXPECT_EQ(block.times[0], 1e-3 * (10000 - 4096));
  while (block.frames > 0) {
    frames += block.frames;
    EXPECT_LE(block.frames, 1024u);
    block = read(ring.read(next));
  }
  EXPECT_EQ(frames, 4096u);
}

TEST(FrameRing, WritesWhileOthersRead) {
  FrameRing ring(3);
  std::thread writer([&] {
    for (int k = 0; k < 50000; ++k) write(ring, k);
  });
  std::uint64_t next = 0, seen = 0;
  while (seen < 50000) {
    const auto block = read(ring.read(next));
    seen += block.skipped;
    for (std::uint32_t i = 0; i < block.frames; ++i, ++seen) {
      ASSERT_EQ(block.times[i], 1e-3 * double(seen));
      ASSERT_EQ(block.values[3 * i + 2], float(100 + seen));
    }
  }
  writer.join();
}

TEST(FrameRing, MemoryIsBoundedForWideRuns) {
  FrameRing ring(1'000'000);  // more columns than a robot at the limit of degrees of freedom may have
  std::uint64_t next = 0;
  const std::vector<double> values(1'000'000, 2);
  const Row rows[] = {values};
  for (int k = 0; k < 20; ++k) ring.write(k, std::span<const Row>(rows));
  const auto block = read(ring.read(next));
  EXPECT_EQ(block.frames + block.skipped, 20u);
  EXPECT_EQ(block.frames, 16u);
}

}  // namespace
}  // namespace lissom::view
