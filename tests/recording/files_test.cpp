// The files of recordings: who may write them, where they appear, when they are on the disk; and hostile ones.
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lissom/files/replace_file.h"
#include "lissom/model/limits.h"
#include "lissom/recording/compare.h"
#include "lissom/recording/output_file.h"
#include "recording_test_support.h"

namespace {
int syncs = 0;
}
// Counts; takes the place of the system's own function in this program.
extern "C" int fdatasync(int file) {
  ++syncs;
  return int(::syscall(SYS_fdatasync, file));
}

namespace lissom::recording::test {
namespace {

namespace fs = std::filesystem;

class RecordingFiles : public RecordingTest {};

// Reads a recording before main() begins, perhaps before the library's own global variables are initialized.
std::string recorded_before_main() {
  for (const auto* ending : {".mcap", ".npz", ".csv"}) {
    const auto file = fs::temp_directory_path() / ("lissom-early-" + std::to_string(::getpid()) + ending);
    const auto error = error_of([&] {
      Recorder recorder(file.string(), {}, {{"x", {{"a", "1"}}}});
      recorder.write(0, {1.0});
      recorder.close();
      if (read_recording(file.string()).header.base != Base::file) throw Error("another base");
    });
    fs::remove(file);
    if (!error.empty()) return error;
  }
  return "";
}
const std::string early = recorded_before_main();

TEST_F(RecordingFiles, CanBeUsedWhileGlobalsAreInitialized) {
  EXPECT_EQ(early, "");
}

TEST_F(RecordingFiles, HaveOneWriterAtATime) {
  const auto r = example(50);
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    const auto file = path("run" + ending);
    Recorder first(file, r.header, r.signals);
    write_frames(first, r, 0, 25);
    first.flush();
    const auto error = error_of([&] { const Recorder second(file, r.header, r.signals); });
    EXPECT_CONTAINS(error, "another program is recording to it");
    EXPECT_CONTAINS(error, file);
    write_frames(first, r, 25, 50);
    first.close();
    expect_same(read_recording(file), r, 50);  // the second one has not truncated it
    record(file, r);                           // closed: free for others, although `first` lives
    expect_same(read_recording(file), r, 50);
  }
}

TEST_F(RecordingFiles, NothingFollowsTheEndOfACsv) {
  record(path("run.csv"), example(3));
  const auto whole = content(path("run.csv"));
  put(path("more.csv"), whole + "\r\n \t\n");
  EXPECT_EQ(read_recording(path("more.csv")).frames(), 3u);
  for (const std::string& more :
       {std::string("x"), std::string("\n0,1,2,3,4,5,6,7,8,9\n"), std::string(3, '\0'), whole}) {
    put(path("more.csv"), whole + more);
    EXPECT_CONTAINS(error_of([&] { read_recording(path("more.csv")); }), "bytes after the last line");
  }
}

TEST_F(RecordingFiles, AreWrittenThroughSymbolicLinks) {
  const auto r = example(20);
  fs::create_directory(path("disk"));
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    const auto link = path("run" + ending), target = path("disk/run" + ending);
    fs::create_symlink("disk/run" + ending, link);
    EXPECT_EQ(link_target(link), target);
    for (const char* when : {"the file does not exist yet", "it is replaced"}) {
      SCOPED_TRACE(when);
      record(link, r);
      EXPECT_TRUE(fs::is_symlink(link));
      EXPECT_TRUE(fs::is_regular_file(target));
      expect_same(read_recording(link), r, 20);
    }
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(path("disk")), {}), 3);  // no part, no temporary file is left
  // While it is recorded, the frames are on that disk, too.
  Recorder recorder(path("run.npz"), r.header, r.signals);
  EXPECT_TRUE(fs::exists(path("disk/run.npz.part")));
  EXPECT_CONTAINS(error_of([&] { read_recording(path("run.npz")); }), "disk/run.npz.part");
}

TEST_F(RecordingFiles, PipesAreRefused) {
  for (const auto& ending : endings) {
    const auto file = path("pipe" + ending);
    ASSERT_EQ(mkfifo((ending == ".npz" ? file + ".part" : file).c_str(), 0600), 0);
    EXPECT_CONTAINS(error_of([&] { record(file, example(1)); }), "it is a pipe");
  }
}

