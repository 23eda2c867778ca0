#include "bench_gpu.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <future>
#include <iostream>
#include <limits>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/api/state.h"
#include "lissom/gpu/batch.h"
#include "lissom/gpu/compiled_kernel.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"

namespace verb::bench {
namespace {

using lissom::Model;
using lissom::gpu::Batch;
using lissom::gpu::BatchOptions;
using lissom::gpu::KernelOptions;
using nlohmann::json;

// One figure.
struct GpuRow {
  std::string algorithm, mode, variant, device;
  long robots = 0;
  double seconds = 0;  // for all robots, the median of the runs
  double difference =
      0;  // the worst of any robot from the processor's result in double, relative to its largest element
  bool repeatable = false;
  lissom::gpu::KernelResources resources;
};

// A way of writing kernels, and how it is called.
struct Variant {
  std::string name;
  std::optional<KernelOptions> options;
};
std::vector<Variant> variants(bool single_precision, bool all) {
  std::vector<Variant> list = {{"", {}}};
  if (!all) return list;
  const auto add = [&](int threads, int blocks, bool roll, bool tile = false, bool again = false, bool wait = false) {
    list.push_back({fmt::format("{}x{}{}{}{}{}", threads, blocks, roll ? " loops" : "", tile ? " tile" : "",
                                again ? " sincos again" : "", wait ? " wait" : ""),
                    KernelOptions{single_precision, threads, blocks, roll, tile, again, wait}});
  };
  for (const bool roll : {false, true}) {
    for (const int blocks : {1, 3, 4}) add(128, blocks, roll);
    add(128, 2, roll, true);
    add(128, 1, roll, false, true);
    add(128, 2, roll, true, true);
    add(256, 1, roll, false, false, true);
  }
  add(128, 5, false), add(64, 1, false), add(64, 4, true, true, true), add(64, 3, true, true, true);
  add(256, 1, true, true, true), add(256, 1, true, true, true, true), add(512, 1, true);
  return list;
}

// The states: a few thousand different ones, repeated.
constexpr long different_states = 4096;
template <class S>
struct States {
  std::vector<std::pair<std::string, lissom::batch::Rows<S>>> arrays;

  States(const Model& model, const Batch<S>& batch) {
    std::srand(1);
    for (const auto& array : batch.arrays()) {
      lissom::batch::Rows<S> rows = lissom::batch::Rows<S>::Random(different_states, array.rows);
      if (array.name == "q")
        for (long k = 0; k < different_states; ++k)
          rows.row(k) = random_configuration(model, std::uint64_t(k)).template cast<S>();
      arrays.emplace_back(array.name, std::move(rows));
    }
  }
  const lissom::batch::Rows<S>& of(const std::string& name) const {
    return std::ranges::find(arrays, name, &std::pair<std::string, lissom::batch::Rows<S>>::first)->second;
  }
};

// One algorithm in one precision. The arrays for the device are filled once, and used by all variants of the kernel.
template <class S>
class GpuMeasurement {
 public:
  GpuMeasurement(const Model& model, const std::string& algorithm, long robots)
      : model_(model),
        algorithm_(algorithm),
        robots_(robots),
        home_(model, {algorithm}, robots, {.place = BatchOptions::Place::device}),
        cpu_(model, {algorithm}, different_states, {.place = BatchOptions::Place::cpu}) {
    for (const auto& kernel : home_.kernels()) {
      for (const auto& name : kernel.reads)
        if (std::ranges::find(writes_, name) == writes_.end()) reads_.push_back(name);
      writes_.insert(writes_.end(), kernel.writes.begin(), kernel.writes.end());
    }
    const States<S> states(model, home_);
    for (const auto& name : reads_) {
      // What the device reads in single precision is read in double here: only its arithmetic differs.
      const auto& rows = states.of(name);
      cpu_.upload(name, rows.template cast<double>());
      std::vector<S> columns(std::size_t(rows.cols() * home_.pitch()));
      for (long i = 0; i < rows.cols(); ++i)
        for (long k = 0; k < home_.pitch(); ++k)
          columns[std::size_t(i * home_.pitch() + k)] = rows(k % different_states, i);
      home_.device().copy_to_device(home_.data(name), columns.data(), columns.size() * sizeof(S));
    }
    cpu_.run(algorithm, different_states, nullptr, step);
    for (const auto& array : home_.arrays()) given_.push_back({array.name, home_.data(array.name), home_.pitch()});
  }

