#include "lissom/recording/mcap_records.h"

#include "lissom/model/printable.h"
#include "lissom/recording/crc.h"
#include "lissom/recording/format.h"
#include "lissom/recording/header_json.h"
#include "lissom/recording/ros2_schema.h"

namespace lissom::recording::mcap {
namespace {

// A map from text to text, after its length.
void put_entries(ByteWriter& writer, const Entries& entries) {
  std::string bytes;
  ByteWriter inner(bytes);
  for (const auto& [key, value] : entries) inner.text(key).text(value);
  writer.text(bytes);
}

// How many messages of a channel a chunk has.
std::uint64_t messages_of(const Contents& contents, const ChunkInfo& chunk, std::size_t channel) {
  return channel < contents.signal_count ? chunk.frames : chunk.others[channel - contents.signal_count];
}

std::string statistics(const Contents& contents) {
  std::uint64_t all = 0;
  std::string counts, out;
  const auto n = contents.channels.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::uint64_t messages = 0;
    for (const auto& chunk : contents.chunks) messages += messages_of(contents, chunk, c);
    ByteWriter(counts).number(std::uint16_t(c + 1)).number(messages);
    all += messages;
  }
  record(out, Opcode::statistics, [&](ByteWriter& to) {
    to.number(all).number(std::uint16_t(n)).number(std::uint32_t(n));
    to.number(std::uint32_t(contents.attachments.size())).number(std::uint32_t(contents.metadata.size()));
    to.number(std::uint32_t(contents.chunks.size()));
    to.number(contents.chunks.empty() ? std::uint64_t{0} : contents.chunks.front().first_time);
    to.number(contents.chunks.empty() ? std::uint64_t{0} : contents.chunks.back().last_time);
    to.text(counts);
  });
  return out;
}

std::string chunk_indexes(const Contents& contents) {
  std::string out;
  for (const auto& chunk : contents.chunks) {
    const std::uint64_t indexes = chunk.offset + chunk.length;
    std::uint64_t index_length = 0;
    std::string offsets;
    for (std::size_t c = 0; c < contents.channels.size(); ++c) {
      const auto messages = messages_of(contents, chunk, c);
      if (messages == 0) continue;
      ByteWriter(offsets).number(std::uint16_t(c + 1)).number(indexes + index_length);
      index_length += message_index_length(messages);
    }
    record(out, Opcode::chunk_index, [&](ByteWriter& to) {
      to.number(chunk.first_time).number(chunk.last_time).number(chunk.offset).number(chunk.length);
      to.text(offsets).number(index_length);
      to.text("").number(chunk.bytes).number(chunk.bytes);
    });
  }
  return out;
}

std::string attachment_indexes(const Contents& contents) {
  std::string out;
  for (const auto& one : contents.attachments)
    record(out, Opcode::attachment_index, [&](ByteWriter& to) {
      to.number(one.offset).number(one.length).number(std::uint64_t{0}).number(std::uint64_t{0});
      to.number(one.data_size).text(one.name).text(one.media_type);
    });
  return out;
}

std::string metadata_indexes(const Contents& contents) {
  std::string out;
  for (const auto& one : contents.metadata)
    record(out, Opcode::metadata_index,
           [&](ByteWriter& to) { to.number(one.offset).number(one.length).text(one.name); });
  return out;
}

}  // namespace

std::string header() {
  std::string out(mcap_magic);
  record(out, Opcode::header, [](ByteWriter& to) { to.text("").text("lissom " + Header::version()); });
  return out;
}

std::string metadata(std::string_view name, const Entries& entries) {
  std::string out;
  record(out, Opcode::metadata, [&](ByteWriter& to) {
    to.text(name);
    put_entries(to, entries);
  });
  return out;
}

std::string attachment(std::string_view name, std::string_view media_type, std::string_view data) {
  std::string out;
  record(out, Opcode::attachment, [&](ByteWriter& to) {
    to.number(std::uint64_t{0}).number(std::uint64_t{0}).text(name).text(media_type);
    to.number(std::uint64_t(data.size())).bytes(data);
    to.number(crc32_of(std::string_view(out).substr(record_head)));
  });
  return out;
}

std::string robot_attachment_name(std::string_view file) {
  constexpr std::string_view replaced = "\uFFFD";
  const auto name = file.substr(file.find_last_of('/') + 1);
  const bool usable = !name.empty() && is_utf8(name) && name.find(replaced) == std::string_view::npos;
  return usable ? std::string(name) : "robot.urdf";
}

std::vector<Channel> signal_channels(const std::vector<Signal>& signals) {
  std::vector<Channel> channels;
  const auto names = schema_names(signals);
  for (std::size_t s = 0; s < signals.size(); ++s) {
    nlohmann::ordered_json columns = nlohmann::ordered_json::array();
    for (const auto& column : signals[s].columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
    channels.push_back({signals[s].name, names[s], schema_text(signals[s]), {{"columns", columns.dump()}}});
  }
  return channels;
}

std::string schemas(const std::vector<Channel>& channels) {
  std::string out;
  for (std::size_t c = 0; c < channels.size(); ++c)
    record(out, Opcode::schema, [&](ByteWriter& to) {
      to.number(std::uint16_t(c + 1)).text(channels[c].schema_name).text("ros2msg").text(channels[c].schema_text);
    });
  return out;
}

std::string channel_records(const std::vector<Channel>& channels) {
  std::string out;
  for (std::size_t c = 0; c < channels.size(); ++c)
    record(out, Opcode::channel, [&](ByteWriter& to) {
      to.number(std::uint16_t(c + 1)).number(std::uint16_t(c + 1)).text(channels[c].topic).text("cdr");
      put_entries(to, channels[c].metadata);
    });
  return out;
}

std::uint64_t message_index_length(std::uint64_t messages) {
  return record_head + 2 + 4 + 16 * messages;
}

std::string ending(const Contents& contents, std::uint64_t offset, std::uint32_t crc) {
  std::string out;
  record(out, Opcode::data_end, [&](ByteWriter& to) { to.number(crc); });
  const std::size_t data_end = out.size();
  const std::uint64_t summary = offset + data_end;
  std::string offsets;
  const auto group = [&](Opcode opcode, const std::string& records) {
    if (records.empty()) return;
    const std::uint64_t start = offset + out.size();
    out += records;
    record(offsets, Opcode::summary_offset,
           [&](ByteWriter& to) { to.number(opcode).number(start).number(std::uint64_t(records.size())); });
  };
  group(Opcode::schema, schemas(contents.channels));
  group(Opcode::channel, channel_records(contents.channels));
  group(Opcode::statistics, statistics(contents));
  group(Opcode::chunk_index, chunk_indexes(contents));
  group(Opcode::attachment_index, attachment_indexes(contents));
  group(Opcode::metadata_index, metadata_indexes(contents));
  const std::uint64_t summary_offsets = offset + out.size();
  out += offsets;
  // Written without record(), because its checksum covers its own beginning.
  ByteWriter footer(out);
  footer.number(Opcode::footer).number(std::uint64_t(footer_content)).number(summary).number(summary_offsets);
  footer.number(crc32_of(std::string_view(out).substr(data_end)));
  return out += mcap_magic;
}

}  // namespace lissom::recording::mcap
