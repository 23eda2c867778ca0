#include "lissom/recording/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "lissom/files/json_text.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "lissom/recording/header_json.h"

namespace lissom::recording {
namespace {

using json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// Pairs of frames with the same time.
Pairs matching_frames(const Recording& a, const Recording& b, double tolerance) {
  Pairs pairs;
  for (std::size_t i = 0, j = 0; i < a.frames() && j < b.frames();) {
    const double apart = a.times[i] - b.times[j];
    if (std::abs(apart) <= tolerance)
      pairs.emplace_back(i++, j++);
    else if (apart < 0)
      ++i;
    else
      ++j;
  }
  return pairs;
}

double difference(double x, double y) {
  if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
  const double apart = std::abs(x - y);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

// Pairs of columns with the same name; complaints about the others.
Pairs matching_columns(const Signal& a, const Signal& b, std::vector<std::string>& complaints) {
  std::map<std::string_view, std::size_t> of_b;
  for (std::size_t j = 0; j < b.columns.size(); ++j) of_b[b.columns[j].name] = j;
  Pairs pairs;
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    const auto found = of_b.find(a.columns[i].name);
    if (found == of_b.end()) {
      complaints.push_back("column " + in_quotes(a.columns[i].name) + " is only in the first recording");
      continue;
    }
    if (const auto& unit = b.columns[found->second].unit; unit != a.columns[i].unit)
      complaints.push_back("column " + in_quotes(a.columns[i].name) + " has unit " + in_quotes(a.columns[i].unit) +
                           " in the first recording, " + in_quotes(unit) + " in the second");
    pairs.emplace_back(i, found->second);
    of_b.erase(found);
  }
  for (const auto& [name, j] : of_b)
    complaints.push_back("column " + in_quotes(name) + " is only in the second recording");
  return pairs;
}

// +1 or -1 for each column of `a`. The values of `b` are multiplied by it, so that each quaternion of `b` has the sign
// that is nearer to `a`.
void choose_signs(std::span<const double> a, std::span<const double> b, const std::vector<std::size_t>& at_a,
                  const std::vector<std::size_t>& at_b, std::vector<double>& signs) {
  for (std::size_t k = 0; k < at_a.size(); ++k) {
    double dot = 0;
    for (std::size_t i = 0; i < 4; ++i) dot += a[at_a[k] + i] * b[at_b[k] + i];
    for (std::size_t i = 0; i < 4; ++i) signs[at_a[k] + i] = dot < 0 ? -1 : 1;
  }
}

SignalComparison compare_signal(const Recording& a, std::size_t s, const Recording& b, std::size_t t,
                                const Pairs& frames, double tolerance) {
  SignalComparison result;
  const auto& columns = a.signals[s].columns;
  result.signal = a.signals[s].name;
  const auto pairs = matching_columns(a.signals[s], b.signals[t], result.complaints);
  result.columns = pairs.size();
  // Quaternions that both have, possibly at different columns.
  std::vector<std::size_t> of_a, of_b;
  std::map<std::string_view, std::size_t> quaternion_of_b;
  for (const auto j : quaternions(b.signals[t].columns)) quaternion_of_b[b.signals[t].columns[j].name] = j;
  for (const auto i : quaternions(columns))
    if (const auto found = quaternion_of_b.find(columns[i].name); found != quaternion_of_b.end()) {
      of_a.push_back(i);
      of_b.push_back(found->second);
    }
  std::vector<double> signs(columns.size(), 1);
  double sum = 0;
  for (const auto& [f, g] : frames) {
    const auto x = a.row(s, f), y = b.row(t, g);
    choose_signs(x, y, of_a, of_b, signs);
    for (const auto& [i, j] : pairs) {
      const double off = difference(x[i], signs[i] * y[j]);
      sum += off * off;
      if (off > result.max_deviation.difference)
        result.max_deviation = {a.times[f], columns[i].name, columns[i].unit, off};
      if (off > tolerance && !result.first_deviation)
        result.first_deviation = {a.times[f], columns[i].name, columns[i].unit, off};
    }
  }
  if (!frames.empty() && !pairs.empty()) result.rms = std::sqrt(sum / double(frames.size() * pairs.size()));
  return result;
}

// Lists where two settings differ, in the order of the first: "setting solver/iterations: 10 in the first, 20 in the
// second".
void compare_json(const json& a, const json& b, const std::string& at, std::vector<std::string>& out) {
  if (!a.is_object() || !b.is_object()) {
    if (a != b)
      out.push_back("setting " + at + ": " + in_short(a) + " in the first, " + in_short(b) + " in the second");
    return;
  }
  const auto name = [&](const std::string& key) {
    return at + (at.empty() ? "" : "/") + printable(shortened(key, 60));
  };
  std::unordered_map<std::string_view, const json*> of_b;
  for (const auto& item : b.items()) of_b.emplace(item.key(), &item.value());
  for (const auto& item : a.items()) {
    const auto other = of_b.find(item.key());
    if (other == of_b.end()) {
      out.push_back("setting " + name(item.key()) + ": " + in_short(item.value()) +
                    " in the first, nothing in the second");
      continue;
    }
    compare_json(item.value(), *other->second, name(item.key()), out);
    of_b.erase(other);
  }
  for (const auto& item : b.items())
    if (of_b.contains(item.key()))
      out.push_back("setting " + name(item.key()) + ": nothing in the first, " + in_short(item.value()) +
                    " in the second");
}

// "gravity.z: -9.81 in the first, -1.62 in the second"
void compare_headers(const Header& a, const Header& b, std::vector<std::string>& out) {
  const auto differ = [&](const std::string& name, const std::string& x, const std::string& y) {
    if (x != y) out.push_back(name + ": " + x + " in the first, " + y + " in the second");
  };
  differ("model", in_quotes(a.model), in_quotes(b.model));
  differ("robot file", in_quotes(a.robot_file), in_quotes(b.robot_file));
  if (a.robot_text != b.robot_text) out.emplace_back("the contents of the robot file differ");
  differ("lissom", in_quotes(a.lissom_version), in_quotes(b.lissom_version));
  if (a.base != b.base || a.mimic != b.mimic || a.axis_tolerance != b.axis_tolerance)
    out.emplace_back("the models were built with different options (base, mimic, axis_tolerance)");
  for (std::size_t i = 0; i < 3; ++i)
    differ(std::string("gravity.") + "xyz"[i], to_text(a.gravity[i]), to_text(b.gravity[i]));
  if (a.q != b.q || a.v != b.v) out.emplace_back("the order, names or units of q or v differ");
  compare_json(parse_json(a.settings), parse_json(b.settings), "", out);
}

using Index = std::unordered_map<std::string_view, std::size_t>;
Index signals_of(const Recording& recording) {
  Index index;
  for (std::size_t s = 0; s < recording.signals.size(); ++s) index.emplace(recording.signals[s].name, s);
  return index;
}

}  // namespace

Comparison compare(const Recording& first, const Recording& second, const CompareOptions& options) {
  const auto in_first = signals_of(first), in_second = signals_of(second);
  for (const auto& name : options.signals)
    if (!in_first.contains(name) && !in_second.contains(name)) (void)first.signal(name);  // throws, and lists them
  const std::unordered_set<std::string_view> selected(options.signals.begin(), options.signals.end());
  const auto asked = [&](const std::string& name) { return selected.empty() || selected.contains(name); };
  Comparison result;
  const auto frames = matching_frames(first, second, options.time_tolerance);
  result.frames = frames.size();
  result.only_first = first.frames() - frames.size();
  result.only_second = second.frames() - frames.size();
  if (result.only_first > 0)
    result.complaints.push_back(counted(result.only_first, "frame") +
                                " of the first recording at times that the second does not have");
  if (result.only_second > 0)
    result.complaints.push_back(counted(result.only_second, "frame") +
                                " of the second recording at times that the first does not have");
  for (std::size_t s = 0; s < first.signals.size(); ++s) {
    const auto& name = first.signals[s].name;
    if (!asked(name)) continue;
    const auto other = in_second.find(name);
    if (other == in_second.end()) {
      result.complaints.push_back("signal " + in_quotes(name) + " is only in the first recording");
      continue;
    }
    result.signals.push_back(compare_signal(first, s, second, other->second, frames, options.tolerance));
  }
  for (const auto& signal : second.signals)
    if (asked(signal.name) && !in_first.contains(signal.name))
      result.complaints.push_back("signal " + in_quotes(signal.name) + " is only in the second recording");
  compare_headers(first.header, second.header, result.settings);

  result.alike = result.complaints.empty();
  for (const auto& signal : result.signals) result.alike &= signal.complaints.empty() && !signal.first_deviation;
  return result;
}

}  // namespace lissom::recording
