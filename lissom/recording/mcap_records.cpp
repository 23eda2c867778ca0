#include "lissom/recording/mcap_records.h"

#include "lissom/recording/crc.h"
#include "lissom/recording/format.h"
#include "lissom/recording/header_json.h"
#include "lissom/recording/ros2_schema.h"

namespace lissom::recording::mcap {
namespace {

constexpr std::string_view media_type = "application/xml";

// A map from text to text, after its length.
void entries(ByteWriter& writer, std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  std::string bytes;
  ByteWriter inner(bytes);
  for (const auto& [key, value] : pairs) inner.text(key).text(value);
  writer.text(bytes);
}

std::string attachment_name(const Header& header) {
  const auto name = header.robot_file.substr(header.robot_file.find_last_of('/') + 1);
  return name.empty() ? "robot.urdf" : name;
}

std::string statistics(const Contents& contents) {
  std::uint64_t frames = 0;
  for (const auto& chunk : contents.chunks) frames += chunk.frames;
  std::string counts, out;
  for (std::size_t s = 0; s < contents.signals.size(); ++s)
    ByteWriter(counts).number(std::uint16_t(s + 1)).number(frames);
  const auto n = contents.signals.size();
  record(out, Opcode::statistics, [&](ByteWriter& to) {
    to.number(frames * n).number(std::uint16_t(n)).number(std::uint32_t(n));
    to.number(std::uint32_t(contents.attachment_length > 0)).number(std::uint32_t{1});
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
    const std::uint64_t index_length = message_index_length(chunk.frames), indexes = chunk.offset + chunk.length;
    std::string offsets;
    for (std::size_t s = 0; s < contents.signals.size(); ++s)
      ByteWriter(offsets).number(std::uint16_t(s + 1)).number(indexes + s * index_length);
    record(out, Opcode::chunk_index, [&](ByteWriter& to) {
      to.number(chunk.first_time).number(chunk.last_time).number(chunk.offset).number(chunk.length);
      to.text(offsets).number(index_length * contents.signals.size());
      to.text("").number(chunk.bytes).number(chunk.bytes);
    });
  }
  return out;
}

std::string attachment_index(const Contents& contents) {
  std::string out;
  if (contents.attachment_length == 0) return out;
  record(out, Opcode::attachment_index, [&](ByteWriter& to) {
    to.number(contents.attachment_offset).number(contents.attachment_length);
    to.number(std::uint64_t{0}).number(std::uint64_t{0}).number(std::uint64_t(contents.header.robot_text.size()));
    to.text(attachment_name(contents.header)).text(media_type);
  });
  return out;
}

std::string metadata_index(const Contents& contents) {
  std::string out;
  record(out, Opcode::metadata_index, [&](ByteWriter& to) {
    to.number(contents.metadata_offset).number(contents.metadata_length).text(metadata_name);
  });
  return out;
}

}  // namespace

std::string header() {
  std::string out(mcap_magic);
  record(out, Opcode::header, [](ByteWriter& to) { to.text("").text("lissom " + Header::version()); });
  return out;
}

std::string metadata(const std::string& header_json) {
  std::string out;
  record(out, Opcode::metadata, [&](ByteWriter& to) {
    to.text(metadata_name);
    entries(to, {{metadata_key, header_json}});
  });
  return out;
}

std::string attachment(const Header& header) {
  std::string out;
  if (header.robot_text.empty()) return out;
  record(out, Opcode::attachment, [&](ByteWriter& to) {
    to.number(std::uint64_t{0}).number(std::uint64_t{0}).text(attachment_name(header)).text(media_type);
    to.number(std::uint64_t(header.robot_text.size())).bytes(header.robot_text);
    to.number(crc32_of(std::string_view(out).substr(record_head)));
  });
  return out;
}

std::string schemas(const std::vector<Signal>& signals) {
  std::string out;
  const auto names = schema_names(signals);
  for (std::size_t s = 0; s < signals.size(); ++s)
    record(out, Opcode::schema, [&](ByteWriter& to) {
      to.number(std::uint16_t(s + 1)).text(names[s]).text("ros2msg").text(schema_text(signals[s]));
    });
  return out;
}

std::string channels(const std::vector<Signal>& signals) {
  std::string out;
  for (std::size_t s = 0; s < signals.size(); ++s) {
    nlohmann::ordered_json columns = nlohmann::ordered_json::array();
    for (const auto& column : signals[s].columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
    record(out, Opcode::channel, [&](ByteWriter& to) {
      to.number(std::uint16_t(s + 1)).number(std::uint16_t(s + 1)).text(signals[s].name).text("cdr");
      entries(to, {{"columns", columns.dump()}});
    });
  }
  return out;
}

std::uint64_t message_index_length(std::uint64_t frames) {
  return record_head + 2 + 4 + 16 * frames;
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
  group(Opcode::schema, schemas(contents.signals));
  group(Opcode::channel, channels(contents.signals));
  group(Opcode::statistics, statistics(contents));
  group(Opcode::chunk_index, chunk_indexes(contents));
  group(Opcode::attachment_index, attachment_index(contents));
  group(Opcode::metadata_index, metadata_index(contents));
  const std::uint64_t summary_offsets = offset + out.size();
  out += offsets;
  // Written without record(), because its checksum covers its own beginning.
  ByteWriter footer(out);
  footer.number(Opcode::footer).number(std::uint64_t(footer_content)).number(summary).number(summary_offsets);
  footer.number(crc32_of(std::string_view(out).substr(data_end)));
  return out += mcap_magic;
}

}  // namespace lissom::recording::mcap
