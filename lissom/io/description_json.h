#pragma once
// A description as JSON, whole: every member of description.h, by its name, with the same bits. Members that have their
// default value are left out. It is what recordings keep of a robot that no single file gives.
#include <string>
#include <string_view>

#include "lissom/model/description.h"

namespace lissom::io {

/// One line of text.
std::string description_to_json(const Description& description);
/// Throws an Error that says where, if the text is not what description_to_json writes. What it describes may still be
/// nonsense: build() and validate() tell.
Description description_from_json(std::string_view text);

}  // namespace lissom::io
