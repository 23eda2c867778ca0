// lissom convert FILE OUT: writes a recording in another format, with the same bits in every value; or a robot, with a
// list of what the other format cannot say.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "convert_robot.h"
#include "interrupt.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "lissom/recording/read.h"
#include "lissom/recording/recorder.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "recording_arguments.h"
#include "recording_options.h"
#include "verbs.h"

namespace verb::convert {
namespace {

using lissom::Error;
namespace fs = std::filesystem;

struct Options {
  std::string from, to, record_ros = "all";
  bool force = false, quiet = false;
  RobotConversion robot;
};

bool has_recording_name(const std::string& path) {
  return path.ends_with(".mcap") || path.ends_with(".npz") || path.ends_with(".csv");
}

void check(const Options& o) {
  if (!has_recording_name(o.to))
    throw Error("convert: " + lissom::in_quotes(o.to) + ": expected a name that ends with .mcap, .npz or .csv");
  std::error_code none;
  if (fs::equivalent(o.from, o.to, none))
    throw Error("convert: " + lissom::in_quotes(o.to) + " is the recording that is read; choose another name");
  if (fs::is_directory(o.to, none))
    throw Error("convert: " + lissom::in_quotes(o.to) + " is a directory, not a file; name the file inside it");
  if (fs::exists(o.to, none) && !fs::is_regular_file(o.to, none))
    throw Error("convert: " + lissom::in_quotes(o.to) +
                " is no regular file, which could be replaced; choose another name");
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

// Returns false if it was interrupted; the file is not complete then.
bool write(const lissom::recording::Recording& recording, const std::string& path, const Options& o) {
  lissom::recording::RecorderOptions options;
  if (path.ends_with(".mcap") && o.record_ros != "none")
    if (const auto robot = robot_of(recording)) options = RecordedRos{o.record_ros, {}}.options(*robot);
  lissom::recording::Recorder recorder(path, recording.header, recording.signals, options);
  print_notes(recorder);
  std::vector<lissom::recording::Row> rows;
  Progress progress(o.quiet);
  end_on_request();  // before, there is no file that would be left behind
  for (std::size_t k = 0; k < recording.frames(); ++k) {
    if (interrupted()) return false;
    progress.show(double(k) / double(recording.frames()), path);
    rows.clear();
    for (std::size_t s = 0; s < recording.signals.size(); ++s) rows.emplace_back(recording.row(s, k));
    recorder.write(recording.times[k], rows);
  }
  recorder.close();
  return true;
}

int run(const Options& o) {
  check(o);
  const auto recording = read_and_warn(o.from, o.quiet);
  // Under another name first, so that a file that is replaced is there until the new one is complete, and run.npz can
  // be made from run.npz.part, which a recorder of run.npz would write.
  std::error_code error;
  auto to = fs::canonical(o.to, error).string();  // a symbolic link stays one
  if (error) to = o.to;
  const auto other = to + ".new" + fs::path(o.to).extension().string();
  const auto remove_incomplete = [&] {
    for (const auto& left : {other, other + ".part"}) fs::remove(left, error);
  };
  try {
    if (!write(recording, other, o)) {
      remove_incomplete();
      complain("convert: interrupted; " + lissom::in_quotes(o.to) + " was not written");
      return interrupted_code;
    }
    fs::rename(other, to, error);
    if (error) throw Error("convert: cannot write " + lissom::in_quotes(o.to) + ": " + error.message());
  } catch (...) {
    remove_incomplete();
    throw;
  }
  if (o.robot.json) {
    print_json(nlohmann::json{
        {"from", o.from}, {"to", o.to}, {"frames", recording.frames()}, {"signals", recording.signals.size()}});
    return 0;
  }
  std::cout << fmt::format("{}: {} of {}\n", lissom::printable(o.to), lissom::counted(recording.frames(), "frame"),
                           lissom::counted(recording.signals.size(), "signal"));
  return 0;
}

// Recordings are told by their content, and by the name of what is written.
int run_either(Options& o) {
  if (has_recording_name(o.to) || (o.from != "-" && lissom::recording::is_recording(o.from))) return run(o);
  o.robot.from = o.from, o.robot.to = o.to, o.robot.force = o.force, o.robot.quiet = o.quiet;
  return convert_robot(o.robot);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand("convert",
                                        "write a robot (URDF, MJCF, SDF) or a recording (MCAP, NPZ, CSV) in another "
                                        "format, and list what that cannot say");
  const auto options = std::make_shared<Options>();
  auto& robot = options->robot;
  verb->add_option("FILE", options->from, "robot, or recording (.mcap, .npz, .csv, .npz.part); - reads standard input")
      ->required();
  verb->add_option(
          "OUT", options->to,
          "file to write: .urdf, .xml or .mjcf, .sdf; .mcap, .npz or .csv; - writes a robot to standard output")
      ->required();
  take_one_of(verb->add_option("--to", robot.format, "format of the robot, whatever OUT's ending is"),
              {"urdf", "mjcf", "sdf"});
  robot.model.add_arguments_to(*verb);
  robot.model.add_options_to(*verb);
  verb->add_option("--loops", robot.loops, "file (JSON) with closed loops of the robot");
  take_one_of(
      verb->add_option("--meshes", robot.meshes,
                       "files of meshes: keep (default), OUT refers to them; copy, they are written beside OUT; "
                       "hulls, the same with convex hulls for collisions"),
      {"keep", "copy", "hulls"});
  verb->add_flag("--strict", robot.strict, "if something would be lost, write nothing and exit with 1");
  verb->add_flag("--plain", robot.plain, "write nothing that only lissom reads; it is lost then");
  verb->add_flag("--all", robot.all, "print every loss; otherwise only the first of each code is printed in full");
  verb->add_flag("--json", robot.json, "print JSON, with every loss; of a recording, what was written");
  verb->add_option("--record-ros", options->record_ros, record_ros_help);
  verb->add_flag("--force", options->force, "replace OUT if it exists");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->footer(
      "A recording that was not closed is converted up to its last safe frame, with a warning.\n"
      "A robot is recognized by its content. docs/convert.md has what each format can say.\n"
      "Exit code: 0 success, 1 something would be lost (--strict), 2 wrong usage or input.");
  verb->callback([options, &exit_code] { exit_code = run_either(*options); });
}

}  // namespace verb::convert
