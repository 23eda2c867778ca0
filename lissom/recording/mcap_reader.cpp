// Reads MCAP (mcap_format.h) from front to back without the summary, so that a truncated file is no special case.
// Checks the checksums of chunks, attachments, data and summary.
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "lissom/model/text.h"
#include "lissom/recording/crc.h"
#include "lissom/recording/format.h"
#include "lissom/recording/header_json.h"
#include "lissom/recording/input_file.h"
#include "lissom/recording/mcap_records.h"

namespace lissom::recording {
namespace {

using mcap::Opcode;

class McapReader {
 public:
  McapReader(const std::string& path, std::string_view bytes)
      : path_(path), bytes_(bytes), whole_(is_whole(bytes)), end_(bytes.size() - (whole_ ? mcap_magic.size() : 0)) {}

  Recording read() {
    std::uint64_t at = mcap_magic.size();
    while (!ended_ && at < end_) {
      const auto length = record_at(at);
      if (!length) break;
      good_until_ = at += *length;
    }
    if (whole_ && !ended_) fail(path_, at, "expected a DataEnd record at the end of the data; " + advice(at));
    if (!has_header_)
      fail(path_, at,
           "no metadata record " + in_quotes(mcap::metadata_name) +
               (whole_ ? ": the MCAP file was not recorded by lissom"
                       : ": the file is truncated before the first frame; record again"));
    finish();
    return std::move(recording_);
  }

 private:
  static bool is_whole(std::string_view bytes) {
    constexpr auto tail = mcap::record_head + mcap::footer_content + mcap_magic.size();
    return bytes.size() >= mcap_magic.size() + tail && bytes.ends_with(mcap_magic) &&
           Opcode(bytes[bytes.size() - tail]) == Opcode::footer;
  }
  static std::string advice(std::uint64_t offset) {
    return "the file is damaged: copy the original again, or keep the part before the damage (head -c " +
           std::to_string(offset) + " FILE > SAVED.mcap)";
  }

  // Reads the record at `at`. Returns its length, or nothing if the file is truncated within it.
  std::optional<std::uint64_t> record_at(std::uint64_t at) {
    ByteReader record(bytes_.substr(at, end_ - at), at, path_);
    if (!whole_ && record.left() < mcap::record_head) return {};
    const auto opcode = record.number<Opcode>("a record");
    const auto length = record.number<std::uint64_t>("a record");
    if (length > record.left()) {
      if (!whole_) return {};
      fail(path_, at,
           "record has " + std::to_string(length) + " bytes, but only " + std::to_string(record.left()) +
               " are left; " + advice(at));
    }
    take(opcode, ByteReader(record.bytes(length, "a record"), at + mcap::record_head, path_), at);
    return mcap::record_head + length;
  }

  void take(Opcode opcode, ByteReader content, std::uint64_t at) {
    switch (opcode) {
      case Opcode::metadata:
        return take_metadata(content);
      case Opcode::attachment:
        return take_attachment(content);
      case Opcode::channel:
        return take_channel(content);
      case Opcode::chunk:
        return take_chunk(content, at);
      case Opcode::message:
        return take_message(content);
      case Opcode::data_end:
        return take_end(content, at);
      default:
        return;  // indexes and schemas are for other readers
    }
  }

  void take_metadata(ByteReader& content) {
    if (content.text("the name of metadata") != mcap::metadata_name || has_header_) return;
    const auto offset = content.offset();
    ByteReader map(content.text("metadata"), offset + 4, path_);
    while (map.left() > 0) {
      const auto key = map.text("a key of metadata");
      const auto value = map.text("a value of metadata");
      if (key != mcap::metadata_key) continue;
      try {
        from_json(value, recording_.header, recording_.signals);
      } catch (const Error& error) {
        fail(path_, offset, error.what());
      }
      has_header_ = true;
      recording_.values.resize(recording_.signals.size());
      counts_.resize(recording_.signals.size());
      for (std::size_t s = 0; s < recording_.signals.size(); ++s) signal_of_[recording_.signals[s].name] = s;
    }
  }

  void take_attachment(ByteReader& content) {
    const auto offset = content.offset();
    const auto whole = content.left();
    content.bytes(16, "the times of an attachment");
    const auto name = content.text("the name of an attachment");
    const auto type = content.text("the type of an attachment");
    const auto data = content.bytes(content.number<std::uint64_t>("the size of an attachment"), "an attachment");
    const auto used = whole - content.left();
    const auto crc = content.number<std::uint32_t>("the checksum of an attachment");
    if (crc != 0 && !crc32_matches(bytes_.substr(offset, used), crc))
      fail(path_, offset, "the checksum of the attachment is wrong; " + advice(offset - mcap::record_head));
    if (type == mcap::robot_media_type) robot_files_.try_emplace(mcap::robot_attachment_name(name), data);
  }

  void take_channel(ByteReader& content) {
    const auto id = content.number<std::uint16_t>("a channel");
    content.number<std::uint16_t>("a channel");
    const auto topic = content.text("the topic of a channel");
    if (const auto signal = signal_of_.find(topic); signal != signal_of_.end()) channels_[id] = signal->second;
  }

