// STL. Binary: a header of 80 bytes, which is not read, the number of triangles, and 50 bytes for each: its normal,
// which follows from the order of the corners and is not read either, three corners, and two bytes of anything. Text:
// solid, facet, outer loop, vertex.
#include "lissom/mesh/bytes.h"
#include "lissom/mesh/reading.h"
#include "lissom/mesh/text_scanner.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

std::uint64_t stated_bytes(std::string_view bytes) {
  return header_bytes + triangle_bytes * std::uint64_t(number_at<std::uint32_t>(bytes, 80));
}

bool read_binary(Reading& reading) {
  const auto bytes = reading.bytes;
  if (bytes.size() < header_bytes)
    return reading.refuse("mesh-truncated", 0,
                          "the file has " + std::to_string(bytes.size()) + " bytes; the header alone takes 84",
                          "export or copy the mesh again");
  const std::uint64_t count = number_at<std::uint32_t>(bytes, 80), stated = stated_bytes(bytes);
  if (stated > bytes.size())
    return reading.refuse("mesh-truncated", 0,
                          "the header states " + std::to_string(count) + " triangles, which take " +
                              std::to_string(stated) + " bytes, but the file has " + std::to_string(bytes.size()),
                          "export or copy the mesh again");
  if (stated < bytes.size())
    reading.warn("mesh-trailing", 0, counted(bytes.size() - stated, "byte") + " after the last triangle were not read",
                 "check how the file was made");
  if (!reading.expect_triangles(count)) return false;
  reading.mesh.vertices.reserve(3 * count);
  reading.mesh.triangles.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t corners = header_bytes + triangle_bytes * i + 12;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto coordinate = [&](std::size_t c) { return double(number_at<float>(bytes, corners + 12 * k + 4 * c)); };
      if (!reading.add_vertex({coordinate(0), coordinate(1), coordinate(2)}, 0)) return false;
    }
    const auto first = std::uint32_t(3 * i);
    reading.mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return true;
}

class TextStl {
 public:
  explicit TextStl(Reading& reading) : reading_(reading), scanner_(reading.bytes) {}

  bool read() {
    for (auto word = scanner_.word(); !word.empty(); word = scanner_.word())
      if (word == "solid" || word == "endsolid") {
        scanner_.skip_line();  // a name, which may be anything
        inside_ = word == "solid";
      } else if (word == "facet") {
        if (!read_facet()) return false;
      } else {
        return unexpected("facet", word);
      }
    if (inside_)
      reading_.warn("mesh-truncated", scanner_.line(), "the file ends before endsolid",
                    "check that the file was copied to its end");
    return true;
  }

 private:
  bool unexpected(std::string_view expected, std::string_view found) {
    if (found.empty())
      return reading_.refuse("mesh-truncated", scanner_.line(),
                             "the file ends within a facet; expected " + in_quotes(expected),
                             "export or copy the mesh again");
    return reading_.refuse("mesh-syntax", scanner_.line(),
                           "expected " + in_quotes(expected) + ", found " + in_quotes(found),
                           "check that this is an STL file; correct it, or export it again");
  }
  bool take(std::string_view expected) {
    const auto word = scanner_.word();
    return word == expected || unexpected(expected, word);
  }
  bool read_facet() {
    // Programs write the normal of a degenerate triangle as NaN; nothing of it is used.
    if (!take("normal")) return false;
    for (int i = 0; i < 3; ++i) scanner_.word();
    if (!take("outer") || !take("loop")) return false;
    const auto first = std::int64_t(reading_.mesh.vertices.size());
    for (int i = 0; i < 3; ++i) {
      double x = 0, y = 0, z = 0;
      if (!take("vertex")) return false;
      if (!scanner_.number(x) || !scanner_.number(y) || !scanner_.number(z))
        return unexpected("three numbers", scanner_.at_end() ? "" : "something else");
      if (!reading_.add_vertex({x, y, z}, scanner_.line())) return false;
    }
    return take("endloop") && take("endfacet") && reading_.add_triangle(first, first + 1, first + 2, scanner_.line());
  }

  Reading& reading_;
  TextScanner scanner_;
  bool inside_ = false;
};

}  // namespace

bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= header_bytes && stated_bytes(bytes) == bytes.size();
}

bool read_stl(Reading& reading) {
  // Some programs begin the header of binary files with "solid", too.
  const bool text = !is_binary_stl(reading.bytes) && reading.bytes.substr(0, 5) == "solid" &&
                    reading.bytes.substr(0, 1000).find('\0') == std::string_view::npos;
  return text ? TextStl(reading).read() : read_binary(reading);
}

}  // namespace lissom::mesh
