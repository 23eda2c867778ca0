#pragma once
// The files that an expansion may read: includes and YAML files, in the folders that belong to the robot. Not
// installed.
#include <filesystem>
#include <string>
#include <vector>

#include "lissom/io/read.h"
#include "lissom/model/description.h"

namespace lissom::io::xacro {

class Files {
 public:
  // `file` is the xacro file itself; its lines are numbered first.
  Files(const std::string& file, const ReadOptions& options);

  // Numbers the lines of a text on after those before, and returns the number of the first.
  int add_source(const std::string& file, std::string_view text);
  const std::vector<SourceFile>& sources() const { return sources_; }
  // "leg.xacro:17"
  std::string place(int line) const;

  // The file that is being expanded: relative names are searched from its folder.
  void enter(const std::string& file);
  void leave() { stack_.pop_back(); }
  const std::string& current() const { return stack_.back(); }
  std::filesystem::path directory() const;
  // "a.xacro → b.xacro → a.xacro" if the current file includes itself, however far.
  std::string cycle() const;

  // An absolute path without "..".
  std::string resolve(const std::string& name) const;
  // Existing files that a pattern with *, ? and [ ] matches, in the order of their names.
  std::vector<std::string> match(const std::string& pattern) const;
  bool exists(const std::string& path) const;
  // Fails if the path is outside of the folders of the robot, too large or not readable.
  std::string read(const std::string& path, std::size_t max_bytes, const char* what);
  // The folder of a ROS package. Fails if there is none.
  std::string find_package(const std::string& name);

 private:
  void allow(const std::filesystem::path& folder);
  void check_allowed(const std::string& path) const;

  std::vector<std::filesystem::path> search_, prefixes_, allowed_;
  std::filesystem::path start_;  // folder of the xacro file
  std::vector<std::string> stack_;
  std::vector<SourceFile> sources_;
  int next_line_ = 1;
  std::size_t read_count_ = 0, read_bytes_ = 0;
};

}  // namespace lissom::io::xacro
