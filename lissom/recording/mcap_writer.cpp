// Writes MCAP (mcap_format.h). Frames are collected in a chunk in memory; a flush appends it to the file, with its
// checksum and indexes, in one operation. Since every frame has one message in every channel, and all messages of a
// channel have the same size, the offsets of all messages follow from the number of frames.
#include <cmath>

#include "lissom/recording/crc.h"
#include "lissom/recording/format.h"
#include "lissom/recording/header_json.h"
#include "lissom/recording/mcap_records.h"

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
      : file_(path), header_(header), signals_(signals) {
    for (const auto& signal : signals_) frame_bytes_ += message_bytes(signal);
    const std::size_t frames = options.chunk_bytes / frame_bytes_ + 2;
    chunk_.resize(frames * frame_bytes_);
    times_.reserve(frames);
    head_.reserve(100);
    indexes_.reserve(signals_.size() * std::size_t(mcap::message_index_length(frames)));
    chunks_.reserve(1024);

    std::string start = mcap::header();
    // The robot file comes first, so that a file with a complete header also has the complete robot file.
    attachment_offset_ = start.size();
    start += mcap::attachment(header);
    attachment_length_ = start.size() - attachment_offset_;
    metadata_offset_ = start.size();
    start += mcap::metadata(to_json(header, signals, RobotText::beside));
    metadata_length_ = start.size() - metadata_offset_;
    start += mcap::schemas(signals) + mcap::channels(signals);
    file_.append(start);
    crc_ = crc32_of(start);
  }

  void write(double time, std::span<const Row> rows) override {
    char* at = chunk_.data() + used_;
    const std::uint64_t logged = nanoseconds(time);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const auto values = rows[s].values();
      at = put(at, Opcode::message);
      at = put(at, std::uint64_t(message_bytes(signals_[s]) - mcap::record_head));
      at = put(at, std::uint16_t(s + 1));
      at = put(at, std::uint32_t(frames_));
      at = put(put(at, logged), logged);
      std::memcpy(at, mcap::cdr_head.data(), mcap::cdr_head.size());
      at = put(at + mcap::cdr_head.size(), time);
      if (!values.empty()) std::memcpy(at, values.data(), values.size_bytes());
      at += values.size_bytes();
    }
    used_ += frame_bytes_;
    times_.push_back(logged);
    ++frames_;
  }

  std::size_t buffered_bytes() const override { return used_; }

  void flush() override {
    append_what_fits(times_.size(), [&](std::size_t first, std::size_t count) { append_chunk(first, count); });
    used_ = 0;
    times_.clear();
  }

  Written written() const override { return written_; }
  void sync() override { file_.sync(); }
  void finish() override {
    file_.append(mcap::ending(
        {signals_, chunks_, metadata_offset_, metadata_length_, attachment_offset_, attachment_length_, header_},
        file_.size(), crc_));
    file_.sync();
  }
  void close() override { file_.close(); }

  const std::string& safe_file() const override { return file_.path(); }

 private:
  static std::size_t message_bytes(const Signal& signal) {
    return mcap::record_head + mcap::message_head + mcap::cdr_head.size() +
           sizeof(double) * (1 + signal.columns.size());
  }
  // Appends a chunk with some of the buffered frames.
  void append_chunk(std::size_t first, std::size_t count) {
    const std::string_view messages(chunk_.data() + first * frame_bytes_, count * frame_bytes_);
    const auto times = std::span(times_).subspan(first, count);
    const std::uint32_t messages_crc = crc32_of(messages);
    make_head(times, messages.size(), messages_crc);
    make_indexes(times);
    const std::uint64_t offset = file_.size();
    const std::string_view pieces[] = {head_, messages, indexes_};
    file_.append(pieces);
    crc_ = crc32_joined(crc32_of(head_, crc_), messages_crc, messages.size());
    crc_ = crc32_of(indexes_, crc_);
    chunks_.push_back({times.front(), times.back(), offset, head_.size() + messages.size(), messages.size(), count});
    written_.frames += count;
    constexpr std::size_t time_at = mcap::record_head + mcap::message_head + mcap::cdr_head.size();
    std::memcpy(&written_.time, messages.data() + (count - 1) * frame_bytes_ + time_at, sizeof(double));
  }
  void make_head(std::span<const std::uint64_t> times, std::size_t bytes, std::uint32_t messages_crc) {
    head_.clear();
    constexpr std::size_t before_messages = 8 + 8 + 8 + 4 + 4 + 8;
    ByteWriter(head_)
        .number(Opcode::chunk)
        .number(std::uint64_t(before_messages + bytes))
        .number(times.front())
        .number(times.back())
        .number(std::uint64_t(bytes))
        .number(messages_crc)
        .text("")  // not compressed
        .number(std::uint64_t(bytes));
  }
  void make_indexes(std::span<const std::uint64_t> times) {
    indexes_.clear();
    ByteWriter to(indexes_);
    std::uint64_t first = 0;
    for (std::size_t s = 0; s < signals_.size(); ++s) {
      to.number(Opcode::message_index)
          .number(mcap::message_index_length(times.size()) - mcap::record_head)
          .number(std::uint16_t(s + 1))
          .number(std::uint32_t(16 * times.size()));
      for (std::size_t k = 0; k < times.size(); ++k) to.number(times[k]).number(first + k * frame_bytes_);
      first += message_bytes(signals_[s]);
    }
  }

  OutputFile file_;
  Header header_;
  std::vector<Signal> signals_;
  std::size_t frame_bytes_ = 0, used_ = 0;
  std::uint64_t frames_ = 0;
  Written written_;
  std::vector<char> chunk_;
  std::vector<std::uint64_t> times_;  // of the frames in the chunk, ns
  std::string head_, indexes_;
  std::vector<mcap::ChunkInfo> chunks_;
  std::uint64_t metadata_offset_ = 0, metadata_length_ = 0, attachment_offset_ = 0, attachment_length_ = 0;
  std::uint32_t crc_ = 0;  // of the file so far
};

}  // namespace

std::unique_ptr<Writer> make_mcap_writer(const std::string& path, const Header& header,
                                         const std::vector<Signal>& signals, const RecorderOptions& options) {
  return std::make_unique<McapWriter>(path, header, signals, options);
}

}  // namespace lissom::recording
