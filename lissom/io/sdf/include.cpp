// <include>: which file it means, and a copy of its model in the tree of elements.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <unordered_set>

#include "lissom/io/sdf/parts.h"
#include "lissom/io/xml_text.h"
#include "lissom/model/limits.h"
#include "lissom/model/source_place.h"
#include "lissom/model/text.h"

namespace lissom::io::sdf {
namespace {

namespace fs = std::filesystem;

bool is_within(const fs::path& file, const fs::path& folder) {
  const auto [rest, end] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  (void)end;
  return rest == folder.end() || rest->empty();
}

fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path result = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : result;
}

bool climbs(std::string_view uri) {
  return std::ranges::any_of(fs::path(uri), [](const fs::path& part) { return part == ".."; });
}

bool has_scheme(std::string_view uri, std::string_view scheme) {
  return uri.substr(0, scheme.size()) == scheme;
}

class Includes {
 public:
  Includes(XmlText& xml, Reading& reading) : xml_(xml), reading_(reading), next_line_(xml.lines.count() + 1) {
    const Description& description = reading.description;
    folders_.push_back(resolved(fs::path(description.file)).parent_path());
    for (const std::string& path : reading.options.package_paths) folders_.push_back(resolved(path));
  }

  void expand() {
    reading_.description.sources.push_back({reading_.description.file, 1});
    open_.push_back(resolved(reading_.description.file).string());
    expand_below(xml_.root);
    if (reading_.description.sources.size() == 1) reading_.description.sources.clear();
  }

 private:
  // Includes are children of worlds and models only. Models in models are nested no deeper than XML elements may be.
  void expand_below(pugi::xml_node parent) {
    for (const pugi::xml_node child : parent.children()) {
      const std::string_view tag = child.name();
      if (tag == "world" || tag == "model") expand_below(child);
      if (tag == "include") expand_one(child);
    }
  }

  void expand_one(pugi::xml_node include) {
    const Element element = reading_.element(include, "include");
    const std::string uri = Element(include.child("uri"), reading_.report, "include").value();
    if (uri.empty()) return element.error("include-uri", "<include> has no <uri>", "add <uri>model://…</uri>");
    const std::string path = find(element, uri);
    if (path.empty()) return;
    const std::string id = resolved(path).string();
    if (std::ranges::find(open_, id) != open_.end())
      return element.error("include-cycle", "the file " + in_quotes(path) + " includes itself",
                           "remove one of the includes");
    if (open_.size() > limits::include_depth)
      return element.error("include-depth",
                           "files are included more than " + std::to_string(limits::include_depth) + " deep",
                           "put the models into one file");
    open_.push_back(id);
    copy_model(element, path);
    open_.pop_back();
  }

  bool refuse_size(const Element& element, std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ <= reading_.options.max_bytes && reading_.description.sources.size() <= limits::included_files)
      return false;
    element.error(
        "include-size",
        "the included files are too many or too large: " + std::to_string(reading_.description.sources.size() - 1) +
            " files, " + std::to_string(bytes_) + " bytes",
        "include less, or raise max_bytes");
    return true;
  }

  void copy_model(const Element& element, const std::string& path) {
    std::string text;
    std::vector<Diagnostic> found;
    XmlText file;
    if (read_file(path, reading_.options.max_bytes, text, found)) {
      if (refuse_size(element, text.size())) return;
      parse_xml(text, path, {reading_.options.max_bytes, reading_.options.max_depth}, file, found);
    }
    for (const Diagnostic& d : found) element.say(d.severity, d.code, in_quotes(path) + ": " + d.message, d.remedy);
    if (!file.root) return;
    const int first_line = next_line_;
    file.lines.number_from(first_line);
    next_line_ += file.lines.count();
    reading_.description.sources.push_back({path, first_line});
    const std::string_view root = file.root.name();
    const pugi::xml_node model = file.root.child("model");
    if (root != "sdf" || !model) return report_no_model(element, path, file.root);
    if (model.next_sibling("model"))
      element.warning("include-several", "the file " + in_quotes(path) + " has several models; the first is used",
                      "write a file for each of them");
    pugi::xml_node copy = copy_with_lines(model, element.node(), file.lines);
    reading_.included[copy.internal_object()] = read_version(file.root.attribute("version").value(), element);
    expand_below(copy);
  }

  void report_no_model(const Element& element, const std::string& path, const pugi::xml_node& root) const {
    const bool light = root.child("light") || root.child("actor");
    if (std::string_view(root.name()) == "sdf" && light)
      return not_read(element, "it has a light or an actor, which lissom does not have");
    element.error(
        "include-format",
        "the file " + in_quotes(path) + " has no <model> in <sdf>; its root is <" + std::string(root.name()) + ">",
        "include an SDF file with one model; convert others first");
  }

