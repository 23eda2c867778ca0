// Wrong use, and files that are damaged or not recordings, give an Error that says what and where, never a crash.
#include <sys/stat.h>

#include "recording_test_support.h"

namespace lissom::recording::test {
namespace {

class RecordingErrors : public RecordingTest {
 protected:
  std::string making(const Header& header, const std::vector<Signal>& signals, const std::string& name = "run.mcap") {
    return error_of([&] { const Recorder recorder(path(name), header, signals); });
  }
};

TEST_F(RecordingErrors, OfTheRecorder) {
  const std::vector<Signal> one{{"q", {{"knee", "rad"}}}};
  EXPECT_CONTAINS(making({}, one, "run.txt"), ".mcap, .npz or .csv");
  EXPECT_CONTAINS(making({}, one, "no/such/folder.csv"), "No such file");
  EXPECT_CONTAINS(making({}, {}), "at least one");
  EXPECT_CONTAINS(making({}, {{"", {}}}), "no name");
  EXPECT_CONTAINS(making({}, {{"q", {}}, {"q", {}}}), "two signals are called 'q'");
  EXPECT_CONTAINS(making({}, {{"time", {}}}), "called 'time'");
  EXPECT_CONTAINS(making({}, {{"q", {{"a", ""}, {"a", ""}}}}), "two columns 'a'");
  EXPECT_CONTAINS(making({}, {{"q\n", {}}}), "control character");
  EXPECT_CONTAINS(making({}, {{"q\xff", {}}}), "UTF-8");
  EXPECT_CONTAINS(making({}, {{std::string(2000, 'q'), {}}}), "1000");
  for (const std::string settings : {"", "[1]", "{\"a\":", "3", "{\"a\": nan}"}) {
    Header header;
    header.settings = settings;
    EXPECT_CONTAINS(making(header, one), "header.settings");
  }
  Header deep;
  deep.settings = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_CONTAINS(making(deep, one), "deep");
}

TEST_F(RecordingErrors, OfFrames) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& ending : endings) {
    Recorder recorder(path("run" + ending), {}, {{"q", {{"knee", "rad"}}}, {"v", {{"knee", "rad/s"}}}});
    recorder.write(1, {1.0, 2.0});
    EXPECT_CONTAINS(error_of([&] { recorder.write(nan, {1.0, 2.0}); }), "finite");
    EXPECT_CONTAINS(error_of([&] { recorder.write(0.5, {1.0, 2.0}); }), "never decrease");
    EXPECT_CONTAINS(error_of([&] { recorder.write(2, {1.0}); }), "one for each of 2 signals");
    EXPECT_CONTAINS(error_of([&] { recorder.write(2, {1.0, std::vector<double>(3)}); }),
                    "signal 'v' has 3 elements, expected 1");
    recorder.write(2, {nan, nan});  // recording continues after wrong use
    recorder.close();
    recorder.close();
    EXPECT_CONTAINS(error_of([&] { recorder.write(3, {1.0, 2.0}); }), "closed");
    EXPECT_EQ(read_recording(path("run" + ending)).frames(), 2u);
  }
}

TEST_F(RecordingErrors, OfReading) {
  EXPECT_CONTAINS(error_of([&] { read_recording(path("none.mcap")); }), "none.mcap");
  EXPECT_CONTAINS(error_of([&] { read_recording(path("")); }), "not a regular file");
  ASSERT_EQ(mkfifo(path("pipe.mcap").c_str(), 0600), 0);
  EXPECT_CONTAINS(error_of([&] { read_recording(path("pipe.mcap")); }), "not a regular file");
  for (const std::string garbage :
       {"", "hello", "\x89MCAP0\r\n", "PK\x03\x04", "# lissom recording 1\n", "\x89MCAP9\r\n"}) {
    put(path("garbage"), garbage);
    const auto error = error_of([&] { read_recording(path("garbage")); });
    EXPECT_CONTAINS(error, "garbage: byte ");
  }
  record(path("run.mcap"), example(3));
  const auto r = read_recording(path("run.mcap"));
  EXPECT_CONTAINS(error_of([&] { (void)r.signal("energy"); }), "did you mean 'Energy'");
}

