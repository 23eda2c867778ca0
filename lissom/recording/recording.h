#pragma once
// What was recorded of a motion: of which robot, under which settings, and the numbers of every frame. A Recorder
// (recorder.h) writes it while it happens, read_recording (read.h) gets it back, bit for bit.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/model.h"

namespace lissom::recording {

// One number of a signal: "left_knee" in "rad". The unit is "1" where there is none.
struct Column {
  std::string name, unit;
  bool operator==(const Column&) const = default;
};

// Numbers that are recorded together: "q", "v", "energy". Names are UTF-8 without control characters; no two signals,
// and no two columns of a signal, have the same name; "time" belongs to the recording itself.
struct Signal {
  std::string name;
  std::vector<Column> columns;
  bool operator==(const Signal&) const = default;
};

// All it takes to build the same model again and to understand the numbers.
struct Header {
  std::string model;                   // its name
  std::string robot_file, robot_text;  // where its file was, and what it said; empty for a model made by a program
  Base base = Base::file;              // how it was built: as in BuildOptions
  bool mimic = true;
  double axis_tolerance = BuildOptions{}.axis_tolerance;
  std::array<double, 3> gravity{0, 0, -9.81};
  std::vector<Column> q, v;  // every number of q and of v, in their order
  std::string settings =
      "{}";  // a JSON object of the caller's; comes back with the same values, perhaps spelt differently
  std::string lissom_version = version();  // that recorded it

  static std::string version();
  bool operator==(const Header&) const = default;
};

struct Recording {
  Header header;
  std::vector<Signal> signals;
  std::vector<double> times;                // of the frames, in seconds; never decreasing
  std::vector<std::vector<double>> values;  // of each signal: row after row, one for each frame
  std::vector<std::string> warnings;        // what the reader has to say, such as where the file was cut off

  std::size_t frames() const { return times.size(); }
  // One signal in one frame.
  std::span<const double> row(std::size_t signal, std::size_t frame) const {
    const std::size_t n = signals[signal].columns.size();
    return std::span<const double>(values[signal]).subspan(frame * n, n);
  }
  // Index of a signal. Error where there is none, with the names that come near.
  std::size_t signal(std::string_view name) const;
};

// Error that says which name, number or text a recording cannot have.
void check(const Header& header, std::span<const Signal> signals);

// Where four columns in a row are a quaternion: named PREFIXqw, PREFIXqx, PREFIXqy, PREFIXqz.
std::vector<std::size_t> quaternions(std::span<const Column> columns);

}  // namespace lissom::recording
