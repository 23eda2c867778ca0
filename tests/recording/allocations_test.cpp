// Recording a frame allocates nothing; nor does the flush of a chunk.
#include "allocation_counter.h"
#include "recording_test_support.h"

namespace lissom::recording::test {
namespace {

class RecordingAllocations : public RecordingTest {};

TEST_F(RecordingAllocations, NoneWhileFramesAreWritten) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  const auto r = example(1);
  std::vector<Row> rows;
  for (std::size_t s = 0; s < r.signals.size(); ++s) rows.emplace_back(r.row(s, 0));
  for (const auto& ending : endings) {
    Recorder recorder(path("run" + ending), r.header, r.signals, {.chunk_bytes = 20000});
    const auto before = recorder.safe_frames();
    const long allocated = lissom::test::allocations;
    for (int k = 0; k < 3000; ++k) recorder.write(k, rows);
    EXPECT_EQ(lissom::test::allocations - allocated, 0) << ending;
    EXPECT_GT(recorder.safe_frames(), before) << "chunks were flushed meanwhile";
  }
}

}  // namespace
}  // namespace lissom::recording::test
