#pragma once
// Parses bytes to an XML tree, and reports every failure as a diagnostic. For all readers of XML formats. Not
// installed.
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <pugixml.hpp>

#include "lissom/model/diagnostic.h"
#include "lissom/model/limits.h"

namespace lissom::io {

// Converts offsets in a text to line numbers.
class LineTable {
 public:
  LineTable() = default;
  explicit LineTable(std::string_view text);
  int line(std::ptrdiff_t offset) const;       // from 1
  int line(const pugi::xml_node& node) const;  // of an element's tag, or of a text's first word
  int count() const { return static_cast<int>(starts_.size()) + 1; }

  // For texts that are put together from several files (SourceFile in model/description.h): the number of the first
  // line of this text, and lines of nodes that were copied into the document.
  void number_from(int first_line) { before_ = first_line - 1; }
  void set(const pugi::xml_node& node, int line) { copied_[node.internal_object()] = line; }

 private:
  std::vector<std::size_t> starts_;  // offsets of the second, third, … line
  int before_ = 0;                   // lines of the files before
  std::unordered_map<const void*, int> copied_;
};

struct XmlLimits {
  std::size_t max_bytes = limits::robot_bytes;
  int max_depth = limits::xml_depth;
  bool keep_all = false;  // also blanks between elements, and comments
};

struct XmlText {
  pugi::xml_document document;
  LineTable lines;
  pugi::xml_node root;  // the root element; null if the text is not usable
};

// Reads the content of a file. Returns false, with a diagnostic, if it cannot be read or is too large.
bool read_file(const std::string& path, std::size_t max_bytes, std::string& text, std::vector<Diagnostic>& found);

// Refuses a text that is empty, binary, not XML, too large, nested too deeply, or has a document type definition (which
// lets XML include other files and expand without bound). A byte-order mark is skipped; a text that is not UTF-8 is
// read as ISO 8859-1, with a note.
void parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits, XmlText& xml,
               std::vector<Diagnostic>& found);

}  // namespace lissom::io
