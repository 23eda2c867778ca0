#include "lissom/io/write/write.h"

#include <algorithm>

#include "lissom/model/text.h"

namespace lissom::io::write {

const char* to_string(Format format) {
  switch (format) {
    case Format::urdf:
      return "URDF";
    case Format::mjcf:
      return "MJCF";
    case Format::sdf:
      return "SDF";
  }
  return "";
}

Format format_of(std::string_view path) {
  if (path.ends_with(".urdf")) return Format::urdf;
  if (path.ends_with(".xml") || path.ends_with(".mjcf")) return Format::mjcf;
  if (path.ends_with(".sdf") || path.ends_with(".world")) return Format::sdf;
  throw Error(in_quotes(path) + ": expected a name that ends with .urdf, .xml, .mjcf or .sdf, or the format");
}

bool WriteResult::lossless() const {
  return std::ranges::none_of(losses, [](const Diagnostic& d) { return d.severity != Severity::note; });
}

WriteResult write(const Description& description, Format format, const WriteOptions& options) {
  switch (format) {
    case Format::urdf:
      return write_urdf(description, options);
    case Format::mjcf:
      return write_mjcf(description, options);
    case Format::sdf:
      return write_sdf(description, options);
  }
  return {};
}

}  // namespace lissom::io::write
