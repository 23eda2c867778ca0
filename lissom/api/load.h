#pragma once
// From a file to a model in one call.
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

struct LoadOptions {
  /// As in BuildOptions.
  Base base = Base::file;
  bool mimic = true;
  double axis_tolerance = BuildOptions{}.axis_tolerance;
  /// Where package://NAME/… is looked for, in addition to $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH.
  std::vector<std::string> package_paths = {};
  /// Whether to look for mesh files on the disk. Dynamics do not need them.
  bool find_meshes = false;
  /// A JSON file beside the robot's, with loops, couplings and springs (io/loops_file.h); none where empty.
  std::string loops_file = {};
};

/// Reads a robot, in any format that io::read knows: URDF so far. Throws Error with every finding, file and line where
/// the file cannot be used; warnings are in `diagnostics`, where given.
Model load(const std::string& path, const LoadOptions& options = {}, std::vector<Diagnostic>* diagnostics = nullptr);

}  /// namespace lissom
