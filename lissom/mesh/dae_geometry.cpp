#include "lissom/mesh/dae_geometry.h"

#include <algorithm>
#include <array>

#include "lissom/mesh/text_scanner.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

// The numbers of a <source>, as its <accessor> groups them.
struct Accessor {
  std::uint64_t count = 0, stride = 3, offset = 0;
};

class DaeGeometry {
 public:
  DaeGeometry(Reading& reading, const LineStarts& lines, const pugi::xml_node& geometry)
      : reading_(reading), lines_(lines), mesh_(geometry.child("mesh")), geometry_(geometry) {}

  bool read() {
    if (!mesh_) {
      reading_.warn("mesh-unsupported", line(geometry_), "a geometry that is no <mesh> is left out",
                    "export it as polygons");
      return true;
    }
    if (!read_positions()) return false;
    for (const auto primitive : mesh_.children()) {
      const std::string_view tag = primitive.name();
      if (tag == "triangles" || tag == "polylist" || tag == "polygons" || tag == "tristrips" || tag == "trifans") {
        if (!read_primitive(primitive)) return false;
      }
    }
    return true;
  }

 private:
  int line(const pugi::xml_node& node) const { return lines_.line(node); }
  bool wrong(const pugi::xml_node& node, const std::string& message) {
    return reading_.refuse("mesh-syntax", line(node), message, "export the mesh again");
  }
  static bool is_id(const pugi::xml_node& node, std::string_view url) {
    return url.starts_with('#') && url.substr(1) == node.attribute("id").value();
  }

  bool read_positions() {
    const auto vertices = mesh_.child("vertices");
    const auto input = vertices.find_child_by_attribute("input", "semantic", "POSITION");
    if (!input) return wrong(mesh_, "the mesh has no <vertices> with positions");
    const std::string_view url = input.attribute("source").value();
    for (const auto source : mesh_.children("source"))
      if (is_id(source, url)) return read_source(source);
    return wrong(input, "there is no source " + in_quotes(url));
  }
  bool read_source(const pugi::xml_node& source) {
    const auto array = source.child("float_array");
    const auto node = source.child("technique_common").child("accessor");
    Accessor accessor;
    accessor.stride = node ? node.attribute("stride").as_ullong(1) : 3;
    accessor.offset = node.attribute("offset").as_ullong(0);
    accessor.count = node ? node.attribute("count").as_ullong(0) : array.attribute("count").as_ullong(0) / 3;
    if (accessor.stride < 3 || accessor.stride > 1000 || accessor.offset > 1'000'000)
      return wrong(node ? node : source, "positions have to be three numbers each");
    // A number takes two bytes at least.
    const std::string_view text = array.child_value();
    if (accessor.count > text.size() / 2 + 1) return too_few(array);
    TextScanner scanner(text);
    const int at = line(array);
    double number = 0;
    for (std::uint64_t i = 0; i < accessor.offset; ++i) scanner.number(number);
    for (std::uint64_t i = 0; i < accessor.count; ++i) {
      std::array<double, 3> p{};
      for (std::uint64_t k = 0; k < accessor.stride; ++k) {
        // The last group may be shorter than the stride.
        if (!scanner.number(number) && (k < 3 || i + 1 < accessor.count)) return too_few(array);
        if (k < 3) p[k] = number;
      }
      if (!reading_.add_vertex({p[0], p[1], p[2]}, at)) return false;
    }
    return true;
  }
  bool too_few(const pugi::xml_node& array) {
    return reading_.refuse("mesh-truncated", line(array),
                           "a list of numbers is shorter than its <accessor> says, or has something else in it",
                           "export or copy the mesh again");
  }

