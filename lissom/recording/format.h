#pragma once
// The interface between the Recorder and the file formats. Not for users.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "lissom/recording/output_file.h"
#include "lissom/recording/recorder.h"

namespace lissom::recording {

// How much has reached the file.
struct Written {
  std::uint64_t frames = 0;
  double time = 0;  // of the last of these frames, s
};

// A writer buffers frames until flush(). Only its construction, flush(), sync(), finish() and close() access the disk,
// and throw WriteFailure.
class Writer {
 public:
  virtual ~Writer() = default;
  // Buffers a frame; the rows have the right sizes. Must not allocate.
  virtual void write(double time, std::span<const Row> rows) = 0;
  virtual std::size_t buffered_bytes() const = 0;
  // Writes the buffered frames to the file. If there is no space for all of them, as many as there is space for.
  virtual void flush() = 0;
  virtual Written written() const = 0;
  // Waits until what has been written is on the disk.
  virtual void sync() = 0;
  // Completes the file, on the disk; it stays locked.
  virtual void finish() = 0;
  virtual void close() = 0;
  // The file that has the flushed frames.
  virtual const std::string& safe_file() const = 0;
  // What is missing in the file.
  virtual std::vector<std::string> notes() const { return {}; }
};

// Calls append(first, count) for all `count` elements of a buffer at once; if that fails, for fewer and fewer at a
// time, until nothing more fits. Then throws the failure.
template <class F>
void append_what_fits(std::size_t count, F append) {
  std::optional<WriteFailure> failure;
  for (std::size_t first = 0, step = count; first < count && step > 0;) {
    step = std::min(step, count - first);
    try {
      append(first, step);
      first += step;
    } catch (const WriteFailure& reason) {
      failure = reason;
      step /= 2;
    }
  }
  if (failure) throw WriteFailure(*failure);
}

std::unique_ptr<Writer> make_mcap_writer(const std::string& path, const Header& header,
                                         const std::vector<Signal>& signals, const RecorderOptions& options);
std::unique_ptr<Writer> make_npz_writer(const std::string& path, const Header& header,
                                        const std::vector<Signal>& signals, const RecorderOptions& options);
std::unique_ptr<Writer> make_csv_writer(const std::string& path, const Header& header,
                                        const std::vector<Signal>& signals, const RecorderOptions& options);

// The recording in a file with these bytes. Throw an Error with file and offset if it cannot be read.
Recording read_mcap(const std::string& path, std::string_view bytes);
Recording read_npz(const std::string& path, std::string_view bytes);
Recording read_csv(const std::string& path, std::string_view bytes);

// The warning about a truncated file, of which the last `unread_bytes` could not be used.
std::string not_closed(const std::string& path, const Recording& recording, std::size_t unread_bytes);

inline constexpr std::string_view mcap_magic("\x89MCAP0\r\n", 8);
inline constexpr std::string_view csv_magic("# lissom recording");

}  // namespace lissom::recording
