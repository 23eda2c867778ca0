#pragma once
// The records of an MCAP file other than messages and chunks, as bytes. Not for users.
#include <string>
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
std::string metadata(const std::string& header_json);
std::string attachment(const Header& header);
// One record for each signal; ids are 1, 2, …
std::string schemas(const std::vector<Signal>& signals);
std::string channels(const std::vector<Signal>& signals);

// A chunk in the file. Every frame has one message in each channel, and all messages of a frame have its time.
struct ChunkInfo {
  std::uint64_t first_time, last_time;  // ns
  std::uint64_t offset, length;         // of the Chunk record
  std::uint64_t bytes;                  // size of the messages
  std::uint64_t frames;
};

struct Contents {
  const std::vector<Signal>& signals;
  const std::vector<ChunkInfo>& chunks;
  std::uint64_t metadata_offset, metadata_length;
  std::uint64_t attachment_offset, attachment_length;  // 0, 0 if there is none
  const Header& header;
};
// Everything after the last chunk: DataEnd (with the checksum of the file up to here), summary, Footer, magic.
std::string ending(const Contents& contents, std::uint64_t offset, std::uint32_t crc);

// The length of the MessageIndex record of one channel with this number of frames.
std::uint64_t message_index_length(std::uint64_t frames);

}  // namespace lissom::recording::mcap
