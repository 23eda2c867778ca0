#pragma once
// Loads a model from a file.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

/// How to load a model.
struct LoadOptions {
  /// As in BuildOptions.
  Base base = Base::file;
  bool mimic = true;
  double axis_tolerance = BuildOptions{}.axis_tolerance;
  /// Directories in which package://NAME/… is searched, in addition to $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH.
  std::vector<std::string> package_paths = {};
  /// Whether to search for mesh files on the disk. Dynamics does not need them.
  bool find_meshes = false;
  /// A JSON file with loops, couplings and springs of the robot (docs/simulation.md); empty: none.
  std::string loops_file = {};
  /// Arguments of a xacro file, as names and values: what $(arg NAME) stands for.
  std::vector<std::pair<std::string, std::string>> xacro_arguments = {};
};

/// Loads a robot from a file in any format that io::read reads (URDF, also with xacro, MJCF, SDF, JSON). If the file
/// cannot be used, throws an Error with all findings, each with file and line; otherwise the findings are written to
/// `diagnostics`, if given.
Model load(const std::string& path, const LoadOptions& options = {}, std::vector<Diagnostic>* diagnostics = nullptr);
/// The same from a text; `file_name` appears in findings and errors.
Model load_text(std::string_view text, const std::string& file_name, const LoadOptions& options = {},
                std::vector<Diagnostic>* diagnostics = nullptr);

}  // namespace lissom