  void take_chunk(ByteReader& content, std::uint64_t at) {
    content.bytes(16, "the times of a chunk");
    const auto size = content.number<std::uint64_t>("the size of a chunk");
    const auto crc = content.number<std::uint32_t>("the checksum of a chunk");
    if (const auto compression = content.text("the compression of a chunk"); !compression.empty())
      fail(path_, at,
           "the chunk is compressed with " + in_quotes(compression) +
               ", expected no compression; decompress with: mcap compress --compression none FILE > NEW");
    const auto length = content.number<std::uint64_t>("the length of a chunk");
    const auto offset = content.offset();
    const auto records = content.bytes(length, "a chunk");
    if (size != length || (crc != 0 && !crc32_matches(records, crc)))
      fail(path_, at, "the size or checksum of the chunk is wrong; " + advice(at));
    ByteReader inner(records, offset, path_);
    while (inner.left() > 0) {
      const auto opcode = inner.number<Opcode>("a record in a chunk");
      const auto bytes = inner.number<std::uint64_t>("a record in a chunk");
      const auto start = inner.offset();
      const ByteReader record(inner.bytes(bytes, "a record in a chunk"), start, path_);
      if (opcode == Opcode::message || opcode == Opcode::channel) take(opcode, record, start);
    }
  }

  void take_message(ByteReader& content) {
    const auto channel = channels_.find(content.number<std::uint16_t>("a message"));
    if (channel == channels_.end()) return;  // of another program
    const std::size_t s = channel->second, columns = recording_.signals[s].columns.size();
    content.bytes(mcap::message_head - 2, "a message");
    if (content.left() != mcap::cdr_head.size() + sizeof(double) * (1 + columns))
      content.fail("message of signal " + in_quotes(recording_.signals[s].name) + " has " +
                   std::to_string(content.left()) + " bytes, expected those of " + counted(columns + 1, "value"));
    if (content.bytes(mcap::cdr_head.size(), "a message") != mcap::cdr_head)
      content.fail("message does not begin with the head of little-endian CDR; " + advice(good_until_));
    const auto time = content.number<double>("the time of a message");
    auto& times = recording_.times;
    if (const auto frame = counts_[s]++; frame == times.size()) {
      if (!std::isfinite(time) || (!times.empty() && time < times.back()))
        content.fail("time " + to_text(time) + " s comes after " + to_text(times.empty() ? 0 : times.back()) +
                     " s, expected times that never decrease");
      times.push_back(time);
    } else if (std::bit_cast<std::uint64_t>(time) != std::bit_cast<std::uint64_t>(times[frame])) {
      content.fail("signal " + in_quotes(recording_.signals[s].name) + " has time " + to_text(time) + " s, expected " +
                   to_text(times[frame]) + " s as in the other signals of the frame");
    }
    const auto found = content.bytes(sizeof(double) * columns, "a message");
    auto& values = recording_.values[s];
    const auto before = values.size();
    values.resize(before + columns);
    if (columns > 0) std::memcpy(values.data() + before, found.data(), found.size());
  }

  void take_end(ByteReader& content, std::uint64_t at) {
    ended_ = true;
    const auto crc = content.number<std::uint32_t>("the checksum of the data");
    if (crc != 0 && !crc32_matches(bytes_.substr(0, at), crc))
      fail(path_, at,
           "the checksum of the data is wrong, but those of all chunks are right: " +
               std::string("some name, setting or index was changed; copy the original file again"));
    if (!whole_) return;
    const auto footer = end_ - mcap::record_head - mcap::footer_content;
    ByteReader last(bytes_.substr(footer, end_ - footer), footer, path_);
    last.bytes(mcap::record_head, "the footer");
    const auto summary = last.number<std::uint64_t>("the footer");
    last.number<std::uint64_t>("the footer");
    const auto checked = last.offset();
    const auto summary_crc = last.number<std::uint32_t>("the footer");
    if (summary_crc != 0 &&
        (summary > checked || !crc32_matches(bytes_.substr(summary, checked - summary), summary_crc)))
      fail(path_, footer, "the checksum of the summary is wrong; " + advice(at));
  }

  // Takes the robot file, keeps only frames that all signals have, and adds a warning if the file is truncated.
  void finish() {
    if (const auto robot = robot_files_.find(mcap::robot_attachment_name(recording_.header.robot_file));
        robot != robot_files_.end() && recording_.header.robot_text.empty())
      recording_.header.robot_text = robot->second;
    std::size_t frames = recording_.times.size();
    for (const auto count : counts_) frames = std::min(frames, count);
    if (whole_ && frames < recording_.times.size())
      fail(path_, end_,
           "some signals have " + counted(frames, "frame") + ", others " + std::to_string(recording_.times.size()) +
               ", expected the same number");
    recording_.times.resize(frames);
    for (std::size_t s = 0; s < counts_.size(); ++s)
      recording_.values[s].resize(frames * recording_.signals[s].columns.size());
    if (whole_) return;
    recording_.warnings.push_back(not_closed(path_, recording_, bytes_.size() - good_until_));
  }

  const std::string& path_;
  std::string_view bytes_;
  bool whole_;         // the file has its footer, so it was closed
  std::uint64_t end_;  // end of the records
  std::uint64_t good_until_ = mcap_magic.size();
  bool has_header_ = false, ended_ = false;
  Recording recording_;
  std::unordered_map<std::string_view, std::size_t> signal_of_;  // by name
  std::map<std::uint16_t, std::size_t> channels_;
  std::vector<std::size_t> counts_;                      // number of messages of each signal
  std::map<std::string, std::string_view> robot_files_;  // attachments that may be the robot file, by name
};

}  // namespace

Recording read_mcap(const std::string& path, std::string_view bytes) {
  return McapReader(path, bytes).read();
}

}  // namespace lissom::recording
