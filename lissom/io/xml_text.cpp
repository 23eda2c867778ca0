#include "lissom/io/xml_text.h"

#include <algorithm>

#include "lissom/files/read_bytes.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io {

LineTable::LineTable(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool old_mac = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || old_mac) starts_.push_back(i + 1);
  }
}

int LineTable::line(std::ptrdiff_t offset) const {
  if (offset < 0) return 0;
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), static_cast<std::size_t>(offset));
  return static_cast<int>(after - starts_.begin()) + 1 + before_;
}

int LineTable::line(const pugi::xml_node& node) const {
  if (const auto copied = copied_.find(node.internal_object()); copied != copied_.end()) return copied->second;
  const int first = line(node.offset_debug());
  const std::string_view text = node.value();
  const std::string_view leading = text.substr(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return first + static_cast<int>(std::count(leading.begin(), leading.end(), '\n'));
}

namespace {

constexpr const char* raise_max_bytes =
    "check that this is the file of a robot; a program that reads larger ones raises ReadOptions::max_bytes";

// Collects the errors of one file.
struct Refusal {
  const std::string& file;
  std::vector<Diagnostic>& found;
  bool operator()(std::string code, int line, std::string message, std::string remedy) const {
    found.push_back({Severity::error, std::move(code), file, line, "", std::move(message), std::move(remedy)});
    return false;
  }
};

bool is_wide(std::string_view text) {
  const auto starts = [&](std::string_view mark) { return text.substr(0, mark.size()) == mark; };
  using namespace std::string_view_literals;
  return starts("\xFF\xFE"sv) || starts("\xFE\xFF"sv) || starts("<\0"sv) || starts("\0<"sv) ||
         starts("\0\0\xFE\xFF"sv) || starts("\0\0\0<"sv);
}

// Length of the longest prefix that is valid UTF-8.
std::size_t utf8_prefix(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) break;
    i += length;
  }
  return i;
}

std::string from_latin1(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

bool check_text(std::string_view text, const LineTable& lines, std::size_t max_bytes, const Refusal& refuse) {
  if (text.size() > max_bytes)
    return refuse("file-size", 0, "the file is larger than the limit of " + std::to_string(max_bytes) + " bytes",
                  raise_max_bytes);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return refuse("file-empty", 0, "the file is empty", "check how the file was made or copied");
  if (is_wide(text))
    return refuse("encoding", 1, "the file is in UTF-16 or UTF-32", "save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
  const auto control = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  if (control != text.end()) {
    const std::string value = std::to_string(static_cast<int>(static_cast<unsigned char>(*control)));
    return refuse("not-text", lines.line(control - text.begin()),
                  "there is a byte of value " + value + ", which is not allowed in XML",
                  "check that this is a robot description, and that it was not damaged in transfer");
  }
  return true;
}

std::string syntax_remedy(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_end_element_mismatch:
      return "close every element with the tag that opened it, the innermost first";
    case pugi::status_bad_attribute:
      return "write attributes as name=\"value\", separated by blanks";
    case pugi::status_bad_comment:
      return "end the comment with -->";
    case pugi::status_unrecognized_tag:
      return "write < inside text as &lt;";
    default:
      return "correct the XML around this line; the mistake may lie a little before it";
  }
}

bool check_depth(const pugi::xml_node& top, const LineTable& lines, int max_depth, const Refusal& refuse) {
  int depth = 0;
  pugi::xml_node node = top;
  while (true) {
    if (node.first_child()) {
      node = node.first_child();
      if (++depth > max_depth)
        return refuse("xml-depth", lines.line(node),
                      "elements are nested more than " + std::to_string(max_depth) + " deep",
                      "check the file, or raise max_depth");
      continue;
    }
    while (node != top && !node.next_sibling()) node = node.parent(), --depth;
    if (node == top) return true;
    node = node.next_sibling();
  }
}

// Checks that there is exactly one root element, no text beside it, and no document type.
bool check_top(XmlText& xml, const Refusal& refuse) {
  for (const pugi::xml_node node : xml.document.children()) {
    const int line = xml.lines.line(node);
    if (node.type() == pugi::node_doctype)
      return refuse("doctype", line, "the file has a document type definition (<!DOCTYPE …>)",
                    "remove it; it is not needed, and refused for safety");
    const std::string_view text = node.value();
    const bool blank = node.type() == pugi::node_pcdata && text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if ((node.type() == pugi::node_pcdata && !blank) || node.type() == pugi::node_cdata)
      return refuse("xml-syntax", line, "there is text outside the root element: " + in_quotes(node.value()),
                    "check that this is an XML file; remove the text before or after the root element");
    if (node.type() != pugi::node_element) continue;
    if (xml.root)
      return refuse("xml-syntax", line, "there is a second root element <" + printable(node.name()) + ">",
                    "leave one element at the top of the file");
    xml.root = node;
  }
  return xml.root ? true : refuse("xml-syntax", 1, "there is no XML element", "check that this is an XML file");
}

}  // namespace

bool read_file(const std::string& path, std::size_t max_bytes, std::string& text, std::vector<Diagnostic>& found) {
  const auto problem = read_bytes(path, max_bytes, text);
  if (!problem) return true;
  const Refusal refuse{path, found};
  return problem->too_large ? refuse("file-size", 0, problem->message, raise_max_bytes)
                            : refuse("file-open", 0, problem->message, problem->remedy);
}

void parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits, XmlText& xml,
               std::vector<Diagnostic>& found) {
  const Refusal refuse{file, found};
  if (text.size() <= limits.max_bytes) xml.lines = LineTable(text);
  if (!check_text(text, xml.lines, limits.max_bytes, refuse)) return;

  std::string converted;
  const std::size_t valid = utf8_prefix(text);
  if (valid < text.size()) {
    found.push_back({Severity::note, "encoding", file, xml.lines.line(static_cast<std::ptrdiff_t>(valid)), "",
                     "the file is not in UTF-8; it is read as ISO 8859-1", "save it as UTF-8"});
    converted = from_latin1(text);
    xml.lines = LineTable(converted);
    text = converted;
  }
  const unsigned int options = pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment |
                               (limits.keep_all ? pugi::parse_ws_pcdata | pugi::parse_comments : 0);
  const pugi::xml_parse_result result =
      xml.document.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
  if (!result) {
    const bool doctype = result.status == pugi::status_bad_doctype;
    refuse(doctype ? "doctype" : "xml-syntax", xml.lines.line(result.offset),
           std::string("this is not well-formed XML: ") + result.description(),
           doctype ? "remove the document type definition; it is not needed, and refused for safety"
                   : syntax_remedy(result.status));
    return;
  }
  if (!check_top(xml, refuse) || !check_depth(xml.root, xml.lines, limits.max_depth, refuse)) xml.root = {};
}

}  // namespace lissom::io
