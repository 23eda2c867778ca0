#pragma once
// What lissom knows of a robot and a format cannot say: the element <lissom>, which the writers add and the readers
// read. docs/convert.md describes it. Not installed.
#include <span>
#include <string_view>
#include <vector>

#include "lissom/io/xml_element.h"
#include "lissom/model/description.h"

namespace lissom::io {

// Adds the content of <lissom> to a description whose links and joints are complete.
void read_extras(const Element& lissom, Description& description);
// The same from its text, as MJCF has it in <custom>; `line` is where that is.
void read_extras_text(std::string_view text, int line, Description& description, std::vector<Diagnostic>& found);

// The joints as which a joint of this type is written where a format does not have it; none for those that all have.
std::span<const JointPart> split_parts(JointType type);

// A joint that a format has no type for was written as several: joins them again.
struct JoinedJoint {
  std::string name;
  JointType type;
  std::vector<std::string> parts;
  double pitch = 0;  // of a helical joint
};
// Returns false, and leaves the description as it is, if the parts are not (any longer) such a joint.
bool join(const JoinedJoint& joint, Description& description);

}  // namespace lissom::io
