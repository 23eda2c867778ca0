#include "lissom/io/xacro/files.h"

#include <algorithm>
#include <cstdlib>

#include "lissom/files/read_bytes.h"
#include "lissom/io/package_path.h"
#include "lissom/io/xacro/failure.h"
#include "lissom/io/xml_text.h"
#include "lissom/model/limits.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace fs = std::filesystem;
namespace {

fs::path normal(const fs::path& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return (failed ? path : absolute).lexically_normal();
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}
bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

// Whether a folder contains the path, or is the path.
bool is_inside(const fs::path& path, const fs::path& folder) {
  auto part = path.begin();
  for (const fs::path& each : folder) {
    if (each.empty()) continue;  // after a slash at the end
    if (part == path.end() || *part != each) return false;
    ++part;
  }
  return true;
}

// [abc], [a-z], [!abc] at the beginning of the pattern; `length` is that of the brackets, 0 if they are not closed.
bool in_brackets(std::string_view pattern, char c, std::size_t& length) {
  std::size_t at = 1;
  const bool negated = pattern.size() > 1 && pattern[1] == '!';
  if (negated) ++at;
  const std::size_t close = pattern.find(']', at + 1);
  if (close == std::string_view::npos) return length = 0, false;
  bool found = false;
  for (; at < close; ++at) {
    if (at + 2 < close && pattern[at + 1] == '-') {
      found |= pattern[at] <= c && c <= pattern[at + 2];
      at += 2;
    } else {
      found |= pattern[at] == c;
    }
  }
  length = close + 1;
  return found != negated;
}

// As Python's fnmatch.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    std::size_t length = 0;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (p < pattern.size() && pattern[p] == '[' &&
               (in_brackets(pattern.substr(p), name[n], length) || length == 0) && (length > 0 || name[n] == '[')) {
      p += std::max<std::size_t>(length, 1);
      ++n;
    } else if (p < pattern.size() && pattern[p] != '[' && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void expand_pattern(const fs::path& folder, std::vector<std::string> parts, std::vector<std::string>& found) {
  if (parts.empty()) {
    found.push_back(folder.string());
    return;
  }
  const std::string part = parts.front();
  parts.erase(parts.begin());
  if (part.find_first_of("*?[") == std::string::npos) {
    std::error_code ignored;
    if (fs::exists(folder / part, ignored)) expand_pattern(folder / part, std::move(parts), found);
    return;
  }
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (found.size() > limits::xacro_files) return;  // refused when they are read
    if (matches(part, name) && (part.starts_with('.') || !name.starts_with('.')))
      expand_pattern(entry.path(), parts, found);
  }
}

}  // namespace

Files::Files(const std::string& file, const ReadOptions& options)
    : search_(package_search_paths(options.package_paths)), start_(normal(file).parent_path()) {
  const char* ament = std::getenv("AMENT_PREFIX_PATH");
  if (ament != nullptr) append_search_paths(ament, prefixes_);
  for (const fs::path& folder : search_) allow(folder);
  for (const fs::path& folder : prefixes_) allow(folder / "share");
  allow(start_);
  for (fs::path up = start_; up != up.root_path() && !up.empty(); up = up.parent_path())
    if (is_file(up / "package.xml")) {
      allow(up);
      break;
    }
  enter(file);
}

void Files::allow(const fs::path& folder) {
  allowed_.push_back(normal(folder));
}

int Files::add_source(const std::string& file, std::string_view text) {
  const int first = next_line_;
  next_line_ += LineTable(text).count();
  // Findings name files as the caller named the first one: relative to the current directory, or not.
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  const bool shorter = fs::path(stack_.front()).is_relative() && !failed && is_inside(file, here);
  sources_.push_back({shorter ? fs::path(file).lexically_relative(here).string() : file, first});
  return first;
}

