#pragma once
// From bytes to an XML tree, with every way in which that can fail turned into a diagnostic. Used by all readers of XML
// formats.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "lissom/model/diagnostic.h"

namespace lissom::io {

// Offsets in a text to line numbers.
class LineTable {
 public:
  LineTable() = default;
  explicit LineTable(std::string_view text);
  int line(std::ptrdiff_t offset) const;       // counted from 1
  int line(const pugi::xml_node& node) const;  // of an element's tag, or of a text's first word

 private:
  std::vector<std::size_t> starts_;  // where the second, third, … line begins
};

struct XmlLimits {
  std::size_t max_bytes = std::size_t{64} << 20;
  int max_depth = 64;
};

struct XmlText {
  pugi::xml_document document;
  LineTable lines;
  pugi::xml_node root;  // the one element at the top; null where the text is not usable
};

// The content of a file; false, with a diagnostic, where it cannot be had or is too large.
bool read_file(const std::string& path, std::size_t max_bytes, std::string& text, std::vector<Diagnostic>& found);

// Refuses what is empty, no text, no XML, too large, too deep, or comes with a document type definition (the door
// through which XML reads other files and grows without bound). A byte-order mark is skipped; a text that is not UTF-8
// is taken for ISO 8859-1, with a note.
void parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits, XmlText& xml,
               std::vector<Diagnostic>& found);

}  // namespace lissom::io
