#include "lissom/io/sdf/sdf.h"

#include "lissom/io/extras.h"
#include "lissom/io/read_result.h"
#include "lissom/io/sdf/parts.h"
#include "lissom/io/xml_text.h"
#include "lissom/model/printable.h"

namespace lissom::io {
namespace {

bool is_sdf(const Element& root) {
  if (root.tag() == "sdf") return true;
  if (root.tag() == "gazebo")
    root.error("version", "the root element is <gazebo>: this is SDF before version 1.3",
               "convert the file with Gazebo: gz sdf --convert");
  else
    root.error("not-sdf", "the root element is <" + printable(root.tag()) + ">, not <sdf>",
               root.tag() == "model" || root.tag() == "world"
                   ? "put it into <sdf version=\"1.9\"> … </sdf>, with the version that it was written for"
                   : "give an SDF file");
  return false;
}

// What lissom has written for itself, in a model.
void read_extension(const Element& root, Description& description) {
  const Element world = root.peek("world");
  for (const Element& parent : {root, world})
    for (const pugi::xml_node node : parent.children())
      if (const pugi::xml_node extras = node.child("lissom:extras"))
        read_extras(Element(extras, root.report(), "extension"), description);
}

}  // namespace

ReadResult read_sdf(const std::string& path, const ReadOptions& options) {
  return read_path(path, options, read_sdf_text);
}

ReadResult read_sdf_text(std::string_view text, const std::string& file_name, const ReadOptions& options) {
  ReadResult result;
  result.description.file = file_name;
  XmlText xml;
  parse_xml(text, file_name, {options.max_bytes, options.max_depth}, xml, result.diagnostics);
  if (!xml.root) return result;
  Report report(file_name, xml.lines, {});
  const Element root(xml.root, report, "robot");
  const bool readable = is_sdf(root);
  if (readable) {
    sdf::Reading reading{options, report, result.description, {}, {}};
    sdf::expand_includes(xml, reading);
    sdf::scan(root, reading);
    reading.frames.resolve(report);
    sdf::assemble(reading);
    read_extension(root, result.description);
  }
  add_findings(report, result);
  if (readable) validate_into(result, options);
  return result;
}

}  // namespace lissom::io
