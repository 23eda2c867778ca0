#include "lissom/benchmarks/csv_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <zlib.h>

#include "lissom/files/read_bytes.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom::benchmarks {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The fields of a line, between commas.
void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const auto end = std::min(line.find(',', begin), line.size());
    fields.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
}

// Takes the next line, without its end, from the text.
std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

class TableReader {
 public:
  TableReader(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  CsvTable read(std::string_view name, const std::vector<std::string_view>& columns) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);  // the mark of UTF-8
    split(next_line(text_), names_);
    if (names_.size() == 1 && names_[0].empty()) fail_at(file_, 1, "the first line is empty, expected column names");
    const auto name_at = position(name);
    std::vector<std::size_t> at;
    for (const auto column : columns) at.push_back(position(column));
    CsvTable table;
    table.values.resize(columns.size());
    std::vector<std::string_view> fields;
    for (line_ = 2; !text_.empty(); ++line_) {
      const auto line = next_line(text_);
      if (trimmed(line).empty()) continue;
      split(line, fields);
      if (fields.size() != names_.size())
        fail_at(file_, line_,
                "there are " + counted(fields.size(), "field") + ", expected " + std::to_string(names_.size()) +
                    " as in the first line; copy the file again");
      table.names.emplace_back(fields[name_at]);
      table.lines.push_back(line_);
      for (std::size_t k = 0; k < columns.size(); ++k) table.values[k].push_back(number(columns[k], fields[at[k]]));
    }
    if (table.names.empty()) fail_at(file_, line_, "there are no lines of numbers after the column names");
    return table;
  }

 private:
  std::size_t position(std::string_view column) const {
    const auto found = std::ranges::find(names_, column);
    if (found != names_.end()) return std::size_t(found - names_.begin());
    std::string list;
    for (const auto name : names_) list += (list.empty() ? "" : ", ") + std::string(name);
    fail_at(file_, 1, "there is no column " + in_quotes(column) + "; columns: " + in_quotes(list));
  }
  double number(std::string_view column, std::string_view field) const {
    double value = 0;
    const auto *const begin = field.data(), *const end = begin + field.size();
    const auto result = std::from_chars(begin, end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
      fail_at(file_, line_, std::string(column) + " is " + in_quotes(field) + ", expected a finite number");
    return value;
  }

  const std::string& file_;
  std::string_view text_;
  std::vector<std::string_view> names_;
  std::size_t line_ = 1;
};

}  // namespace

void fail_at(const std::string& file, std::size_t line, const std::string& what) {
  throw Error(file + ":" + std::to_string(line) + ": " + what);
}

CsvTable read_table(const std::string& file, std::string_view text, std::string_view name,
                    const std::vector<std::string_view>& columns) {
  return TableReader(file, text).read(name, columns);
}

std::string read_plain(const std::string& file, std::size_t max_bytes) {
  std::string bytes;
  if (const auto problem = read_bytes(file, max_bytes, bytes))
    throw Error(file + ": " + problem->message + (problem->remedy.empty() ? "" : "; " + problem->remedy));
  return bytes;
}

std::string unpacked(const std::string& file, std::string_view bytes, std::size_t max_bytes) {
  std::string packed(bytes);  // zlib wants to be allowed to write
  z_stream stream{};
  constexpr int gzip_only = 15 + 16;
  if (inflateInit2(&stream, gzip_only) != Z_OK) throw Error(file + ": zlib could not be started");
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = uInt(packed.size());
  std::string text;
  int status = Z_OK;
  char buffer[1 << 16];
  do {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
  } while (status == Z_OK && text.size() <= max_bytes);
  const std::string message = stream.msg ? stream.msg : "it ends too early";
  inflateEnd(&stream);
  if (text.size() > max_bytes)
    throw Error(file + ": it unpacks to more than " + std::to_string(max_bytes) + " bytes, expected a few megabytes");
  if (status != Z_STREAM_END)
    throw Error(file + ": it cannot be unpacked (" + message + "), expected a whole gzip file; copy it again");
  return text;
}

}  // namespace lissom::benchmarks
