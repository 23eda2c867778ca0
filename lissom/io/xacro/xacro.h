#pragma once
// Expands xacro, the macro language of ROS's robot descriptions: http://wiki.ros.org/xacro. docs/xacro.md lists what is
// understood, where it differs from ROS's program, and which files may be read.
#include <string>
#include <string_view>
#include <vector>

#include "lissom/io/read.h"

namespace lissom::io::xacro {

/// An expanded file.
struct Expansion {
  std::string text;                     ///< XML, as xacro writes it; empty if there was an error
  std::vector<Diagnostic> diagnostics;  ///< about the xacro file and those that it includes
  std::vector<SourceFile> sources;      ///< all files that were read, the xacro file first
  bool usable() const;                  ///< no error among the diagnostics
};

/// Expands a file with ReadOptions::xacro_arguments. Neither function throws, whatever the content is (except
/// std::bad_alloc): the diagnostics tell what is wrong, with file and line.
Expansion expand(const std::string& path, const ReadOptions& options = {});
/// The same from a text; files are included relative to the directory of `file_name`.
Expansion expand_text(std::string_view text, const std::string& file_name, const ReadOptions& options = {});

/// Whether a text declares the namespace of xacro and uses it: then read() expands it first.
bool is_xacro(std::string_view text);

}  // namespace lissom::io::xacro
