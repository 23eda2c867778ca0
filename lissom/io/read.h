#pragma once
// Reads a robot from a file, whatever its format: the one place that recognizes formats.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom::io {

struct ReadOptions {
  /// Where packages lie, in addition to $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH (directories separated by ':').
  std::vector<std::string> package_paths;
  /// Whether to look for the files of meshes; otherwise the disk is left alone and Shape::path stays empty.
  bool check_meshes = true;
  std::size_t max_bytes = std::size_t{64} << 20;
  int max_depth = 64;  ///< of nested XML elements
};

struct ReadResult {
  Description description;
  std::vector<Diagnostic> diagnostics;  ///< by line
  bool usable() const;                  ///< no error among them
};

/// Reads a robot; URDF so far. Neither function throws, whatever the content (std::bad_alloc aside): what is wrong is
/// in the diagnostics, and the description holds what could be read. The findings of validate() are among them. A
/// format that lissom does not read is called by its name.
ReadResult read(const std::string& path, const ReadOptions& options = {});
/// `file_name` is for the diagnostics, and the place from which meshes are looked for.
ReadResult read_text(std::string_view text, const std::string& file_name, const ReadOptions& options = {});

}  // namespace lissom::io
