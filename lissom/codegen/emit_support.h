#pragma once
// The part of generated headers that is the same for every robot. Not installed.
#include <string_view>

namespace lissom::codegen {

extern const std::string_view cpp_includes, cpp_support;
extern const std::string_view c_includes;

}  // namespace lissom::codegen
