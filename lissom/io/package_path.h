#pragma once
// Finds the file of a mesh: package://NAME/rest, model://NAME/rest, file://path, or a path relative to the robot's
// file. Not installed.
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lissom::io {

// Adds the directories of a list separated by ':'.
void append_search_paths(const char* list, std::vector<std::filesystem::path>& out);
// `paths`, then those in $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH.
std::vector<std::filesystem::path> package_search_paths(const std::vector<std::string>& paths);

// Looks up each package and each file once; one FileFinder is for reading one robot.
class FileFinder {
 public:
  // `paths` are searched first, then those in $LISSOM_PACKAGE_PATH and $ROS_PACKAGE_PATH, then the directories around
  // `robot_file` (docs/urdf.md).
  FileFinder(const std::vector<std::string>& paths, const std::string& robot_file);

  // The path of an existing file, or an empty string.
  const std::string& find(const std::string& uri);
  // The name of the package of a URI if that package is not found; empty otherwise.
  std::string unknown_package(std::string_view uri);

 private:
  std::string look_up(std::string_view uri);
  const std::vector<std::filesystem::path>& roots_of(const std::string& package);

  std::vector<std::filesystem::path> search_;
  std::filesystem::path directory_;  // of the robot's file
  std::unordered_map<std::string, std::vector<std::filesystem::path>> packages_;
  std::unordered_map<std::string, std::string> files_;
};

}  // namespace lissom::io
