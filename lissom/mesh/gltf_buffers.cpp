#include "lissom/mesh/gltf_buffers.h"

#include <array>
#include <filesystem>

#include "lissom/files/data_uri.h"
#include "lissom/files/read_bytes.h"
#include "lissom/mesh/bytes.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "%20" and its like are characters.
std::string without_escapes(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool escape = uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
    text += escape ? char(16 * hex_digit(uri[i + 1]) + hex_digit(uri[i + 2])) : uri[i];
    if (escape) i += 2;
  }
  return text;
}

// The path of a file inside of a folder or below, also after links are followed; empty if it lies elsewhere.
std::string path_inside(const std::string& folder, const std::string& name) {
  std::error_code error;
  const auto base = fs::weakly_canonical(folder, error);
  if (error || name.find('\0') != std::string::npos || fs::path(name).is_absolute()) return {};
  const auto target = fs::weakly_canonical(base / name, error);
  if (error) return {};
  const auto [end, ignored] = std::mismatch(base.begin(), base.end(), target.begin(), target.end());
  const bool inside = end == base.end() || (end->empty() && std::next(end) == base.end());
  return inside ? target.string() : "";
}

std::size_t bytes_of_component(std::size_t type) {
  switch (type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

double component(std::size_t type, std::string_view bytes, std::size_t at) {
  switch (type) {
    case 5120:
      return number_at<std::int8_t>(bytes, at);
    case 5121:
      return number_at<std::uint8_t>(bytes, at);
    case 5122:
      return number_at<std::int16_t>(bytes, at);
    case 5123:
      return number_at<std::uint16_t>(bytes, at);
    case 5125:
      return number_at<std::uint32_t>(bytes, at);
    default:
      return double(number_at<float>(bytes, at));
  }
}

// What a normalized integer is multiplied by.
double normalization(std::size_t type) {
  switch (type) {
    case 5120:
      return 1 / 127.0;
    case 5121:
      return 1 / 255.0;
    case 5122:
      return 1 / 32767.0;
    case 5123:
      return 1 / 65535.0;
    default:
      return 1;
  }
}

}  // namespace

const Json& list_in(const Json& object, const char* name) {
  static const Json empty = Json::array();
  if (!object.is_object()) return empty;
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : empty;
}

std::optional<std::size_t> as_index(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::size_t>();
  // Some programs write 3.0.
  if (!value.is_number_float() || value.get<double>() < 0 || value.get<double>() > 1e15) return {};
  const auto index = std::size_t(value.get<double>());
  return double(index) == value.get<double>() ? std::optional(index) : std::nullopt;
}

std::optional<std::size_t> index_in(const Json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found == object.end() ? std::nullopt : as_index(*found);
}

bool refuse_compressed(Reading& reading, const std::string& extension) {
  return reading.refuse("mesh-unsupported", 0, "the mesh is compressed (" + in_quotes(extension) + ")",
                        "export it without compression");
}

bool GltfBuffers::wrong(const std::string& message) {
  return reading_.refuse("mesh-syntax", 0, message, "correct the file, or export it again");
}
bool GltfBuffers::truncated(const std::string& message) {
  return reading_.refuse("mesh-truncated", 0, message, "export or copy the mesh again");
}

bool GltfBuffers::read_container() {
  constexpr std::uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;
  auto text = reading_.bytes;
  if (text.starts_with("glTF")) {
    const auto bytes = reading_.bytes;
    if (bytes.size() < 20) return truncated("the file ends within its header");
    if (const auto version = number_at<std::uint32_t>(bytes, 4); version != 2)
      return reading_.refuse("mesh-unsupported", 0, "this is version " + std::to_string(version) + " of glTF",
                             "export the mesh as glTF 2.0");
    text = {};
    for (std::size_t at = 12; bytes.size() - at >= 8;) {
      const std::size_t size = number_at<std::uint32_t>(bytes, at);
      const auto type = number_at<std::uint32_t>(bytes, at + 4);
      if (size > bytes.size() - at - 8) return truncated("the file ends within a chunk");
      const auto content = bytes.substr(at + 8, size);
      if (type == json_chunk && text.empty()) text = content;
      if (type == binary_chunk && binary_chunk_.empty()) binary_chunk_ = content;
      at += 8 + size;
    }
  }
  if (text.size() > reading_.options.max_document_bytes)
    return reading_.refuse(
        "mesh-size", 0,
        "the JSON is larger than the limit of " + std::to_string(reading_.options.max_document_bytes) + " bytes",
        "put the buffers into a file of their own, or raise max_document_bytes");
  // Chunks are padded by blanks, or by zeros, which is wrong.
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  try {
    document_ = parse_json<Json>(text, JsonComments::refuse);
  } catch (const Error& error) {
    return wrong(error.what());
  }
  if (!document_.is_object() || !document_.contains("asset"))
    return reading_.refuse("mesh-format", 0, "this is JSON, but no glTF: it has no \"asset\"",
                           "check that this is the right file");
  return true;
}

bool GltfBuffers::load_file(const std::string& uri, std::string& bytes) {
  const auto name = without_escapes(uri);
  if (reading_.folder.empty() || uri.find("://") != std::string::npos)
    return reading_.refuse("mesh-external", 0, "a buffer lies elsewhere, in " + in_quotes(uri),
                           "export the mesh as one file (.glb)");
  const auto path = path_inside(reading_.folder, name);
  if (path.empty())
    return reading_.refuse("mesh-external", 0, "a buffer is not in the folder of the file: " + in_quotes(uri),
                           "put it beside the file, or export the mesh as one file (.glb)");
  reading_.used_other_files = true;
  const std::size_t left = reading_.options.max_bytes - std::min(bytes_of_files_, reading_.options.max_bytes);
  if (const auto problem = read_bytes(path, left, bytes))
    return reading_.refuse(problem->too_large ? "mesh-size" : "mesh-file", 0,
                           "buffer " + in_quotes(uri) + ": " + problem->message, problem->remedy);
  bytes_of_files_ += bytes.size();
  return true;
}

bool GltfBuffers::load(const Json& entry, std::size_t index, std::string& bytes) {
  const auto uri = entry.find("uri");
  if (!uri->is_string()) return wrong("the address of buffer " + std::to_string(index) + " is no text");
  const auto& text = uri->get_ref<const std::string&>();
  if (!is_data_uri(text)) return load_file(text, bytes);
  auto content = data_uri_bytes(text);
  if (!content) return wrong("buffer " + std::to_string(index) + " is no base64");
  bytes = *std::move(content);
  return true;
}

bool GltfBuffers::buffer(std::size_t index, std::string_view& bytes) {
  const auto& buffers = list_in(document_, "buffers");
  if (index >= buffers.size() || !buffers[index].is_object())
    return wrong("there is no buffer " + std::to_string(index));
  if (!buffers[index].contains("uri")) {
    bytes = binary_chunk_;
    return index == 0 || wrong("buffer " + std::to_string(index) + " has no address");
  }
  loaded_.resize(buffers.size());
  if (!loaded_[index]) {
    std::string content;
    if (!load(buffers[index], index, content)) return false;
    loaded_[index] = std::move(content);
  }
  bytes = *loaded_[index];
  return true;
}

// Where the elements of an accessor lie. Whether they all lie inside of the buffer is checked here, once.
bool GltfBuffers::find(std::size_t accessor, std::size_t components, View& view) {
  const auto name = "accessor " + std::to_string(accessor);
  const auto& accessors = list_in(document_, "accessors");
  if (accessor >= accessors.size()) return wrong("there is no " + name);
  const auto& entry = accessors[accessor];
  if (entry.is_object() && (entry.contains("sparse") || !entry.contains("bufferView")))
    return reading_.refuse("mesh-unsupported", 0, name + " is sparse", "export the mesh without sparse accessors");
  const auto view_index = index_in(entry, "bufferView"), count = index_in(entry, "count");
  const auto type = index_in(entry, "componentType");
  const auto& views = list_in(document_, "bufferViews");
  if (!view_index || *view_index >= views.size() || !count || !type || bytes_of_component(*type) == 0)
    return wrong(name + " lacks its buffer view, count or type");
  const auto expected = components == 3 ? "VEC3" : "SCALAR";
  if (!entry.contains("type") || entry["type"] != expected) return wrong(name + " is not of type " + expected);
  const auto& place = views[*view_index];
  if (place.is_object() && place.contains("extensions") && place["extensions"].is_object() &&
      place["extensions"].contains("EXT_meshopt_compression"))
    return refuse_compressed(reading_, "EXT_meshopt_compression");
  const auto buffer_index = index_in(place, "buffer"), length = index_in(place, "byteLength");
  std::string_view bytes;
  if (!buffer_index || !length) return wrong("a buffer view lacks its buffer or length");
  if (!buffer(*buffer_index, bytes)) return false;
  const std::size_t start = index_in(place, "byteOffset").value_or(0), size = components * bytes_of_component(*type);
  if (start > bytes.size() || *length > bytes.size() - start) return truncated("a buffer is shorter than its views");
  bytes = bytes.substr(start, *length);
  const std::size_t offset = index_in(entry, "byteOffset").value_or(0);
  const std::size_t stride = index_in(place, "byteStride").value_or(size);
  if (stride < size || stride > 4096)
    return wrong("the stride of a buffer view is " + std::to_string(stride) + " bytes");
  if (*count > 0 &&
      (offset > bytes.size() || bytes.size() - offset < size || *count - 1 > (bytes.size() - offset - size) / stride))
    return truncated("a buffer view is shorter than " + name + ", which has " + counted(*count, "element"));
  view = {bytes.substr(std::min(offset, bytes.size())), *count, stride, *type,
          entry.value("normalized", Json(false)) == true};
  return true;
}

bool GltfBuffers::read_positions(std::size_t accessor) {
  View view;
  if (!find(accessor, 3, view)) return false;
  const double factor = view.normalized ? normalization(view.component_type) : 1;
  const std::size_t size = bytes_of_component(view.component_type);
  for (std::size_t i = 0; i < view.count; ++i) {
    const auto number = [&](std::size_t k) {
      return factor * component(view.component_type, view.bytes, i * view.stride + k * size);
    };
    if (!reading_.add_vertex({number(0), number(1), number(2)}, 0)) return false;
  }
  return true;
}

bool GltfBuffers::read_indices(std::size_t accessor, std::vector<std::int64_t>& indices) {
  View view;
  if (!find(accessor, 1, view)) return false;
  if (view.component_type == 5126) return wrong("indices are numbers of type float");
  if (!reading_.expect_triangles(view.count / 3)) return false;
  for (std::size_t i = 0; i < view.count; ++i)
    indices.push_back(std::int64_t(component(view.component_type, view.bytes, i * view.stride)));
  return true;
}

}  // namespace lissom::mesh