  GpuRow measure(const Variant& variant) {
    BatchOptions options{.place = BatchOptions::Place::device};
    options.kernel = variant.options;
    Batch<S> batch(model_, {algorithm_}, robots_, options);
    GpuRow row;
    row.algorithm = algorithm_;
    row.mode = sizeof(S) == 4 ? "gpu_f32" : "gpu_f64";
    row.variant = variant.name;
    row.device = batch.description();
    row.robots = robots_;
    for (const auto& kernel : batch.kernels()) {
      row.resources.registers = std::max(row.resources.registers, kernel.resources.registers);
      row.resources.local_bytes = std::max(row.resources.local_bytes, kernel.resources.local_bytes);
      row.resources.code_bytes = std::max(row.resources.code_bytes, kernel.resources.code_bytes);
    }
    check(batch, row);
    row.seconds = time(batch);
    return row;
  }

 private:
  static constexpr S step = S(1e-3);

  void run(Batch<S>& batch, long robots) { batch.run(algorithm_, robots, nullptr, step, given_); }

  // Two runs over outputs that are NaN before, compared with each other and with the processor. Of large batches the
  // last block of threads is not full.
  void check(Batch<S>& batch, GpuRow& row) {
    const long robots = std::min(robots_, 2 * different_states + 57);
    const long pitch = home_.pitch();
    const auto rows_of = [&](const std::string& name) {
      return long(std::ranges::find(home_.arrays(), name, &lissom::gpu::ArrayInfo::name)->rows);
    };
    using Columns = lissom::batch::Rows<S>;
    std::vector<Columns> runs[2];
    for (auto& found : runs) {
      for (const auto& name : writes_)
        home_.device().fill(home_.data(name), 0xff, std::size_t(rows_of(name) * pitch) * sizeof(S));
      run(batch, robots);
      for (const auto& name : writes_) {
        auto& columns = found.emplace_back(rows_of(name), robots);
        for (long i = 0; i < columns.rows(); ++i)
          home_.device().copy_to_host(columns.row(i).data(), home_.data(name) + i * pitch,
                                      std::size_t(robots) * sizeof(S));
      }
    }
    row.repeatable = true;
    for (std::size_t i = 0; i < writes_.size(); ++i) {
      if (std::ranges::find(home_.arrays(), writes_[i], &lissom::gpu::ArrayInfo::name)->between_stages) continue;
      const auto &first = runs[0][i], &second = runs[1][i];
      row.repeatable &= std::memcmp(first.data(), second.data(), std::size_t(first.size()) * sizeof(S)) == 0;
      lissom::batch::Rows<double> expected(different_states, first.rows());
      cpu_.download(writes_[i], expected);
      for (long k = 0; k < robots; ++k)
        row.difference = std::max(row.difference, difference(expected.row(k % different_states), first.col(k)));
    }
  }
  // Relative to the largest element of the robot.
  template <class Expected, class Found>
  static double difference(const Expected& expected, const Found& found) {
    const double scale = std::max(expected.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    double worst = 0;
    for (long i = 0; i < expected.size(); ++i) {
      const double d = std::abs(double(found[i]) - expected[i]) / scale;
      worst = d >= 0 ? std::max(worst, d) : std::numeric_limits<double>::infinity();  // NaN
    }
    return worst;
  }
  double time(Batch<S>& batch) {
    auto watch = batch.device().stopwatch();
    std::vector<double> times;
    for (int i = 0; i < 23; ++i) {
      watch.start();
      run(batch, robots_);
      const double seconds = watch.stop();
      if (i >= 3) times.push_back(seconds);
    }
    std::ranges::nth_element(times, times.begin() + long(times.size() / 2));
    return times[times.size() / 2];
  }

  const Model& model_;
  std::string algorithm_;
  long robots_;
  Batch<S> home_;
  Batch<double> cpu_;
  std::vector<std::string> reads_, writes_;
  std::vector<lissom::gpu::CallerArray<S>> given_;
};

// Compiles all variants at once, so that they are in the cache.
template <class S>
void prepare(const Model& model, const std::string& algorithm, const std::vector<Variant>& list) {
  const auto compiler = lissom::gpu::Compiler::find();
  if (!compiler) throw lissom::Error("--gpu: " + lissom::gpu::Compiler::why_none());
  const auto architecture = lissom::gpu::Device().info().architecture();
  std::vector<std::future<void>> work;
  const int stages = int(lissom::gpu::trace_stages(model, lissom::codegen::algorithm_of(algorithm), {}).size());
  for (const auto& variant : list)
    for (int stage = 0; stage < stages; ++stage)
      work.push_back(std::async(std::launch::async, [&, stage] {
        compile_kernel(lissom::gpu::tracer(model, lissom::codegen::algorithm_of(algorithm), stage), sizeof(S) == 4,
                       *compiler, architecture, lissom::Cache(), variant.options);
      }));
  for (auto& one : work) one.get();
}

template <class S>
void measure(const Model& model, const std::string& algorithm, const GpuOptions& options, Progress& progress,
             std::vector<GpuRow>& rows) {
  const std::string mode = sizeof(S) == 4 ? "float" : "double";
  const auto list = variants(sizeof(S) == 4, options.variants);
  progress.show(-1, fmt::format("compiling {} in {}", algorithm, mode));
  prepare<S>(model, algorithm, list);
  std::vector<long> sizes = {options.robots};
  if (options.sizes) sizes = {4096, 32768, 262144, 1 << 20, 1 << 21, 1 << 22};
  for (const long robots : sizes) {
    GpuMeasurement<S> measurement(model, algorithm, robots);
    for (const auto& variant : list) {
      if (interrupted()) return;
      progress.show(-1, fmt::format("{} in {} {}", algorithm, mode, variant.name));
      try {
        rows.push_back(measurement.measure(variant));
      } catch (const lissom::Error& error) {
        if (!variant.options) throw;
        complain(fmt::format("{} in {}, {}: {}", algorithm, mode, variant.name, error.what()));
      }
    }
  }
}

void print(const Model& model, const std::vector<GpuRow>& rows) {
  if (rows.empty()) return;
  std::cout << fmt::format("{}, {} degrees of freedom, on {}\n\n", model.name(), model.nv(), rows.front().device);
  std::cout << fmt::format("{:12} {:8} {:24} {:>9} {:>12} {:>10} {:>6} {:>7} {:>8} {}\n", "", "", "", "robots",
                           "robots/s", "difference", "regs", "local B", "code B", "same bits twice");
  for (const auto& row : rows)
    std::cout << fmt::format("{:12} {:8} {:24} {:>9} {:>12.4g} {:>10.1e} {:>6} {:>7} {:>8} {}\n", row.algorithm,
                             row.mode, row.variant, row.robots, double(row.robots) / row.seconds, row.difference,
                             row.resources.registers, row.resources.local_bytes, row.resources.code_bytes,
                             row.repeatable ? "yes" : "NO");
}

}  // namespace

void GpuOptions::add_to(CLI::App& verb) {
  auto* const gpu = verb.add_flag(
      "--gpu", on,
      "measure robots per second on a graphics card instead (CUDA), and the difference from the processor");
  verb.add_option("--robots", robots, "on the graphics card: robots in a batch (default: 1048576)")
      ->check(number_check::whole(1, 1 << 27))
      ->needs(gpu);
  verb.add_flag("--sizes", sizes, "on the graphics card: batches from 4,096 to 4 million robots")->needs(gpu);
  verb.add_flag("--variants", variants, "on the graphics card: every way of writing the kernels")->needs(gpu);
}

int run_on_gpu(const Model& model, const GpuOptions& options, const Reporting& reporting) {
  if (const auto why = lissom::gpu::why_no_device(); !why.empty()) throw lissom::Error("--gpu: " + why);
  std::vector<std::string> algorithms;
  if (reporting.only.empty())
    algorithms = {"rnea",     "bias",     "crba",    "aba",     "step",   "placements",
                  "rnea_jvp", "rnea_vjp", "aba_jvp", "aba_vjp", "d_rnea", "d_aba"};
  else
    algorithms = {lissom::codegen::traits(lissom::codegen::algorithm_of(reporting.only)).name};
  std::vector<GpuRow> rows;
  end_on_request();
  Progress progress(reporting.quiet);
  for (const auto& algorithm : algorithms) {
    try {
      measure<float>(model, algorithm, options, progress, rows);
      measure<double>(model, algorithm, options, progress, rows);
    } catch (const lissom::Error& error) {
      if (algorithms.size() == 1) throw;
      complain(fmt::format("{} was not measured: {}", algorithm, error.what()));
    }
  }
  progress.clear();
  const int code = interrupted() ? interrupted_code : 0;
  if (!reporting.json) {
    print(model, rows);
    return code;
  }
  json list = json::array();
  for (const auto& row : rows)
    list.push_back({{"robot", model.name()},
                    {"base", reporting.base},
                    {"nv", model.nv()},
                    {"algorithm", row.algorithm},
                    {"mode", row.mode},
                    {"variant", row.variant},
                    {"robots", row.robots},
                    {"us", 1e6 * row.seconds / double(row.robots)},
                    {"robots_per_second", double(row.robots) / row.seconds},
                    {"worst_difference", row.difference},
                    {"repeatable", row.repeatable},
                    {"registers", row.resources.registers},
                    {"spills", row.resources.local_bytes},
                    {"code_bytes", row.resources.code_bytes},
                    {"device", row.device}});
  print_json(list, 1);
  return code;
}

}  // namespace verb::bench
