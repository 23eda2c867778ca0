#pragma once
// The files of an MJCF model: <include> is replaced by the content of the file that it names. Not for users.
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lissom/io/read.h"
#include "lissom/io/xml_element.h"
#include "lissom/io/xml_text.h"

namespace lissom::io::mjcf {

// A model that is attached to another one.
struct AttachedFile {
  pugi::xml_node root;
  std::string folder;
};

// All files end up in one document, whose lines are numbered on from file to file.
class Sources {
 public:
  Sources(const std::string& main_file, const ReadOptions& options, XmlText& xml, std::vector<SourceFile>& sources,
          std::vector<Diagnostic>& found);

  // Counts the main file, whose document is parsed already.
  void add_main(std::string_view text);
  // Replaces all <include> below a node.
  void expand(pugi::xml_node node, Report& report);
  // The root element of another model, put into the document; null, with a finding, if it cannot be read. `folder` is
  // that of the file which names it, empty: that of the main file.
  AttachedFile read_model(const Element& asset, const std::string& folder, const std::string& name);

  // The path of a file that belongs to the model; empty if there is none. Files outside of the folder of the main file
  // and of the package paths are refused, which sets `outside`.
  std::string find(const std::string& folder, const std::string& name, bool& outside);

 private:
  struct Loaded {
    pugi::xml_node root;
    std::string path;
  };
  Loaded load(const Element& element, const std::string& folder, const std::string& name, pugi::xml_node parent);
  bool is_inside(const std::filesystem::path& path) const;
  bool include(const pugi::xml_node& node, Report& report);
  void copy_lines(const pugi::xml_node& from, const pugi::xml_node& to, const LineTable& lines);

  const ReadOptions& options_;
  XmlText& xml_;
  std::vector<SourceFile>& sources_;
  std::vector<Diagnostic>& found_;
  std::filesystem::path folder_;                // of the main file
  std::vector<std::filesystem::path> allowed_;  // folders
  std::vector<std::string> included_;           // canonical paths
  std::unordered_map<std::string, std::string> places_;
  std::string include_folder_;  // that paths in <include> are relative to; empty: that of the main file
  int next_line_ = 1;
  std::size_t bytes_ = 0;
};

}  // namespace lissom::io::mjcf
