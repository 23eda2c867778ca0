// PLY: a text header that lists elements and their properties, then the elements, as text or in binary. Of "vertex" the
// properties x, y and z are read, of "face" the list vertex_indices (or vertex_index); everything else is passed over.
#include <array>
#include <limits>
#include <optional>

#include "lissom/mesh/bytes.h"
#include "lissom/mesh/reading.h"
#include "lissom/mesh/text_scanner.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

enum class Number { i8, u8, i16, u16, i32, u32, f32, f64 };

std::optional<Number> number_type(std::string_view name) {
  constexpr std::array<std::string_view, 16> names{"char",  "uchar",  "short",   "ushort", "int",   "uint",
                                                   "float", "double", "int8",    "uint8",  "int16", "uint16",
                                                   "int32", "uint32", "float32", "float64"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return Number(i % 8);
  return {};
}

std::size_t bytes_of(Number type) {
  constexpr std::array<std::size_t, 8> sizes{1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[std::size_t(type)];
}

double number_of(Number type, std::string_view bytes, std::size_t at, std::endian order) {
  switch (type) {
    case Number::i8:
      return number_at<std::int8_t>(bytes, at);
    case Number::u8:
      return number_at<std::uint8_t>(bytes, at);
    case Number::i16:
      return number_at<std::int16_t>(bytes, at, order);
    case Number::u16:
      return number_at<std::uint16_t>(bytes, at, order);
    case Number::i32:
      return number_at<std::int32_t>(bytes, at, order);
    case Number::u32:
      return number_at<std::uint32_t>(bytes, at, order);
    case Number::f32:
      return double(number_at<float>(bytes, at, order));
    case Number::f64:
      return number_at<double>(bytes, at, order);
  }
  return 0;
}

struct Property {
  std::string_view name;
  Number type;
  std::optional<Number> count_type;  // of a list
};

struct ElementList {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

class PlyFile {
 public:
  explicit PlyFile(Reading& reading) : reading_(reading), scanner_(reading.bytes) {}

  bool read() {
    if (!read_header()) return false;
    at_ = reading_.bytes.size() - scanner_.bytes_left();
    for (const auto& element : elements_) {
      if (element.name == "tristrips" && element.count > 0)
        return reading_.refuse("mesh-unsupported", 0, "the file has strips of triangles", "export the mesh as faces");
      if (!read_elements(element)) return false;
    }
    return true;
  }

 private:
  bool wrong(const std::string& message) {
    return reading_.refuse("mesh-syntax", scanner_.line(), message,
                           "check that this is a PLY file; correct it, or export it again");
  }
  bool truncated(const ElementList& element) {
    return reading_.refuse(
        "mesh-truncated", text_ ? scanner_.line() : 0,
        "the file ends before the last of " + std::to_string(element.count) + " elements " + in_quotes(element.name),
        "export or copy the mesh again");
  }

  bool read_format() {
    const auto name = scanner_.word_on_line();
    text_ = name == "ascii";
    order_ = name == "binary_big_endian" ? std::endian::big : std::endian::little;
    return text_ || name == "binary_little_endian" || name == "binary_big_endian" ||
           wrong("the format is " + in_quotes(name) + ", expected ascii, binary_little_endian or binary_big_endian");
  }
  bool read_element_line() {
    ElementList element;
    element.name = scanner_.word_on_line();
    std::int64_t count = -1;
    const auto word = scanner_.word_on_line();
    if (!TextScanner::parse(word, count) || count < 0)
      return wrong("the number of elements " + in_quotes(element.name) + " is " + in_quotes(word));
    element.count = std::uint64_t(count);
    elements_.push_back(element);
    return true;
  }
  bool read_property_line() {
    if (elements_.empty()) return wrong("a property stands before the first element");
    Property property{};
    auto word = scanner_.word_on_line();
    if (word == "list") {
      word = scanner_.word_on_line();
      property.count_type = number_type(word);
      if (!property.count_type || *property.count_type >= Number::f32)
        return wrong(in_quotes(word) + " is no type of the length of a list");
      word = scanner_.word_on_line();
    }
    const auto type = number_type(word);
    if (!type) return wrong(in_quotes(word) + " is no type of numbers");
    property.type = *type;
    property.name = scanner_.word_on_line();
    elements_.back().properties.push_back(property);
    return true;
  }
  bool read_header() {
    scanner_.skip_line();  // ply
    bool has_format = false;
    while (true) {
      const auto word = scanner_.word();
      if (word == "end_header") break;
      if (word.empty())
        return reading_.refuse("mesh-truncated", scanner_.line(), "the file ends within the header",
                               "export or copy the mesh again");
      bool ok = true;
      if (word == "format")
        ok = has_format = read_format();
      else if (word == "element")
        ok = read_element_line();
      else if (word == "property")
        ok = read_property_line();
      else if (word != "comment" && word != "obj_info")
        ok = wrong("the header has the line " + in_quotes(word));
      if (!ok) return false;
      scanner_.skip_line();
    }
    scanner_.skip_line();
    return has_format || wrong("the header has no format");
  }

  // A number of the elements, in text or binary. False at the end of the file.
  bool take(Number type, double& value) {
    if (text_) return scanner_.number(value);
    const std::size_t size = bytes_of(type);
    if (reading_.bytes.size() - at_ < size) return false;
    value = number_of(type, reading_.bytes, at_, order_);
    at_ += size;
    return true;
  }
  std::uint64_t bytes_left() const { return text_ ? scanner_.bytes_left() : reading_.bytes.size() - at_; }

  bool read_elements(const ElementList& element) {
    if (element.count == 0 || element.properties.empty()) return true;
    // Every property takes a byte at least, so the number is known to be possible before memory is reserved.
    if (element.count > bytes_left() + 1) return truncated(element);
    const bool vertices = element.name == "vertex", faces = element.name == "face";
    if (faces && !reading_.expect_triangles(element.count)) return false;
    for (std::uint64_t i = 0; i < element.count; ++i) {
      position_ = {0, 0, 0};
      corners_.clear();
      for (const auto& property : element.properties)
        if (!(property.count_type ? read_list(property, faces) : read_number(property))) return truncated(element);
      const int line = text_ ? scanner_.line() : 0;
      if (vertices && !reading_.add_vertex(position_, line)) return false;
      if (faces && !reading_.add_polygon(corners_, line)) return false;
    }
    return true;
  }
  bool read_number(const Property& property) {
    double value = 0;
    if (!take(property.type, value)) return false;
    if (property.name == "x") position_.x = value;
    if (property.name == "y") position_.y = value;
    if (property.name == "z") position_.z = value;
    return true;
  }
  bool read_list(const Property& property, bool faces) {
    double count = 0;
    if (!take(*property.count_type, count) || !(count >= 0) || count > double(bytes_left())) return false;
    const bool corners = faces && (property.name == "vertex_indices" || property.name == "vertex_index");
    for (double i = 0; i < count; ++i) {
      double value = 0;
      if (!take(property.type, value)) return false;
      // What is no index of 32 bits becomes -1, which is reported.
      if (corners) corners_.push_back(value >= 0 && value < 0x1p32 ? std::int64_t(value) : -1);
    }
    return true;
  }

  Reading& reading_;
  TextScanner scanner_;
  std::vector<ElementList> elements_;
  bool text_ = true;
  std::endian order_ = std::endian::little;
  std::size_t at_ = 0;
  Vec3<double> position_{0, 0, 0};
  std::vector<std::int64_t> corners_;
};

}  // namespace

bool read_ply(Reading& reading) {
  return PlyFile(reading).read();
}

}  // namespace lissom::mesh
