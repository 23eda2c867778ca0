#include "lissom/io/mjcf/schema.h"

#include <algorithm>

#include "lissom/io/mjcf/parts.h"
#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const auto blank = std::min(text.find(' '), text.size());
    if (blank > 0) words.push_back(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return words;
}
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || text[at - 1] == ' ') && (at + word.size() == text.size() || text[at + word.size()] == ' '))
      return true;
  return false;
}

// What stands in these is not read.
bool is_closed(std::string_view tag) {
  constexpr std::string_view tags[] = {"size",   "statistic", "visual",   "extension",   "deformable",
                                       "sensor", "custom",    "plugin",   "lengthrange", "skin",
                                       "hfield", "flexcomp",  "composite"};
  return std::ranges::find(tags, tag) != std::end(tags);
}

// Attributes of earlier versions of MuJoCo, which had no meaning for the motion of a body, or have none now.
bool is_former(std::string_view tag, std::string_view attribute) {
  constexpr SchemaRow former[] = {
      {"", "compiler", "convexhull exactmeshinertia hullfactor"},
      {"", "option", "apirate collision mpr_iterations mpr_tolerance"},
      {"", "flag", "passive sensornoise nativeccd"},
      {"", "material", "texid"},
      {"", "mesh", "convexhull smoothnormal"},
      {"", "geom", "fitaabb"},
  };
  const auto* row = std::ranges::find(former, tag, &SchemaRow::tag);
  return row != std::end(former) && has_word(row->attributes, attribute);
}

void check_attributes(const Element& element, const pugi::xml_node& node, const SchemaRow& row) {
  Report& report = element.report();
  constexpr int max_count = 64;  // the search for duplicates takes quadratic time
  int seen = 0;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (++seen <= max_count && node.attribute(attribute.name()) != attribute)
      element.warning(
          "duplicate-attribute",
          "attribute " + in_quotes(name) + " of <" + printable(row.tag) + "> is given twice; the first is used",
          "remove one: XML forbids it and MuJoCo refuses the file");
    if (has_word(row.attributes, name) || name.substr(0, 5) == "xmlns") continue;
    if (is_former(row.tag, name)) {
      report.count(Severity::note, "former-attribute", element.line(), element.subject(),
                   "attribute " + in_quotes(name) + " of <" + std::string(row.tag) +
                       "> belongs to an earlier version of MuJoCo and is ignored",
                   "remove it");
      continue;
    }
    const std::string suggestion = did_you_mean(name, split(row.attributes));
    report.count(Severity::warning, "unknown-attribute", element.line(), element.subject(),
                 "attribute " + in_quotes(name) + " of <" + std::string(row.tag) + "> is unknown and is ignored",
                 suggestion.empty() ? "remove it, or check its spelling: MuJoCo refuses the file" : suggestion);
  }
}

void unknown_element(const Element& element, std::string_view context, std::string_view parent_tag) {
  Words known;
  for (const SchemaRow& row : schema())
    if (row.parent == context) known.push_back(row.tag);
  const std::string suggestion = did_you_mean(element.tag(), known);
  element.report().count(
      Severity::warning, "unknown-tag", element.line(), element.subject(),
      "<" + printable(shortened(element.tag(), 60)) + "> inside <" + std::string(parent_tag) +
          "> is unknown and is ignored",
      suggestion.empty() ? "remove it, or check its spelling and its position: MuJoCo refuses the file" : suggestion);
}

// What may stand inside an element: that of <body> for all that are like it.
std::string_view context_of(std::string_view tag) {
  return tag == "worldbody" || tag == "frame" || tag == "replicate" ? std::string_view("body") : tag;
}

const SchemaRow* find_row(std::string_view context, std::string_view tag) {
  const auto rows = schema();
  const auto row = std::ranges::find_if(rows, [&](const SchemaRow& r) { return r.parent == context && r.tag == tag; });
  if (row != rows.end()) return &*row;
  // Recursive elements stand in the table once.
  if ((tag == "body" || tag == "default") && context == tag)
    return &*std::ranges::find_if(rows, [&](const SchemaRow& r) { return r.parent == "mujoco" && r.tag == tag; });
  return nullptr;
}

void check_below(const pugi::xml_node& node, Report& report) {
  const std::string_view tag = node.name();
  const std::string_view context = context_of(tag);
  for (const pugi::xml_node child : node.children()) {
    const Element element(child, report, std::string_view(child.name()));
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      report.count(Severity::note, "stray-text", report.line(child), tag,
                   "there is text inside <" + printable(tag) + ">, which MuJoCo ignores",
                   "remove it; values are written as attributes");
    if (child.type() != pugi::node_element) continue;
    const SchemaRow* row = find_row(context, child.name());
    if (!row) {
      unknown_element(element, context, tag);
      continue;
    }
    if (!is_closed(row->tag)) {
      check_attributes(element, child, *row);
      check_below(child, report);
    }
  }
}

}  // namespace

std::string_view attributes_of(std::string_view parent, std::string_view tag) {
  const SchemaRow* row = find_row(context_of(parent), tag);
  return row ? row->attributes : std::string_view{};
}
bool has_attribute(std::string_view parent, std::string_view tag, std::string_view attribute) {
  return has_word(attributes_of(parent, tag), attribute);
}

void check_schema(const pugi::xml_node& root, Report& report) {
  check_below(root, report);
}

}  // namespace lissom::io::mjcf