// An archive takes the place of what has its name, but only of a file.
TEST_F(RecordingFiles, OnlyFilesAreReplaced) {
  ASSERT_EQ(mkfifo(path("pipe.npz").c_str(), 0600), 0);
  fs::create_symlink("pipe.npz", path("link.npz"));
  fs::create_directory(path("folder.npz"));
  for (const char* name : {"pipe.npz", "link.npz"})
    EXPECT_CONTAINS(error_of([&] { record(path(name), example(1)); }), "it is a device or a pipe");
  EXPECT_CONTAINS(error_of([&] { record(path("folder.npz"), example(1)); }), "it is a directory");
  EXPECT_TRUE(fs::is_fifo(path("pipe.npz")));
  EXPECT_TRUE(fs::is_symlink(path("link.npz")));
  EXPECT_TRUE(fs::is_directory(path("folder.npz")));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), {}), 3);  // and nothing was begun
}

TEST_F(RecordingFiles, TheRemedyFitsTheFailure) {
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    const auto why = error_of([&] { record(path("nowhere/run" + ending), example(1)); });
    EXPECT_CONTAINS(why, "make the folder first, or choose another path");
    EXPECT_EQ(why.find("disk space"), std::string::npos) << why;
  }
  EXPECT_CONTAINS(write_failure(ENOSPC).remedy, "free disk space");
  EXPECT_CONTAINS(write_failure(EACCES).remedy, "change the permissions");
}

TEST_F(RecordingFiles, AReplacementIsCompleteOrNotThere) {
  put(path("picture"), "old");
  ASSERT_EQ(::chmod(path("picture").c_str(), 0640), 0);
  {
    Replacement replacement(path("picture"));
    replacement.file().append("half of the n");
    EXPECT_EQ(content(path("picture")), "old");
  }
  EXPECT_EQ(content(path("picture")), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), {}), 1);
  Replacement replacement(path("picture"));
  replacement.file().append("new");
  replacement.commit();
  EXPECT_EQ(content(path("picture")), "new");
  EXPECT_EQ(fs::status(path("picture")).permissions(), fs::perms(0640));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), {}), 1);
  EXPECT_THROW(Replacement(path("no/folder")), WriteFailure);
}

TEST_F(RecordingFiles, AreOnTheDiskWhenTheyAreClosed) {
  const auto r = example(30);
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    syncs = 0;
    {
      Recorder recorder(path("run" + ending), r.header, r.signals, {.flush_seconds = 0});
      write_frames(recorder, r, 0, 30);
      EXPECT_EQ(syncs, 0);
      recorder.close();
      EXPECT_GE(syncs, 1);
    }
    syncs = 0;
    Recorder recorder(path("run" + ending), r.header, r.signals, {.flush_seconds = 0, .sync = true});
    write_frames(recorder, r, 0, 30);
    EXPECT_EQ(syncs, 30);
  }
}

