// lissom plot FILE…: draws signals of recordings over time, or their histograms, to PNG or SVG; or lists the signals of
// recordings.
#include <filesystem>
#include <fnmatch.h>
#include <iostream>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gnuplot.h"
#include "lissom/io/json_text.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"
#include "output.h"
#include "plot_histogram.h"
#include "recording_arguments.h"
#include "verbs.h"

namespace verb::plot {
namespace {

using lissom::Error;
using lissom::recording::Recording;
using lissom::recording::Signal;
using json = nlohmann::ordered_json;

using lissom::limits::plot_lines;
using lissom::limits::plot_panels;

struct Options {
  std::vector<std::string> files, signals, columns;
  std::string out;
  bool list = false, json = false, histogram = false;
};

json settings_of(const Recording& r) {
  return lissom::parse_json<json>(r.header.settings, lissom::JsonComments::refuse);
}

json to_json(const std::string& file, const Recording& r) {
  json signals = json::array();
  for (const auto& signal : r.signals) {
    json columns = json::array();
    for (const auto& column : signal.columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
    signals.push_back({{"name", signal.name}, {"columns", std::move(columns)}});
  }
  const bool any = r.frames() > 0;
  return {{"file", file},
          {"model", r.header.model},
          {"robot_file", r.header.robot_file},
          {"lissom_version", r.header.lissom_version},
          {"frames", r.frames()},
          {"first_time", any ? json(r.times.front()) : json(nullptr)},
          {"last_time", any ? json(r.times.back()) : json(nullptr)},
          {"signals", std::move(signals)},
          {"settings", settings_of(r)},
          {"warnings", r.warnings}};
}

void print(const std::string& file, const Recording& r) {
  std::cout << fmt::format("{}: {}, recorded by lissom {}\n", lissom::printable(file), r.header.model,
                           r.header.lissom_version);
  if (!r.header.robot_file.empty()) std::cout << "robot: " << lissom::printable(r.header.robot_file) << "\n";
  std::cout << lissom::counted(r.frames(), "frame");
  if (r.frames() > 0) std::cout << fmt::format(", {:g} … {:g} s", r.times.front(), r.times.back());
  std::cout << "\n";
  for (const auto& signal : r.signals) {
    std::cout << fmt::format("\n{} ({})\n", signal.name, lissom::counted(signal.columns.size(), "column"));
    for (const auto& column : signal.columns) std::cout << fmt::format("  {} [{}]\n", column.name, column.unit);
  }
  std::cout << "\nsettings: " << json_text(settings_of(r), 2) << "\n";
}

void list(const Options& options, const std::vector<Recording>& recordings) {
  json all = json::array();
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    if (options.json)
      all.push_back(to_json(options.files[i], recordings[i]));
    else
      print(options.files[i], recordings[i]);
  }
  if (options.json) print_json(all);
}

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
        throw Error("--columns " + lissom::in_quotes(pattern) + ": no such column; " +
                    lissom::did_you_mean(pattern, names) + " (lissom plot --list FILE lists all)");
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

// Labels of the recordings: their file names, or whole paths if two file names are the same.
std::vector<std::string> labels(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(std::filesystem::path(file).filename().string());
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) return files;
  return names;
}

// Recordings that are drawn together, with their labels, and the indices of their signals by name.
struct Overlay {
  const std::vector<Recording>& recordings;
  const std::vector<std::string>& labels;
  std::vector<std::unordered_map<std::string_view, std::size_t>> signals;