  pugi::xml_node copy_with_lines(const pugi::xml_node& model, pugi::xml_node into, const LineTable& lines) {
    pugi::xml_node copy = into.append_copy(model);
    pugi::xml_node a = model, b = copy;
    while (true) {
      xml_.lines.set(b, lines.line(a));
      if (a.first_child()) {
        a = a.first_child(), b = b.first_child();
        continue;
      }
      while (a != model && !a.next_sibling()) a = a.parent(), b = b.parent();
      if (a == model) return copy;
      a = a.next_sibling(), b = b.next_sibling();
    }
  }

  // The path of the file; empty, and a finding, if there is none.
  std::string find(const Element& element, const std::string& uri) {
    if (has_scheme(uri, "http://") || has_scheme(uri, "https://") || has_scheme(uri, "fuel://")) {
      element.error("include-remote", in_quotes(uri) + " is on another machine; lissom does not fetch it",
                    "download the model, and include it as model://NAME");
      return {};
    }
    if (!reading_.options.read_includes) {
      element.error("file-access", in_quotes(uri) + " is included, but reading other files is not allowed",
                    "allow it (ReadOptions::read_includes), or put the models into one file");
      return {};
    }
    const bool of_package = has_scheme(uri, "model://") || has_scheme(uri, "package://");
    if (of_package && climbs(uri.substr(uri.find("://") + 3))) {
      refuse_outside(element, uri);
      return {};
    }
    std::string path = look_up(element, uri);
    if (path.empty()) {
      report_missing(element, uri);
    } else if (!of_package && !is_allowed(element, path)) {
      refuse_outside(element, uri);
      return {};
    }
    return path;
  }

  // A file, or a folder with model.config, or model.sdf.
  std::string look_up(const Element& element, const std::string& uri) {
    FileFinder& files = reading_.files(element.line());
    if (const std::string& path = files.find(uri); !path.empty()) return path;
    const std::string folder = uri.ends_with('/') ? uri : uri + "/";
    if (const std::string& config = files.find(folder + "model.config"); !config.empty()) {
      const std::string name = named_in(config);
      if (!name.empty() && !climbs(name) && !fs::path(name).is_absolute())
        if (const std::string& path = files.find(folder + name); !path.empty()) return path;
    }
    return files.find(folder + "model.sdf");
  }

  // The name of the newest file that a model.config has for versions that lissom reads.
  static std::string named_in(const std::string& config) {
    std::string text, best;
    std::vector<Diagnostic> ignored;
    XmlText xml;
    if (!read_file(config, limits::sdf_manifest_bytes, text, ignored)) return {};
    parse_xml(text, config, {limits::sdf_manifest_bytes, limits::xml_depth}, xml, ignored);
    int newest = -1;
    for (const pugi::xml_node sdf : xml.root.children("sdf")) {
      const std::string_view version = sdf.attribute("version").value();
      int minor = 0;
      if (version.substr(0, 2) == "1.") std::from_chars(version.data() + 2, version.data() + version.size(), minor);
      if (minor > newest_version || minor <= newest) continue;
      newest = minor;
      const std::string_view name = sdf.child_value();
      const auto first = std::min(name.find_first_not_of(" \t\r\n"), name.size());
      best = name.substr(first, name.find_last_not_of(" \t\r\n") + 1 - first);
    }
    return best;
  }

  // Files that are named without a package lie in the folder of the file that names them, or in one that was given.
  bool is_allowed(const Element& element, const std::string& path) const {
    const fs::path file = resolved(path);
    const auto& including = place_of(reading_.description, element.line()).file;
    return is_within(file, resolved(including).parent_path()) ||
           std::ranges::any_of(folders_, [&](const fs::path& folder) { return is_within(file, folder); });
  }

  static void refuse_outside(const Element& element, const std::string& uri) {
    element.error("include-outside", in_quotes(uri) + " leaves the folder of the file, and is in no package",
                  "include it as model://NAME, or give its folder with --packages");
  }

  void report_missing(const Element& element, const std::string& uri) {
    const std::string package = reading_.files(element.line()).unknown_package(uri);
    // Gazebo brings them along; neither has anything that moves.
    const bool harmless = uri == "model://sun" || uri == "model://ground_plane";
    reading_.report.count(harmless ? Severity::note : Severity::error, "include-missing", element.line(), "include",
                          "the model " + in_quotes(uri) + " is not found" +
                              (package.empty() ? "" : ": there is no folder " + in_quotes(package)) +
                              (harmless ? "; it is left out" : ""),
                          "give the folder that holds it with --packages or $LISSOM_PACKAGE_PATH");
  }

  XmlText& xml_;
  Reading& reading_;
  int next_line_;
  std::size_t bytes_ = 0;
  std::vector<fs::path> folders_;
  std::vector<std::string> open_;  // the files that are being read
};

}  // namespace

FileFinder& Reading::files(int line) {
  const std::string& file = place_of(description, line).file;
  const auto found = finders.find(file);
  return found != finders.end() ? found->second
                                : finders.emplace(file, FileFinder(options.package_paths, file)).first->second;
}

void expand_includes(XmlText& xml, Reading& reading) {
  Includes(xml, reading).expand();
}

}  // namespace lissom::io::sdf
