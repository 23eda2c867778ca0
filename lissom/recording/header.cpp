#include "lissom/recording/header.h"

#include <filesystem>

#include "lissom/io/description_json.h"
#include "lissom/io/read.h"
#include "lissom/model/same_description.h"
#include "lissom/model/text.h"
#include "lissom/recording/input_file.h"

namespace lissom::recording {
namespace {

// "elbow", "base.x"
std::string column_name(const Joint& joint, const char* component) {
  return *component ? joint.name + "." + component : joint.name;
}

// The text of a robot file; empty if it cannot be read again. A pipe, such as <(xacro …), was emptied when the model
// was read.
std::string robot_text(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::is_regular_file(path, ignored)) return {};
  try {
    return read_whole(path);
  } catch (const Error&) {
    return {};
  }
}

io::ReadResult read_robot(const std::string& text, const std::string& file) {
  io::ReadOptions reading;
  reading.check_meshes = reading.read_includes = false;  // recordings come from other people and other machines
  return io::read_text(text, file, reading);
}

// Whether the text alone gives this robot, but for gravity, which a recording has by itself.
bool gives(const std::string& text, const Description& description) {
  auto found = read_robot(text, description.file).description;
  found.gravity = description.gravity;
  return found.sources.size() < 2 && same_description(found, description);
}

}  // namespace

std::vector<Column> configuration_columns(const Model& model) {
  std::vector<Column> columns;
  for (const auto& joint : model.joints())
    if (joint.nq > 0)
      for (const auto& c : joint_traits(joint.type).q)
        columns.push_back({column_name(joint, c.name), position_unit(c.quantity)});
  return columns;
}

std::vector<Column> velocity_columns(const Model& model) {
  std::vector<Column> columns;
  for (const auto& joint : model.joints())
    if (joint.nv > 0)
      for (const auto& c : joint_traits(joint.type).v)
        columns.push_back({column_name(joint, c.name), rate_unit(c.quantity)});
  return columns;
}

std::vector<Column> effort_columns(const Model& model) {
  auto columns = velocity_columns(model);
  for (auto& column : columns) column.unit = column.unit == "m/s" ? "N" : "N·m";
  return columns;
}

Header describe(const Model& model, const std::string& settings) {
  Header header;
  header.model = model.name();
  header.robot_file = model.description().file;
  header.robot_text = robot_text(header.robot_file);
  // A text that gives another robot would be worse than none.
  if (header.robot_text.empty() || !gives(header.robot_text, model.description())) {
    header.robot_text.clear();
    header.robot_description = io::description_to_json(model.description());
  }
  header.base = model.options().base;
  header.mimic = model.options().mimic;
  header.axis_tolerance = model.options().axis_tolerance;
  const auto g = model.gravity();
  header.gravity = {g.x, g.y, g.z};
  header.q = configuration_columns(model);
  header.v = velocity_columns(model);
  header.settings = settings;
  return header;
}

bool has_robot(const Header& header) {
  return !header.robot_text.empty() || !header.robot_description.empty();
}

Description description_of(const Header& header) {
  if (!header.robot_description.empty()) return io::description_from_json(header.robot_description);
  if (header.robot_text.empty())
    throw Error("the recording of " + in_quotes(header.model) + " has neither a robot file nor a description; make " +
                (header.robot_file.empty() ? "the model with the program that recorded it"
                                           : "the model from " + in_quotes(header.robot_file)) +
                " again");
  auto read = read_robot(header.robot_text, header.robot_file);
  if (!read.usable()) throw Error(std::move(read.diagnostics));
  return std::move(read.description);
}

Model rebuild(const Header& header) {
  const auto model = build(description_of(header), {header.base, header.mimic, header.axis_tolerance})
                         .with_gravity({header.gravity[0], header.gravity[1], header.gravity[2]});
  if (configuration_columns(model) != header.q || velocity_columns(model) != header.v)
    throw Error("the robot file in the recording of " + in_quotes(header.model) +
                " gives other elements of q or v than were recorded; this is lissom " + Header::version() +
                ", the recording is from " + header.lissom_version);
  return model;
}

}  // namespace lissom::recording
