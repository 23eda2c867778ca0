#include "lissom/recording/recorder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>

#include "lissom/model/text.h"
#include "lissom/recording/format.h"

namespace lissom::recording {
namespace {

using Clock = std::chrono::steady_clock;

std::unique_ptr<Writer> make_writer(const std::string& path, const Header& header, const std::vector<Signal>& signals,
                                    const RecorderOptions& options) {
  if (path.ends_with(".mcap")) return make_mcap_writer(path, header, signals, options);
  if (path.ends_with(".npz")) return make_npz_writer(path, header, signals, options);
  if (path.ends_with(".csv")) return make_csv_writer(path, header, signals, options);
  throw Error("cannot record to " + in_quotes(path) + ", expected a name that ends with .mcap, .npz or .csv");
}

}  // namespace

struct Recorder::Impl {
  std::string path;
  std::vector<Signal> signals;
  double flush_seconds;
  std::size_t chunk_bytes;
  std::unique_ptr<Writer> writer;

  std::uint64_t frames = 0;
  double last_time = -INFINITY;
  Clock::time_point oldest;  // arrival of the first buffered frame
  bool closed = false, sync = false;
  std::string failure;  // the message of the first failure; every later call throws it again

  [[noreturn]] void fail(const WriteFailure& reason) {
    const auto written = writer ? writer->written() : Written{};
    failure = "cannot record to " + in_quotes(path) + ": " + reason.why + "; ";
    if (written.frames == 0)
      failure += "0 frames are safe: " + reason.remedy;
    else
      failure += counted(std::size_t(written.frames), "frame") + " until " + to_text(written.time) + " s are " +
                 (synced() ? "safe in " : "in ") + in_quotes(writer->safe_file()) +
                 ": free disk space, and continue in a new recording";
    throw Error(failure);
  }
  bool synced() const {
    try {
      writer->sync();
      return true;
    } catch (const WriteFailure&) {
      return false;
    }
  }
  template <class F>
  void guarded(F f) {
    if (!failure.empty()) throw Error(failure);
    try {
      f();
    } catch (const WriteFailure& reason) {
      fail(reason);
    }
  }
  void flush() const {
    writer->flush();
    if (sync) writer->sync();
  }
  void check(double time, std::span<const Row> rows) const {
    if (closed) throw Error("the recording " + in_quotes(path) + " is closed; make a new Recorder");
    if (!std::isfinite(time)) throw Error("time is " + to_text(time) + ", expected a finite number of seconds");
    if (time < last_time)
      throw Error("time is " + to_text(time) + " s after " + to_text(last_time) +
                  " s, expected times that never decrease; start a new recording");
    if (rows.size() != signals.size())
      throw Error("rows has " + counted(rows.size(), "element") + ", expected one for each of " +
                  counted(signals.size(), "signal"));
    for (std::size_t s = 0; s < rows.size(); ++s)
      if (rows[s].values().size() != signals[s].columns.size())
        throw Error("the row of signal " + in_quotes(signals[s].name) + " has " +
                    counted(rows[s].values().size(), "element") + ", expected " +
                    std::to_string(signals[s].columns.size()));
  }
};

RecorderOptions with_ros_topics(RecorderOptions options, const Model& robot, const std::string& topics,
                                std::vector<std::string> package_paths) {
  if (topics == "none") return options;
  options.robot = robot;
  auto& ros = options.ros;
  ros.package_paths = std::move(package_paths);
  if (topics == "all") return options;
  const std::pair<std::string_view, bool*> switches[] = {
      {"description", &ros.description}, {"joint_states", &ros.joint_states}, {"tf", &ros.tf}, {"meshes", &ros.meshes}};
  for (const auto& [name, on] : switches) *on = false;
  std::istringstream words(topics);
  for (std::string word; std::getline(words, word, ',');) {
    const auto* const found = std::ranges::find(switches, word, &std::pair<std::string_view, bool*>::first);
    if (found == std::end(switches))
      throw Error("found " + in_quotes(word) +
                  ", expected all, none, or some of description, joint_states, tf, meshes");
    *found->second = true;
  }
  return options;
}

Recorder::Recorder(const std::string& path, const Header& header, const std::vector<Signal>& signals,
                   const RecorderOptions& options)
    : impl_(std::make_unique<Impl>()) {
  recording::check(header, signals);
  if (options.chunk_bytes == 0 || options.chunk_bytes > std::size_t{1} << 30)
    throw Error("options.chunk_bytes is " + std::to_string(options.chunk_bytes) + ", expected 1 … 2^30");
  if (!(options.flush_seconds >= 0))
    throw Error("options.flush_seconds is " + to_text(options.flush_seconds) + " s, expected 0 or more");
  impl_->path = path;
  impl_->signals = signals;
  impl_->flush_seconds = options.flush_seconds;
  impl_->chunk_bytes = options.chunk_bytes;
  impl_->sync = options.sync;
  impl_->guarded([&] { impl_->writer = make_writer(path, header, signals, options); });
}

Recorder::~Recorder() {
  if (!impl_ || impl_->closed || !impl_->failure.empty()) return;
  try {
    close();
  } catch (...) {  // NOLINT(bugprone-empty-catch): a destructor cannot report it
  }
}
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

void Recorder::write(double time, std::span<const Row> rows) {
  auto& impl = *impl_;
  if (!impl.failure.empty()) throw Error(impl.failure);
  impl.check(time, rows);
  const auto now = Clock::now();
  if (impl.writer->buffered_bytes() == 0) impl.oldest = now;
  impl.writer->write(time, rows);
  ++impl.frames;
  impl.last_time = time;
  if (impl.writer->buffered_bytes() >= impl.chunk_bytes ||
      std::chrono::duration<double>(now - impl.oldest).count() >= impl.flush_seconds)
    flush();
}

void Recorder::flush() {
  if (impl_->closed) return;
  impl_->guarded([&] { impl_->flush(); });
}

void Recorder::close() {
  auto& impl = *impl_;
  if (impl.closed) return;
  impl.guarded([&] {
    impl.flush();
    impl.writer->finish();
    impl.writer->close();
  });
  impl.closed = true;
}

std::uint64_t Recorder::frames() const {
  return impl_->frames;
}
std::uint64_t Recorder::safe_frames() const {
  return impl_->writer->written().frames;
}

std::vector<std::string> Recorder::notes() const {
  return impl_->writer->notes();
}

}  // namespace lissom::recording
