#pragma once
// A recording of a motion: its robot, its settings, and the values of every frame. A Recorder (recorder.h) writes it
// frame by frame, and read_recording (read.h) reads it back, bit for bit.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/model.h"

namespace lissom::recording {

/// Name and unit of one element of a signal: "left_knee" in "rad". The unit of a dimensionless element is "1".
struct Column {
  std::string name, unit;
  bool operator==(const Column&) const = default;
};

/// Values that are recorded together: "q", "v", "energy". Names are UTF-8 without control characters. No two signals,
/// and no two columns of a signal, have the same name; no signal is called "time", which the recording itself has.
struct Signal {
  std::string name;
  std::vector<Column> columns;
  bool operator==(const Signal&) const = default;
};

/// Everything that is needed to build the same model again and to interpret the values.
struct Header {
  std::string model;  ///< its name
  /// Path and text of the robot file. Both are empty for a model made by a program; the text is empty if it would give
  /// another robot: one that was changed after it was loaded, or comes from several files.
  std::string robot_file, robot_text;
  /// The robot as JSON (io::description_to_json) if the text alone does not give it, with loops and springs.
  std::string robot_description = {};
  Base base = Base::file;  ///< base, mimic and axis_tolerance are those of BuildOptions
  bool mimic = true;
  double axis_tolerance = BuildOptions{}.axis_tolerance;
  std::array<double, 3> gravity{0, 0, -9.81};
  std::vector<Column> q, v;  ///< names and units of the elements of q and v
  /// A JSON object of the caller. It is read back with the same values, but perhaps formatted differently.
  std::string settings = "{}";
  std::string lissom_version = version();  ///< of the lissom that recorded it

  static std::string version();
  bool operator==(const Header&) const = default;
};

/// All frames of a recording.
struct Recording {
  Header header;
  std::vector<Signal> signals;
  std::vector<double> times;                ///< of the frames, in seconds; never decreasing
  std::vector<std::vector<double>> values;  ///< of each signal: one row for each frame, one after another
  std::vector<std::string> warnings;        ///< of the reader, such as where the file is truncated

  std::size_t frames() const { return times.size(); }
  /// The values of one signal in one frame.
  std::span<const double> row(std::size_t signal, std::size_t frame) const {
    const std::size_t n = signals[signal].columns.size();
    return std::span<const double>(values[signal]).subspan(frame * n, n);
  }
  /// Index of a signal. Throws an Error that lists the signals if there is none of this name.
  std::size_t signal(std::string_view name) const;
};

/// Throws an Error if a recording cannot have this header or these signals.
void check(const Header& header, std::span<const Signal> signals);

/// The first column of each quaternion: four consecutive columns named PREFIXqw, PREFIXqx, PREFIXqy, PREFIXqz.
std::vector<std::size_t> quaternions(std::span<const Column> columns);

}  // namespace lissom::recording
