// Writes MCAP (mcap_format.h). Frames are collected in a chunk in memory; a flush appends it to the file, with its
// checksum and indexes, in one operation. Every frame has one message in the channel of each signal, and some frames
// have messages in others, for viewers (ros2_topics.h). All messages of a channel have the same size, so that their
// offsets follow from those of the frames.
#include <cmath>

#include "lissom/recording/crc.h"
#include "lissom/recording/format.h"
#include "lissom/recording/header_json.h"
#include "lissom/recording/mcap_records.h"
#include "lissom/recording/mesh_attachments.h"
#include "lissom/recording/ros2_topics.h"

namespace lissom::recording {
namespace {

using mcap::Opcode;

// MCAP times are whole nanoseconds, from 0 to 1.8e19, which is 570 years. (The exact time is in the message.)
std::uint64_t nanoseconds(double time) {
  constexpr double max = 1.8e19;
  return time > 0 ? std::uint64_t(std::min(std::round(time * 1e9), max)) : 0;
}

template <class T>
char* put(char* at, T value) {
  std::memcpy(at, &value, sizeof(T));
  return at + sizeof(T);
}

class McapWriter final : public Writer {
 public:
  McapWriter(const std::string& path, const Header& header, const std::vector<Signal>& signals,
             const RecorderOptions& options)
      : file_(path),
        signals_(signals),
        meshes_(options.robot ? mesh_files(options.robot->description(), options.ros.package_paths)
                              : std::vector<MeshFile>()),
        topics_(header, signals, options, meshes_),
        channels_(mcap::signal_channels(signals)) {
    for (const auto& signal : signals_) frame_bytes_ += message_bytes(signal);
    std::size_t other_bytes = 0;
    for (std::size_t c = 0; c < topics_.channels().size(); ++c) other_bytes += message_bytes(topics_.message(c).size());
    channels_.insert(channels_.end(), topics_.channels().begin(), topics_.channels().end());
    // A flush follows the frame with which the chunk is full.
    const std::size_t frames = options.chunk_bytes / frame_bytes_ + 2;
    chunk_.resize(options.chunk_bytes + frame_bytes_ + other_bytes);
    frames_.reserve(frames);
    head_.reserve(100);
    indexes_.reserve(channels_.size() * std::size_t(mcap::message_index_length(frames)));
    chunks_.reserve(1024);

    append(mcap::header());
    // The robot file comes first, so that a file with a complete header also has the complete robot file.
    if (!header.robot_text.empty())
      append_attachment(mcap::robot_attachment_name(header.robot_file), mcap::robot_media_type, header.robot_text);
    append_metadata(mcap::metadata_name,
                    {{std::string(mcap::metadata_key), to_json(header, signals, RobotText::beside)}});
    append(mcap::schemas(channels_) + mcap::channel_records(channels_));
    if (options.ros.meshes) append_meshes(options.ros.max_mesh_bytes);
  }

  void write(double time, std::span<const Row> rows) override {
    char* at = chunk_.data() + used_;
    const std::uint64_t logged = nanoseconds(time);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const auto values = rows[s].values();
      at = put_head(at, s, sequence_, logged, message_bytes(signals_[s]));
      std::memcpy(at, mcap::cdr_head.data(), mcap::cdr_head.size());
      at = put(at + mcap::cdr_head.size(), time);
      if (!values.empty()) std::memcpy(at, values.data(), values.size_bytes());
      at += values.size_bytes();
    }
    const unsigned others = topics_.update(time, logged, rows);
    for (std::size_t c = 0; others >> c != 0; ++c) {
      if ((others >> c & 1) == 0) continue;
      const auto message = topics_.message(c);
      at = put_head(at, signals_.size() + c, other_sequence_[c]++, logged, message_bytes(message.size()));
      std::memcpy(at, message.data(), message.size());
      at += message.size();
    }
    frames_.push_back({logged, used_, others});
    used_ = std::size_t(at - chunk_.data());
    ++sequence_;
  }

  std::size_t buffered_bytes() const override { return used_; }

  void flush() override {
    append_what_fits(frames_.size(), [&](std::size_t first, std::size_t count) { append_chunk(first, count); });
    used_ = 0;
    frames_.clear();
  }

  Written written() const override { return written_; }
  void sync() override { file_.sync(); }
  void finish() override {
    file_.append(mcap::ending({channels_, signals_.size(), chunks_, metadata_, attachments_}, file_.size(), crc_));
    file_.sync();
  }
  void close() override { file_.close(); }

  const std::string& safe_file() const override { return file_.path(); }

  std::vector<std::string> notes() const override { return notes_; }

 private:
  // A frame in the chunk: its time in ns, where it begins, and which other messages follow those of its signals.
  struct Frame {
    std::uint64_t time;
    std::size_t start;
    unsigned others;
  };

  // The size of a message with this much data.
  static std::size_t message_bytes(std::size_t data) { return mcap::record_head + mcap::message_head + data; }
  static std::size_t message_bytes(const Signal& signal) {
    return message_bytes(mcap::cdr_head.size() + sizeof(double) * (1 + signal.columns.size()));
  }
  static char* put_head(char* at, std::size_t channel, std::uint64_t sequence, std::uint64_t time, std::size_t bytes) {
    at = put(at, Opcode::message);
    at = put(at, std::uint64_t(bytes - mcap::record_head));
    at = put(at, std::uint16_t(channel + 1));
    at = put(at, std::uint32_t(sequence));
    return put(put(at, time), time);
  }

