#pragma once
// Recordings in Python: arrays are views of the recording's memory, which therefore never changes once it is made.
#include "bound_model.h"
#include "lissom/recording.h"
#include "records.h"

namespace lissom::python {

LISSOM_PYTHON_TYPE(recording::Column, "Column")

class BoundRecording : public recording::Recording {
 public:
  BoundRecording() = default;
  explicit BoundRecording(recording::Recording recorded) : Recording(std::move(recorded)) {}

  /// (frames, columns) of a signal, without a copy.
  static nb::object view(nb::handle self, std::size_t signal);
};

/// A str or anything with __fspath__, as text.
std::string path_of(const char* name, nb::handle path);
/// The text of settings: a JSON object, from a dict or as text; None is an empty one.
std::string settings_text(nb::handle settings);
/// A dict {name: columns} or a sequence of signals, or of names that a model has columns for (q, v, a, tau, …).
std::vector<recording::Signal> signals_of(const Model* model, nb::handle signals);
/// The columns of a model for signals of known names; empty for other names.
std::vector<recording::Column> known_columns(const Model& model, std::string_view signal);
/// From a Header, or from a model.
recording::Header header_of(nb::handle robot, nb::handle settings, const Model** model);
/// The options of a recorder of this robot with topics of ROS: None, 'all', 'none', or names of topics.
recording::RecorderOptions with_topics(recording::RecorderOptions options, const Model& robot, nb::handle topics,
                                       std::vector<std::string> packages = {});
/// The frames of record_frames: None, or names.
std::vector<FrameId> frames_to_record(const Model& model, nb::handle names);
/// Issues warnings about what is missing in the file. With the GIL.
void warn_of_notes(const recording::Recorder& recorder);
/// The values of one frame, in the order of the signals, from a dict {signal: values}.
void read_frame(const std::vector<recording::Signal>& signals, nb::handle values, std::vector<nb::object>& arrays,
                std::vector<recording::Row>& rows);

/// The state for pickling, and back.
nb::tuple pickled(nb::handle run);
void restore(BoundRecording& run, const nb::tuple& state);

void bind_recording(nb::module_& m);
void bind_recording_parts(nb::module_& recording);
void bind_recorder(nb::module_& recording);
void bind_compare(nb::module_& recording);

}  // namespace lissom::python