  // Where the index of the vertex stands among those of a corner, and how many there are.
  bool read_inputs(const pugi::xml_node& primitive) {
    stride_ = 0;
    bool has_vertices = false;
    for (const auto input : primitive.children("input")) {
      const std::size_t offset = input.attribute("offset").as_uint(0);
      if (offset > 1000) return wrong(input, "the offset of an input is " + std::to_string(offset));
      stride_ = std::max(stride_, offset + 1);
      if (std::string_view(input.attribute("semantic").value()) == "VERTEX") offset_ = offset, has_vertices = true;
    }
    return has_vertices || wrong(primitive, "polygons have no input VERTEX");
  }
  // The vertex of the next corner. False at the end of the list; something else is -1, which is reported.
  bool take_corner(TextScanner& scanner, std::int64_t& corner) const {
    for (std::size_t i = 0; i < stride_; ++i) {
      const auto word = scanner.word();
      if (word.empty()) return false;
      if (i == offset_ && !TextScanner::parse(word, corner)) corner = -1;
    }
    return true;
  }

  bool read_primitive(const pugi::xml_node& primitive) {
    if (!read_inputs(primitive)) return false;
    const std::string_view tag = primitive.name();
    if (tag == "polylist") return read_polylist(primitive);
    for (const auto list : primitive.children()) {
      const bool with_holes = std::string_view(list.name()) == "ph";
      if (with_holes && !std::exchange(said_holes_, true))
        reading_.warn("mesh-unsupported", line(list), "holes in polygons are not cut out", "triangulate the mesh");
      if (!with_holes && std::string_view(list.name()) != "p") continue;
      if (!read_list(tag, with_holes ? list.child("p") : list)) return false;
    }
    return true;
  }
  bool read_polylist(const pugi::xml_node& primitive) {
    TextScanner counts(primitive.child("vcount").child_value()), scanner(primitive.child("p").child_value());
    const int at = line(primitive);
    for (auto word = counts.word(); !word.empty(); word = counts.word()) {
      std::int64_t count = 0;
      if (!TextScanner::parse(word, count) || count < 0) return wrong(primitive, "a polygon has no number of corners");
      corners_.clear();
      for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t corner = 0;
        if (!take_corner(scanner, corner)) return too_few_corners(primitive);
        corners_.push_back(corner);
      }
      if (!reading_.add_polygon(corners_, at)) return false;
    }
    return true;
  }
  bool too_few_corners(const pugi::xml_node& primitive) {
    return reading_.refuse("mesh-truncated", line(primitive), "the list of corners ends within a polygon",
                           "export or copy the mesh again");
  }
  // A list of triangles, or one polygon, strip or fan.
  bool read_list(std::string_view tag, const pugi::xml_node& list) {
    TextScanner scanner(list.child_value());
    const int at = line(list);
    corners_.clear();
    for (std::int64_t corner = 0; take_corner(scanner, corner);) {
      corners_.push_back(corner);
      const std::size_t n = corners_.size();
      if (tag == "triangles" && n == 3) {
        if (!reading_.add_polygon(corners_, at)) return false;
        corners_.clear();
      } else if (tag == "tristrips" && n >= 3) {
        const bool odd = n % 2 == 0;  // every second triangle of a strip is the other way round
        if (!reading_.add_triangle(corners_[n - 3], corners_[odd ? n - 1 : n - 2], corners_[odd ? n - 2 : n - 1], at))
          return false;
      } else if (tag == "trifans" && n >= 3) {
        if (!reading_.add_triangle(corners_[0], corners_[n - 2], corners_[n - 1], at)) return false;
      }
    }
    if (tag == "triangles" && !corners_.empty()) return too_few_corners(list);
    return tag != "polygons" || reading_.add_polygon(corners_, at);
  }

  Reading& reading_;
  const LineStarts& lines_;
  pugi::xml_node mesh_, geometry_;
  std::size_t stride_ = 1, offset_ = 0;
  std::vector<std::int64_t> corners_;
  bool said_holes_ = false;
};

}  // namespace

LineStarts::LineStarts(std::string_view text) {
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) starts_.push_back(at + 1);
}

int LineStarts::line(std::ptrdiff_t offset) const {
  if (offset < 0) return 0;
  return 1 + int(std::upper_bound(starts_.begin(), starts_.end(), std::size_t(offset)) - starts_.begin());
}

bool read_dae_geometry(Reading& reading, const LineStarts& lines, const pugi::xml_node& geometry) {
  return DaeGeometry(reading, lines, geometry).read();
}

}  // namespace lissom::mesh
