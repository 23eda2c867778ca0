#pragma once
// Values in SDF are texts inside elements: <mass>1</mass>. Not for users.
#include <optional>
#include <string>

#include "lissom/io/xml_element.h"
#include "lissom/model/description.h"

namespace lissom::io::sdf {

// A version of the format, 1.minor.
struct Version {
  int minor = 12;
  bool before(int other) const { return minor < other; }
};
inline constexpr int oldest_version = 4, newest_version = 12;

// Reads the numbers in the text of an element. Returns false if it is empty, or if it is wrong, which is reported.
bool read_numbers(const Element& element, std::size_t count, NumberList& out, Infinity infinity = Infinity::refuse);

// The value of the child of that name; nothing if there is none, if it is empty, or if it is wrong, which is reported.
std::optional<double> number_in(const Element& parent, const char* name, Infinity infinity = Infinity::refuse);
std::optional<Vec3<double>> vector_in(const Element& parent, const char* name);
std::optional<bool> flag_in(const Element& parent, const char* name);
std::string text_in(const Element& parent, const char* name);

// true, false, 1 or 0, of an element or an attribute; nothing, and a finding, otherwise.
std::optional<bool> to_flag(const Element& element, std::string_view text, std::string_view what);

// A pose as it is written, and the name of the frame that it is relative to; empty if that is the usual one.
struct WrittenPose {
  Pose<double> pose;
  std::string relative_to;
  int line = 0;  // 0: there is none
};
// <pose> of the element.
WrittenPose read_pose(const Element& parent);

// Keeps the texts of all elements below (KeptAttribute), with their path as name, but for those in `used`.
void keep(const Element& element, Element::Words used, Description& description);
// The same for these children of an element, as far as it has them.
void keep_children(const Element& element, Element::Words names, Description& description);
// Counts an element that is not read, in a note.
void not_read(const Element& element, const char* why);

}  // namespace lissom::io::sdf
