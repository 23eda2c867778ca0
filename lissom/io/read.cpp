#include "lissom/io/read.h"

#include <algorithm>

#include "lissom/io/description_json.h"
#include "lissom/io/mjcf/mjcf.h"
#include "lissom/io/read_result.h"
#include "lissom/io/sdf/sdf.h"
#include "lissom/io/urdf/read_document.h"
#include "lissom/io/urdf/urdf.h"
#include "lissom/io/xacro/expand_document.h"
#include "lissom/io/xacro/xacro.h"
#include "lissom/model/text.h"
#include "lissom/model/validate.h"

namespace lissom::io {
namespace {

struct Format {
  std::string_view root;  // element
  std::string_view name;
  ReadResult (*read)(std::string_view text, const std::string& file_name, const ReadOptions& options);
};
constexpr Format formats[] = {{"robot", "URDF", read_urdf_text},
                              {"sdf", "SDF, the format of Gazebo", read_sdf_text},
                              {"gazebo", "SDF, the format of Gazebo", read_sdf_text},
                              {"world", "SDF, the format of Gazebo", read_sdf_text},
                              {"model", "SDF, the format of Gazebo", read_sdf_text},
                              {"mujoco", "MJCF, the format of MuJoCo", read_mjcf_text},
                              {"mujocoinclude", "MJCF, the format of MuJoCo", read_mjcf_text},
                              {"COLLADA", "COLLADA, a format of meshes", nullptr},
                              {"skel", "SKEL, the format of DART", nullptr},
                              {"OpenSimDocument", "OpenSim's format", nullptr},
                              {"svg", "SVG, a picture", nullptr},
                              {"html", "HTML, a web page", nullptr},
                              {"package", "the manifest of a ROS package", nullptr},
                              {"launch", "a ROS launch file", nullptr}};

// Files that are no robots: how they begin; of ZIP archives, how the name of the first file in them does.
struct OtherFile {
  std::string_view magic, name, remedy;
  std::string_view member = {};
};
using namespace std::string_view_literals;
constexpr std::string_view give_the_robot = "give the file of the robot itself";
constexpr std::string_view recordings_are_read_by =
    "give the file of the robot; convert, compare, plot and view read recordings";
constexpr OtherFile other_files[] = {
    {"\x1F\x8B"sv, "a file compressed by gzip", "decompress it first (gunzip)"},
    {"BZh"sv, "a file compressed by bzip2", "decompress it first (bunzip2)"},
    {"\xFD\x37zXZ\0"sv, "a file compressed by xz", "decompress it first (unxz)"},
    {"\x28\xB5\x2F\xFD"sv, "a file compressed by zstd", "decompress it first (unzstd)"},
    {"PK\x03\x04"sv, "a recording (NPZ)", recordings_are_read_by, "header.json"},
    {"PK\x03\x04"sv, "a ZIP archive", "unpack it first (unzip)"},
    {"\x89MCAP0\r\n"sv, "a recording (MCAP)", recordings_are_read_by},
    {"# lissom recording"sv, "a recording (CSV)", recordings_are_read_by},
    {"glTF"sv, "a mesh (GLB)", give_the_robot},
    {"\x89PNG"sv, "a picture (PNG)", give_the_robot},
    {"\xFF\xD8\xFF"sv, "a picture (JPEG)", give_the_robot},
    {"\x7F"
     "ELF"sv,
     "a program (ELF)", give_the_robot}};

// Whether the name of the first file in a ZIP archive, which follows a header of 30 bytes, begins so.
bool begins_with_member(std::string_view archive, std::string_view name) {
  constexpr std::size_t header = 30;
  return name.empty() || (archive.size() > header && archive.substr(header).starts_with(name));
}

// The position after the first `end` that begins at or after `at`.
std::size_t after(std::string_view text, std::string_view end, std::size_t at) {
  const auto found = text.find(end, at);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

// The position of the name of the root element, after declarations and comments; the end if there is none.
std::size_t find_root(std::string_view text) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < text.size()) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    const auto rest = text.substr(at);
    if (rest.starts_with("<?"))
      at = after(text, "?>", at);
    else if (rest.starts_with("<!--"))
      at = after(text, "-->", at);
    else if (rest.starts_with("<!"))
      at = after(text, ">", at);
    else
      return rest.starts_with("<") ? at + 1 : text.size();
  }
  return text.size();
}

