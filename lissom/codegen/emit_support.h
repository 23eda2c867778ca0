#pragma once
// The part of generated headers that is the same for every robot. Not installed.
#include <string>
#include <string_view>

namespace lissom::codegen {

extern const std::string_view cpp_includes, cpp_support;
extern const std::string_view c_includes;

/// Whether statements read or write an element of an array of this name.
bool mentions(const std::string& statements, const std::string& array);

}  // namespace lissom::codegen
