#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "lissom/benchmarks/csv_table.h"
#include "lissom/benchmarks/tosses.h"
#include "lissom/model/text.h"

namespace lissom::benchmarks {
namespace {

constexpr const char *frames_file = "/tosses.csv.gz", *starts_file = "/starts.csv";

// A row of a table, with the names that its columns have in both files.
class Row {
 public:
  Row(const std::string& file, const CsvTable& table, std::size_t row, std::size_t first)
      : file_(file), table_(table), row_(row), first_(first) {}

  std::size_t line() const { return table_.lines[row_]; }
  double value(std::size_t column) const { return table_.values[column][row_]; }
  // x y z, qw qx qy qz
  TossFrame pose(double time) const {
    const auto at = [&](std::size_t k) { return value(first_ + k); };
    const Quaternion<double> rotation{at(3), at(4), at(5), at(6)};
    const double norm = std::hypot(std::hypot(rotation.w, rotation.x), std::hypot(rotation.y, rotation.z));
    if (std::abs(norm - 1) > 1e-3)
      fail_at(file_, line(), "the quaternion qw qx qy qz has norm " + to_text(norm) + ", expected 1");
    return {time, {at(0), at(1), at(2)}, normalized(rotation)};
  }
  Vec3<double> vector(std::size_t k) const { return {value(first_ + k), value(first_ + k + 1), value(first_ + k + 2)}; }

 private:
  const std::string& file_;
  const CsvTable& table_;
  std::size_t row_, first_;
};

const std::vector<std::string_view> pose_columns = {"x", "y", "z", "qw", "qx", "qy", "qz"};

using Indices = std::unordered_map<std::string, std::size_t>;  // of the tosses, by their names

// Every step costs time: a clock that jumps would mean millions of them.
void check_times(const std::string& file, const Toss& toss) {
  constexpr double max_ratio = 1000;
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (std::size_t k = 1; k < toss.frames.size(); ++k) {
    const double passed = toss.frames[k].time - toss.frames[k - 1].time;
    shortest = std::min(shortest, passed), longest = std::max(longest, passed);
  }
  if (!(longest <= max_ratio * shortest))
    throw Error(file + ": the frames of toss " + in_quotes(toss.name) + " are " + to_text(shortest) + " to " +
                to_text(longest) + " s apart, expected a camera's rate");
}

void read_frames(const std::string& file, std::string_view text, std::vector<Toss>& tosses, Indices& of) {
  constexpr double max_gap = 1;  // s
  auto columns = pose_columns;
  columns.insert(columns.begin(), "t");
  const auto table = read_table(file, text, "toss", columns);
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const Row row(file, table, i, 1);
    const auto& name = table.names[i];
    if (tosses.empty() || tosses.back().name != name) {
      if (!of.emplace(name, tosses.size()).second)
        fail_at(file, row.line(), "toss " + in_quotes(name) + " begins again; its frames must follow each other");
      tosses.push_back({});
      tosses.back().name = name;
    }
    auto& frames = tosses.back().frames;
    const double time = row.value(0);
    if (!frames.empty() && !(time > frames.back().time && time <= frames.back().time + max_gap))
      fail_at(file, row.line(),
              "t is " + to_text(time) + " s after " + to_text(frames.back().time) +
                  " s, expected a later time, by at most 1 s");
    frames.push_back(row.pose(time));
  }
  for (const auto& toss : tosses)
    if (toss.frames.size() < 2)
      throw Error(file + ": toss " + in_quotes(toss.name) + " has one frame, expected two or more");
  for (const auto& toss : tosses) check_times(file, toss);
}

void read_starts(const std::string& file, std::string_view text, std::vector<Toss>& tosses, const Indices& of) {
  auto columns = pose_columns;
  columns.insert(columns.end(), {"vx", "vy", "vz", "wx", "wy", "wz"});
  const auto table = read_table(file, text, "toss", columns);
  std::vector<bool> known(tosses.size());
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const Row row(file, table, i, 0);
    const auto found = of.find(table.names[i]);
    if (found == of.end()) fail_at(file, row.line(), "tosses.csv.gz has no toss " + in_quotes(table.names[i]));
    if (known[found->second])
      fail_at(file, row.line(), "there are two starts of toss " + in_quotes(table.names[i]) + ", expected one");
    known[found->second] = true;
    auto& toss = tosses[found->second];
    toss.start = row.pose(toss.frames.front().time);
    toss.velocity = row.vector(7);
    toss.angular_velocity = row.vector(10);
  }
  for (std::size_t i = 0; i < tosses.size(); ++i)
    if (!known[i])
      throw Error(file + ": there is no start of toss " + in_quotes(tosses[i].name) + "; add a line for it");
}

}  // namespace

std::vector<Toss> parse_tosses(const std::string& folder, std::string_view frames, std::string_view starts) {
  std::vector<Toss> tosses;
  Indices of;
  read_frames(folder + frames_file, frames, tosses, of);
  read_starts(folder + starts_file, starts, tosses, of);
  return tosses;
}

std::vector<Toss> read_tosses(const std::string& folder) {
  const auto packed = read_plain(folder + frames_file), starts = read_plain(folder + starts_file);
  return parse_tosses(folder, unpacked(folder + frames_file, packed), starts);
}

}  // namespace lissom::benchmarks