ReadResult refused(std::string_view text, std::size_t at, const std::string& file_name, const char* code,
                   std::string message, std::string remedy) {
  ReadResult result;
  result.description.file = file_name;
  const auto line = 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
  result.diagnostics.push_back(
      {Severity::error, code, file_name, line, "robot", std::move(message), std::move(remedy)});
  return result;
}

ReadResult read_xacro(std::string_view text, const std::string& file_name, const ReadOptions& options) {
  ReadResult result;
  XmlText xml;
  xacro::expand_document(text, file_name, options, xml, result);
  return xml.root ? read_urdf_document(xml, std::move(result), options) : result;
}

// A whole description as JSON.
ReadResult read_json_text(std::string_view text, std::size_t start, const std::string& file_name,
                          const ReadOptions& options) {
  if (text.substr(start, 200).find("\"lissom_robot\"") == std::string_view::npos)
    return refused(text, start, file_name, "format-unknown", "this looks like JSON, which does not describe a robot",
                   "give the file of a robot; loops, couplings and springs in a JSON file are read beside it "
                   "(LoadOptions::loops_file, --loops)");
  ReadResult result;
  try {
    result.description = description_from_json(text);
  } catch (const Error& error) {
    return refused(text, start, file_name, "json", error.what(), "write the description anew, or correct it");
  }
  result.description.file = file_name;
  // Lines are those of the files that the description was made from.
  validate_into(result, options);
  return result;
}

}  // namespace

bool ReadResult::usable() const {
  return !any_error(diagnostics);
}

ReadResult read(const std::string& path, const ReadOptions& options) {
  return read_path(path, options, read_text);
}

namespace {

// `expanded`: whether the file is one of xacro, which tells itself about its arguments.
ReadResult read_any(std::string_view text, const std::string& file_name, const ReadOptions& options, bool& expanded) {
  for (const auto& [magic, name, remedy, member] : other_files)
    if (text.starts_with(magic) && begins_with_member(text, member))
      return refused(text, 0, file_name, "format-unsupported",
                     "this is " + std::string(name) + "; expected URDF, MJCF or SDF", std::string(remedy));
  const auto start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (text.substr(start).starts_with("{")) return read_json_text(text, start, file_name, options);
  const auto at = find_root(text);
  const auto root = text.substr(at, text.find_first_of(" \t\r\n/>", at) - at);
  const auto* format = std::ranges::find(formats, root, &Format::root);
  // For unknown formats the URDF reader gives the best diagnostics: it tells where the XML is wrong.
  if (format == std::end(formats)) return read_urdf_text(text, file_name, options);
  expanded = root == "robot" && xacro::is_xacro(text);
  if (expanded) return read_xacro(text, file_name, options);
  if (format->read) return format->read(text, file_name, options);
  return refused(text, at, file_name, "format-unsupported",
                 "this looks like " + std::string(format->name) + ", which lissom does not read",
                 "convert it to URDF, MJCF or SDF");
}

}  // namespace

ReadResult read_text(std::string_view text, const std::string& file_name, const ReadOptions& options) {
  bool expanded = false;
  auto result = read_any(text, file_name, options, expanded);
  if (!expanded && result.usable())
    for (const auto& [name, value] : options.xacro_arguments)
      result.diagnostics.push_back(
          {Severity::warning, "xacro-unused", file_name, 0, "robot",
           "the argument " + in_quotes(name) + " is given, but the file has no macros of xacro",
           "remove the argument, or give the file that declares it"});
  return result;
}

}  // namespace lissom::io
