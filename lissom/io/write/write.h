#pragma once
// Writes robots as URDF, MJCF or SDF, and lists what the format cannot say. docs/convert.md has what each of them can.
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/build_options.h"
#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom::io::write {

enum class Format { urdf, mjcf, sdf };
/// "URDF", "MJCF", "SDF"
const char* to_string(Format format);
/// From the ending of a path: .urdf; .xml or .mjcf; .sdf or .world. Throws Error if it has another one.
Format format_of(std::string_view path);

/// What becomes of the files of meshes.
enum class Meshes {
  keep,  ///< the target refers to the files where they are
  copy,  ///< they are written to a folder beside the target, in a format that its readers know
  hulls  ///< the same; a mesh with which other bodies collide is replaced by its convex hull
};

/// How to write a robot.
struct WriteOptions {
  /// How the roots are attached to the world, if the file is not to say what the description says.
  Base base = Base::file;
  /// The path at which the text will be; files of meshes are written relative to its folder. Empty: the current one.
  std::string path = {};
  Meshes meshes = Meshes::keep;
  /// Whether what the format cannot say is added in elements that only lissom reads.
  bool extensions = true;
  /// What the reader has found in the file of the robot (ReadResult::diagnostics): what it has left out is a loss, too.
  std::vector<Diagnostic> findings = {};
};

/// A file that belongs beside the text.
struct FileBeside {
  std::string path;   ///< relative to the folder of the text
  std::string bytes;  ///< its content; empty: that of the file `from`
  std::string from = {};
};

/// A text, and what it does not say.
struct WriteResult {
  std::string text;
  /// By line: a warning is a loss; a note is something that is said in another way, or to lissom only.
  std::vector<Diagnostic> losses;
  std::vector<FileBeside> files;
  std::size_t not_read = 0;  ///< how many of the losses are due to the reader (WriteOptions::findings)
  /// Whether nothing is lost.
  bool lossless() const;
};

/// Writes a robot. Numbers are written with as many digits as it takes to read the same number again. Throws Error if
/// validate() finds an error in the description.
WriteResult write_urdf(const Description& description, const WriteOptions& options = {});
WriteResult write_mjcf(const Description& description, const WriteOptions& options = {});
WriteResult write_sdf(const Description& description, const WriteOptions& options = {});
WriteResult write(const Description& description, Format format, const WriteOptions& options = {});

}  // namespace lissom::io::write