TEST_F(RecordingErrors, AFlippedBitIsFoundInMcapAndNpz) {
  const auto expected = example(20);
  for (const std::string ending : {".mcap", ".npz"}) {
    record(path("run" + ending), expected, {.chunk_bytes = 1000});
    const auto whole = content(path("run" + ending));
    int unnoticed = 0;
    for (std::size_t at = 0; at < whole.size(); at += 3) {
      auto bytes = whole;
      bytes[at] = char(bytes[at] ^ (1 << at % 8));
      put(path("bad" + ending), bytes);
      Recording found;
      const auto error = error_of([&] { found = read_recording(path("bad" + ending)); });
      if (!error.empty()) {
        EXPECT_CONTAINS(error, "bad" + ending + ": byte ");
      } else if (found.warnings.empty()) {
        ++unnoticed;  // the byte does not matter: the length of DataEnd, versions in the heads of a ZIP
        expect_same(found, expected, 20);
      }
    }
    EXPECT_LE(unnoticed, ending == ".mcap" ? 5 : 300) << ending;
  }
}

// Changes, inserts, removes or moves bytes, and makes numbers huge.
std::string mutated(const std::string& original, std::mt19937_64& random) {
  std::string bytes = original;
  for (auto changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
    const auto at = random() % bytes.size();
    const auto length = std::min<std::size_t>(1 + random() % 16, bytes.size() - at);
    switch (random() % 7) {
      case 0:
        bytes[at] = char(random());
        break;
      case 1:
        bytes[at] = char(bytes[at] ^ (1 << random() % 8));
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(random() % bytes.size(), length));
        break;
      case 4:
        bytes.replace(at, length, std::string(length, '\xff'));
        break;
      case 5:
        bytes.resize(at);
        break;
      default:
        bytes.replace(at, length, std::string(length, '\0'));
        break;
    }
  }
  return bytes;
}

TEST_F(RecordingErrors, MutationsNeverCrash) {
  std::mt19937_64 random(7);
  for (const auto& ending : endings) {
    record(path("run" + ending), example(12), {.chunk_bytes = 500});
    const auto original = content(path("run" + ending));
    int refused = 0;
    for (int k = 0; k < 3000; ++k) {
      put(path("mutant"), mutated(original, random));
      Recording found;
      const auto error = error_of([&] { found = read_recording(path("mutant")); });
      refused += !error.empty();
      if (error.empty()) {  // it is still a valid recording
        EXPECT_EQ(found.values.size(), found.signals.size());
        for (std::size_t s = 0; s < found.signals.size(); ++s)
          EXPECT_EQ(found.values[s].size(), found.frames() * found.signals[s].columns.size());
      } else {
        EXPECT_CONTAINS(error, "mutant: byte ");
      }
    }
    EXPECT_GT(refused, 1000) << ending;
  }
}

// Wrong values that neither checksums nor the JSON header reveal.
TEST_F(RecordingErrors, NumbersThatDoNotFit) {
  record(path("run.csv"), example(3));
  const auto csv = content(path("run.csv"));
  const auto frames = csv.find("\n-0.002");
  ASSERT_NE(frames, std::string::npos);
  const auto with = [&](const std::string& line) {
    put(path("odd.csv"), csv.substr(0, frames + 1) + line + "\n# end 1\n");
    return error_of([&] { read_recording(path("odd.csv")); });
  };
  EXPECT_EQ(with("0,1,2,3,4,5,6,7,8,9"), "");
  EXPECT_EQ(with("0,1,2,3,4,5,6,7,8,9\r"), "");
  EXPECT_CONTAINS(with("nan,1,2,3,4,5,6,7,8,9"), "never decrease");
  EXPECT_CONTAINS(with("0,1,2,3,4,5,6,7,8"), "ends before column 'total energy'");
  EXPECT_CONTAINS(with("0,1,2,3,4,5,6,7,8,9,10"), "more values");
  EXPECT_CONTAINS(with("0,1,2,3,4,5,6,7,8,1e999"), "'1e999' is not a number");
  EXPECT_CONTAINS(with("0,1,2,3,4,5,6,7,8,"), "'' is not a number");
  EXPECT_CONTAINS(with("0,1,2,3,4,5,6,7,8,1 "), "is not a number");
  EXPECT_CONTAINS(with("0,1,2,3,4,5,6,7,8,nan(12)"), "is not a number");
}

}  // namespace
}  // namespace lissom::recording::test
