// Recording a frame allocates nothing; nor does the flush of a chunk.
#include "allocation_counter.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/recording/header.h"
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

TEST_F(RecordingAllocations, NoneForViewers) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const auto header = describe(model);
  Recorder recorder(path("run.mcap"), header, {{"q", header.q}, {"v", header.v}},
                    {.chunk_bytes = 20000, .robot = model});
  const auto q = random_configuration(model, 1);
  const Eigen::VectorXd v = Eigen::VectorXd::Ones(model.nv());
  const long allocated = lissom::test::allocations;
  for (int k = 0; k < 3000; ++k) recorder.write(0.005 * k, {q, v});
  EXPECT_EQ(lissom::test::allocations - allocated, 0);
  EXPECT_GT(recorder.safe_frames(), 2000u);
}

}  // namespace
}  // namespace lissom::recording::test
