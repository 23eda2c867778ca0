#include "lissom/recording/read.h"

#include <filesystem>

#include "lissom/model/text.h"
#include "lissom/recording/format.h"
#include "lissom/recording/input_file.h"

namespace lissom::recording {

std::string not_closed(const std::string& path, const Recording& recording, std::size_t unread_bytes) {
  return path + " was not closed: " + counted(recording.frames(), "frame") +
         (recording.frames() > 0 ? " until " + to_text(recording.times.back()) + " s" : "") + " were read, the last " +
         std::to_string(unread_bytes) + " bytes could not be read";
}

Recording read_recording(const std::string& path) {
  if (std::error_code e; !std::filesystem::exists(path, e) && std::filesystem::exists(path + ".part", e))
    throw Error("cannot read " + in_quotes(path) + ": the recording was not closed; read " + in_quotes(path + ".part"));
  const std::string bytes = read_whole(path);
  const std::string_view start = bytes;
  if (start.starts_with(mcap_magic)) return read_mcap(path, bytes);
  if (start.starts_with("PK")) return read_npz(path, bytes);
  if (start.starts_with(csv_magic)) return read_csv(path, bytes);
  fail(path, 0,
       "not a recording: it begins with neither the magic of MCAP, nor that of NPZ, nor \"" + std::string(csv_magic) +
           "\"");
}

}  // namespace lissom::recording
