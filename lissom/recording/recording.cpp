#include "lissom/recording/recording.h"

#include <cmath>
#include <set>

#include "lissom/model/limits.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "lissom/recording/header_json.h"

namespace lissom::recording {

std::string Header::version() {
  return LISSOM_VERSION;
}

std::size_t Recording::signal(std::string_view name) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i].name == name) return i;
    names.push_back(signals[i].name);
  }
  constexpr std::size_t max_listed = 50;
  std::string all;
  for (std::size_t i = 0; i < std::min(names.size(), max_listed); ++i)
    all += (all.empty() ? "" : ", ") + printable(shortened(names[i], 60));
  if (names.size() > max_listed) all += " and " + std::to_string(names.size() - max_listed) + " more";
  const auto hint = did_you_mean(name, names);
  throw Error("no signal " + in_quotes(name) + "; " + (hint.empty() ? "" : hint + " ") + "signals: " + all);
}

namespace {

// Every format has its own limit; this one is below all of them.
constexpr std::size_t max_name = limits::recording_name_bytes;

void check_name(const std::string& what, const std::string& name) {
  if (name.empty()) throw Error(what + " has no name, expected one that says what is recorded");
  if (name.size() > max_name)
    throw Error(what + " " + in_quotes(name) + " has a name of " + std::to_string(name.size()) +
                " bytes, expected at most " + std::to_string(max_name));
}

void check_text(const std::string& what, const std::string& text) {
  if (!is_utf8(text)) throw Error(what + " is not UTF-8");
  if (has_control_character(text))
    throw Error(what + " " + in_quotes(text) + " has a control character, expected text on one line");
}

void check_columns(const std::string& of, std::span<const Column> columns) {
  std::set<std::string_view> seen;
  for (const auto& column : columns) {
    check_name("a column of " + of, column.name);
    check_text("a column of " + of, column.name);
    check_text("the unit of " + of + ", column " + in_quotes(column.name), column.unit);
    if (column.unit.size() > max_name)
      throw Error("the unit of " + of + ", column " + in_quotes(column.name) + ", has " +
                  std::to_string(column.unit.size()) + " bytes, expected at most " + std::to_string(max_name));
    if (!seen.insert(column.name).second)
      throw Error(of + " has two columns " + in_quotes(column.name) + ", expected different names");
  }
}

}  // namespace

void check(const Header& header, std::span<const Signal> signals) {
  check_text("the model's name", header.model);
  check_text("the version of lissom", header.lissom_version);
  check_columns("q", header.q);
  check_columns("v", header.v);
  for (const double g : header.gravity)
    if (!std::isfinite(g)) throw Error("header.gravity has an element that is NaN or infinite");
  if (!std::isfinite(header.axis_tolerance)) throw Error("header.axis_tolerance is NaN or infinite");
  check_settings(header.settings);

  if (signals.empty()) throw Error("signals has 0 elements, expected at least one");
  if (signals.size() > limits::recording_signals)
    throw Error("signals has " + std::to_string(signals.size()) + " elements, expected at most " +
                std::to_string(limits::recording_signals));
  std::set<std::string_view> seen{"time"};
  for (const auto& signal : signals) {
    check_name("a signal", signal.name);
    check_text("a signal", signal.name);
    if (!seen.insert(signal.name).second)
      throw Error(signal.name == "time"
                      ? "a signal is called 'time', which the recording itself has; choose another name"
                      : "two signals are called " + in_quotes(signal.name) + ", expected different names");
    check_columns("signal " + in_quotes(signal.name), signal.columns);
  }
}

std::vector<std::size_t> quaternions(std::span<const Column> columns) {
  std::vector<std::size_t> found;
  const auto prefix = [&](std::size_t i, std::string_view end) -> std::string_view {
    const std::string_view name = columns[i].name;
    return name.ends_with(end) ? name.substr(0, name.size() - end.size()) : std::string_view("\n");
  };
  for (std::size_t i = 0; i + 3 < columns.size(); ++i)
    if (const auto of = prefix(i, "qw");
        of != "\n" && prefix(i + 1, "qx") == of && prefix(i + 2, "qy") == of && prefix(i + 3, "qz") == of)
      found.push_back(i);
  return found;
}

}  // namespace lissom::recording
