// Frames that were recorded before a crash, before the disk was full, or before a file was truncated can be read.
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recording_test_support.h"

namespace lissom::recording::test {
namespace {

class RecordingCrash : public RecordingTest {};

// Files cannot grow beyond this many bytes during its lifetime.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

// Records `frames` frames in another process, which exits without closing the recording.
void record_and_die(const std::string& file, const Recording& r, std::size_t frames, const RecorderOptions& options) {
  const pid_t child = fork();
  if (child == 0) {
    auto* const recorder = new Recorder(file, r.header, r.signals, options);
    write_frames(*recorder, r, 0, frames);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
}

TEST_F(RecordingCrash, WhatWasFlushedIsThere) {
  const auto r = example(1000);
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    const auto file = path("run" + ending), safe = ending == ".npz" ? file + ".part" : file;
    record_and_die(file, r, 1000, {.chunk_bytes = 5000});
    const auto found = read_recording(safe);
    EXPECT_GT(found.frames(), 900u);
    expect_same(found, r, found.frames());
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_CONTAINS(found.warnings[0], std::to_string(found.frames()) + " frames");
    // With flush_seconds = 0, every frame is written at once.
    record_and_die(file, r, 70, {.flush_seconds = 0});
    expect_same(read_recording(safe), r, 70);
  }
  EXPECT_CONTAINS(error_of([&] { read_recording(path("run.npz")); }), "run.npz.part");
}

TEST_F(RecordingCrash, FlushAndNoFrames) {
  const auto r = example(10);
  for (const auto& ending : {".mcap", ".csv"}) {
    Recorder recorder(path(std::string("run") + ending), r.header, r.signals);
    EXPECT_EQ(read_recording(path(std::string("run") + ending)).frames(), 0u);
    write_frames(recorder, r, 0, 10);
    EXPECT_EQ(recorder.safe_frames(), 0u);
    recorder.flush();
    EXPECT_EQ(recorder.frames(), 10u);
    EXPECT_EQ(recorder.safe_frames(), 10u);
    expect_same(read_recording(path(std::string("run") + ending)), r, 10);
  }
}

TEST_F(RecordingCrash, CutAnywhere) {
  const auto r = example(40);
  for (const std::string ending : {".mcap", ".csv"}) {
    record(path("run" + ending), r, {.chunk_bytes = 600});
    const auto whole = content(path("run" + ending));
    std::size_t last_frames = 0, readable = 0;
    for (std::size_t size = 0; size < whole.size(); size += 3) {
      put(path("cut" + ending), std::string_view(whole).substr(0, size));
      Recording found;
      const auto error = error_of([&] { found = read_recording(path("cut" + ending)); });
      if (!error.empty()) {  // the file ends within the header
        EXPECT_EQ(readable, 0u) << error;
        EXPECT_CONTAINS(error, "byte");
        continue;
      }
      ++readable;
      EXPECT_GE(found.frames(), last_frames);
      last_frames = found.frames();
      ASSERT_NO_FATAL_FAILURE(expect_same(found, r, last_frames));
      ASSERT_EQ(found.warnings.size(), 1u) << size;
    }
    EXPECT_EQ(last_frames, 40u);
    EXPECT_GT(readable, 300u);
  }
}

TEST_F(RecordingCrash, AFullDiskSaysHowMuchIsSafe) {
  const auto r = example(2000);
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    const auto file = path("run" + ending), safe = ending == ".npz" ? file + ".part" : file;
    std::string error;
    std::uint64_t safe_frames = 0;
    {
      const SmallDisk disk(100000);
      Recorder recorder(file, r.header, r.signals, {.chunk_bytes = 20000});
      error = error_of([&] { write_frames(recorder, r, 0, r.frames()); });
      safe_frames = recorder.safe_frames();
      EXPECT_EQ(error_of([&] { recorder.write(100, {}); }), error) << "the error is thrown again";
      EXPECT_EQ(error_of([&] { recorder.close(); }), error);
    }
    EXPECT_GT(safe_frames, 50u);
    EXPECT_CONTAINS(error, safe);
    EXPECT_CONTAINS(error, "File too large");
    EXPECT_CONTAINS(error, std::to_string(safe_frames) + " frames");
    expect_same(read_recording(safe), r, safe_frames);
  }
}

TEST_F(RecordingCrash, ADiskThatIsFullAtTheEnd) {
  const auto r = example(200);
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    const auto file = path("run" + ending), safe = ending == ".npz" ? file + ".part" : file;
    record(file, r);
    const auto size = std::filesystem::file_size(file);
    std::string error;
    {
      const SmallDisk disk(ending == ".npz" ? size * 4 / 5 : size - 3);
      error = error_of([&] { record(file, r); });
    }
    if (ending == ".npz" && error.empty()) continue;  // (the part was larger than the disk)
    EXPECT_CONTAINS(error, "File too large");
    const auto found = read_recording(safe);
    expect_same(found, r, ending == ".npz" ? found.frames() : 200);
  }
}

TEST_F(RecordingCrash, AnNpzThatCannotBePutTogetherLeavesItsPart) {
  const auto r = example(200);
  const auto file = path("run.npz");
  Recorder recorder(file, r.header, r.signals);
  write_frames(recorder, r, 0, 200);
  std::filesystem::create_directory(file);  // so that the archive cannot be written
  put(file + "/more", "");
  const auto error = error_of([&] { recorder.close(); });
  EXPECT_CONTAINS(error, "directory");
  EXPECT_CONTAINS(error, "200 frames");
  expect_same(read_recording(file + ".part"), r, 200);
}

TEST_F(RecordingCrash, DevFull) {
  const auto r = example(1);
  for (const auto& ending : endings) {
    const auto file = path("full" + ending);
    std::filesystem::create_symlink("/dev/full", ending == ".npz" ? file + ".part" : file);
    const auto error = error_of([&] { record(file, r); });
    EXPECT_CONTAINS(error, "No space left on device");
    EXPECT_CONTAINS(error, file);
    EXPECT_CONTAINS(error, "0 frames");
  }
}

}  // namespace
}  // namespace lissom::recording::test
