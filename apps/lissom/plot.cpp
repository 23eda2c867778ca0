// lissom plot FILE…: draws signals of recordings over time, or their histograms, to PNG, SVG or PDF; or lists the
// signals of recordings.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gnuplot.h"
#include "interrupt.h"
#include "lissom/files/json_text.h"
#include "lissom/model/text.h"
#include "output.h"
#include "plot_histogram.h"
#include "plot_panels.h"
#include "progress.h"
#include "recording_arguments.h"
#include "verbs.h"

namespace verb::plot {
namespace {

using lissom::Error;
using lissom::recording::Recording;
using json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  PanelOptions what;
  std::string out;
  bool list = false, json = false, quiet = false;
};

std::optional<PlotFormat> format_of(const std::string& path) {
  if (path.ends_with(".png")) return PlotFormat::png;
  if (path.ends_with(".svg")) return PlotFormat::svg;
  if (path.ends_with(".pdf")) return PlotFormat::pdf;
  return {};
}

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

// Labels of the recordings: their file names, or whole paths if two file names are the same.
std::vector<std::string> labels(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(std::filesystem::path(file).filename().string());
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) return files;
  return names;
}

Plot plot_of(const Options& options, const std::vector<Recording>& recordings, Panels& made) {
  Plot plot;
  plot.format = *format_of(options.out);
  const auto names = labels(options.files);
  std::set<std::string> models;
  for (const auto& r : recordings) models.insert(r.header.model);
  for (const auto& model : models) plot.title += (plot.title.empty() ? "" : ", ") + model;
  for (std::size_t i = 0; i < names.size(); ++i)
    plot.title += (i > 0                ? ", "
                   : plot.title.empty() ? ""
                                        : ": ") +
                  names[i] + (names.size() > 1 ? " (" + dash_in_words(i) + ")" : "");
  made = panels_of(options.what, recordings, names);
  plot.panels = std::move(made.panels);
  if (recordings.size() == 1) plot.regions = regions_of(recordings[0]);
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

json to_json(const std::vector<PlotRegion>& regions) {
  json all = json::array();
  for (const auto& region : regions)
    all.push_back({{"kind", region.kind == PlotRegion::Kind::push ? "push" : "stage"},
                   {"begin", region.begin},
                   {"end", region.end},
                   {"name", region.name}});
  return all;
}

int run(const Options& options) {
  if (!options.list && !format_of(options.out))
    throw Error(options.out.empty()
                    ? "plot: --out is missing; expected a file name that ends in .png, .svg or .pdf, or --list"
                    : "plot: --out " + lissom::in_quotes(options.out) +
                          ": expected a file name that ends in .png, .svg or .pdf");
  std::vector<Recording> recordings;
  for (const auto& file : options.files) recordings.push_back(read_and_warn(file, options.quiet));
  if (options.list) {
    list(options, recordings);
    return 0;
  }

  Panels made;
  auto plot = plot_of(options, recordings, made);
  json panels = json::array();
  std::size_t lines = 0;
  for (auto& panel : plot.panels) {
    json names = json::array();
    for (const auto& line : panel.lines) names.push_back((line.desired ? "desired " : "") + line.name);
    lines += panel.lines.size();
    panels.push_back(
        {{"signal", panel.signal}, {"title", panel.title}, {"unit", panel.unit}, {"lines", std::move(names)}});
    if (options.what.histogram) panels.back()["distributions"] = to_json(make_histogram(panel));
  }
  // gnuplot ends by itself at Ctrl-C; we stay to remove its folder.
  end_on_request();
  try {
    const Waiting waiting(options.quiet, "drawing " + options.out);
    run_gnuplot(script_of(plot), options.out);
  } catch (const Error&) {
    if (!interrupted()) throw;
    complain("plot: interrupted; " + lissom::in_quotes(options.out) + " was not written");
    return interrupted_code;
  }
  const auto [width, height] = size_of(plot);
  if (options.json)
    print_json(json{{"out", options.out},
                    {"width", width},
                    {"height", height},
                    {"recordings", options.files},
                    {"panels", panels},
                    {"regions", to_json(plot.regions)},
                    {"always_zero", made.zero},
                    {"lists", made.lists}});
  else
    std::cout << fmt::format("{}: {} in {}, {} × {} pixels\n", options.out, lissom::counted(lines, "line"),
                             lissom::counted(plot.panels.size(), "panel"), width, height);
  if (options.json) return 0;
  if (!made.zero.empty())
    std::cout << fmt::format("not drawn, because always zero: {} (--signals draws them)\n", fmt::join(made.zero, ", "));
  if (!made.lists.empty())
    std::cout << fmt::format("not drawn, because a list of points: {} (--signals draws it)\n",
                             fmt::join(made.lists, ", "));
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand(
      "plot", "draw signals of recordings (PNG, SVG, PDF), over time or as histograms, or list them");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->files, "recordings (.mcap, .npz, .csv); several are overlaid")->required();
  verb->add_option("--signals", options->what.signals,
                   "signals to draw, e.g. energy,q (default: all that are not always zero)")
      ->take_all();
  verb->add_option("--columns", options->what.columns, "columns to draw, e.g. left_knee,base.* (default: all)")
      ->take_all();
  verb->add_flag("--histogram", options->what.histogram,
                 "draw histograms of the values, in % of the frames, instead of curves; with median and p99");
  verb->add_option("--out", options->out, "file to draw to: .png, .svg or .pdf");
  verb->add_flag("--list", options->list, "draw nothing; list signals, columns, units, times and settings");
  verb->add_flag("--json", options->json, "print JSON: what was drawn, or the list");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "A panel for each unit of a signal, split by limbs if it has many lines; desired values are dashed, pushes and "
      "the stages of a motion are shaded.\nNeeds gnuplot.");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace verb::plot