std::string Files::place(int line) const {
  auto source = std::ranges::upper_bound(sources_, line, {}, &SourceFile::first_line);
  if (source == sources_.begin() || line <= 0) return stack_.front();
  --source;
  return fs::path(source->file).filename().string() + ":" + std::to_string(line - source->first_line + 1);
}

void Files::enter(const std::string& file) {
  stack_.push_back(file);
}

fs::path Files::directory() const {
  return normal(current()).parent_path();
}

std::string Files::cycle() const {
  const auto last = std::ranges::find(stack_.rbegin() + 1, stack_.rend(), current());
  if (last == stack_.rend()) return {};
  std::string names;
  for (auto file = last.base() - 1; file != stack_.end(); ++file)
    names += (names.empty() ? "" : " → ") + fs::path(*file).filename().string();
  return names;
}

std::string Files::resolve(const std::string& name) const {
  return (directory() / name).lexically_normal().string();
}

std::vector<std::string> Files::match(const std::string& pattern) const {
  const fs::path path = resolve(pattern);
  check_allowed(path.string());
  std::vector<std::string> parts, found;
  for (const fs::path& part : path.relative_path()) parts.push_back(part.string());
  expand_pattern(path.root_path(), std::move(parts), found);
  std::ranges::sort(found);
  return found;
}

bool Files::exists(const std::string& path) const {
  check_allowed(path);
  return is_file(path);
}

void Files::check_allowed(const std::string& path) const {
  const fs::path wanted = normal(path);
  if (std::ranges::any_of(allowed_, [&](const fs::path& folder) { return is_inside(wanted, folder); })) return;
  throw Failure("outside",
                "the file " + in_quotes(path) + " is outside of the folders of the robot: that of the file (" +
                    printable(start_.string()) + "), that of its package, and those of the packages it finds",
                "add its folder to the package paths (--packages, $LISSOM_PACKAGE_PATH), or move the file");
}

std::string Files::read(const std::string& path, std::size_t max_bytes, const char* what) {
  check_allowed(path);
  if (++read_count_ > limits::xacro_files)
    throw Failure("limit", "more than " + std::to_string(limits::xacro_files) + " files are included",
                  "look for a file that includes itself without end");
  std::string text;
  if (const auto problem = read_bytes(path, max_bytes, text))
    throw Failure(problem->too_large ? "limit" : "include",
                  std::string(what) + " " + in_quotes(path) + ": " + problem->message,
                  problem->remedy.empty() ? "check the name of the file" : problem->remedy);
  read_bytes_ += text.size();
  if (read_bytes_ > limits::robot_bytes)
    throw Failure("limit",
                  "the included files have more than " + std::to_string(limits::robot_bytes >> 20) + " MiB together",
                  "look for a file that is included too often");
  return text;
}

std::string Files::find_package(const std::string& name) {
  const auto plain = name.find('/') == std::string::npos && name != "." && name != "..";
  fs::path found;
  const auto consider = [&](const fs::path& path, bool needs_manifest) {
    if (found.empty() && is_folder(path) && (!needs_manifest || is_file(path / "package.xml"))) found = path;
  };
  if (plain && !name.empty()) {
    for (const fs::path& path : search_) {
      consider(path / name, false);
      const fs::path whole = normal(path);
      if ((whole.has_filename() ? whole : whole.parent_path()).filename() == name) consider(whole, false);
    }
    for (const fs::path& prefix : prefixes_) consider(prefix / "share" / name, false);
    consider(start_ / "packages" / name, false);
    // Folders around the file count as packages only with a manifest, so that a file cannot make a package of /etc.
    for (fs::path up = start_; !up.empty(); up = up.parent_path()) {
      if (up.filename() == name) consider(up, true);
      consider(up / name, true);
      if (up == up.root_path()) break;
    }
  }
  if (found.empty())
    throw Failure("find", "there is no package " + in_quotes(name),
                  "give the folder that contains it: --packages, $LISSOM_PACKAGE_PATH or $ROS_PACKAGE_PATH");
  allow(found);
  std::string path = normal(found).string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace lissom::io::xacro
