#pragma once
// Files of meshes that a robot refers to. Not installed.
#include <map>
#include <optional>
#include <set>
#include <string>

#include "lissom/io/write/losses.h"

namespace lissom::io::write {

// How the target calls a mesh: a file, or, in MJCF, the data URI of one that has none.
struct MeshReference {
  std::string file;
  Vec3<double> scale;
};

class MeshFiles {
 public:
  MeshFiles(Format format, const WriteOptions& options, Losses& losses);

  // Empty, with a loss, if the format cannot have this mesh.
  std::optional<MeshReference> reference(const Geometry& geometry, bool collides, const std::string& subject);
  // The heights of a height field as PNG; empty if they cannot be read.
  std::string height_image(const Shape& shape);
  std::vector<FileBeside> take() { return std::move(files_); }

 private:
  std::string kept(const Shape& shape) const;
  std::string copied(const Shape& shape, bool hull);
  std::string made(const Shape& shape, bool hull);
  std::string unused_name(const std::string& stem, const std::string& ending);
  bool is_readable(const std::string& path) const;

  Format format_;
  const WriteOptions& options_;
  Losses& losses_;
  std::vector<FileBeside> files_;
  std::map<std::string, std::string> names_;  // of the copies, by path and kind
  std::set<std::string> taken_;
};

}  // namespace lissom::io::write
