#include "lissom/io/mjcf/sources.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lissom/model/limits.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace fs = std::filesystem;

namespace {

// The path without links and "..", also if the last parts do not exist.
fs::path resolved(const fs::path& path) {
  std::error_code failed;
  fs::path result = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : result;
}

void add_folders(const char* list, std::vector<fs::path>& folders) {
  std::string_view rest = list ? list : "";
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.push_back(resolved(fs::absolute(rest.substr(0, colon))));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
}

int depth_of(pugi::xml_node node) {
  int depth = 0;
  for (; node; node = node.parent()) ++depth;
  return depth;
}
int height_of(const pugi::xml_node& top) {
  int height = 0, depth = 0;
  pugi::xml_node node = top;
  while (true) {
    if (node.first_child()) {
      node = node.first_child(), height = std::max(height, ++depth);
      continue;
    }
    while (node != top && !node.next_sibling()) node = node.parent(), --depth;
    if (node == top) return height;
    node = node.next_sibling();
  }
}

}  // namespace

Sources::Sources(const std::string& main_file, const ReadOptions& options, XmlText& xml,
                 std::vector<SourceFile>& sources, std::vector<Diagnostic>& found)
    : options_(options), xml_(xml), sources_(sources), found_(found) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(main_file, failed);
  folder_ = (failed ? fs::path(main_file) : absolute).lexically_normal().parent_path();
  allowed_.push_back(resolved(folder_));
  for (const auto& path : options.package_paths) add_folders(path.c_str(), allowed_);
  add_folders(std::getenv("LISSOM_PACKAGE_PATH"), allowed_);
  add_folders(std::getenv("ROS_PACKAGE_PATH"), allowed_);
  included_.push_back(resolved(folder_ / fs::path(main_file).filename()).string());
  sources_.push_back({main_file, 1});
}

void Sources::add_main(std::string_view text) {
  next_line_ = xml_.lines.count() + 1;
  bytes_ = text.size();
}

bool Sources::is_inside(const fs::path& path) const {
  const fs::path whole = resolved(path);
  return std::ranges::any_of(allowed_, [&](const fs::path& folder) {
    const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), whole.begin(), whole.end());
    return end == folder.end() || (std::next(end) == folder.end() && end->empty());
  });
}

std::string Sources::find(const std::string& folder, const std::string& name, bool& outside) {
  outside = false;
  const std::string key = folder + '\n' + name;
  if (const auto known = places_.find(key); known != places_.end()) return known->second;
  std::error_code ignored;
  const fs::path path = folder_ / fs::path(folder) / fs::path(name);  // an absolute path replaces those before
  if (!is_inside(path)) {
    outside = true;
    return {};
  }
  std::string found;
  if (fs::is_regular_file(path, ignored)) found = path.string();
  return places_[key] = found;
}

void Sources::copy_lines(const pugi::xml_node& from, const pugi::xml_node& to, const LineTable& lines) {
  pugi::xml_node a = from, b = to;
  while (true) {
    xml_.lines.set(b, lines.line(a));
    if (a.first_child()) {
      a = a.first_child(), b = b.first_child();
      continue;
    }
    while (a != from && !a.next_sibling()) a = a.parent(), b = b.parent();
    if (a == from) return;
    a = a.next_sibling(), b = b.next_sibling();
  }
}

Sources::Loaded Sources::load(const Element& element, const std::string& folder, const std::string& name,
                              pugi::xml_node parent) {
  if (!options_.read_includes) {
    element.error("file-access", "the file " + in_quotes(name) + " is not read: reading other files is not allowed",
                  "allow it (ReadOptions::read_includes), or give the model as one file");
    return {};
  }
  bool outside = false;
  const std::string path = find(folder, name, outside);
  if (outside) {
    element.error("path-outside",
                  "the file " + in_quotes(name) + " lies outside of the folder of the robot's file, and is not read",
                  "put it into that folder or below, or give its folder with --packages or $LISSOM_PACKAGE_PATH");
    return {};
  }
  if (path.empty()) {
    element.error("include-missing", "the file " + in_quotes(name) + " is not found",
                  "put it there; the path is relative to the folder of the main file");
    return {};
  }
  const std::size_t left = options_.max_bytes - std::min(bytes_, options_.max_bytes);
  std::string text;
  XmlText other;
  if (sources_.size() >= limits::mjcf_files) {
    element.error("too-large", "the model has more than " + std::to_string(limits::mjcf_files) + " files",
                  "include fewer files");
    return {};
  }
  if (!read_file(path, left, text, found_)) return {};
  parse_xml(text, path, {left, options_.max_depth}, other, found_);
  if (!other.root) return {};
  bytes_ += text.size();
  const int first = next_line_;
  next_line_ += other.lines.count();
  sources_.push_back({path, first});
  other.lines.number_from(first);
  if (depth_of(parent) + height_of(other.root) > options_.max_depth) {
    element.error("xml-depth",
                  "with this file, elements are nested more than " + std::to_string(options_.max_depth) + " deep",
                  "check the files, or raise max_depth");
    return {};
  }
  const pugi::xml_node copy = parent.append_copy(other.root);
  copy_lines(other.root, copy, other.lines);
  return {copy, path};
}

bool Sources::include(const pugi::xml_node& node, Report& report) {
  const Element element(node, report, "include");
  const std::string name(element.text("file"));
  if (name.empty()) return element.missing("file"), false;
  if (node.first_child())
    element.error("include-children", "<include> has elements of its own, expected none",
                  "move them out of <include>, or into the included file");
  std::error_code ignored;
  const std::string whole = resolved(folder_ / include_folder_ / name).string();
  if (std::ranges::find(included_, whole) != included_.end()) {
    element.error("include-twice", "the file " + in_quotes(name) + " is included already: MuJoCo reads each file once",
                  "include it once; to have parts several times, use <attach> or <replicate>");
    return false;
  }
  included_.push_back(whole);
  pugi::xml_node parent = node.parent();
  const Loaded loaded = load(element, include_folder_, name, parent);
  if (!loaded.root) return false;
  pugi::xml_node before = node;
  // Nodes move within the document, so that their lines stay known.
  for (pugi::xml_node child = loaded.root.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    before = parent.insert_move_after(child, before);
    child = next;
  }
  parent.remove_child(loaded.root);
  return true;
}

void Sources::expand(pugi::xml_node node, Report& report) {
  for (pugi::xml_node child = node.first_child(); child;) {
    if (std::string_view(child.name()) == "include") {
      include(child, report);  // what it brings follows, and is expanded next
      const pugi::xml_node next = child.next_sibling();
      node.remove_child(child);
      child = next;
      continue;
    }
    if (child.first_child()) expand(child, report);
    child = child.next_sibling();
  }
}

AttachedFile Sources::read_model(const Element& asset, const std::string& folder, const std::string& name) {
  const Loaded loaded = load(asset, folder, name, xml_.document);
  if (!loaded.root) return {};
  // Files may be included in several models.
  auto before = std::exchange(included_, {included_.front(), resolved(loaded.path).string()});
  auto outer = std::exchange(include_folder_, fs::path(loaded.path).parent_path().string());
  expand(loaded.root, asset.report());
  included_ = std::move(before);
  return {loaded.root, std::exchange(include_folder_, std::move(outer))};
}

}  // namespace lissom::io::mjcf
