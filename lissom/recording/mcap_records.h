#pragma once
// The records of an MCAP file other than messages and chunks, as bytes. Not for users.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lissom/recording/byte_writer.h"
#include "lissom/recording/mcap_format.h"
#include "lissom/recording/recording.h"

namespace lissom::recording::mcap {

// Appends a record; fill writes its content.
template <class F>
void record(std::string& out, Opcode opcode, F fill) {
  ByteWriter writer(out);
  writer.number(opcode).number(std::uint64_t{0});
  const std::size_t start = out.size();
  fill(writer);
  const std::uint64_t length = out.size() - start;
  std::memcpy(out.data() + start - sizeof(length), &length, sizeof(length));
}

std::string header();
using Entries = std::vector<std::pair<std::string, std::string>>;
std::string metadata(std::string_view name, const Entries& entries);
std::string attachment(std::string_view name, std::string_view media_type, std::string_view data);
// The attachment with the robot file is called like the file, and has this media type. A name that is not UTF-8, which
// the header cannot have either, becomes robot.urdf.
std::string robot_attachment_name(std::string_view file);
inline constexpr std::string_view robot_media_type = "application/xml";

// Messages of one kind.
struct Channel {
  std::string topic, schema_name, schema_text;
  Entries metadata;
};
std::vector<Channel> signal_channels(const std::vector<Signal>& signals);
// One record for each channel; ids are 1, 2, …
std::string schemas(const std::vector<Channel>& channels);
std::string channel_records(const std::vector<Channel>& channels);

// The channels of signals have one message for each frame; a few others have fewer.
inline constexpr std::size_t max_other_channels = 3;

// A chunk in the file. All messages of a frame have its time.
struct ChunkInfo {
  std::uint64_t first_time, last_time;  // ns
  std::uint64_t offset, length;         // of the Chunk record
  std::uint64_t bytes;                  // size of the messages
  std::uint64_t frames;
  std::array<std::uint64_t, max_other_channels> others;  // number of messages of each of these channels
};

// An Attachment or Metadata record in the file.
struct Appendix {
  std::uint64_t offset, length;
  std::string name, media_type = {};
  std::uint64_t data_size = 0;
};

struct Contents {
  const std::vector<Channel>& channels;
  std::size_t signal_count;  // how many of the channels, the first ones, are those of signals
  const std::vector<ChunkInfo>& chunks;
  const std::vector<Appendix>&metadata, &attachments;
};
// Everything after the last chunk: DataEnd (with the checksum of the file up to here), summary, Footer, magic.
std::string ending(const Contents& contents, std::uint64_t offset, std::uint32_t crc);

// The length of the MessageIndex record of one channel with this number of messages.
std::uint64_t message_index_length(std::uint64_t messages);

}  // namespace lissom::recording::mcap
