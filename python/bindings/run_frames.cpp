#include "run_frames.h"

#include "lissom/model/text.h"

namespace lissom::python {

RunFrames::RunFrames(BoundRecording& run, const std::string& path, const recording::RecorderOptions& options)
    : run_(run) {
  run_.values.resize(run_.signals.size());
  if (path.empty()) return;
  recorder_.emplace(path, run_.header, run_.signals, options);
  const nb::gil_scoped_acquire gil;
  warn_of_notes(*recorder_);
}

void RunFrames::write(double t, std::span<const recording::Row> rows) {
  if (recorder_) recorder_->write(t, rows);
  run_.times.push_back(t);
  for (std::size_t k = 0; k < rows.size(); ++k)
    run_.values[k].insert(run_.values[k].end(), rows[k].values().begin(), rows[k].values().end());
}

void reserve_frames(BoundRecording& run, double frames, double max_gigabytes) {
  double columns = 1;
  for (const auto& signal : run.signals) columns += double(signal.columns.size());
  const double gigabytes = 8e-9 * frames * columns;
  if (!(gigabytes <= max_gigabytes))
    throw Error(to_text(frames) + " frames would take " + to_text(gigabytes) +
                " GB of memory, expected at most max_size, " + to_text(max_gigabytes) +
                " GB; record fewer of them with every, or allow it with max_size");
  run.times.reserve(std::size_t(frames));
}

void raise_with_run(const Error& failure, const nb::object& run) {
  const nb::object type = nb::module_::import_("lissom._core").attr("Error");
  const nb::object error = type(failure.what());
  error.attr("diagnostics") = nb::cast(failure.diagnostics());
  error.attr("run") = run;
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

}  // namespace lissom::python
