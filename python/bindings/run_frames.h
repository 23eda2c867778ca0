#pragma once
// The frames of a run: in memory, and in a file where one was asked for.
#include <memory>
#include <optional>

#include "lissom/recording/recorder.h"
#include "recordings.h"

namespace lissom::python {

class RunFrames {
 public:
  /// Without the GIL. `path` may be empty; the signals of the run are known.
  RunFrames(BoundRecording& run, const std::string& path, const recording::RecorderOptions& options);
  void write(double t, std::span<const recording::Row> rows);
  void close() {
    if (recorder_) recorder_->close();
  }

 private:
  BoundRecording& run_;
  std::optional<recording::Recorder> recorder_;
};

/// Frames are kept in memory: what does not fit there is refused before the run.
void reserve_frames(BoundRecording& run, double frames, double max_gigabytes);

/// The exception of an Error that ended a run, with the frames up to it as its attribute `run`. With the GIL.
[[noreturn]] void raise_with_run(const Error& failure, const nb::object& run);

/// Calls simulate(frames, run) without the GIL, and finish(run) with it. An Error gets the frames up to it as its
/// attribute `run`; other exceptions pass. `record`: a path, or None.
template <class R, class Simulate, class Finish>
nb::object recorded_run(std::unique_ptr<R> run, nb::handle record, const recording::RecorderOptions& options,
                        const Simulate& simulate, const Finish& finish) {
  std::optional<Error> failure;
  const auto path = record.is_none() ? "" : path_of("record", record);
  {
    const nb::gil_scoped_release release;
    RunFrames frames(*run, path, options);
    try {
      simulate(frames, *run);
    } catch (const Error& error) {
      failure = error;
    } catch (...) {
      try {
        frames.close();
      } catch (const Error&) {
        // The first exception says more.
      }
      throw;
    }
    try {
      frames.close();
    } catch (const Error& error) {
      if (!failure) failure = error;
    }
  }
  finish(*run);
  nb::object result = nb::cast(run.release(), nb::rv_policy::take_ownership);
  if (failure) raise_with_run(*failure, result);
  return result;
}

}  // namespace lissom::python