  Overlay(const std::vector<Recording>& all, const std::vector<std::string>& names) : recordings(all), labels(names) {
    for (const auto& r : recordings) {
      auto& index = signals.emplace_back();
      for (std::size_t s = 0; s < r.signals.size(); ++s) index.emplace(r.signals[s].name, s);
    }
  }
};

// Units of a signal's selected columns, in order of first occurrence.
std::vector<std::string> units_of(const std::string& name, const Overlay& overlay, const ColumnFilter& filter) {
  std::vector<std::string> units;
  std::unordered_set<std::string_view> seen;
  for (std::size_t r = 0; r < overlay.recordings.size(); ++r)
    if (const auto s = overlay.signals[r].find(name); s != overlay.signals[r].end())
      for (const auto& column : overlay.recordings[r].signals[s->second].columns)
        if (filter.takes(column.name) && seen.insert(column.unit).second) units.push_back(column.unit);
  return units;
}

// Makes the panel of one signal, with a line for each selected column of each recording that has the signal; with
// `only_unit`, only for columns of this unit.
PlotPanel panel_of(const std::string& name, const Overlay& overlay, const ColumnFilter& filter,
                   const std::optional<std::string>& only_unit = {}) {
  const auto& recordings = overlay.recordings;
  PlotPanel panel;
  panel.title = name;
  std::unordered_map<std::string, std::size_t> colors;  // of columns: in order of first occurrence
  std::set<std::string> units;
  std::vector<std::pair<std::string, std::string>> suffixes;  // of line names: unit, recording
  for (std::size_t r = 0; r < recordings.size(); ++r)
    if (const auto found = overlay.signals[r].find(name); found != overlay.signals[r].end()) {
      const auto s = found->second;
      const Signal& signal = recordings[r].signals[s];
      for (std::size_t c = 0; c < signal.columns.size(); ++c) {
        const auto& column = signal.columns[c];
        if (!filter.takes(column.name) || (only_unit && column.unit != *only_unit)) continue;
        PlotLine line;
        line.name = column.name;
        line.color = colors.try_emplace(column.name, colors.size()).first->second;
        // Several recordings have a dash pattern each; in one, the pattern changes when colors repeat.
        line.dash = recordings.size() > 1 ? r : line.color / color_count();
        line.times = recordings[r].times;
        for (std::size_t k = 0; k < recordings[r].frames(); ++k)
          line.values.push_back(without_denormals(recordings[r].row(s, k)[c]));
        units.insert(column.unit);
        suffixes.emplace_back(column.unit.empty() ? "" : " [" + column.unit + "]",
                              recordings.size() > 1 ? " · " + overlay.labels[r] : "");
        panel.lines.push_back(std::move(line));
      }
    }
  for (const auto& unit : units)
    if (!unit.empty()) panel.unit += (panel.unit.empty() ? "" : ", ") + unit;
  for (std::size_t i = 0; i < panel.lines.size(); ++i)
    panel.lines[i].name += (units.size() > 1 ? suffixes[i].first : "") + suffixes[i].second;
  return panel;
}

// Returns the selected signals, or else all that any recording has.
std::vector<std::string> selected_signals(const Options& options, const std::vector<Recording>& recordings) {
  auto names = signal_names(options.signals, recordings);
  const auto has = [&](const std::string& name) {
    return std::ranges::any_of(recordings, [&](const Recording& r) {
      return std::ranges::any_of(r.signals, [&](const Signal& one) { return one.name == name; });
    });
  };
  for (const auto& name : names)
    if (!has(name)) (void)recordings[0].signal(name);  // throws, and lists the known signals
  if (!names.empty()) return names;
  std::unordered_set<std::string_view> seen;
  for (const auto& r : recordings)
    for (const auto& signal : r.signals)
      if (seen.insert(signal.name).second) names.push_back(signal.name);
  return names;
}

// Makes a panel for each signal; for histograms, one for each unit of a signal.
std::vector<PlotPanel> panels_of(const Options& options, const std::vector<Recording>& recordings,
                                 const std::vector<std::string>& names) {
  const ColumnFilter filter(options.columns, recordings);
  const Overlay overlay(recordings, names);
  std::vector<PlotPanel> panels;
  std::size_t lines = 0;
  const auto add = [&](PlotPanel panel) {
    if (panel.lines.empty()) return;
    lines += panel.lines.size();
    panels.push_back(std::move(panel));
    if (panels.size() > plot_panels)
      throw Error(fmt::format("plot: more than {} panels; select signals with --signals", plot_panels));
    if (lines > plot_lines)
      throw Error(fmt::format("plot: more than {} lines; select columns with --columns", plot_lines));
  };
  for (const auto& signal : selected_signals(options, recordings)) {
    if (!options.histogram) add(panel_of(signal, overlay, filter));
    if (options.histogram)
      for (const auto& unit : units_of(signal, overlay, filter)) add(panel_of(signal, overlay, filter, unit));
  }
  return panels;
}

Plot plot_of(const Options& options, const std::vector<Recording>& recordings) {
  Plot plot;
  plot.svg = options.out.ends_with(".svg");
  const auto names = labels(options.files);
  std::set<std::string> models;
  for (const auto& r : recordings) models.insert(r.header.model);
  for (const auto& model : models) plot.title += (plot.title.empty() ? "" : ", ") + model;
  for (std::size_t i = 0; i < names.size(); ++i)
    plot.title += (i > 0                ? ", "
                   : plot.title.empty() ? ""
                                        : ": ") +
                  names[i] + (names.size() > 1 ? " (" + dash_in_words(i) + ")" : "");
  plot.panels = panels_of(options, recordings, names);
  if (plot.panels.empty())
    throw Error("plot: the selected signals have none of the selected columns; lissom plot --list FILE lists all");
  if (std::ranges::all_of(recordings, [](const Recording& r) { return r.frames() == 0; }))
    throw Error("plot: the recordings have no frames, nothing to draw");
  return plot;
}

json to_json(const std::vector<Distribution>& distributions) {
  json all = json::array();
  for (const auto& d : distributions) {
    all.push_back({{"name", d.name}, {"frames", d.count}, {"not_finite", d.not_finite}});
    if (d.count > 0)
      all.back().update({{"median", d.median},
                         {"p99", d.p99},
                         {"smallest", d.smallest},
                         {"largest", d.largest},
                         {"below_the_picture", d.below},
                         {"above_the_picture", d.above}});
  }
  return all;
}

void run(const Options& options) {
  if (!options.list && !options.out.ends_with(".png") && !options.out.ends_with(".svg"))
    throw Error(options.out.empty()
                    ? "plot: --out is missing; expected a file name that ends in .png or .svg, or --list"
                    : "plot: --out '" + options.out + "': expected a file name that ends in .png or .svg");
  std::vector<Recording> recordings;
  for (const auto& file : options.files) recordings.push_back(read_and_warn(file));
  if (options.list) return list(options, recordings);

  auto plot = plot_of(options, recordings);
  json panels = json::array();
  std::size_t lines = 0;
  for (auto& panel : plot.panels) {
    json names = json::array();
    for (const auto& line : panel.lines) names.push_back(line.name);
    lines += panel.lines.size();
    panels.push_back({{"signal", panel.title}, {"unit", panel.unit}, {"lines", std::move(names)}});
    if (options.histogram) panels.back()["distributions"] = to_json(make_histogram(panel));
  }
  run_gnuplot(script_of(plot), options.out);
  const auto [width, height] = size_of(plot);
  if (options.json)
    print_json(json{
        {"out", options.out}, {"width", width}, {"height", height}, {"recordings", options.files}, {"panels", panels}});
  else
    std::cout << fmt::format("{}: {} in {}, {} × {} pixels\n", options.out, lissom::counted(lines, "line"),
                             lissom::counted(plot.panels.size(), "panel"), width, height);
}

}  // namespace

void add(CLI::App& app, int& /*exit_code*/) {
  auto* const verb =
      app.add_subcommand("plot", "draw signals of recordings (PNG, SVG), over time or as histograms, or list them");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->files, "recordings (.mcap, .npz, .csv); several are overlaid")->required();
  verb->add_option("--signals", options->signals, "signals to draw, one panel each, e.g. energy,q (default: all)")
      ->take_all();
  verb->add_option("--columns", options->columns, "columns to draw, e.g. left_knee,base.* (default: all)")->take_all();
  verb->add_flag("--histogram", options->histogram,
                 "draw histograms of the values, in % of the frames, instead of curves; with median and p99");
  verb->add_option("--out", options->out, "file to draw to: .png or .svg");
  verb->add_flag("--list", options->list, "draw nothing; list signals, columns, units, times and settings");
  verb->add_flag("--json", options->json, "print JSON: what was drawn, or the list");
  verb->footer("Needs gnuplot.");
  verb->callback([options] { run(*options); });
}

}  // namespace verb::plot