// With the default of a megabyte in memory, a small disk takes what fits.
TEST_F(RecordingFiles, AFullDiskTakesWhatFits) {
  const auto r = example(2000);
  for (const auto& ending : endings) {
    SCOPED_TRACE(ending);
    const auto file = path("run" + ending), safe = ending == ".npz" ? file + ".part" : file;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{60'000, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    std::string error;
    std::uint64_t safe_frames = 0;
    {
      Recorder recorder(file, r.header, r.signals, {.flush_seconds = 1000});
      syncs = 0;
      error = error_of([&] {
        write_frames(recorder, r, 0, r.frames());
        recorder.close();
      });
      safe_frames = recorder.safe_frames();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    (void)std::signal(SIGXFSZ, handler);
    EXPECT_GT(safe_frames, 100u);
    EXPECT_GE(syncs, 1) << "what is called safe is on the disk";
    EXPECT_CONTAINS(error, std::to_string(safe_frames) + " frames until ");
    EXPECT_GT(fs::file_size(safe), 50'000u);
    expect_same(read_recording(safe), r, safe_frames);
  }
}

TEST_F(RecordingFiles, LogTimesOfMcapDoNotOverflow) {
  const auto has_log_time = [&](double time, std::uint64_t nanoseconds) {
    Recorder recorder(path("t.mcap"), {}, {{"x", {{"a", "1"}}}});
    recorder.write(time, {1.0});
    recorder.close();
    EXPECT_EQ(read_recording(path("t.mcap")).times[0], time);
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &nanoseconds, 8);
    return content(path("t.mcap")).find(bytes) != std::string::npos;
  };
  EXPECT_TRUE(has_log_time(1.5, 1'500'000'000));
  EXPECT_TRUE(has_log_time(1e10, 10'000'000'000'000'000'000U));
  EXPECT_TRUE(has_log_time(1.7e10, 17'000'000'000'000'000'000U));
  EXPECT_TRUE(has_log_time(1e300, 18'000'000'000'000'000'000U));
}

std::vector<Signal> many_signals(std::size_t count) {
  std::vector<Signal> signals;
  for (std::size_t i = 0; i < count; ++i) signals.push_back({"s" + std::to_string(i), {}});
  return signals;
}

TEST_F(RecordingFiles, Limits) {
  record(path("most.mcap"), {{}, many_signals(limits::recording_signals), {}, {}, {}});
  EXPECT_EQ(read_recording(path("most.mcap")).signals.size(), limits::recording_signals);
  const auto making = [&](const Header& header, const std::vector<Signal>& signals) {
    return error_of([&] { const Recorder recorder(path("run.mcap"), header, signals); });
  };
  EXPECT_CONTAINS(making({}, many_signals(limits::recording_signals + 1)), "expected at most 65535");
  EXPECT_EQ(making({}, {{std::string(limits::recording_name_bytes, 'n'), {}}}), "");
  EXPECT_CONTAINS(making({}, {{std::string(limits::recording_name_bytes + 1, 'n'), {}}}), "expected at most 1000");
  EXPECT_CONTAINS(making({}, {{"\xC2\x9B"
                               "2J",
                               {}}}),
                  "control character");
}

// The settings stand one level deeper in the file than alone: what can be written can be read.
TEST_F(RecordingFiles, DepthOfSettings) {
  const auto record_nested = [&](int levels) {
    Header header;
    const auto lists = std::size_t(levels) - 1;
    header.settings = "{\"a\":" + std::string(lists, '[') + std::string(lists, ']') + "}";
    record(path("deep.csv"), {header, many_signals(1), {}, {{}}, {}});
    EXPECT_EQ(read_recording(path("deep.csv")).header.settings, header.settings);
  };
  record_nested(limits::json_depth);
  EXPECT_CONTAINS(error_of([&] { record_nested(limits::json_depth + 1); }), "levels deep");
}

// Larger than the memory of any machine: refused before memory is allocated, whether it begins as a recording or not.
TEST_F(RecordingFiles, HugeSparseFiles) {
  for (const std::string& start : {std::string("\x89MCAP0\r\n"), std::string("PK\x03\x04"),
                                   std::string("# lissom recording 1\n"), std::string("x")}) {
    put(path("sparse"), start);
    if (::truncate(path("sparse").c_str(), off_t{1} << 42) != 0) GTEST_SKIP() << "no files of 4 TiB here";
    const auto error = error_of([&] { read_recording(path("sparse")); });
    EXPECT_CONTAINS(error, "sparse");
    EXPECT_CONTAINS(error, start == "x" ? "not a recording" : "half of the memory");
  }
}

// Wide and many. (How work grows with them: tests/io/complexity_test.cpp.)
TEST_F(RecordingFiles, ManyColumnsAndSignals) {
  std::vector<Signal> wide{{"x", {}}}, many = many_signals(8'000);
  for (int i = 0; i < 16'000; ++i) wide[0].columns.push_back({"c" + std::to_string(i / 4) + "q" + "wxyz"[i % 4], "1"});
  for (auto& signal : many) signal.columns = {{"A", "1"}};
  for (const auto& signals : {wide, many}) {
    Recording r{{}, signals, {0.0}, {}, {}};
    for (const auto& signal : signals) r.values.emplace_back(signal.columns.size(), 1.0);
    for (const auto& ending : endings) {
      record(path("run" + ending), r);
      const auto found = read_recording(path("run" + ending));
      expect_same(found, r, 1);
      EXPECT_TRUE(compare(found, r).alike);
    }
  }
  // Names that ROS cannot tell apart get numbers.
  std::vector<Signal> alike;
  for (int i = 0; i < 10'000; ++i) {
    std::string name = "A";
    for (int k = i, digits = 0; digits < 10; ++digits, k /= 3) name += "_-#"[k % 3];
    alike.push_back({name, {}});
  }
  record(path("alike.mcap"), {{}, alike, {}, std::vector<std::vector<double>>(alike.size()), {}});
  EXPECT_EQ(read_recording(path("alike.mcap")).signals, alike);
}

}  // namespace
}  // namespace lissom::recording::test