  // Appends records that are not in a chunk, and returns where they begin.
  std::uint64_t append(const std::string& records) {
    const std::uint64_t offset = file_.size();
    file_.append(records);
    crc_ = crc32_of(records, crc_);
    return offset;
  }
  void append_metadata(std::string_view name, const mcap::Entries& entries) {
    const auto offset = append(mcap::metadata(name, entries));
    metadata_.push_back({offset, file_.size() - offset, std::string(name)});
  }
  void append_attachment(std::string_view name, std::string_view media_type, std::string_view data) {
    const auto offset = append(mcap::attachment(name, media_type, data));
    attachments_.push_back({offset, file_.size() - offset, std::string(name), std::string(media_type), data.size()});
  }
  void append_meshes(std::uint64_t max_bytes) {
    mcap::Entries left_out;
    for (const auto& mesh : meshes_) {
      const auto read = read_mesh(mesh, max_bytes);
      if (read.problem.empty()) {
        append_attachment(in_utf8(mesh.name), mesh_media_type(mesh.path), read.data);
        max_bytes -= read.data.size();
      } else {
        left_out.emplace_back(in_utf8(mesh.name), read.problem);
      }
    }
    if (left_out.empty()) return;
    append_metadata(mcap::left_out_name, left_out);
    notes_.push_back(note_about(left_out));
  }

  // Appends a chunk with some of the buffered frames.
  void append_chunk(std::size_t first, std::size_t count) {
    const auto frames = std::span(frames_).subspan(first, count);
    const std::size_t start = frames.front().start,
                      end = first + count < frames_.size() ? frames_[first + count].start : used_;
    const std::string_view messages(chunk_.data() + start, end - start);
    const std::uint32_t messages_crc = crc32_of(messages);
    make_head(frames, messages.size(), messages_crc);
    mcap::ChunkInfo chunk{frames.front().time,
                          frames.back().time,
                          file_.size(),
                          head_.size() + messages.size(),
                          messages.size(),
                          count,
                          {}};
    make_indexes(frames, chunk);
    const std::string_view pieces[] = {head_, messages, indexes_};
    file_.append(pieces);
    crc_ = crc32_joined(crc32_of(head_, crc_), messages_crc, messages.size());
    crc_ = crc32_of(indexes_, crc_);
    chunks_.push_back(chunk);
    written_.frames += count;
    constexpr std::size_t time_at = mcap::record_head + mcap::message_head + mcap::cdr_head.size();
    std::memcpy(&written_.time, chunk_.data() + frames.back().start + time_at, sizeof(double));
  }
  void make_head(std::span<const Frame> frames, std::size_t bytes, std::uint32_t messages_crc) {
    head_.clear();
    constexpr std::size_t before_messages = 8 + 8 + 8 + 4 + 4 + 8;
    ByteWriter(head_)
        .number(Opcode::chunk)
        .number(std::uint64_t(before_messages + bytes))
        .number(frames.front().time)
        .number(frames.back().time)
        .number(std::uint64_t(bytes))
        .number(messages_crc)
        .text("")  // not compressed
        .number(std::uint64_t(bytes));
  }
  void index_head(std::size_t channel, std::uint64_t messages) {
    ByteWriter(indexes_)
        .number(Opcode::message_index)
        .number(mcap::message_index_length(messages) - mcap::record_head)
        .number(std::uint16_t(channel + 1))
        .number(std::uint32_t(16 * messages));
  }
  // Also counts the messages that are not those of signals.
  void make_indexes(std::span<const Frame> frames, mcap::ChunkInfo& chunk) {
    indexes_.clear();
    ByteWriter to(indexes_);
    const std::size_t start = frames.front().start;
    std::size_t in_frame = 0;
    for (std::size_t s = 0; s < signals_.size(); ++s) {
      index_head(s, frames.size());
      for (const auto& frame : frames) to.number(frame.time).number(std::uint64_t(frame.start - start + in_frame));
      in_frame += message_bytes(signals_[s]);
    }
    for (std::size_t c = 0; c < topics_.channels().size(); ++c) {
      const auto has = [&](const Frame& frame) { return (frame.others >> c & 1) != 0; };
      chunk.others[c] = std::uint64_t(std::ranges::count_if(frames, has));
      if (chunk.others[c] == 0) continue;
      index_head(signals_.size() + c, chunk.others[c]);
      for (const auto& frame : frames)
        if (has(frame)) to.number(frame.time).number(std::uint64_t(frame.start - start + other_offset(frame, c)));
    }
  }
  // Where the message of a channel that is not that of a signal begins in its frame.
  std::size_t other_offset(const Frame& frame, std::size_t channel) const {
    std::size_t offset = frame_bytes_;
    for (std::size_t c = 0; c < channel; ++c)
      if ((frame.others >> c & 1) != 0) offset += message_bytes(topics_.message(c).size());
    return offset;
  }

  OutputFile file_;
  std::vector<Signal> signals_;
  std::vector<MeshFile> meshes_;
  Ros2Topics topics_;
  std::vector<mcap::Channel> channels_;     // those of the signals, then those of the topics
  std::size_t frame_bytes_ = 0, used_ = 0;  // frame_bytes_: of the signals
  std::uint64_t sequence_ = 0;              // number of frames so far
  std::array<std::uint64_t, mcap::max_other_channels> other_sequence_{};
  Written written_;
  std::vector<char> chunk_;
  std::vector<Frame> frames_;  // in the chunk
  std::string head_, indexes_;
  std::vector<mcap::ChunkInfo> chunks_;
  std::vector<mcap::Appendix> metadata_, attachments_;
  std::vector<std::string> notes_;
  std::uint32_t crc_ = 0;  // of the file so far
};

}  // namespace

std::unique_ptr<Writer> make_mcap_writer(const std::string& path, const Header& header,
                                         const std::vector<Signal>& signals, const RecorderOptions& options) {
  return std::make_unique<McapWriter>(path, header, signals, options);
}

}  // namespace lissom::recording
