#pragma once
// The files that a page may load: the meshes of a robot, and what they refer to (buffers of glTF, materials of OBJ,
// textures). A page asks for them by a path, "meshes/3/-/-/-/-/foot.stl"; nothing else can be reached. Not for users.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lissom::view {

class MeshFiles {
 public:
  // Adds a mesh and the files it refers to; returns its path in the page. The same file gets the same path. A file
  // that is not of a kind that the page shows is not added: the path is empty.
  std::string add(const std::string& file);
  // The file behind a path of the page; nullptr if there is none.
  const std::string* find(std::string_view path) const;
  // Path in the page and file of each of them.
  const std::map<std::string, std::string, std::less<>>& all() const { return files_; }

 private:
  void add_references(const std::string& file, const std::string& folder);

  std::map<std::string, std::string, std::less<>> files_;
  std::map<std::string, std::string> paths_;
};

// The whole file; empty if it cannot be read or has more than 256 MiB.
std::string file_bytes(const std::string& file);

}  // namespace lissom::view
