#include "lissom/io/package_path.h"

#include <cstdlib>

namespace lissom::io {
namespace fs = std::filesystem;

void append_search_paths(const char* list, std::vector<fs::path>& out) {
  if (list == nullptr) return;
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) out.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
}

std::vector<fs::path> package_search_paths(const std::vector<std::string>& paths) {
  std::vector<fs::path> search;
  for (const std::string& path : paths) append_search_paths(path.c_str(), search);
  append_search_paths(std::getenv("LISSOM_PACKAGE_PATH"), search);
  append_search_paths(std::getenv("ROS_PACKAGE_PATH"), search);
  return search;
}

namespace {

bool directory_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}
bool file_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The last part of a path, also if it ends with a slash.
fs::path last_part(const fs::path& path) {
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

bool strip(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string package_of(std::string_view stripped_uri) {
  return std::string(stripped_uri.substr(0, stripped_uri.find('/')));
}

}  // namespace

FileFinder::FileFinder(const std::vector<std::string>& paths, const std::string& robot_file)
    : search_(package_search_paths(paths)) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(robot_file, failed);
  directory_ = (failed ? fs::path(robot_file) : absolute).lexically_normal().parent_path();
}

const std::string& FileFinder::find(const std::string& uri) {
  const auto [entry, is_new] = files_.try_emplace(uri);
  if (is_new) entry->second = look_up(uri);
  return entry->second;
}

std::string FileFinder::unknown_package(std::string_view uri) {
  if (!strip(uri, "package://") && !strip(uri, "model://")) return {};
  std::string package = package_of(uri);
  return roots_of(package).empty() ? package : std::string();
}

std::string FileFinder::look_up(std::string_view uri) {
  if (strip(uri, "package://") || strip(uri, "model://")) {
    const std::string package = package_of(uri);
    std::string_view rest = uri.substr(package.size());
    while (strip(rest, "/")) {  // or it would be an absolute path
    }
    for (const fs::path& root : roots_of(package))
      if (const fs::path path = root / rest; file_exists(path)) return path.string();
    return {};
  }
  strip(uri, "file://");
  const fs::path path = directory_ / fs::path(uri);  // an absolute path replaces the directory
  return file_exists(path) ? path.string() : std::string();
}

const std::vector<fs::path>& FileFinder::roots_of(const std::string& package) {
  const auto [entry, is_new] = packages_.try_emplace(package);
  std::vector<fs::path>& roots = entry->second;
  if (!is_new || package.empty()) return roots;

  const auto add = [&](const fs::path& path) {
    if (directory_exists(path)) roots.push_back(path);
  };
  for (const fs::path& path : search_) {
    add(path / package);
    if (last_part(path) == package) add(path);
  }
  add(directory_ / "packages" / package);
  for (fs::path up = directory_; !up.empty(); up = up.parent_path()) {
    if (up.filename() == package) add(up);
    add(up / package);
    if (up == up.root_path()) break;
  }
  return roots;
}

}  // namespace lissom::io
