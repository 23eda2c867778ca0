// lissom convert FILE OUT: writes a recording in another format, with the same bits in every value.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "lissom/recording/recorder.h"
#include "output.h"
#include "progress.h"
#include "recorded_extras.h"
#include "recording_arguments.h"
#include "verbs.h"

namespace verb::convert {
namespace {

using lissom::Error;
namespace fs = std::filesystem;

struct Options {
  std::string from, to, record_ros = "all";
  bool force = false, quiet = false;
};

void check(const Options& o) {
  if (!o.to.ends_with(".mcap") && !o.to.ends_with(".npz") && !o.to.ends_with(".csv"))
    throw Error("convert: " + lissom::in_quotes(o.to) + ": expected a name that ends with .mcap, .npz or .csv");
  std::error_code none;
  if (fs::equivalent(o.from, o.to, none))
    throw Error("convert: " + lissom::in_quotes(o.to) + " is the recording that is read; choose another name");
  if (fs::exists(o.to, none) && !o.force)
    throw Error("convert: " + lissom::in_quotes(o.to) + " exists; --force replaces it");
}

// The robot, if the recording has it and its configuration.
std::optional<lissom::Model> robot_of(const lissom::recording::Recording& recording) {
  const auto has_q = [&](const auto& signal) { return signal.name == "q" && signal.columns == recording.header.q; };
  if (!lissom::recording::has_robot(recording.header) || std::ranges::none_of(recording.signals, has_q)) return {};
  try {
    return lissom::recording::rebuild(recording.header);
  } catch (const Error& error) {
    complain(std::string("note: there will be no messages for viewers: ") + error.what());
    return {};
  }
}

void write(const lissom::recording::Recording& recording, const std::string& path, const Options& o) {
  lissom::recording::RecorderOptions options;
  if (path.ends_with(".mcap") && o.record_ros != "none")
    if (const auto robot = robot_of(recording)) options = RecordedRos{o.record_ros, {}}.options(*robot);
  lissom::recording::Recorder recorder(path, recording.header, recording.signals, options);
  print_notes(recorder);
  std::vector<lissom::recording::Row> rows;
  Progress progress(o.quiet);
  for (std::size_t k = 0; k < recording.frames(); ++k) {
    progress.show(double(k) / double(recording.frames()), path);
    rows.clear();
    for (std::size_t s = 0; s < recording.signals.size(); ++s) rows.emplace_back(recording.row(s, k));
    recorder.write(recording.times[k], rows);
  }
  recorder.close();
}

void run(const Options& o) {
  check(o);
  const auto recording = read_and_warn(o.from);
  // Under another name first, so that a file that is replaced is there until the new one is complete, and run.npz can
  // be made from run.npz.part, which a recorder of run.npz would write.
  std::error_code error;
  auto to = fs::canonical(o.to, error).string();  // a symbolic link stays one
  if (error) to = o.to;
  const auto other = to + ".new" + fs::path(o.to).extension().string();
  try {
    write(recording, other, o);
    fs::rename(other, to, error);
    if (error) throw Error("convert: cannot write " + lissom::in_quotes(o.to) + ": " + error.message());
  } catch (...) {
    for (const auto& left : {other, other + ".part"}) fs::remove(left, error);
    throw;
  }
  std::cout << fmt::format("{}: {} of {}\n", lissom::printable(o.to), lissom::counted(recording.frames(), "frame"),
                           lissom::counted(recording.signals.size(), "signal"));
}

}  // namespace

void add(CLI::App& app, int& /*exit_code*/) {
  auto* const verb = app.add_subcommand("convert", "write a recording in another format (MCAP, NPZ, CSV), bit for bit");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->from, "recording (.mcap, .npz, .csv, .npz.part)")->required();
  verb->add_option("OUT", options->to, "file to write: .mcap, .npz or .csv")->required();
  verb->add_option("--record-ros", options->record_ros, record_ros_help);
  verb->add_flag("--force", options->force, "replace OUT if it exists");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "A recording that was not closed is converted up to its last safe frame, with a warning.\n"
      "Exit code: 0 success, 2 wrong usage or input.");
  verb->callback([options] { run(*options); });
}

}  // namespace verb::convert
