#include "plot_panels.h"

#include <algorithm>
#include <fnmatch.h>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "plot_limbs.h"
#include "recording_arguments.h"

namespace {

using lissom::Error;
using lissom::limits::plot_lines;
using lissom::limits::plot_panels;
using lissom::recording::Recording;
using lissom::recording::Signal;

// Selects columns by names, or by patterns with * and ?.
class ColumnFilter {
 public:
  ColumnFilter(const std::vector<std::string>& words, const std::vector<Recording>& recordings) {
    for (const auto& r : recordings)
      for (const auto& signal : r.signals)
        for (const auto& column : signal.columns) known_.insert(column.name);
    patterns_ = split_names(words, [&](const std::string& word) { return known_.contains(word); });
    for (const auto& pattern : patterns_)
      if (std::ranges::none_of(known_, [&](const std::string& name) { return fits(pattern, name); })) {
        const std::vector<std::string_view> names(known_.begin(), known_.end());
        const auto similar = lissom::did_you_mean(pattern, names);
        throw Error(
            "--columns " + lissom::in_quotes(pattern) + ": no such column; " +
            (similar.empty() ? "lissom plot --list FILE lists all" : similar + " (lissom plot --list FILE lists all)"));
      }
    for (const auto& name : known_)
      if (patterns_.empty() || std::ranges::any_of(patterns_, [&](const auto& pattern) { return fits(pattern, name); }))
        taken_.insert(name);
  }
  bool takes(const std::string& name) const { return taken_.contains(name); }

 private:
  static bool fits(const std::string& pattern, const std::string& name) {
    return pattern == name || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  }
  std::set<std::string> known_;
  std::unordered_set<std::string> taken_;
  std::vector<std::string> patterns_;
};

constexpr std::string_view desired_signal = "desired_", desired_column = "desired.";

// One column of a signal in one recording.
struct Curve {
  std::size_t recording, signal, column;
  std::string name, unit;
  bool desired;
};

class PanelMaker {
 public:
  PanelMaker(const PanelOptions& options, const std::vector<Recording>& recordings,
             const std::vector<std::string>& labels)
      : options_(options), recordings_(recordings), labels_(labels), filter_(options.columns, recordings) {
    if (!options.histogram) limbs_ = limbs_of(recordings[0].header);
    for (const auto& r : recordings) {
      auto& index = signals_.emplace_back();
      for (std::size_t s = 0; s < r.signals.size(); ++s) index.emplace(r.signals[s].name, s);
    }
  }

  Panels make() {
    Panels result;
    const bool all = options_.signals.empty() && options_.columns.empty() && !options_.histogram;
    const auto names = selected_signals();
    const std::unordered_set<std::string> selected(names.begin(), names.end());
    for (const auto& name : names) {
      if (drawn_with_actual(name, selected)) continue;
      // The contacts of a world are a list of points, which change their places: the viewer shows them.
      if (all && is_list(name)) {
        result.lists.push_back(name);
        continue;
      }
      const auto curves = curves_of(name);
      if (all && !curves.empty() && all_zero(curves))
        result.zero.push_back(name);
      else
        add_panels(name, curves, result.panels);
    }
    if (!result.panels.empty()) return result;
    for (const auto& name : result.zero) add_panels(name, curves_of(name), result.panels);  // there is nothing else
    result.zero.clear();
    return result;
  }

 private:
  bool has(const std::string& name) const {
    return std::ranges::any_of(signals_, [&](const auto& index) { return index.contains(name); });
  }

  bool is_list(const std::string& name) const {
    const auto found = signals_[0].find(name);
    if (name != "contacts" || found == signals_[0].end()) return false;
    const auto& columns = recordings_[0].signals[found->second].columns;
    return !columns.empty() && columns[0].name == "0.x";
  }

  // Returns the selected signals, or else all that any recording has.
  std::vector<std::string> selected_signals() const {
    auto names = signal_names(options_.signals, recordings_);
    for (const auto& name : names)
      if (!has(name)) (void)recordings_[0].signal(name);  // throws, and lists the known signals
    if (!names.empty()) return names;
    std::unordered_set<std::string_view> seen;
    for (const auto& r : recordings_)
      for (const auto& signal : r.signals)
        if (seen.insert(signal.name).second) names.push_back(signal.name);
    return names;
  }

  // Desired values are drawn in the panels of the actual ones. In overlays of several recordings, whose dashes tell
  // them apart, they are drawn only if they are asked for, and then in panels of their own.
  bool drawn_with_actual(const std::string& name, const std::unordered_set<std::string>& selected) const {
    if (!name.starts_with(desired_signal) || options_.histogram) return false;
    const bool with_actual = selected.contains(name.substr(desired_signal.size()));
    return recordings_.size() > 1 ? options_.signals.empty() : with_actual;
  }

