#pragma once
// Constants of the MCAP format (https://mcap.dev/spec). Not for users.
//
// The layout of a file:
//
//   magic, Header, [Attachment, Metadata, Schemas, Channels, Attachments of meshes, Metadata about those left out],
//   { Chunk, MessageIndex… }…, DataEnd,
//   summary: [Schemas, Channels, Statistics, ChunkIndexes, AttachmentIndexes, MetadataIndexes], SummaryOffsets, Footer,
//   magic
//
// A record consists of its opcode, the length of its content in eight bytes, and its content.
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
// The head of a Message: channel, sequence number, log time, publish time.
inline constexpr std::size_t message_head = 2 + 4 + 8 + 8;
// The data of every message begin with it: CDR, little-endian.
inline constexpr std::string_view cdr_head("\x00\x01\x00\x00", 4);

// Our own header is in a Metadata record of this name, in an entry with this key.
inline constexpr std::string_view metadata_name = "lissom.recording";
inline constexpr std::string_view metadata_key = "header";
// The meshes that were left out, and why.
inline constexpr std::string_view left_out_name = "lissom.meshes_left_out";

}  // namespace lissom::recording::mcap
