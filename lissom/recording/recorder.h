#pragma once
// Writes a recording while it happens. The ending of the file's name chooses the format:
//   .mcap  for long runs and for other tools (Foxglove, PlotJuggler, ROS): written in chunks, survives a crash
//   .npz   for numpy; written beside, as FILE.npz.part, until close() puts it together
//   .csv   for spreadsheets and eyes
// All three give back the same bits. docs/recordings.md says what is in them.
#include <concepts>
#include <initializer_list>
#include <memory>

#include "lissom/recording/recording.h"

namespace lissom::recording {

// The numbers of one signal in one frame: a vector, an array, a span, an Eigen vector, a single number. Only looked at
// during the call.
class Row {
 public:
  Row(const double& number) : numbers_(&number, 1) {}
  template <class V>
    requires requires(const V& x) {
      { x.data() } -> std::convertible_to<const double*>;
      { x.size() } -> std::convertible_to<std::size_t>;
    }
  Row(const V& x) : numbers_(x.data(), std::size_t(x.size())) {
    if constexpr (requires { V::InnerStrideAtCompileTime; })
      static_assert(V::InnerStrideAtCompileTime == 1, "the numbers of a row have to lie side by side in memory");
  }
  std::span<const double> numbers() const { return numbers_; }

 private:
  std::span<const double> numbers_;
};

struct RecorderOptions {
  // What is recorded goes to the file as soon as it is this many bytes, or this old. (Asked at every write: where no
  // frames come, nothing is written; flush() does it at once.)
  std::size_t chunk_bytes = std::size_t{1} << 20;
  double flush_seconds = 1;
};

// Belongs to one caller at a time. Allocates when it is made, and then no more while frames are written (but for the
// list of chunks, which doubles when it is full, for the first time after 1024 of them).
class Recorder {
 public:
  // Creates the file, or replaces it. Error where that is impossible, or the header or the signals are not in order.
  Recorder(const std::string& path, const Header& header, const std::vector<Signal>& signals,
           const RecorderOptions& options = {});
  // Closes it, if close() was not called; errors then go unnoticed.
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  // One frame: a row for each signal, in their order. Time, in seconds, never decreases. Error where sizes are not
  // those of the signals, or the file cannot be written: it then says how many frames are safe, and further calls say
  // it again.
  void write(double time, std::initializer_list<Row> rows) { write(time, std::span(rows.begin(), rows.size())); }
  void write(double time, std::span<const Row> rows);
  // What was written until now reaches the file.
  void flush();
  // The rest, and what readers need to find their way. A recording that is not closed can be read nevertheless.
  void close();

  std::uint64_t frames() const;       // written until now
  std::uint64_t safe_frames() const;  // of these, those that have reached the file

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::recording