  std::vector<Curve> curves_of(const std::string& name) const {
    std::vector<Curve> curves;
    const bool together = recordings_.size() == 1 && !options_.histogram;
    const auto add = [&](std::size_t r, const std::string& signal, bool desired) {
      const auto found = signals_[r].find(signal);
      if (found == signals_[r].end()) return;
      const auto& columns = recordings_[r].signals[found->second].columns;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!filter_.takes(columns[c].name)) continue;
        Curve curve{r, found->second, c, columns[c].name, columns[c].unit, desired};
        if (together && curve.name.starts_with(desired_column))
          curve.name.erase(0, desired_column.size()), curve.desired = true;
        curves.push_back(std::move(curve));
      }
    };
    for (std::size_t r = 0; r < recordings_.size(); ++r) {
      add(r, name, false);
      if (together) add(r, std::string(desired_signal) + name, true);
    }
    return curves;
  }

  bool is_zero(const Curve& curve) const {
    const auto& r = recordings_[curve.recording];
    for (std::size_t k = 0; k < r.frames(); ++k)
      if (r.row(curve.signal, k)[curve.column] != 0) return false;
    return r.frames() > 0;
  }
  bool all_zero(const std::vector<Curve>& curves) const {
    return std::ranges::all_of(curves, [&](const Curve& curve) { return is_zero(curve); });
  }

  // The joint whose column has this name: "left_knee", or "base" of "base.vx"; empty if the robot has none of it.
  std::string joint_of(const std::string& column) const {
    if (limbs_.contains(column)) return column;
    const auto joint = column.substr(0, column.rfind('.'));
    return limbs_.contains(joint) ? joint : "";
  }

  // Removes elements of a joint with several coordinates that are zero all the time, and returns their names.
  std::vector<std::string> remove_zeros(std::vector<Curve>& curves) const {
    std::vector<std::string> removed;
    if (!options_.columns.empty() || options_.histogram || all_zero(curves)) return removed;
    std::unordered_map<std::string, bool> zero;  // of the columns with a dot
    for (const auto& curve : curves)
      if (const auto joint = joint_of(curve.name); !joint.empty() && joint != curve.name) {
        const auto known = zero.try_emplace(curve.name, true).first;
        known->second = known->second && is_zero(curve);
      }
    const auto is_removed = [&](const Curve& curve) {
      const auto known = zero.find(curve.name);
      return known != zero.end() && known->second;
    };
    std::unordered_set<std::string_view> seen;
    for (const auto& curve : curves)
      if (is_removed(curve) && seen.insert(curve.name).second) removed.push_back(curve.name);
    std::erase_if(curves, is_removed);
    return removed;
  }

  // Groups the names of a unit's columns: all in one group if they are few, or if there is no room for so many panels;
  // or else by limb, by what is before the last dot ("left_sole" of "left_sole.x"), or by their order.
  std::vector<std::vector<std::string>> groups_of(const std::vector<std::string>& names, std::size_t space) const {
    if (names.size() <= max_panel_lines || options_.histogram) return {names};
    std::vector<std::vector<std::string>> groups;
    std::map<std::string, std::size_t> index;
    std::vector<std::string> rest;
    for (const auto& name : names) {
      const auto joint = joint_of(name);
      const auto dot = name.rfind('.');
      const auto key = !joint.empty()             ? "limb " + limbs_.at(joint)
                       : dot != std::string::npos ? name.substr(0, dot)
                                                  : "";
      if (key.empty()) {
        rest.push_back(name);
        continue;
      }
      const auto [at, is_new] = index.try_emplace(key, groups.size());
      if (is_new) groups.emplace_back();
      groups[at->second].push_back(name);
    }
    for (std::size_t k = 0; k < rest.size(); ++k) {
      if (k % max_panel_lines == 0) groups.emplace_back();
      groups.back().push_back(rest[k]);
    }
    if (groups.size() > space) return {names};
    return groups;
  }

  void add_panels(const std::string& name, std::vector<Curve> curves, std::vector<PlotPanel>& panels) {
    const auto removed = remove_zeros(curves);
    lines_ += curves.size();
    if (lines_ > plot_lines)
      throw Error(fmt::format("plot: more than {} lines; select columns with --columns", plot_lines));
    std::vector<std::string> units;
    for (const auto& curve : curves)
      if (std::ranges::find(units, curve.unit) == units.end()) units.push_back(curve.unit);
    const auto first = panels.size();
    for (const auto& unit : units) {
      std::vector<std::string> names;
      for (const auto& curve : curves)
        if (curve.unit == unit && std::ranges::find(names, curve.name) == names.end()) names.push_back(curve.name);
      const auto groups = groups_of(names, plot_panels - panels.size());
      for (const auto& group : groups) {
        if (panels.size() == plot_panels)
          throw Error(fmt::format("plot: more than {} panels; select signals with --signals", plot_panels));
        panels.push_back(panel_of(name, unit, group, curves));
        if (groups.size() > 1)
          panels.back().title += ": " + group.front() + (group.size() > 1 ? " … " + group.back() : "");
      }
    }
    if (!removed.empty() && panels.size() > first)
      panels[first].title +=
          fmt::format(" ({}{} {} always zero and not drawn)", removed.front(),
                      removed.size() > 1 ? " … " + removed.back() : "", removed.size() > 1 ? "are" : "is");
  }

  PlotPanel panel_of(const std::string& signal, const std::string& unit, const std::vector<std::string>& names,
                     const std::vector<Curve>& curves) const {
    PlotPanel panel;
    panel.signal = panel.title = signal;
    panel.unit = unit;
    for (const auto& curve : curves) {
      const auto known = std::ranges::find(names, curve.name);
      if (known == names.end() || curve.unit != unit) continue;
      const auto& r = recordings_[curve.recording];
      PlotLine line;
      line.name = curve.name + (recordings_.size() > 1 ? " · " + labels_[curve.recording] : "");
      line.color = std::size_t(known - names.begin());
      line.desired = curve.desired;
      // Several recordings have a dash pattern each; in one, the pattern changes when colors repeat.
      line.dash = recordings_.size() > 1 ? curve.recording : line.color / color_count();
      line.times = r.times;
      for (std::size_t k = 0; k < r.frames(); ++k)
        line.values.push_back(without_denormals(r.row(curve.signal, k)[curve.column]));
      panel.lines.push_back(std::move(line));
    }
    return panel;
  }

  const PanelOptions& options_;
  const std::vector<Recording>& recordings_;
  const std::vector<std::string>& labels_;
  ColumnFilter filter_;
  std::vector<std::unordered_map<std::string_view, std::size_t>> signals_;  // of each recording: indices by name
  std::size_t lines_ = 0;
  std::map<std::string, std::string> limbs_;
};

