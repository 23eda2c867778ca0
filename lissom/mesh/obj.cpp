// Wavefront OBJ: the vertices (v) and faces (f). Faces name vertices by number from 1, or from the end by negative
// ones; "3/1/2" also names texture coordinates and a normal, which are not read.
#include <array>
#include <utility>

#include "lissom/mesh/reading.h"
#include "lissom/mesh/text_scanner.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

class ObjFile {
 public:
  explicit ObjFile(Reading& reading) : reading_(reading), scanner_(reading.bytes) {}

  bool read() {
    for (auto word = scanner_.word(); !word.empty(); word = scanner_.word()) {
      continued_ = false;
      if (word == "v" ? !read_vertex() : word == "f" || word == "fo" ? !read_face() : !skip(word)) return false;
    }
    return true;
  }

 private:
  // The next word of a statement, which a backslash at the end of the line continues.
  std::string_view word_of_statement() {
    auto word = scanner_.word_on_line();
    while (word == "\\") {
      scanner_.skip_line();
      word = scanner_.word_on_line();
    }
    if (word.size() > 1 && word.back() == '\\') continued_ = true, word.remove_suffix(1);
    if (word.empty() && continued_) {
      continued_ = false;
      scanner_.skip_line();
      return word_of_statement();
    }
    return word;
  }
  bool read_vertex() {
    std::array<double, 3> p{};
    for (auto& coordinate : p) {
      const auto word = word_of_statement();
      if (!TextScanner::parse(word, coordinate))
        return reading_.refuse("mesh-syntax", scanner_.line(),
                               "vertex " + std::to_string(reading_.mesh.vertices.size() + 1) + " has " +
                                   (word.empty() ? "fewer than three numbers" : in_quotes(word) + " for a number"),
                               "write v X Y Z, or export the mesh again");
    }
    if (!reading_.add_vertex({p[0], p[1], p[2]}, scanner_.line())) return false;
    scanner_.skip_line();  // a weight or a color
    return true;
  }
  bool read_face() {
    corners_.clear();
    const int line = scanner_.line();
    for (auto word = word_of_statement(); !word.empty() && word[0] != '#'; word = word_of_statement()) {
      const auto text = word.substr(0, word.find('/'));
      std::int64_t number = 0;
      if (!TextScanner::parse(text, number) || number == 0)
        return reading_.refuse("mesh-syntax", scanner_.line(),
                               in_quotes(word) +
                                   " is no number of a vertex; they count from 1, or from the end by "
                                   "negative numbers",
                               "correct the face, or export the mesh again");
      corners_.push_back(number > 0 ? number - 1 : std::int64_t(reading_.mesh.vertices.size()) + number);
    }
    scanner_.skip_line();
    return reading_.add_polygon(corners_, line);
  }
  bool skip(std::string_view word) {
    constexpr std::array curved{"curv", "curv2", "surf", "cstype"};
    for (const std::string_view name : curved)
      if (word == name && !std::exchange(said_curved_, true))
        reading_.warn("mesh-unsupported", scanner_.line(), "curves and curved surfaces are not read",
                      "export the mesh as polygons");
    // What is no text would be taken for statements that are not known.
    for (const char c : word)
      if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f')
        return reading_.refuse("mesh-syntax", scanner_.line(), "the file has bytes that are no text",
                               "check that this is an OBJ file, and that it was not damaged in transfer");
    scanner_.skip_line();
    return true;
  }

  Reading& reading_;
  TextScanner scanner_;
  std::vector<std::int64_t> corners_;
  bool continued_ = false, said_curved_ = false;
};

}  // namespace

bool read_obj(Reading& reading) {
  return ObjFile(reading).read();
}

}  // namespace lissom::mesh
