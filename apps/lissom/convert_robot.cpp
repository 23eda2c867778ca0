#include "convert_robot.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "diagnostic_json.h"
#include "interrupt.h"
#include "lissom/io/loops_file.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"
#include "lissom/recording/robot_file.h"
#include "output.h"
#include "robot_files.h"

namespace {

namespace fs = std::filesystem;
using lissom::Error;
using lissom::Severity;
namespace write = lissom::io::write;

write::Format format_of(const RobotConversion& o) {
  if (o.format == "urdf") return write::Format::urdf;
  if (o.format == "mjcf") return write::Format::mjcf;
  if (o.format == "sdf") return write::Format::sdf;
  if (o.to == "-") throw Error("convert: OUT is standard output; give its format with --to urdf, mjcf or sdf");
  try {
    return write::format_of(o.to);
  } catch (const Error& error) {
    throw Error(std::string("convert: ") + error.what() + " with --to");
  }
}

void check_target(const RobotConversion& o) {
  if (o.to == "-") {
    if (o.meshes != "keep")
      throw Error("convert: --meshes " + o.meshes + " writes files beside OUT, which is standard output; give a file");
    if (o.json) throw Error("convert: --json and the robot would both be on standard output; give a file as OUT");
    return;
  }
  std::error_code none;
  if (fs::equivalent(o.from, o.to, none))
    throw Error("convert: " + lissom::in_quotes(o.to) + " is the robot that is read; choose another name");
  if (fs::is_directory(o.to, none))
    throw Error("convert: " + lissom::in_quotes(o.to) + " is a directory, not a file; name the file inside it");
  if (fs::exists(o.to, none) && !o.force)
    throw Error("convert: " + lissom::in_quotes(o.to) + " exists; --force replaces it");
}

std::size_t count(const write::WriteResult& result, Severity severity) {
  return std::size_t(std::ranges::count(result.losses, severity, &lissom::Diagnostic::severity));
}

// For a loss, the remedy is what was done instead.
std::string in_words(std::string text) {
  constexpr std::string_view before = "\n    remedy: ", after = "\n    instead: ";
  for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + after.size()))
    text.replace(at, before.size(), after);
  return text;
}

void print(const RobotConversion& o, const write::WriteResult& result, bool written) {
  std::ostream& out = o.to == "-" ? std::cerr : std::cout;
  if (o.json) {
    nlohmann::json losses = nlohmann::json::array();
    for (const auto& loss : result.losses) losses.push_back(to_json(loss));
    nlohmann::json files = nlohmann::json::array();
    for (const auto& file : result.files) files.push_back(file.path);
    print_json(nlohmann::json{{"from", o.from},
                              {"to", o.to},
                              {"format", write::to_string(format_of(o))},
                              {"written", written},
                              {"lost", count(result, Severity::warning)},
                              {"not_read", result.not_read},
                              {"said_otherwise", count(result, Severity::note)},
                              {"files", std::move(files)},
                              {"losses", std::move(losses)}});
    return;
  }
  if (o.all)
    for (const auto& loss : result.losses) out << in_words(to_string(loss)) << '\n';
  else if (!result.losses.empty() && !o.quiet)
    out << in_words(to_grouped_string(result.losses)) << '\n';
  out << fmt::format("{}: {} lost, {} said in another way{}\n", lissom::printable(o.to),
                     lissom::counted(count(result, Severity::warning), "thing"),
                     lissom::counted(count(result, Severity::note), "thing"),
                     written ? "" : "; nothing is written, because --strict refuses loss");
}

}  // namespace

int convert_robot(const RobotConversion& o) {
  check_target(o);
  const auto format = format_of(o);
  auto load = o.model.options;
  load.find_meshes = true;
  auto read = read_robot_file(o.from, load);
  say_what_differs(read.diagnostics);
  if (!o.loops.empty()) lissom::io::read_loops(o.loops, read.description);
  write::WriteOptions options;
  options.base = load.base;
  options.path = o.to == "-" ? "" : o.to;
  options.extensions = !o.plain;
  options.findings = std::move(read.diagnostics);
  options.meshes = o.meshes == "copy"    ? write::Meshes::copy
                   : o.meshes == "hulls" ? write::Meshes::hulls
                                         : write::Meshes::keep;
  const auto result = write::write(read.description, format, options);
  const bool written = result.lossless() || !o.strict;
  end_on_request();  // what is written now, meshes and robot, is written completely
  if (written && o.to == "-") std::cout << result.text;
  if (written && o.to != "-") lissom::recording::save(result, o.to);
  print(o, result, written);
  return written ? 0 : 1;
}