// Calls add(begin, end, value) for each interval in which value_at(frame) is the same.
template <class ValueAt, class Add>
void for_intervals(const Recording& r, const ValueAt& value_at, const Add& add) {
  for (std::size_t begin = 0, end = 0; begin < r.frames(); begin = end) {
    const auto value = value_at(begin);
    for (end = begin + 1; end < r.frames() && value_at(end) == value;) ++end;
    add(r.times[begin], r.times[std::min(end, r.frames() - 1)], value);
  }
}

}  // namespace

Panels panels_of(const PanelOptions& options, const std::vector<Recording>& recordings,
                 const std::vector<std::string>& labels) {
  return PanelMaker(options, recordings, labels).make();
}

std::vector<PlotRegion> regions_of(const Recording& r) {
  std::vector<PlotRegion> regions;
  for (std::size_t s = 0; s < r.signals.size(); ++s) {
    const auto& columns = r.signals[s].columns;
    if (r.signals[s].name == "stage" && !columns.empty()) {
      const auto settings = nlohmann::json::parse(r.header.settings, nullptr, false);
      for_intervals(
          r, [&](std::size_t k) { return r.row(s, k)[0]; },
          [&](double begin, double end, double stage) {
            std::string name;
            if (const auto i = stage >= 0 && stage < 1e6 ? std::size_t(stage) : std::size_t(1e6);
                settings.is_object() && settings.contains("stages") && settings["stages"].is_array() &&
                i < settings["stages"].size() && settings["stages"][i].is_string())
              name = settings["stages"][i].get<std::string>();
            regions.push_back({PlotRegion::Kind::stage, begin, end, name});
          });
    }
    if (r.signals[s].name != "pushes") continue;
    for (std::size_t c = 0; c + 2 < columns.size(); c += 3) {
      const auto name = columns[c].name.substr(0, columns[c].name.rfind('.'));
      for_intervals(
          r,
          [&](std::size_t k) {
            const auto f = r.row(s, k).subspan(c, 3);
            return f[0] != 0 || f[1] != 0 || f[2] != 0;
          },
          [&](double begin, double end, bool pushed) {
            if (pushed) regions.push_back({PlotRegion::Kind::push, begin, end, "push " + name});
          });
    }
  }
  return regions;
}
