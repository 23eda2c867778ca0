#pragma once
// Shared by the verbs that read descriptions of robots, not only models.
#include <string>

#include "lissom/api/load.h"
#include "lissom/io/read.h"
#include "model_arguments.h"
#include "standard_input.h"

// The description in a file, with the findings about it; - is standard input. Throws Error with the findings if it
// cannot be used.
inline lissom::io::ReadResult read_robot_file(const std::string& file, const lissom::LoadOptions& options) {
  lissom::io::ReadOptions reading;
  reading.package_paths = options.package_paths;
  reading.check_meshes = options.find_meshes;
  reading.xacro_arguments = options.xacro_arguments;
  reading.build = {options.base, options.mimic, options.axis_tolerance};
  auto read = file == "-" ? lissom::io::read_text(standard_input(), standard_input_name, reading)
                          : lissom::io::read(file, reading);
  if (!read.usable()) throw lissom::Error(std::move(read.diagnostics));
  say_what_differs(read.diagnostics);
  return read;
}
// The description alone.
inline lissom::Description read_robot(const std::string& file, const lissom::LoadOptions& options) {
  return std::move(read_robot_file(file, options).description);
}
