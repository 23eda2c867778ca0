#pragma once
// Names of the parts of an MCAP file (https://mcap.dev/spec). Not for users.
//
//   magic, Header, [Attachment, Metadata, Schemas, Channels], { Chunk, MessageIndex… }…, DataEnd,
//   summary: [Schemas, Channels, Statistics, ChunkIndexes, AttachmentIndex, MetadataIndex], SummaryOffsets, Footer,
//   magic
//
// A record is its opcode, the length of its content in eight bytes, its content.
#include <cstdint>
#include <string_view>

namespace lissom::recording::mcap {

enum class Opcode : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  attachment = 0x09,
  attachment_index = 0x0A,
  statistics = 0x0B,
  metadata = 0x0C,
  metadata_index = 0x0D,
  summary_offset = 0x0E,
  data_end = 0x0F,
};

inline constexpr std::size_t record_head = 1 + 8;
inline constexpr std::size_t footer_content = 8 + 8 + 4;
// In a Message: channel, sequence, time logged, time published.
inline constexpr std::size_t message_head = 2 + 4 + 8 + 8;
// Begins the data of every message: CDR, little-endian.
inline constexpr std::string_view cdr_head("\x00\x01\x00\x00", 4);

// Where our own header is kept: a Metadata record of this name with one entry of this name.
inline constexpr std::string_view metadata_name = "lissom.recording";
inline constexpr std::string_view metadata_key = "header";

}  // namespace lissom::recording::mcap
