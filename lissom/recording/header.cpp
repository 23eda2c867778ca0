#include "lissom/recording/header.h"

#include <filesystem>

#include "lissom/io/read.h"
#include "lissom/model/text.h"
#include "lissom/recording/input_file.h"
#include "lissom/recording/same_description.h"

namespace lissom::recording {
namespace {

// "elbow", "base.x"
std::string column_name(const Joint& joint, const char* component) {
  return *component ? joint.name + "." + component : joint.name;
}

// A pipe, such as <(xacro …), was emptied when the model was read.
std::string robot_text(const std::string& path) {
  if (std::error_code e; std::filesystem::is_fifo(path, e))
    throw Error(
        "robot file " + in_quotes(path) +
        " is a pipe, which cannot be read a second time, and a recording contains the robot file; save it: xacro "
        "robot.urdf.xacro > robot.urdf");
  return read_whole(path);
}

io::ReadResult read_robot(const std::string& text, const std::string& file) {
  io::ReadOptions reading;
  reading.check_meshes = reading.read_includes = false;  // recordings come from other people and other machines
  return io::read_text(text, file, reading);
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

Header describe(const Model& model, const std::string& settings) {
  Header header;
  header.model = model.name();
  header.robot_file = model.description().file;
  if (!header.robot_file.empty()) {
    header.robot_text = robot_text(header.robot_file);
    // A text that gives another robot would be worse than none.
    if (!same_robot(read_robot(header.robot_text, header.robot_file).description, model.description()))
      header.robot_text.clear();
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

Model rebuild(const Header& header) {
  if (header.robot_text.empty()) {
    if (header.robot_file.empty())
      throw Error("the recording of " + in_quotes(header.model) +
                  " has no robot file, because the model was made by a program; make it with that program again");
    throw Error("the recording of " + in_quotes(header.model) + " has no robot file, because the model or " +
                in_quotes(header.robot_file) +
                " was changed after it was loaded; load the file, and change the description in the same way");
  }
  auto read = read_robot(header.robot_text, header.robot_file);
  if (!read.usable()) throw Error(std::move(read.diagnostics));
  const auto model = build(read.description, {header.base, header.mimic, header.axis_tolerance})
                         .with_gravity({header.gravity[0], header.gravity[1], header.gravity[2]});
  if (configuration_columns(model) != header.q || velocity_columns(model) != header.v)
    throw Error("the robot file in the recording of " + in_quotes(header.model) +
                " gives other elements of q or v than were recorded; this is lissom " + Header::version() +
                ", the recording is from " + header.lissom_version);
  return model;
}

}  // namespace lissom::recording
