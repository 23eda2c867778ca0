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
  return read;
}
// The description alone. Says what options do differently from what one might expect.
inline lissom::Description read_robot(const std::string& file, const lissom::LoadOptions& options) {
  auto read = read_robot_file(file, options);
  say_what_differs(std::move(read.diagnostics));
  return std::move(read.description);
}
