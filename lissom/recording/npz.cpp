// NPZ: a ZIP archive of numpy arrays: time.npy, SIGNAL.npy (frames × columns), header.json, and an exact copy of the
// robot file.
//
// An array begins with its length and is contiguous, so it cannot be written while frames arrive. Therefore frames are
// recorded as MCAP in FILE.npz.part, and the archive is written when the recording is closed. After a crash, the part
// has the frames and can be read like any other recording; nothing is kept in memory while recording; and only one
// format needs code that survives crashes. The cost is disk space for both files, and memory for the whole recording
// once, at the end.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "lissom/files/replace_file.h"
#include "lissom/model/text.h"
#include "lissom/recording/byte_writer.h"
#include "lissom/recording/format.h"
#include "lissom/recording/header_json.h"
#include "lissom/recording/input_file.h"
#include "lissom/recording/zip.h"

namespace lissom::recording {
namespace {

constexpr std::string_view npy_magic("\x93NUMPY\x01\x00", 8);
// (Constants of the compiler: a program may record while its own global variables are initialized.)
constexpr std::string_view header_member = "header.json", robot_member = "robot.urdf", time_member = "time.npy";

std::string npy_head(std::size_t frames, std::optional<std::size_t> columns) {
  std::string shape = std::to_string(frames) + ",";
  if (columns) shape += " " + std::to_string(*columns);
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Padded so that the values begin at a multiple of 64 bytes.
  const std::size_t before = npy_magic.size() + 2;
  text.resize((before + text.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
  text += '\n';
  std::string head;
  ByteWriter(head).bytes(npy_magic).number(std::uint16_t(text.size())).bytes(text);
  return head;
}

std::string_view as_bytes(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

void write_npz(const std::string& path, const Recording& recording) {
  Replacement replacement(path);
  ZipWriter zip(replacement.file());
  zip.add(header_member, to_json(recording.header, recording.signals, RobotText::beside));
  if (!recording.header.robot_text.empty()) zip.add(robot_member, recording.header.robot_text);
  zip.add(time_member, npy_head(recording.frames(), {}), as_bytes(recording.times));
  for (std::size_t s = 0; s < recording.signals.size(); ++s) {
    const auto& signal = recording.signals[s];
    zip.add(signal.name + ".npy", npy_head(recording.frames(), signal.columns.size()), as_bytes(recording.values[s]));
  }
  zip.finish();
  replacement.commit();
}

// The part is not for viewers.
RecorderOptions without_robot(RecorderOptions options) {
  options.robot.reset();
  return options;
}

// The file itself if the path is a symbolic link. An archive takes the place of a file; a device, a pipe or a directory
// of this name must stay.
std::string replaceable(const std::string& path) {
  if (const auto why = not_replaceable(path); !why.empty()) throw WriteFailure{why, "choose another path"};
  return link_target(path);
}

class NpzWriter final : public Writer {
 public:
  NpzWriter(const std::string& path, const Header& header, const std::vector<Signal>& signals,
            const RecorderOptions& options)
      : path_(replaceable(path)), part_(make_mcap_writer(path_ + ".part", header, signals, without_robot(options))) {
    // Until the new archive is written, readers should not find an older one.
    (void)std::remove(path_.c_str());
  }
  void write(double time, std::span<const Row> rows) override { part_->write(time, rows); }
  std::size_t buffered_bytes() const override { return part_->buffered_bytes(); }
  void flush() override { part_->flush(); }
  Written written() const override { return part_->written(); }
  void sync() override { part_->sync(); }
  // The part stays locked until it has been removed.
  void finish() override {
    part_->finish();
    const std::string& part = part_->safe_file();
    write_npz(path_, read_mcap(part, read_whole(part)));
    (void)std::remove(part.c_str());
  }
  void close() override { part_->close(); }
  const std::string& safe_file() const override { return part_->safe_file(); }

 private:
  std::string path_;  // of the file itself, if a symbolic link was given
  std::unique_ptr<Writer> part_;
};

// The value of a key in the Python dictionary at the head of an array, with the text that follows it.
std::string_view value_of(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return {};
  const auto colon = text.find(':', at + key.size());
  if (colon == std::string_view::npos) return {};
  const auto start = text.find_first_not_of(' ', colon + 1);
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

// The shape of an array from its text: "(100, 3)" gives 100, 3. Nothing if the text is not a shape.
std::optional<std::vector<std::uint64_t>> shape_of(std::string_view text) {
  if (!text.starts_with('(')) return {};
  std::vector<std::uint64_t> shape;
  for (text.remove_prefix(1);;) {
    while (text.starts_with(' ') || text.starts_with(',')) text.remove_prefix(1);
    if (text.starts_with(')')) return shape;
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) return {};
    shape.push_back(size);
    text.remove_prefix(std::size_t(end - text.data()));
  }
}

// An array of doubles with the shape `rows` × `columns`, or with any number of rows if `rows` is not given. A flat
// array has one dimension.
std::vector<double> read_npy(const std::string& path, std::string_view name, const ZipMember& member,
                             std::optional<std::size_t> rows, std::size_t columns, bool flat) {
  ByteReader reader(member.content, member.offset, path);
  const auto refuse = [&](const std::string& what) {
    fail(path, member.offset, "member " + in_quotes(name) + ": " + what + "; write it with lissom or numpy.savez");
  };
  if (reader.bytes(npy_magic.size(), "an array") != npy_magic) refuse("expected a numpy array, version 1.0");
  const auto text = reader.bytes(reader.number<std::uint16_t>("the head of an array"), "the head of an array");
  if (!value_of(text, "'descr'").starts_with("'<f8'")) refuse("expected values of type <f8");
  if (!value_of(text, "'fortran_order'").starts_with("False")) refuse("expected row-major storage (C order)");
  const auto shape = shape_of(value_of(text, "'shape'"));
  if (!shape || shape->size() != (flat ? 1 : 2) || (rows && (*shape)[0] != *rows) || (!flat && (*shape)[1] != columns))
    refuse("expected " + (rows ? std::to_string(*rows) : "n") + " frames" +
           (flat ? "" : " of " + counted(columns, "column")));
  const std::uint64_t width = flat ? 1 : columns, count = reader.left() / sizeof(double);
  if (reader.left() % sizeof(double) != 0 ||
      (width == 0 ? count != 0 : count / width != (*shape)[0] || count % width != 0))
    refuse("its shape does not match its size of " + std::to_string(reader.left()) + " bytes");
  std::vector<double> values(static_cast<std::size_t>(count));
  const auto bytes = reader.bytes(reader.left(), "an array");
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

std::unique_ptr<Writer> make_npz_writer(const std::string& path, const Header& header,
                                        const std::vector<Signal>& signals, const RecorderOptions& options) {
  return std::make_unique<NpzWriter>(path, header, signals, options);
}

Recording read_npz(const std::string& path, std::string_view bytes) {
  const auto members = read_zip(path, bytes);
  const auto find = [&](std::string_view name) -> const ZipMember& {
    const auto found = members.find(std::string(name));
    if (found == members.end())
      fail(path, 0, "no member " + in_quotes(name) + ", expected an archive that lissom recorded");
    return found->second;
  };
  Recording recording;
  const auto& header = find(header_member);
  try {
    from_json(header.content, recording.header, recording.signals);
  } catch (const Error& error) {
    fail(path, header.offset, error.what());
  }
  if (const auto robot = members.find(std::string(robot_member)); robot != members.end())
    recording.header.robot_text = robot->second.content;
  const auto& time = find(time_member);
  recording.times = read_npy(path, time_member, time, {}, 1, true);
  for (std::size_t k = 0; k < recording.times.size(); ++k)
    if (!std::isfinite(recording.times[k]) || (k > 0 && recording.times[k] < recording.times[k - 1]))
      fail(path, time.offset,
           "frame " + std::to_string(k) + " has time " + to_text(recording.times[k]) +
               " s, expected times that never decrease");
  for (const auto& signal : recording.signals) {
    const auto name = signal.name + ".npy";
    recording.values.push_back(read_npy(path, name, find(name), recording.frames(), signal.columns.size(), false));
  }
  return recording;
}

}  // namespace lissom::recording
