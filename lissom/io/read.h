#pragma once
// Reads a robot from a file of any known format. Formats are recognized here only.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lissom/model/build_options.h"
#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/limits.h"

namespace lissom::io {

/// How to read a robot.
struct ReadOptions {
  /// Directories of packages, in addition to $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH (directories separated by ':').
  std::vector<std::string> package_paths = {};
  /// Whether to look for the files of meshes; if false, Shape::path stays empty.
  bool check_meshes = true;
  /// Whether to read files that the file includes; if false, including one is an error. If both are false, no other
  /// file is accessed.
  bool read_includes = true;
  /// Larger files are refused.
  std::size_t max_bytes = limits::robot_bytes;
  int max_depth = limits::xml_depth;  ///< of nested XML elements
  /// Arguments of a xacro file, as names and values: what $(arg NAME) stands for.
  std::vector<std::pair<std::string, std::string>> xacro_arguments = {};
  /// How the model will be built: some findings depend on it, such as those about the inertia of a free base.
  BuildOptions build = {};
};

/// A description with the findings about it.
struct ReadResult {
  Description description;
  std::vector<Diagnostic> diagnostics;  ///< by line
  bool usable() const;                  ///< no error among them
};

/// Reads a robot: URDF, also with xacro's macros, MJCF, SDF, or a description as JSON. Neither function throws,
/// whatever the content is (except std::bad_alloc): the diagnostics, which include those of validate(), tell what is
/// wrong, and the description has what could be read. If the file has a known format that lissom does not read, the
/// diagnostic names the format.
ReadResult read(const std::string& path, const ReadOptions& options = {});
/// The same from a text. `file_name` is used in diagnostics, and meshes are searched relative to its directory.
ReadResult read_text(std::string_view text, const std::string& file_name, const ReadOptions& options = {});

}  // namespace lissom::io
