// CSV: two comment lines (the format, and the header as JSON, which includes the robot file), a line of names with
// units, a line for each frame, and a comment with the number of frames. Numbers have the fewest digits that reproduce
// the same bits.
#include <charconv>
#include <cmath>

#include "lissom/model/text.h"
#include "lissom/recording/format.h"
#include "lissom/recording/header_json.h"
#include "lissom/recording/input_file.h"
#include "lissom/recording/number_text.h"

namespace lissom::recording {
namespace {

constexpr std::string_view csv_end_mark = "# end ";

// A field of a line, with quotes if it needs them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"#") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

class CsvWriter final : public Writer {
 public:
  CsvWriter(const std::string& path, const Header& header, const std::vector<Signal>& signals,
            const RecorderOptions& options)
      : file_(path) {
    std::size_t values = 1;
    std::string start = std::string(csv_magic) + " 1\n# " + to_json(header, signals, RobotText::inside) + "\ntime [s]";
    for (const auto& signal : signals)
      for (const auto& column : signal.columns) {
        start += "," + field(signal.name + "." + column.name + " [" + column.unit + "]");
        ++values;
      }
    file_.append(start + "\n");
    buffer_.resize(options.chunk_bytes + values * (max_number_bytes + 1));
    lines_.reserve(options.chunk_bytes / (2 * values) + 2);  // a value takes at least a digit and a comma
  }
  void write(double time, std::span<const Row> rows) override {
    char* at = write_number(buffer_.data() + used_, time);
    for (const auto& row : rows)
      for (const double value : row.values()) {
        *at++ = ',';
        at = write_number(at, value);
      }
    *at++ = '\n';
    used_ = std::size_t(at - buffer_.data());
    lines_.push_back({used_, time});
  }
  std::size_t buffered_bytes() const override { return used_; }
  void flush() override {
    append_what_fits(lines_.size(), [&](std::size_t first, std::size_t count) {
      const std::size_t begin = first == 0 ? 0 : lines_[first - 1].end;
      const auto& last = lines_[first + count - 1];
      file_.append(std::string_view(buffer_.data() + begin, last.end - begin));
      written_ = {written_.frames + count, last.time};
    });
    used_ = 0;
    lines_.clear();
  }
  Written written() const override { return written_; }
  void sync() override { file_.sync(); }
  void finish() override {
    file_.append(std::string(csv_end_mark) + std::to_string(written_.frames) + "\n");
    file_.sync();
  }
  void close() override { file_.close(); }
  const std::string& safe_file() const override { return file_.path(); }

 private:
  struct Line {
    std::size_t end;  // in the buffer
    double time;
  };
  OutputFile file_;
  std::vector<char> buffer_;
  std::vector<Line> lines_;  // that are in the buffer
  std::size_t used_ = 0;
  Written written_;
};

class CsvReader {
 public:
  CsvReader(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  Recording read() {
    read_head();
    std::string_view line;
    while (!ended_ && next_line(line)) {
      if (line.starts_with('#'))
        read_comment(line);
      else if (!line.empty())
        read_frame(line);
    }
    if (ended_ && bytes_.find_first_not_of(" \t\r\n", at_) != std::string_view::npos)
      fail(path_, at_,
           "there are " + std::to_string(bytes_.size() - at_) +
               " bytes after the last line, expected the end of the file; two programs wrote to it, or two files were "
               "joined: record again, or remove what does not belong to it");
    if (!ended_) recording_.warnings.push_back(not_closed(path_, recording_, bytes_.size() - line_start_));
    return std::move(recording_);
  }

 private:
  // Reads a line without its line break; false if the file ends within the line.
  bool next_line(std::string_view& line) {
    line_start_ = at_;
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return false;
    line = bytes_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = end + 1;
    return true;
  }

  void read_head() {
    std::string_view line;
    const bool whole = next_line(line) && next_line(line);
    if (!whole || !line.starts_with("# {"))
      fail(path_, line_start_, "expected a comment line with the header as JSON; record again");
    try {
      from_json(line.substr(2), recording_.header, recording_.signals);
    } catch (const Error& error) {
      fail(path_, line_start_, error.what());
    }
    recording_.values.resize(recording_.signals.size());
    if (!next_line(line))
      fail(path_, line_start_, "expected a line of column names; the file is truncated: record again");
  }

  void read_comment(std::string_view line) {
    if (!line.starts_with(csv_end_mark)) return;
    std::size_t frames = 0;
    line.remove_prefix(csv_end_mark.size());
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), frames);
    if (error != std::errc() || end != line.data() + line.size() || frames != recording_.frames())
      fail(path_, line_start_,
           "the last line says " + in_quotes(line) + " frames, the file has " + std::to_string(recording_.frames()) +
               "; lines were removed or added: copy the original file again");
    ended_ = true;
  }

  void read_frame(std::string_view line) {
    rest_ = line;
    const double time = next_number("time");
    auto& times = recording_.times;
    if (!std::isfinite(time) || (!times.empty() && time < times.back()))
      fail(path_, line_start_,
           "time " + to_text(time) + " s comes after " + to_text(times.empty() ? 0 : times.back()) +
               " s, expected times that never decrease");
    for (std::size_t s = 0; s < recording_.signals.size(); ++s)
      for (const auto& column : recording_.signals[s].columns) recording_.values[s].push_back(next_number(column.name));
    if (rest_.data() != nullptr)
      fail(path_, offset(), "the line has more values than the header has columns, expected the end of the line");
    times.push_back(time);
  }

  std::uint64_t offset() const { return std::uint64_t(rest_.data() - bytes_.data()); }

  double next_number(std::string_view column) {
    if (rest_.data() == nullptr)
      fail(path_, line_start_,
           "the line ends before column " + in_quotes(column) + ", expected a value for every column");
    const auto comma = rest_.find(',');
    const auto text = rest_.substr(0, comma);
    const auto number = read_number(text);
    if (!number)
      fail(path_, offset(),
           "column " + in_quotes(column) + ": " + in_quotes(text) +
               " is not a number, expected digits with a decimal point, such as -1.25e-3, or inf or nan");
    rest_ = comma == std::string_view::npos ? std::string_view() : rest_.substr(comma + 1);
    return *number;
  }

  const std::string& path_;
  std::string_view bytes_, rest_;  // rest_: the rest of the line; null at its end
  std::size_t at_ = 0, line_start_ = 0;
  bool ended_ = false;
  Recording recording_;
};

}  // namespace

std::unique_ptr<Writer> make_csv_writer(const std::string& path, const Header& header,
                                        const std::vector<Signal>& signals, const RecorderOptions& options) {
  return std::make_unique<CsvWriter>(path, header, signals, options);
}

Recording read_csv(const std::string& path, std::string_view bytes) {
  return CsvReader(path, bytes).read();
}

}  // namespace lissom::recording
