#include "lissom/recording/read.h"

#include <filesystem>
#include <fstream>
#include <new>

#include "lissom/files/replace_file.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "lissom/recording/format.h"
#include "lissom/recording/input_file.h"

namespace lissom::recording {

std::string not_closed(const std::string& path, const Recording& recording, std::size_t unread_bytes) {
  return printable(path) + " was not closed: " + counted(recording.frames(), "frame") +
         (recording.frames() > 0 ? " until " + to_text(recording.times.back()) + " s" : "") + " were read" +
         (unread_bytes > 0 ? ", the last " + counted(unread_bytes, "byte") + " could not be read" : "");
}

namespace {

enum class Format { mcap, npz, csv, none };
Format format_of(std::string_view start) {
  if (start.starts_with(mcap_magic)) return Format::mcap;
  if (start.starts_with("PK")) return Format::npz;
  if (start.starts_with(csv_magic)) return Format::csv;
  return Format::none;
}

void expect_recording(const std::string& path, std::string_view start) {
  if (format_of(start) == Format::none)
    fail(path, 0,
         "not a recording: it begins with neither the magic of MCAP, nor that of NPZ, nor \"" + std::string(csv_magic) +
             "\"");
}

}  // namespace

Recording read_recording(const std::string& path) {
  const auto part = link_target(path) + ".part";
  if (std::error_code e; !std::filesystem::exists(path, e) && std::filesystem::exists(part, e))
    throw Error("cannot read " + in_quotes(path) + ": the recording was not closed; read " + in_quotes(part));
  try {
    const std::string bytes = read_whole(path, expect_recording);
    const auto kind = format_of(bytes);
    return kind == Format::mcap  ? read_mcap(path, bytes)
           : kind == Format::npz ? read_npz(path, bytes)
                                 : read_csv(path, bytes);
  } catch (const std::bad_alloc&) {
    throw Error("cannot read " + in_quotes(path) + ": there is not enough memory for its content");
  }
}

bool is_recording(const std::string& path) {
  // (To look into a pipe would take from it what is looked at, or wait for ever.)
  if (std::error_code none; !std::filesystem::is_regular_file(path, none)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(32, '\0');
  file.read(start.data(), long(start.size()));
  start.resize(std::size_t(file.gcount()));
  return format_of(start) != Format::none;
}

}  // namespace lissom::recording
