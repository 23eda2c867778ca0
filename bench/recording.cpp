// Measures recording and reading a frame of 100 doubles in four signals, in all formats. Files are written to the
// system's temporary folder, or to $LISSOM_BENCH_FOLDER.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "lissom/recording/read.h"
#include "lissom/recording/recorder.h"

namespace {

using benchmark::State;
using lissom::recording::Recorder;
using lissom::recording::Signal;

const std::vector<std::string> endings{".mcap", ".npz", ".csv"};
constexpr int frames_per_file = 200000;

std::string path(const std::string& ending) {
  const char* const folder = std::getenv("LISSOM_BENCH_FOLDER");
  return ((folder ? std::filesystem::path(folder) : std::filesystem::temp_directory_path()) / ("lissom_bench" + ending))
      .string();
}

Signal signal(const std::string& name, int columns) {
  Signal out{name, {}};
  for (int i = 0; i < columns; ++i) out.columns.push_back({name + std::to_string(i), "rad"});
  return out;
}
const std::vector<Signal>& signals() {
  static const std::vector<Signal> all{signal("q", 37), signal("v", 36), signal("tau", 24), signal("energy", 3)};
  return all;
}

struct Frame {
  std::vector<double> q = std::vector<double>(37), v = std::vector<double>(36), tau = std::vector<double>(24),
                      energy = std::vector<double>(3);
  Frame() {
    double x = 0.1;
    for (auto* row : {&q, &v, &tau, &energy})
      for (auto& value : *row) value = x = 3.9 * x * (1 - x);  // values with all 17 digits
  }
};

// Writes frames as fast as possible; starts a new file before one grows too large.
void write_frame(State& state) {
  const auto file = path(endings[std::size_t(state.range(0))]);
  state.SetLabel(file.substr(file.find_last_of('.')));
  const Frame frame;
  auto recorder = std::make_unique<Recorder>(file, lissom::recording::Header{}, signals());
  int k = 0;
  for (auto _ : state) {
    recorder->write(0.001 * k, {frame.q, frame.v, frame.tau, frame.energy});
    if (++k == frames_per_file) {
      state.PauseTiming();
      recorder = std::make_unique<Recorder>(file, lissom::recording::Header{}, signals());
      k = 0;
      state.ResumeTiming();
    }
  }
  recorder.reset();
  std::filesystem::remove(file);
}
BENCHMARK(write_frame)->DenseRange(0, 2)->Unit(benchmark::kNanosecond);

void read_frame(State& state) {
  const auto file = path(endings[std::size_t(state.range(0))]);
  state.SetLabel(file.substr(file.find_last_of('.')));
  const Frame frame;
  constexpr int frames = 20000;
  Recorder recorder(file, {}, signals());
  for (int k = 0; k < frames; ++k) recorder.write(0.001 * k, {frame.q, frame.v, frame.tau, frame.energy});
  recorder.close();
  for (auto _ : state) benchmark::DoNotOptimize(lissom::recording::read_recording(file));
  state.counters["per_frame"] =
      benchmark::Counter(frames, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_frame"] = double(std::filesystem::file_size(file)) / frames;
  std::filesystem::remove(file);
}
BENCHMARK(read_frame)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
