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
  const char* refusal(const std::string& path, bool collides);

  Format format_;
  const WriteOptions& options_;
  Losses& losses_;
  std::vector<FileBeside> files_;
  struct Content {
    bool ok = false, is_solid = false;
    std::size_t vertices = 0;
  };
  std::map<std::string, Content> contents_;   // of files that MuJoCo is to read
  std::map<std::string, std::string> names_;  // of the copies, by path and kind
  std::set<std::string> taken_, made_;        // made_: of hulls
};

}  // namespace lissom::io::write
